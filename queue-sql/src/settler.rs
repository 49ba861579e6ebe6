//! Settling: what became of each receipt, in words.

use std::time::Duration;

use async_trait::async_trait;
use queue_core::{QueueError, Receipt, Settler};

use crate::queue::Shared;
use crate::receipt;
use crate::store::{Settled, Store};

type Answers = Vec<Result<(), QueueError>>;

#[async_trait]
impl<S: Store> Settler for Shared<S> {
    async fn delete(&self, batch: Vec<Receipt>) -> Answers {
        let handles: Vec<_> = batch.iter().map(|receipt| receipt::read(&self.record, receipt)).collect();
        let (sound, answers) = match self.sift(handles) {
            Ok(sifted) => sifted,
            Err(refused) => return refused,
        };
        let settled = self.database.store.delete(&self.record, &sound).await;
        self.wake_group();
        fill(answers, settled, |settled| match settled {
            Settled::Done | Settled::Gone => Ok(()), // a message that is gone is deleted (P36)
            other => Err(lost(other)),
        })
    }

    async fn change_visibility(&self, batch: Vec<(Receipt, Duration)>) -> Answers {
        let longest = self.record.settings.receive_limits().max_visibility;
        let read = |(receipt, visibility): &(Receipt, Duration)| {
            check_visibility(*visibility, longest)?;
            Ok((receipt::read(&self.record, receipt)?, *visibility))
        };
        let (sound, answers) = match self.sift(batch.iter().map(read).collect()) {
            Ok(sifted) => sifted,
            Err(refused) => return refused,
        };
        let settled = self.database.store.change_visibility(&self.record, &sound, longest).await;
        if sound.iter().any(|(_, visibility)| visibility.is_zero()) {
            self.announce();
        }
        fill(answers, settled, |settled| match settled {
            Settled::Done => Ok(()),
            Settled::TooLong(held) => Err(QueueError::permanent(format!(
                "the message was received {held:?} ago; it can be hidden for {longest:?} in all"
            ))),
            other => Err(lost(other)),
        })
    }

    fn abandon(&self, _receipt: Receipt) {
        self.tally.add_unsettled_drop();
    }
}

/// What can be settled, and the answer of each entry of the batch so far: `None` is still to come.
type Sifted<T> = (Vec<T>, Vec<Option<Result<(), QueueError>>>);

impl<S: Store> Shared<S> {
    /// Parts what can be settled from what is refused at once; all of it if the batch is too long.
    fn sift<T>(&self, entries: Vec<Result<T, QueueError>>) -> Result<Sifted<T>, Answers> {
        let most = self.record.settings.receive_limits().batch;
        if entries.len() > most {
            let why = format!("the batch has {} entries, {most} are allowed", entries.len());
            return Err(vec![Err(QueueError::permanent(why)); entries.len()]);
        }
        let (mut sound, mut answers) = (Vec::with_capacity(entries.len()), Vec::with_capacity(entries.len()));
        for entry in entries {
            match entry {
                Ok(entry) => {
                    sound.push(entry);
                    answers.push(None);
                }
                Err(error) => answers.push(Some(Err(error))),
            }
        }
        if sound.is_empty() {
            return Err(answers.into_iter().flatten().collect());
        }
        Ok((sound, answers))
    }

    /// After a delete the next message of a group may be ready.
    fn wake_group(&self) {
        if self.record.settings.ordered {
            self.announce();
        }
    }
}

fn lost(settled: Settled) -> QueueError {
    QueueError::lost(match settled {
        Settled::Moved => "the message was moved to the dead-letter queue since",
        Settled::Superseded => "the message was given to another consumer since",
        Settled::Visible => "the message is visible already: its time ran out or it was released",
        Settled::Gone | Settled::Done | Settled::TooLong(_) => "the message is not in the queue any longer",
    })
}

fn check_visibility(visibility: Duration, longest: Duration) -> Result<(), QueueError> {
    if visibility <= longest {
        return Ok(());
    }
    Err(QueueError::permanent(format!(
        "a visibility timeout of {visibility:?} is longer than the {longest:?} allowed"
    )))
}

/// Puts the database's answers where there is none yet.
fn fill(
    answers: Vec<Option<Result<(), QueueError>>>,
    settled: Result<Vec<Settled>, QueueError>,
    judge: impl Fn(Settled) -> Result<(), QueueError>,
) -> Answers {
    let mut settled = settled.map(Vec::into_iter);
    let next = || match &mut settled {
        Ok(settled) => settled.next().map_or_else(
            || Err(QueueError::indeterminate("the database gave no answer for this entry")),
            &judge,
        ),
        Err(error) => Err(error.clone()),
    };
    let mut next = next;
    answers.into_iter().map(|answer| answer.unwrap_or_else(&mut next)).collect()
}
