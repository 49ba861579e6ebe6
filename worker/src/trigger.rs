//! A trigger: when work runs, and through which runner.

mod context;
#[cfg(feature = "cron")]
mod cron;
#[cfg(feature = "cron")]
mod cron_error;
mod fixed_rate;
mod function;
mod outcome;
mod rhythm;
mod run;
mod runner;
mod work;

use std::sync::Arc;
use std::time::Duration;

pub use context::RunContext;
#[cfg(feature = "cron")]
pub use cron_error::CronError;
pub use function::{WorkFunction, WorkFunctionWith, work};
pub use outcome::{IntoOutcome, RunOutcome};
pub(crate) use rhythm::{Grid, Rhythm};
pub use run::Run;
pub(crate) use run::guard;
pub use runner::{DirectRunner, Runner};
pub use work::Work;

#[cfg(feature = "cron")]
use cron::Cron;
use fixed_rate::FixedRate;

/// Says when work runs: at a fixed rate, or by a cron pattern (feature `cron`).
///
/// Its *beats* lie on a grid. For a fixed rate the grid starts when the trigger is started, plus the start delay; no
/// run, however long, and no jitter moves it. A [`Scheduler`](crate::Scheduler) runs several triggers;
/// [`start`](Self::start) runs one alone.
///
/// # Guarantees
/// W12: a trigger never overlaps itself. A beat that passes while its work still runs, or waits for a place, is counted
/// and not made up; the next run is at the next beat.
///
/// # Examples
/// ```
/// use std::time::Duration;
/// use worker::{DirectRunner, RunContext, Trigger};
///
/// async fn rebuild(_context: RunContext) -> Result<(), std::io::Error> {
///     Ok(()) // an error is logged and counted; the trigger lives on
/// }
///
/// # fn secs(seconds: u64) -> Duration { Duration::from_secs(seconds) }
/// # fn ms(milliseconds: u64) -> Duration { Duration::from_millis(milliseconds) }
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// let running = Trigger::every(secs(2)).jitter(ms(300)).start_delay(ms(256)).run(DirectRunner, rebuild);
/// # tokio::time::sleep(secs(5)).await;
/// let account = running.stop(secs(20)).await;
/// assert_eq!((account.succeeded, account.failed), (3, 0));
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use = "a trigger does nothing until it is started"]
pub struct Trigger {
    pub(crate) name: Option<String>,
    pub(crate) rhythm: Arc<dyn Rhythm>,
    pub(crate) jitter: Duration,
    pub(crate) start_delay: Duration,
    pub(crate) runs_when_paused: bool,
    pub(crate) runner: Arc<dyn Runner>,
}

impl Trigger {
    /// Beats every `interval`, for the first time when it is started.
    ///
    /// # Panics
    /// If `interval` is zero.
    pub fn every(interval: Duration) -> Self {
        assert!(!interval.is_zero(), "Trigger::every(0): an interval is longer than nothing");
        Self::new(Arc::new(FixedRate::new(interval)))
    }

    /// Beats by a cron pattern, in UTC.
    ///
    /// A pattern has five fields: minute, hour, day of month, month, day of week; a sixth before them is seconds.
    /// Names (`MON`, `JAN`), `@daily` and its like, `L`, `#` and `W` are understood.
    ///
    /// A system clock that is set is followed within a minute. Beats it jumped over are one late run; beats it repeats
    /// do not run twice, unless it was set back by more than three hours.
    ///
    /// # Errors
    /// If it is not a pattern.
    ///
    /// # Examples
    /// ```
    /// # use worker::Trigger;
    /// let nightly = Trigger::cron("30 2 * * *")?.named("collate-logs");
    /// assert!(Trigger::cron("30 26 * * *").is_err());
    /// # Ok::<(), worker::CronError>(())
    /// ```
    #[cfg(feature = "cron")]
    pub fn cron(pattern: &str) -> Result<Self, CronError> {
        Ok(Self::new(Arc::new(Cron::in_utc(pattern)?)))
    }

    /// Beats by a cron pattern in a time zone, such as `Europe/Berlin`: as [`cron`](Self::cron) otherwise.
    ///
    /// The zones are the system's, or those built into this crate where the system has none. When clocks go forward, a
    /// pattern of fixed times (`30 2 * * *`) runs right after the gap that its time falls into, and one with `*` or a
    /// step in seconds, minutes or hours leaves the gap out. When they go back, a pattern of fixed times runs once, the
    /// first time, and the others run in both passes of the hour.
    ///
    /// # Errors
    /// If it is not a pattern, or there is no such zone.
    #[cfg(feature = "cron")]
    pub fn cron_in(zone: &str, pattern: &str) -> Result<Self, CronError> {
        Ok(Self::new(Arc::new(Cron::in_zone(zone, pattern)?)))
    }

    fn new(rhythm: Arc<dyn Rhythm>) -> Self {
        Self {
            name: None,
            rhythm,
            jitter: Duration::ZERO,
            start_delay: Duration::ZERO,
            runs_when_paused: false,
            runner: Arc::new(DirectRunner),
        }
    }

    /// Names it in spans, logs and [`status`](crate::SchedulerHandle::status); `trigger-0`, `trigger-1` … unless set.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Delays each beat by a random time up to `most`, anew for each; the grid stays where it is.
    ///
    /// It should be shorter than the interval: a longer one makes the work run less often.
    pub fn jitter(mut self, most: Duration) -> Self {
        self.jitter = most.min(FixedRate::LONGEST);
        self
    }

    /// Has no beat before `delay` has passed since it was started. The grid of a fixed rate starts there.
    pub fn start_delay(mut self, delay: Duration) -> Self {
        self.start_delay = delay.min(FixedRate::LONGEST);
        self
    }

    /// Sets whether it runs while the whole scheduler is paused, as in a read-only mode; no unless set. Its own
    /// [`pause`](crate::TriggerHandle::pause) holds it in any case.
    pub fn runs_when_paused(mut self, runs: bool) -> Self {
        self.runs_when_paused = runs;
        self
    }

    /// Sets the runner that each run goes through: a [`DirectRunner`] unless set.
    pub fn through(mut self, runner: impl Runner + 'static) -> Self {
        self.runner = Arc::new(runner);
        self
    }
}
