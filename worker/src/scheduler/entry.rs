//! A trigger in a scheduler, with its work.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures::FutureExt;
use tokio::sync::Notify;

use super::log::RunLog;
use crate::{Run, RunContext, Trigger, Work};

/// A trigger in a scheduler, with its work.
pub(crate) struct Entry {
    name: Arc<str>,
    pub(crate) trigger: Trigger,
    work: Arc<dyn Work>,
    paused: AtomicBool,
    /// Holds one permit from a call of `fire` until the next run begins.
    fired: Notify,
    pub(crate) log: RunLog,
}

impl Entry {
    pub(crate) fn new(number: usize, trigger: Trigger, work: Arc<dyn Work>) -> Self {
        let name = trigger.name.clone().unwrap_or_else(|| format!("trigger-{number}"));
        Self {
            name: name.into(),
            trigger,
            work,
            paused: AtomicBool::new(false),
            fired: Notify::new(),
            log: RunLog::default(),
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn is_paused(&self) -> bool {
        self.paused.load(Ordering::Relaxed)
    }

    pub(crate) fn set_paused(&self, paused: bool) {
        self.paused.store(paused, Ordering::Relaxed);
    }

    pub(crate) fn fire(&self) {
        self.fired.notify_one();
    }

    /// Waits until it is fired. Safe to drop.
    pub(crate) async fn fired(&self) {
        self.fired.notified().await;
    }

    /// A run that answers every call of `fire` so far.
    pub(crate) fn begin(&self, context: RunContext) -> Run {
        _ = self.fired.notified().now_or_never();
        Run::new(Arc::clone(&self.work), context)
    }

    pub(crate) fn context(&self, due: std::time::SystemTime) -> RunContext {
        RunContext::new(Arc::clone(&self.name), due)
    }
}
