//! What a test sees of its child: the points it passed, where it is held, whether it has ended.

use std::collections::HashMap;
use std::fmt;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::process::ExitStatus;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::clock::Deadline;
use crate::error::HarnessErrorKind;
use crate::wire::{At, Go, LIMIT};

/// What a test sees of its child.
#[derive(Debug)]
pub(crate) struct Watch {
    line: UnixStream,
    seen: Mutex<Seen>,
    changed: Condvar,
}

/// What was seen until now.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    /// The points in the order of their first pass, each with how often it was passed.
    pub(crate) points: Vec<(String, usize)>,
    /// The point it was at last.
    pub(crate) last: Option<String>,
    /// The announcements that wait for leave to go on.
    pub(crate) held: Vec<At>,
    /// How it ended, once it has.
    pub(crate) ended: Option<ExitStatus>,
    /// The first thing it said on the line that is no announcement.
    garbage: Option<String>,
    /// Where to hold it: by point, at which pass.
    holds: HashMap<String, usize>,
}

impl Watch {
    /// Watches a child at the other end of this line, and holds it at these passes of points.
    pub(crate) fn new(line: UnixStream, holds: HashMap<String, usize>) -> Self {
        let seen = Seen { holds, ..Seen::default() };
        Self { line, seen: Mutex::new(seen), changed: Condvar::new() }
    }

    /// What was seen until now; nothing changes while it is looked at.
    pub(crate) fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes what was seen and wakes who waits.
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut Seen) -> T) -> T {
        let changed = change(&mut self.seen());
        self.changed.notify_all();
        changed
    }

    /// Waits until there is what is looked for.
    ///
    /// # Errors
    /// When the child ends without it, says garbage, or the deadline passes.
    pub(crate) fn wait<T>(
        &self,
        deadline: Deadline,
        mut eye: impl FnMut(&Seen) -> Option<T>,
    ) -> Result<T, HarnessErrorKind> {
        self.look(deadline, |seen| match eye(seen) {
            Some(found) => Some(Ok(found)),
            None if seen.garbage.is_some() => Some(Err(HarnessErrorKind::Garbled)),
            None if seen.ended.is_some() => Some(Err(HarnessErrorKind::Ended)),
            None => None,
        })?
    }

    /// Waits until the child has ended, whatever it says.
    ///
    /// # Errors
    /// When the deadline passes.
    pub(crate) fn wait_for_end(&self, deadline: Deadline) -> Result<ExitStatus, HarnessErrorKind> {
        self.look(deadline, |seen| seen.ended)
    }

    fn look<T>(
        &self,
        deadline: Deadline,
        mut eye: impl FnMut(&Seen) -> Option<T>,
    ) -> Result<T, HarnessErrorKind> {
        let mut seen = self.seen();
        loop {
            if let Some(found) = eye(&seen) {
                return Ok(found);
            }
            if deadline.left().is_zero() {
                return Err(HarnessErrorKind::Deadline);
            }
            let woken = self.changed.wait_timeout(seen, deadline.left());
            seen = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Lets the child go on wherever it is held, and answers at how many places that was.
    pub(crate) fn let_go(&self) -> usize {
        let held = self.change(|seen| std::mem::take(&mut seen.held));
        for at in &held {
            self.leave(at);
        }
        held.len()
    }

    /// Reads announcements until the line ends.
    pub(crate) fn read(&self, line: UnixStream) {
        let mut line = BufReader::new(line);
        loop {
            let mut bytes = Vec::new();
            match line.by_ref().take(LIMIT).read_until(b'\n', &mut bytes) {
                Ok(0) | Err(_) => return,
                Ok(_) => self.hear(&bytes),
            }
        }
    }

    fn hear(&self, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        let at = text.strip_suffix('\n').and_then(At::read);
        match at {
            Some(at) => self.announced(&at),
            None => self.change(|seen| seen.garbage = seen.garbage.take().or(Some(text.into_owned()))),
        }
    }

    fn announced(&self, at: &At) {
        let held = self.change(|seen| seen.pass(at));
        if !held {
            self.leave(at);
        }
    }

    /// A child that is gone needs no leave.
    fn leave(&self, at: &At) {
        (&self.line).write_all(Go(at.id).to_string().as_bytes()).ok();
    }
}

impl Seen {
    /// How often a point was passed, or reached where the child is held there.
    pub(crate) fn passes(&self, point: &str) -> usize {
        self.points.iter().find(|(name, _)| name == point).map_or(0, |(_, times)| *times)
    }

    /// Holds the child at this pass of a point.
    pub(crate) fn hold(&mut self, point: &str, pass: usize) {
        self.holds.insert(point.to_owned(), pass);
    }

    /// Notes a pass, and answers whether the child is held there.
    fn pass(&mut self, at: &At) -> bool {
        match self.points.iter_mut().find(|(name, _)| *name == at.point) {
            Some((_, times)) => *times += 1,
            None => self.points.push((at.point.clone(), 1)),
        }
        self.last = Some(at.point.clone());
        let held = self.holds.get(&at.point) == Some(&self.passes(&at.point));
        if held {
            self.holds.remove(&at.point);
            self.held.push(at.clone());
        }
        held
    }
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let points: Vec<_> = self.points.iter().map(|(name, times)| format!("{name} ×{times}")).collect();
        match &self.last {
            None => writeln!(f, "it passed no point")?,
            Some(last) => writeln!(f, "it passed {}, the last was {last}", points.join(", "))?,
        }
        if !self.held.is_empty() {
            let held: Vec<_> = self.held.iter().map(|at| at.point.as_str()).collect();
            writeln!(f, "it is held at {}", held.join(", "))?;
        }
        if let Some(garbage) = &self.garbage {
            writeln!(f, "it said {garbage:?} where only announcements belong")?;
        }
        match &self.ended {
            None => writeln!(f, "it has not ended"),
            Some(status) => writeln!(f, "it ended with {status}"),
        }
    }
}
