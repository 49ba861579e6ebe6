//! A holder: a process that asks for permits, holds them for a while, and writes down what the database says of that.

use std::sync::Arc;
use std::time::Duration;

use harness::{Journal, monotonic};
use semaphore::{PermitRequest, Semaphore, SemaphoreError, SemaphoreErrorKind, lease, max};
use tokio::time::sleep;

use crate::backend::Watched;
use crate::event::Event;
use crate::hold::Hold;
use crate::job::Job;
use crate::sabotage::Planted;
use crate::{Failure, chain};

/// The key that all want.
pub(crate) const KEY: &str = "soak";
/// How long a permit is held on average, in milliseconds; the lease is at most half a second.
const HELD: u64 = 120;

/// A holder at work.
pub(crate) struct Holding {
    pub(crate) job: Job,
    /// As it is, to be asked who holds what.
    pub(crate) backend: Arc<dyn Watched>,
    /// As the plant makes it, to be asked for permits.
    semaphore: Arc<dyn Semaphore>,
    log: Journal,
}

impl Holding {
    pub(crate) fn new(job: Job, backend: Arc<dyn Watched>, log: Journal) -> Self {
        let semaphore: Arc<dyn Semaphore> = match job.plant {
            Some(plant) => Arc::new(Planted::new(Arc::clone(&backend), plant)),
            None => Arc::clone(&backend) as _,
        };
        Self { job, backend, semaphore, log }
    }

    /// Holds one permit after the other until it is killed.
    pub(crate) async fn hold_on(&self) -> Result<(), Failure> {
        loop {
            sleep(about(HELD).mul_f64(self.job.pause)).await;
            let run = self.job.run;
            self.write(Event::Ask { run, at: now() })?;
            match self.semaphore.try_acquire(request(self.job.max, self.job.lease)).await {
                Ok(None) => self.write(Event::Miss { run, at: now() })?,
                Ok(Some(permit)) => Hold::new(self, permit).hold(held()).await?,
                Err(error) => {
                    self.failed(&error)?;
                    self.left()?;
                }
            }
        }
    }

    /// Notes that a slot may be held until nothing that was sent can have an effect any more.
    pub(crate) fn left(&self) -> Result<(), Failure> {
        let until = nanoseconds(monotonic() + self.job.echo + self.job.lease);
        self.write(Event::Left { run: self.job.run, until })
    }

    /// Notes that a call failed. What never passes ends the holder, and so the soak.
    pub(crate) fn failed(&self, error: &SemaphoreError) -> Result<(), Failure> {
        let (kind, text) = (error.kind().to_string(), chain(error));
        self.write(Event::Failed { run: self.job.run, kind, text })?;
        match error.kind() {
            SemaphoreErrorKind::Permanent | SemaphoreErrorKind::Closed => Err(error.clone().into()),
            _ => Ok(()),
        }
    }

    pub(crate) fn write(&self, event: Event) -> Result<(), Failure> {
        Ok(self.log.write(&[event])?)
    }
}

/// What all ask for.
pub(crate) fn request(most: u32, time: Duration) -> PermitRequest {
    PermitRequest::new(KEY, max(most), lease(time))
}

/// How long to hold a permit: mostly for less than a lease, now and then for several.
fn held() -> Duration {
    if fastrand::u8(..6) == 0 { about(6 * HELD) } else { about(HELD) }
}

/// A time of up to twice so many milliseconds.
fn about(milliseconds: u64) -> Duration {
    Duration::from_millis(fastrand::u64(..2 * milliseconds))
}

/// Now, as the log has it.
pub(crate) fn now() -> u64 {
    nanoseconds(monotonic())
}

pub(crate) fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
