//! Publishing batches of letters: a few calls at a time, each repeated until every letter is settled.

use std::sync::Arc;
use std::time::Duration;

use queue_core::{CancellationToken, Publisher, Rejected};
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::letter::{Letter, Refused};
use crate::tally::Tally;

/// How many calls are under way at once, at most.
const CALLS: usize = 16;
/// The pause before what failed is sent again; it doubles from one time to the next.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// Publishes under way.
#[derive(Debug)]
pub(crate) struct Publishing {
    tally: Arc<Tally>,
    stop: CancellationToken,
    calls: JoinSet<()>,
}

impl Publishing {
    /// Once `stop` is cancelled, nothing is sent again.
    pub(crate) fn new(tally: Arc<Tally>, stop: CancellationToken) -> Self {
        Self { tally, stop, calls: JoinSet::new() }
    }

    /// Starts to publish `batch`, when fewer than sixteen calls are under way.
    pub(crate) async fn start(&mut self, to: Arc<dyn Publisher>, batch: Vec<Letter>) {
        if self.calls.len() >= CALLS {
            self.calls.join_next().await;
        }
        self.calls.spawn(publish(to, batch, Arc::clone(&self.tally), self.stop.clone()));
    }

    /// Waits until all is published or given up.
    pub(crate) async fn finish(&mut self) {
        while self.calls.join_next().await.is_some() {}
    }
}

async fn publish(to: Arc<dyn Publisher>, mut batch: Vec<Letter>, tally: Arc<Tally>, stop: CancellationToken) {
    let mut pause = FIRST_PAUSE;
    loop {
        batch = publish_once(&*to, batch, &tally).await;
        if batch.is_empty() {
            return;
        }
        tokio::select! {
            () = sleep(pause) => pause = (pause * 2).min(LONGEST_PAUSE),
            () = stop.cancelled() => return tally.note(|counts| counts.unsent += batch.len() as u64),
        }
    }
}

/// Gives back what failed for a passing reason. A repeated publish whose answer was lost can make a duplicate, which
/// its visit id shows.
async fn publish_once(to: &dyn Publisher, batch: Vec<Letter>, tally: &Tally) -> Vec<Letter> {
    let answers = to.publish(batch.iter().map(|letter| letter.outgoing.clone()).collect()).await;
    let mut again = Vec::new();
    for (letter, answer) in batch.into_iter().zip(answers) {
        match answer {
            Ok(_id) if letter.created.is_some() => tally.note(|counts| counts.sent += 1),
            Ok(_id) => tally.note(|counts| counts.forwarded += 1),
            Err(rejected) if rejected.kind().is_passing() => again.push(letter),
            Err(rejected) => tally.refused(&refused(&letter, &rejected)),
        }
    }
    again
}

fn refused(letter: &Letter, rejected: &Rejected) -> Refused {
    Refused { line: letter.line, reason: rejected.error().message().to_owned() }
}
