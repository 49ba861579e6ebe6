//! The producer: turns lines into visits and sends them to their accounts' main queues.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use queue_core::CancellationToken;
use tokio::time::{Interval, MissedTickBehavior, interval, sleep_until};

use crate::accounts::Accounts;
use crate::batches::{Batches, Ready};
use crate::letter::{Letter, Letters, Refused};
use crate::options::Options;
use crate::pace::Pace;
use crate::publishing::Publishing;
use crate::source::Source;
use crate::tally::Tally;

/// How often it looks for batches that are old enough to be sent.
const LOOK: Duration = Duration::from_millis(50);

/// Sends visits, ten to a call, at their pace, and never so many that the queues grow without bound.
#[derive(Debug)]
pub(crate) struct Producer {
    accounts: Arc<Accounts>,
    tally: Arc<Tally>,
    stop: CancellationToken,
    letters: Letters,
    pace: Option<Pace>,
    /// Whether somebody handles the visits, so that it makes sense to wait for room.
    waits: bool,
    batches: Batches,
    publishing: Publishing,
    look: Interval,
}

impl Producer {
    pub(crate) fn new(
        options: &Options,
        accounts: Arc<Accounts>,
        tally: Arc<Tally>,
        stop: CancellationToken,
    ) -> Self {
        let mut look = interval(LOOK);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self {
            accounts,
            publishing: Publishing::new(Arc::clone(&tally), stop.clone()),
            letters: Letters::new(tally.run()),
            tally,
            stop,
            pace: options.speed.map(Pace::new),
            waits: options.role.consumes(),
            batches: Batches::default(),
            look,
        }
    }

    /// Sends all lines of `source`, or those until it is stopped. What was read before an error is sent all the same.
    pub(crate) async fn run(mut self, mut source: Source) -> anyhow::Result<()> {
        let ended = self.read(&mut source).await;
        let rest = self.batches.take_all();
        self.send(rest).await;
        self.publishing.finish().await;
        ended
    }

    async fn read(&mut self, source: &mut Source) -> anyhow::Result<()> {
        while let Some(line) = self.meanwhile(source.next()).await.flatten() {
            match self.letters.write(line?) {
                Ok(letter) => self.take(letter).await?,
                Err(refused) => self.tally.refused(&refused),
            }
        }
        Ok(())
    }

    /// Waits until the letter is due and there is room, then puts it into its account's batch.
    async fn take(&mut self, letter: Letter) -> anyhow::Result<()> {
        if self.ready(&letter).await.is_none() {
            self.tally.note(|counts| counts.unsent += 1);
            return Ok(());
        }
        if !self.batches.knows(&letter.aid) {
            let to = self.accounts.publisher(&letter.aid).await?;
            self.batches.open(letter.aid.clone(), to);
        }
        let limits = self.batches.limits(&letter.aid);
        if let Some(Err(error)) = limits.map(|limits| limits.check(&letter.outgoing)) {
            self.tally.refused(&Refused { line: letter.line, reason: error.message().to_owned() });
            return Ok(());
        }
        let ready = self.batches.add(letter);
        self.send(ready).await;
        Ok(())
    }

    /// `None` when it is stopped before.
    async fn ready(&mut self, letter: &Letter) -> Option<()> {
        if let (Some(pace), Some(created)) = (&mut self.pace, letter.created) {
            let due = pace.due(created);
            self.meanwhile(sleep_until(due)).await?;
        }
        if self.waits {
            let tally = Arc::clone(&self.tally);
            self.meanwhile(tally.room()).await?;
        }
        Some(())
    }

    /// Waits for `event`, and meanwhile sends what gets old; `None` when it is stopped before.
    async fn meanwhile<T>(&mut self, event: impl Future<Output = T>) -> Option<T> {
        let mut event = pin!(event);
        loop {
            tokio::select! {
                biased;
                () = self.stop.cancelled() => return None,
                now = self.look.tick() => {
                    let due = self.batches.take_due(now);
                    self.send(due).await;
                }
                answer = &mut event => return Some(answer),
            }
        }
    }

    async fn send(&mut self, ready: Vec<Ready>) {
        for (to, batch) in ready {
            self.publishing.start(to, batch).await;
        }
    }
}
