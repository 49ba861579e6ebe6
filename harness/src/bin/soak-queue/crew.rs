//! The crew: the members that are at work, and what is done to them.

use std::time::Duration;

use fastrand::Rng;
use harness::{Ledger, monotonic};

use crate::Failure;
use crate::backend::Queues;
use crate::consume::Style;
use crate::job::{Job, Role};
use crate::member::Member;
use crate::tally::Tally;

/// The members that are at work.
pub(crate) struct Crew<'a> {
    ledger: &'a Ledger,
    shared: Option<Queues>,
    members: Vec<Member>,
    /// Those that are frozen: by process or thread their place, and when they go on.
    frozen: Vec<(usize, Duration)>,
    random: Rng,
    producers: u64,
}

impl<'a> Crew<'a> {
    pub(crate) fn new(ledger: &'a Ledger, shared: Option<Queues>, random: Rng) -> Self {
        Self { ledger, shared, members: Vec::new(), frozen: Vec::new(), random, producers: 0 }
    }

    /// Hires a producer of so many messages.
    pub(crate) fn hire_producer(&mut self, job: &Job, count: u64) -> Result<(), Failure> {
        self.producers += 1;
        let role = Role::Producer { id: self.producers, count };
        self.hire(Job { role, ..job.clone() })
    }

    /// Hires a consumer.
    pub(crate) fn hire_consumer(&mut self, job: &Job, style: Style) -> Result<(), Failure> {
        self.hire(Job { role: Role::Consumer { style }, ..job.clone() })
    }

    fn hire(&mut self, job: Job) -> Result<(), Failure> {
        let job = Job { seed: self.random.u64(..), ..job };
        self.members.push(Member::start(job, self.shared.as_ref(), self.ledger)?);
        Ok(())
    }

    /// Whether a producer is still at it.
    pub(crate) fn is_sending(&self) -> bool {
        self.members.iter().any(|member| member.producer().is_some() && !member.has_ended())
    }

    /// Whether anybody stands still.
    pub(crate) fn is_frozen(&self) -> bool {
        !self.frozen.is_empty()
    }

    /// Kills one and puts another in its place: a producer's sends what that has left unsent.
    pub(crate) fn kill_one(&mut self, tally: &mut Tally) -> Result<(), Failure> {
        let Some(at) = self.pick() else { return Ok(()) };
        let member = self.members.swap_remove(at);
        self.moved(at);
        let (job, producer) = (member.job.clone(), member.producer());
        member.kill()?;
        tally.read_on()?;
        match (producer, job.role) {
            (Some((id, count)), _) => match count.saturating_sub(tally.by_producer(id)) {
                0 => Ok(()),
                left => self.hire_producer(&job, left),
            },
            (None, Role::Consumer { style }) => self.hire_consumer(&job, style),
            (None, Role::Producer { .. }) => Ok(()),
        }
    }

    /// Freezes one for so long.
    pub(crate) fn freeze_one(&mut self, time: Duration) {
        let frozen: Vec<_> = self.frozen.iter().map(|(at, _)| *at).collect();
        if let Some(at) = self.pick().filter(|at| !frozen.contains(at)) {
            self.members[at].freeze();
            self.frozen.push((at, monotonic() + time));
        }
    }

    /// Lets those go on whose time has come.
    pub(crate) fn thaw(&mut self) {
        let now = monotonic();
        for (at, _) in self.frozen.extract_if(.., |(_, until)| *until <= now) {
            self.members[at].resume();
        }
    }

    /// Sees that nobody has ended who should not have, and forgets the producers that are done.
    pub(crate) fn look_after(&mut self) -> Result<(), Failure> {
        while let Some(at) = self.members.iter().position(Member::has_ended) {
            let member = self.members.swap_remove(at);
            self.moved(at);
            let is_producer = member.producer().is_some();
            member.kill()?;
            if !is_producer {
                return Err("a consumer has ended by itself".into());
            }
        }
        Ok(())
    }

    /// Ends all.
    pub(crate) fn dismiss(&mut self) -> Result<(), Failure> {
        self.frozen.clear();
        self.members.drain(..).try_for_each(Member::kill)
    }

    fn pick(&mut self) -> Option<usize> {
        (!self.members.is_empty()).then(|| self.random.usize(..self.members.len()))
    }

    /// Keeps the places of the frozen right after one was taken out and the last one put there.
    fn moved(&mut self, to: usize) {
        let from = self.members.len();
        self.frozen.retain(|(at, _)| *at != to);
        self.frozen.iter_mut().filter(|(at, _)| *at == from).for_each(|(at, _)| *at = to);
    }
}
