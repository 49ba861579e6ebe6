//! Queues that publish wrongly.

mod expected;

use std::collections::BTreeMap;
use std::time::Duration;

use queue_core::{Limits, MemoryQueue, MessageId, Outgoing, Publisher, PublisherExt, QueueError, Rejected};

pub(crate) use expected::EXPECTED;

/// What is wrong with publishing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Publishing {
    /// The answers of a batch come in the opposite order.
    Backwards,
    /// Entries that failed are left out of the answer.
    LeavesFailuresOut,
    /// One bad entry, and the whole batch is refused.
    AllOrNothing,
    /// A batch may have any number of entries.
    AnyNumber,
    /// An empty batch is an error.
    EmptyIsAnError,
    /// What can't be stored is cut to what can, and stored.
    Mends,
    /// What is refused is stored all the same.
    StoresTheRefused,
    /// What is exactly at a limit is refused.
    RefusesAtTheLimit,
    /// The message handed back is not the one that was refused.
    HandsBackAnother,
    /// An error that will never pass is called a passing one.
    CallsItTransient,
    /// The last of several messages is lost in silence.
    LosesTheLast,
    /// Some messages that are published alone are lost in silence.
    LosesSome,
    /// Delays are ignored.
    NoDelay,
    /// A delay of zero is one of a minute.
    ZeroIsLong,
    /// The second of two equal messages in a batch is not stored.
    StoresEqualOnce,
}

type Answers = Vec<Result<MessageId, Rejected>>;

pub(crate) async fn publish(fault: Publishing, inner: &MemoryQueue, batch: Vec<Outgoing>) -> Answers {
    let limits = inner.limits();
    match fault {
        Publishing::AllOrNothing if batch.iter().any(|message| limits.check(message).is_err()) => {
            batch.into_iter().map(refused).collect()
        }
        Publishing::AnyNumber => inner.publish_all(batch).await,
        Publishing::EmptyIsAnError if batch.is_empty() => vec![refused(Outgoing::new(""))],
        Publishing::Mends => {
            let batch = batch.into_iter().map(|message| mended(&limits, message)).collect();
            inner.publish(batch).await
        }
        Publishing::StoresTheRefused => stores_the_refused(inner, batch).await,
        Publishing::RefusesAtTheLimit if batch.iter().any(|message| is_at(&limits, message)) => {
            batch.into_iter().map(refused).collect()
        }
        Publishing::LosesTheLast if batch.len() > 1 => without_the_last(inner, batch).await,
        Publishing::LosesSome if batch.len() == 1 && batch[0].body().ends_with('7') => {
            without_the_last(inner, batch).await
        }
        Publishing::NoDelay => inner.publish(batch.into_iter().map(no_delay).collect()).await,
        Publishing::ZeroIsLong => inner.publish(batch.into_iter().map(zero_is_long).collect()).await,
        Publishing::StoresEqualOnce => equal_once(inner, batch).await,
        _ => changed(fault, inner.publish(batch).await),
    }
}

fn refused(message: Outgoing) -> Result<MessageId, Rejected> {
    Err(Rejected::new(message, QueueError::permanent("refused")))
}

/// The answers as a queue gives them that stores what it should.
fn changed(fault: Publishing, mut answers: Answers) -> Answers {
    match fault {
        Publishing::Backwards => answers.reverse(),
        Publishing::LeavesFailuresOut => answers.retain(Result::is_ok),
        _ => {}
    }
    let failure = |rejected: Rejected| match fault {
        Publishing::HandsBackAnother => Rejected::new(Outgoing::new("another"), rejected.into_error()),
        Publishing::CallsItTransient => {
            Rejected::new(rejected.into_message(), QueueError::transient("try again"))
        }
        _ => rejected,
    };
    answers.into_iter().map(|answer| answer.map_err(failure)).collect()
}

fn mended(limits: &Limits, message: Outgoing) -> Outgoing {
    if limits.check(&message).is_ok() { message } else { Outgoing::new("mended") }
}

async fn stores_the_refused(inner: &MemoryQueue, batch: Vec<Outgoing>) -> Answers {
    let answers = inner.publish(batch).await;
    for _refused in answers.iter().filter(|answer| answer.is_err()) {
        inner.publish_one(Outgoing::new("refused")).await.unwrap();
    }
    answers
}

fn is_at(limits: &Limits, message: &Outgoing) -> bool {
    message.size() == limits.message_bytes
        || message.attributes().len() == limits.attributes
        || message.delay() == Some(limits.max_delay)
}

async fn without_the_last(inner: &MemoryQueue, mut batch: Vec<Outgoing>) -> Answers {
    let last = batch.pop();
    let mut answers = inner.publish(batch).await;
    answers.extend(last.map(|_| Ok(MessageId::new("lost"))));
    answers
}

/// The message with another delay.
fn delayed(message: &Outgoing, delay: Option<Duration>) -> Outgoing {
    let plain = Outgoing::new(message.shared_body()).with_attributes(message.attributes().clone());
    match delay {
        Some(delay) => plain.with_delay(delay),
        None => plain,
    }
}

fn no_delay(message: Outgoing) -> Outgoing {
    if message.delay().is_some() { delayed(&message, None) } else { message }
}

fn zero_is_long(message: Outgoing) -> Outgoing {
    match message.delay() {
        Some(Duration::ZERO) => delayed(&message, Some(Duration::from_mins(1))),
        _ => message,
    }
}

async fn equal_once(inner: &MemoryQueue, batch: Vec<Outgoing>) -> Answers {
    let mut ids: BTreeMap<String, MessageId> = BTreeMap::new();
    let mut answers = Answers::new();
    for message in batch {
        let body = message.body().to_owned();
        let answer = match ids.get(&body) {
            Some(id) => Ok(id.clone()),
            None => inner.publish_one(message).await,
        };
        answers.push(answer.inspect(|id| drop(ids.insert(body, id.clone()))));
    }
    answers
}
