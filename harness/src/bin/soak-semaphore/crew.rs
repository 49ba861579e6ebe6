//! The crew: the holders that are at work, and what is done to them.

use std::env;
use std::path::PathBuf;
use std::time::Duration;

use fastrand::Rng;
use harness::{Child, Journal, monotonic};

use crate::event::Event;
use crate::holder::nanoseconds;
use crate::job::{Job, wall_clock};
use crate::{Failure, tell};

/// One holder: its job, the time it is shown, its process, and until when it is frozen.
struct Holder {
    job: Job,
    /// By how many hours its clock is wrong.
    skew: i8,
    child: Child,
    frozen: Option<Duration>,
}

/// The holders that are at work.
pub(crate) struct Crew {
    holders: Vec<Holder>,
    log: Journal,
    random: Rng,
    faketime: Option<PathBuf>,
}

impl Crew {
    pub(crate) fn new(log: Journal, random: Rng, skews: bool) -> Self {
        let faketime = env::var_os("FAKETIME_LIB").map(PathBuf::from).filter(|_| skews);
        if skews && faketime.is_none() {
            tell(
                "FAKETIME_LIB is not set (`cargo xtask soak` sets it): all holders are shown the right time",
            );
        }
        Self { holders: Vec::new(), log, random, faketime }
    }

    /// Hires a holder whose clock is wrong by so many hours.
    pub(crate) fn hire(&mut self, job: Job, skew: i8) -> Result<(), Failure> {
        let skew = if self.faketime.is_some() { skew } else { 0 };
        let hired = wall_clock().saturating_add_signed(3600 * i64::from(skew));
        let job = Job { run: self.random.u64(..), hired, ..job };
        let mut program = job.program()?;
        if let Some(library) = self.faketime.as_ref().filter(|_| skew != 0) {
            program = program.with_env("LD_PRELOAD", library).with_env("FAKETIME", format!("{skew:+}h"));
            // Durations go on as they are: a clock that is wrong is not one that jumps.
            program =
                program.with_env("DONT_FAKE_MONOTONIC", "1").with_env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
        }
        self.holders.push(Holder { job, skew, child: program.start()?, frozen: None });
        Ok(())
    }

    /// Kills one and puts another in its place.
    pub(crate) fn kill_one(&mut self) -> Result<(), Failure> {
        let at = self.random.usize(..self.holders.len());
        let Holder { job, skew, child, .. } = self.holders.swap_remove(at);
        self.bury(&job, child)?;
        self.hire(job, skew)
    }

    /// Freezes one for so long, unless it is frozen already.
    pub(crate) fn freeze_one(&mut self, time: Duration) -> Result<(), Failure> {
        let at = self.random.usize(..self.holders.len());
        let holder = &mut self.holders[at];
        if holder.frozen.is_none() {
            holder.child.freeze()?;
            holder.frozen = Some(monotonic() + time);
        }
        Ok(())
    }

    /// Lets those go on whose time has come, and sees that none has ended by itself.
    pub(crate) fn look_after(&mut self) -> Result<(), Failure> {
        let now = monotonic();
        for holder in &mut self.holders {
            if holder.frozen.take_if(|until| *until <= now).is_some() {
                holder.child.resume()?;
            }
        }
        match self.holders.iter().position(|holder| holder.child.has_ended()) {
            None => Ok(()),
            Some(at) => {
                self.holders.swap_remove(at).child.finish()?.expect_success()?;
                Err("a holder has ended by itself".into())
            }
        }
    }

    /// Ends all.
    pub(crate) fn dismiss(&mut self) -> Result<(), Failure> {
        let holders = std::mem::take(&mut self.holders);
        holders.into_iter().try_for_each(|holder| self.bury(&holder.job, holder.child))
    }

    /// Kills one, and notes until when it may hold a slot all the same.
    fn bury(&self, job: &Job, child: Child) -> Result<(), Failure> {
        let ended = child.kill()?;
        if !ended.was_killed() {
            ended.expect_success()?;
        }
        let until = nanoseconds(monotonic() + job.lease + job.echo);
        Ok(self.log.write(&[Event::Left { run: job.run, until }])?)
    }
}
