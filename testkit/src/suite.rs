//! A suite: the clauses of one contract for one backend.

use std::fmt::Debug;

use crate::check::Check;
use crate::clause::Clause;
use crate::pace::Pace;
use crate::promises::Promises;
use crate::run::{self, Threads};

/// The clauses of one contract for one backend.
#[derive(Debug)]
pub struct Suite {
    checks: Vec<Check>,
    real_time: bool,
}

impl Suite {
    /// Makes a suite of clauses, each of which is started as `start` says.
    pub(crate) fn new<C, P, F>(promises: Promises<P>, clauses: Vec<Clause<C, P>>, start: Start<F>) -> Self
    where
        C: 'static,
        P: Copy + Debug + Ord,
        F: Fn(Pace) -> C + Clone + Send + Sync + 'static,
    {
        let real_time = !promises.pace().paused;
        let checks = clauses.into_iter().map(move |clause| start.check(&promises, clause)).collect();
        Self { checks, real_time }
    }

    /// Puts `name` before the names of all checks: `<name>::<clause>`.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        for check in &mut self.checks {
            check.rename(format!("{name}::{}", check.name()));
        }
        self
    }

    /// The clauses, each with what it takes to run it.
    pub fn checks(&self) -> &[Check] {
        &self.checks
    }

    pub(crate) fn into_checks(self) -> Vec<Check> {
        self.checks
    }

    pub(crate) fn is_real_time(&self) -> bool {
        self.real_time
    }
}

const NO_SETUP: &str = "its factory takes no Setup";

/// How clauses are started.
pub(crate) struct Start<F> {
    /// Makes what a clause gets.
    pub(crate) case: F,
    /// Whether a clause can ask for a set-up.
    pub(crate) can_set_up: bool,
    /// On how many threads it runs.
    pub(crate) threads: Threads,
}

impl<F> Start<F> {
    fn check<C, P>(&self, promises: &Promises<P>, clause: Clause<C, P>) -> Check
    where
        C: 'static,
        P: Copy + Debug + Ord,
        F: Fn(Pace) -> C + Clone + Send + Sync + 'static,
    {
        let unpromised = promises.missing(&clause.promised);
        let no_setup = (clause.needs_setup && !self.can_set_up).then(|| NO_SETUP.to_owned());
        let (case, threads, pace, body) = (self.case.clone(), self.threads, promises.pace(), clause.run);
        let run = move || run::run(pace, threads, body(case(pace)));
        Check::new(clause.name, run).unless(unpromised.or(no_setup)).needing(promises.need())
    }
}
