//! The path of a run: what was chosen in it.

use std::fmt;

/// What was chosen in a run, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    steps: Vec<Step>,
    /// How many of them this run has come to.
    done: usize,
}

#[derive(Clone, Debug)]
struct Step {
    what: String,
    outcomes: &'static [&'static str],
    taken: usize,
}

impl Path {
    /// Takes the next step: the outcome that is prescribed, or the first.
    pub(super) fn step(&mut self, what: &str, outcomes: &'static [&'static str]) -> usize {
        assert!(!outcomes.is_empty(), "choose({what}, []): there is nothing to choose");
        if self.done == self.steps.len() {
            self.steps.push(Step { what: what.to_owned(), outcomes, taken: 0 });
        }
        let step = &self.steps[self.done];
        let same = step.what == what && step.outcomes == outcomes;
        assert!(same, "the scenario takes another course each time: {step} before, {what} now");
        self.done += 1;
        step.taken
    }

    /// Turns to the next path: the last step that has another outcome left takes it. `false` if none has.
    pub(super) fn turn(&mut self) -> bool {
        self.steps.truncate(self.done);
        self.done = 0;
        while let Some(last) = self.steps.last_mut() {
            last.taken += 1;
            if last.taken < last.outcomes.len() {
                return true;
            }
            self.steps.pop();
        }
        false
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, step) in self.steps.iter().take(self.done).enumerate() {
            let comma = if number > 0 { ", " } else { "" };
            write!(f, "{comma}{step}")?;
        }
        if self.done == 0 { f.write_str("nothing was chosen") } else { Ok(()) }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.what, self.outcomes[self.taken])
    }
}
