//! Work that notes when it runs.

use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use tokio::time::{Instant, sleep};
use worker::{RunContext, Trigger, TriggerStatus, Work, work};

pub(crate) fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

pub(crate) fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// One run, in milliseconds since the notes were opened.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Noted {
    pub(crate) start: u64,
    /// `None` while it runs.
    pub(crate) end: Option<u64>,
    pub(crate) due: SystemTime,
}

/// Notes on the runs of a trigger, or of several together.
#[derive(Clone, Debug)]
pub(crate) struct Notes {
    opened: Instant,
    runs: Arc<Mutex<Vec<Noted>>>,
}

impl Notes {
    pub(crate) fn new() -> Self {
        Self { opened: Instant::now(), runs: Arc::default() }
    }

    /// Work that takes `length` each time.
    pub(crate) fn work(&self, length: Duration) -> impl Work + use<> {
        work(take).with((self.clone(), length))
    }

    /// Notes a run that takes `length`. If it is dropped, it ends then.
    pub(crate) async fn note(&self, context: &RunContext, length: Duration) {
        let _end = self.begin(context);
        sleep(length).await;
    }

    /// Notes a run that ends when what is returned is dropped.
    pub(crate) fn begin(&self, context: &RunContext) -> End {
        let mut runs = self.runs.lock().unwrap();
        runs.push(Noted { start: self.now(), end: None, due: context.due() });
        End { notes: self.clone(), number: runs.len() - 1 }
    }

    pub(crate) fn runs(&self) -> Vec<Noted> {
        self.runs.lock().unwrap().clone()
    }

    pub(crate) fn starts(&self) -> Vec<u64> {
        self.runs().iter().map(|run| run.start).collect()
    }

    /// The most runs that there were at once.
    pub(crate) fn most_at_once(&self) -> usize {
        let runs = self.runs();
        let at = |time| {
            runs.iter().filter(|run| run.start <= time && run.end.is_none_or(|end| end > time)).count()
        };
        runs.iter().map(|run| at(run.start)).max().unwrap_or(0)
    }

    fn now(&self) -> u64 {
        u64::try_from(self.opened.elapsed().as_millis()).unwrap()
    }
}

async fn take((notes, length): (Notes, Duration), context: RunContext) {
    notes.note(&context, length).await;
}

/// A run that ends when this is dropped.
pub(crate) struct End {
    notes: Notes,
    number: usize,
}

impl Drop for End {
    fn drop(&mut self) {
        let now = self.notes.now();
        self.notes.runs.lock().unwrap()[self.number].end = Some(now);
    }
}

/// A trigger that beats each second.
pub(crate) fn secondly() -> Trigger {
    Trigger::every(secs(1))
}

pub(crate) fn only(status: Vec<TriggerStatus>) -> TriggerStatus {
    let [status] = <[_; 1]>::try_from(status).unwrap();
    status
}
