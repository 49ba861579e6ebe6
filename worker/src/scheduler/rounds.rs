//! The rounds of a trigger: a beat, a place, a run.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::SemaphorePermit;
use tokio::time::{Instant, sleep};
use tracing::{Instrument, debug, error_span, warn};

use super::beats::{Beat, Beats};
use super::{Entry, Shared};
use crate::RunOutcome;
use crate::trigger::guard;

/// How long a runner may take to return after its run was given up at the end of a stop's grace.
const RUNNER_MARGIN: Duration = Duration::from_secs(1);

/// What becomes of a beat.
enum Leave<'a> {
    Run(SemaphorePermit<'a>),
    Held,
    Stopped,
}

impl Shared {
    /// Runs a trigger until the scheduler stops, one run at a time. Nothing that a run does ends it (W12).
    pub(crate) async fn run_trigger(self: Arc<Self>, number: usize, start: Instant) {
        let entry = &self.entries[number];
        let mut beats = Beats::new(&entry.trigger, start, &self.clock);
        while let Some(beat) = self.next_beat(entry, &mut beats).await {
            match self.leave(entry, beat).await {
                Leave::Run(place) => {
                    self.run_once(entry, beat).await;
                    drop(place);
                }
                Leave::Held => entry.log.held(),
                Leave::Stopped => entry.log.skipped(1),
            }
            pass(entry, &mut beats, beat);
        }
        entry.log.stopped();
    }

    /// Waits for a beat or for a call of `fire`; `None` once the scheduler stops.
    async fn next_beat(&self, entry: &Entry, beats: &mut Beats) -> Option<Beat> {
        entry.log.idle(beats.planned());
        tokio::select! {
            biased;
            () = self.stop.cancelled() => None,
            beat = beats.next() => Some(beat),
            () = entry.fired() => Some(Beat { due: self.clock.now(), fired: true }),
        }
    }

    /// Waits for a place. What is paused then is held: a run that was fired by hand is not.
    async fn leave(&self, entry: &Entry, beat: Beat) -> Leave<'_> {
        let held = || !beat.fired && self.holds(entry);
        if held() {
            return Leave::Held;
        }
        entry.log.waiting();
        let place = tokio::select! {
            biased;
            () = self.stop.cancelled() => return Leave::Stopped,
            place = self.places.acquire() => place,
        };
        match place {
            Ok(_) if held() => Leave::Held,
            Ok(place) => Leave::Run(place),
            Err(_closed) => Leave::Stopped,
        }
    }

    async fn run_once(&self, entry: &Entry, beat: Beat) {
        let span = error_span!("run", trigger = entry.name(), fired = beat.fired);
        let started = Instant::now();
        entry.log.begin(self.clock.at(started));
        let outcome = self.run_through(entry, beat).instrument(span.clone()).await;
        entry.log.end(started, &outcome);
        span.in_scope(|| tell(&outcome));
    }

    async fn run_through(&self, entry: &Entry, beat: Beat) -> RunOutcome {
        let context = entry.context(beat.due).with_stopping(self.stop.clone());
        let run = entry.begin(context.with_cancelled(self.abort.child_token()));
        tokio::select! {
            biased;
            outcome = guard(entry.trigger.runner.run(run)) => outcome,
            () = self.past_abort() => RunOutcome::Cancelled,
        }
    }

    async fn past_abort(&self) {
        self.abort.cancelled().await;
        sleep(RUNNER_MARGIN).await;
    }
}

/// Goes on to the next beat that has not passed, and counts those that have.
fn pass(entry: &Entry, beats: &mut Beats, beat: Beat) {
    let passed = beats.pass(beat);
    if passed > 0 {
        entry.log.skipped(passed);
        debug!(trigger = entry.name(), passed, "beats passed while it was busy");
    }
}

/// Says how a run ended, in its span.
fn tell(outcome: &RunOutcome) {
    match outcome {
        RunOutcome::Succeeded => debug!("done"),
        RunOutcome::Failed { error } => warn!(%error, "the run failed"),
        RunOutcome::Panicked { message } => warn!(panic = message.as_ref(), "the run panicked"),
        RunOutcome::Declined { reason } => debug!(%reason, "declined"),
        RunOutcome::Cancelled => warn!("the run was given up before its end"),
    }
}
