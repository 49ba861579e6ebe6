//! What a receiver's health is judged by: its receives and its tasks.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use queue_core::{CancellationToken, QueueError, WorkerName};
use tokio::time::Instant;

use super::Settings;
use super::pulse::Pulse;
use crate::Health;
use crate::clock::WallClock;
use crate::metrics::Instruments;

/// The signs of life of one receiver's tasks.
#[derive(Debug)]
pub(crate) struct Vitals {
    /// How long receives may fail before that is an illness.
    tolerance: Duration,
    clock: WallClock,
    stop: CancellationToken,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    pollers: BTreeMap<WorkerName, Pulse>,
    /// When the first receive failed since one succeeded. The pollers share one queue, and while it fails they take
    /// turns, so a success of any is one for all.
    failing_since: Option<Instant>,
    last_error: Option<QueueError>,
    /// Tasks under way.
    alive: usize,
    /// Tasks that ended before they were told to.
    dead: Vec<String>,
}

impl Vitals {
    pub(crate) fn new(settings: &Settings, instruments: &Instruments) -> Self {
        let pulse = |name: WorkerName| (name.clone(), Pulse::new(instruments.poller(&name)));
        let state = State {
            pollers: settings.names().map(pulse).collect(),
            failing_since: None,
            last_error: None,
            alive: 0,
            dead: Vec::new(),
        };
        Self {
            tolerance: settings.unhealthy_after,
            clock: WallClock::start(),
            stop: settings.stop.clone(),
            state: Mutex::new(state),
        }
    }

    /// Watches over a task from now on: notes if it panics or is dropped before its end.
    pub(crate) fn watch<N, F>(self: &Arc<Self>, name: N, task: F) -> impl Future<Output = ()> + use<N, F>
    where
        N: fmt::Display,
        F: Future<Output = ()>,
    {
        self.lock().alive += 1;
        let watch = Watch { vitals: Arc::clone(self), dies: Some(name.to_string()) };
        async move {
            task.await;
            watch.ends();
        }
    }

    /// Notes that a receive is sent.
    pub(crate) fn polls(&self, name: &WorkerName) {
        drop(self.note(name, |pulse| pulse.polls(Instant::now())));
    }

    pub(crate) fn succeeded(&self, name: &WorkerName) {
        self.note(name, |pulse| pulse.succeeded(self.clock.now())).failing_since = None;
    }

    pub(crate) fn failed(&self, name: &WorkerName, error: &QueueError) {
        let mut state = self.note(name, |pulse| pulse.failed(error));
        state.failing_since.get_or_insert_with(Instant::now);
        state.last_error = Some(error.clone());
    }

    pub(crate) fn health(&self) -> Health {
        let state = self.lock();
        let illness = self.illness(&state);
        Health {
            healthy: illness.is_none(),
            reason: illness.unwrap_or_else(|| self.wellness(&state)),
            pollers: state.pollers.iter().map(|(name, pulse)| pulse.health(name)).collect(),
        }
    }

    fn illness(&self, state: &State) -> Option<String> {
        if !state.dead.is_empty() {
            return Some(format!("died: {}", state.dead.join(", ")));
        }
        if self.stop.is_cancelled() {
            return (state.alive == 0).then(|| "it has stopped".to_owned());
        }
        let since = state.failing_since.filter(|since| since.elapsed() > self.tolerance)?;
        // One that was sent before the first failure may yet succeed, and ends by its deadline.
        if state.pollers.values().any(|pulse| pulse.polls_since(since)) {
            return None;
        }
        let error = state.last_error.as_ref().map(ToString::to_string).unwrap_or_default();
        Some(format!("every receive has failed for {} s, the last with {error}", since.elapsed().as_secs()))
    }

    fn wellness(&self, state: &State) -> String {
        let text = match state.failing_since {
            _ if self.stop.is_cancelled() => "it is stopping",
            Some(_) => "receives have begun to fail",
            None => "no receive fails",
        };
        text.to_owned()
    }

    fn note(&self, name: &WorkerName, note: impl FnOnce(&mut Pulse)) -> MutexGuard<'_, State> {
        let mut state = self.lock();
        state.pollers.get_mut(name).map(note);
        state
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A task under way.
///
/// # Drop
/// Without its end it died.
struct Watch {
    vitals: Arc<Vitals>,
    dies: Option<String>,
}

impl Watch {
    fn ends(mut self) {
        self.dies = None;
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let mut state = self.vitals.lock();
        state.alive -= 1;
        state.dead.extend(self.dies.take());
    }
}
