//! A slot: takes messages from the room and runs the handler on them.

use std::sync::Arc;

use queue_core::{Context, Message, Verdict};
use tokio::time::sleep;
use tracing::{Instrument, Span, warn};

use super::finish::Ended;
use super::held::Held;
use super::shared::Shared;
use super::spans;

/// How a run of the handler ended.
enum Run {
    Verdicts(Vec<Verdict>),
    /// For each message of the batch.
    Same(Verdict),
    Aborted,
}

impl Run {
    /// Notes in the span if it failed.
    fn note(&self, span: &Span) {
        match self {
            Self::Verdicts(verdicts) => spans::note(span, verdicts),
            Self::Same(verdict) => spans::note(span, [verdict]),
            Self::Aborted => {}
        }
    }
}

impl Shared {
    /// Handles messages until the receiver stops. No panic ends it (W3).
    pub(crate) async fn run_slot(self: Arc<Self>) {
        while let Some((batch, busy)) = self.room.take().await {
            self.observe();
            let batch = self.still_ours(batch).await;
            if !batch.is_empty() {
                let run = self.run_handler(&batch).await;
                drop(busy);
                self.settle_all(batch, run).await;
            }
        }
    }

    /// Those that were not lost while they waited: a lost one isn't started, and none of its group overtakes it.
    async fn still_ours(&self, batch: Vec<Held>) -> Vec<Held> {
        let (lost, ours) = batch.into_iter().partition::<Vec<_>, _>(|held| held.lease.is_lost());
        for held in lost {
            let lane = self.lane_of(&held);
            self.count_lost(held);
            self.go_on(lane, Ended::Lost).await;
        }
        ours
    }

    async fn run_handler(&self, batch: &[Held]) -> Run {
        let span = self.process_span(batch);
        let _timing = self.instruments.handling();
        let input = batch.iter().map(|held| (held.message().clone(), held.context(span.clone()))).collect();
        let run = tokio::select! {
            biased;
            run = self.run_work(input).instrument(span.clone()) => run,
            () = self.abort.cancelled() => {
                cancel(batch);
                Run::Aborted
            }
            () = self.past_deadline() => {
                cancel(batch);
                self.ledger.overran.add(batch.len());
                span.in_scope(|| warn!(deadline = ?self.settings.deadline, "the handler ran past its deadline"));
                Run::Same(Verdict::retry("the handler ran past its deadline"))
            }
        };
        run.note(&span);
        run
    }

    async fn run_work(&self, input: Vec<(Message, Context)>) -> Run {
        let count = input.len();
        match self.work.run(input).await {
            Ok(verdicts) => Run::Verdicts(verdicts),
            Err(panic) => {
                self.ledger.panicked.add(count);
                warn!(panic, "the handler panicked");
                Run::Same(Verdict::retry(format!("the handler panicked: {panic}")))
            }
        }
    }

    async fn past_deadline(&self) {
        match self.settings.deadline {
            Some(deadline) => sleep(deadline).await,
            None => std::future::pending().await,
        }
    }

    /// Settles each message by its own verdict, on tasks of their own, so that the slot is free for the next.
    async fn settle_all(self: &Arc<Self>, batch: Vec<Held>, run: Run) {
        let verdicts = match run {
            Run::Aborted => return self.give_back(batch).await,
            Run::Same(verdict) => vec![verdict; batch.len()],
            Run::Verdicts(verdicts) => verdicts,
        };
        let missing = std::iter::repeat(Verdict::retry("the handler gave no verdict for this message"));
        for (held, verdict) in batch.into_iter().zip(verdicts.into_iter().chain(missing)) {
            let permit = Arc::clone(&self.settling).acquire_owned().await;
            let shared = Arc::clone(self);
            self.handling.spawn(async move {
                let lane = shared.lane_of(&held);
                let span = shared.settle_span(&held, &verdict);
                let ended = shared.settle(held, verdict).instrument(span).await;
                shared.go_on(lane, ended).await;
                shared.observe();
                drop(permit);
            });
        }
    }
}

/// Tells the handler, or what it spawned, that its result will not be used.
fn cancel(batch: &[Held]) {
    for held in batch {
        held.lease.cancelled().cancel();
    }
}
