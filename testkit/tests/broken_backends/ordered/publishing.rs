//! Ordered queues that publish wrongly.

use queue_core::{MessageId, Outgoing, Publisher, PublisherExt, QueueError, Rejected};
use tokio::task::yield_now;

use super::broken::Broken;
use super::fault::Publishing;

type Answers = Vec<Result<MessageId, Rejected>>;

pub(crate) async fn publish(fault: Publishing, queue: &Broken, batch: Vec<Outgoing>) -> Answers {
    match fault {
        Publishing::Backwards => {
            let mut answers = queue.inner.publish(batch.into_iter().rev().collect()).await;
            answers.reverse();
            answers
        }
        Publishing::AllOrNothing if batch.iter().any(|one| queue.limits().check(one).is_err()) => {
            let refuse = |message| Err(Rejected::new(message, QueueError::permanent("refused")));
            batch.into_iter().map(refuse).collect()
        }
        Publishing::OwnIds => own_ids(queue, batch).await,
        Publishing::Racy => racy(queue, batch).await,
        Publishing::RemembersRefused => remembers_refused(queue, batch).await,
        _ => {
            let change = |(at, message): (usize, &Outgoing)| changed(fault, queue, at, message.clone());
            let changed = batch.iter().enumerate().map(change).collect();
            let answers = queue.inner.publish(changed).await.into_iter().zip(batch);
            answers.map(|(answer, message)| handed_back(answer, message)).collect()
        }
    }
}

/// The message as it is stored, `at` that place in its batch.
fn changed(fault: Publishing, queue: &Broken, at: usize, message: Outgoing) -> Outgoing {
    let (group, id) = (text(message.group_key()), text(message.deduplication_id()));
    let by_body = queue.by_content && message.deduplication_id().is_none();
    let mut book = queue.book();
    match fault {
        Publishing::EachAlone if !group.is_empty() => {
            message.with_group_key(format!("{group}#{}", book.number()))
        }
        Publishing::OneGroup if !group.is_empty() => message.with_group_key("all"),
        Publishing::StoresDuplicates if !id.is_empty() && !queue.by_content => {
            message.with_deduplication_id(format!("{id}-{}", book.number()))
        }
        Publishing::ForgetsDeleted if !id.is_empty() && !queue.by_content => {
            message.with_deduplication_id(format!("{id}-{}", book.deletes))
        }
        Publishing::ByGroup if !id.is_empty() => message.with_deduplication_id(format!("{id}-{group}")),
        Publishing::BatchBlind if at > 0 && !id.is_empty() => {
            message.with_deduplication_id(format!("{id}-{at}"))
        }
        Publishing::ByAttributes if by_body => {
            let id = format!("{}-{}-{group}", message.body(), message.attributes().len());
            message.with_deduplication_id(id)
        }
        Publishing::BodyIsId if by_body => message.clone().with_deduplication_id(message.shared_body()),
        Publishing::BodyBeforeId if queue.by_content => bare(&message).with_group_key(group),
        Publishing::NeedsNoGroup if group.is_empty() => message.with_group_key("x"),
        Publishing::NeedsNoId if id.is_empty() && !queue.by_content => {
            message.with_deduplication_id(book.number().to_string())
        }
        Publishing::TakesDelays if message.delay().is_some() => {
            bare(&message).with_group_key(group).with_deduplication_id(id)
        }
        _ => message,
    }
}

/// The answer, with the message as it was sent if it was refused.
fn handed_back(answer: Result<MessageId, Rejected>, message: Outgoing) -> Result<MessageId, Rejected> {
    answer.map_err(|rejected| Rejected::new(message, rejected.into_error()))
}

fn text(part: Option<&str>) -> String {
    part.unwrap_or_default().to_owned()
}

/// Its body and attributes alone.
fn bare(message: &Outgoing) -> Outgoing {
    Outgoing::new(message.shared_body()).with_attributes(message.attributes().clone())
}

async fn own_ids(queue: &Broken, batch: Vec<Outgoing>) -> Answers {
    let mut answers = queue.inner.publish(batch).await;
    let mut book = queue.book();
    for id in answers.iter_mut().flatten() {
        if book.answered.insert(id.to_string(), id.clone()).is_some() {
            *id = MessageId::new(format!("own {}", book.number()));
        }
    }
    answers
}

async fn racy(queue: &Broken, batch: Vec<Outgoing>) -> Answers {
    let mut answers = Answers::new();
    for message in batch {
        let Some(id) = message.deduplication_id().map(str::to_owned) else {
            answers.push(queue.inner.publish_one(message).await);
            continue;
        };
        let known = queue.book().answered.get(&id).cloned();
        if let Some(known) = known {
            answers.push(Ok(known));
            continue;
        }
        yield_now().await;
        let unique = message.clone().with_deduplication_id(format!("{id}-{}", queue.book().number()));
        let answer = handed_back(queue.inner.publish_one(unique).await, message);
        answers.push(answer.inspect(|stored| drop(queue.book().answered.insert(id, stored.clone()))));
    }
    answers
}

async fn remembers_refused(queue: &Broken, batch: Vec<Outgoing>) -> Answers {
    let mut answers = Answers::new();
    for message in batch {
        let id = text(message.deduplication_id());
        if queue.book().refused.contains(&id) {
            answers.push(Ok(MessageId::new("never stored")));
            continue;
        }
        let answer = queue.inner.publish_one(message).await;
        if answer.is_err() {
            queue.book().refused.insert(id);
        }
        answers.push(answer);
    }
    answers
}
