//! Batches: every entry is answered on its own.

use std::time::Duration;

use queue_core::QueueErrorKind::{Lost, Permanent};
use queue_core::{Delivery, MessageId, Outgoing, Receipt, Rejected};
use tokio::time::Instant;

use super::QueueClause;
use super::QueuePromise::{Bounds, MessageRules, StaleDeletes, StaleExtensions};
use super::case::Case;
use super::subject::{Subject, bodies, kinds, numbered, settler};
use crate::clause::Clause;
use crate::pace::Window;

pub(super) fn clauses() -> Vec<QueueClause> {
    vec![
        Clause::of(a_batch_is_answered_in_its_order),
        Clause::of(one_bad_message_does_not_spoil_a_batch).when(MessageRules),
        Clause::of(a_batch_with_too_many_messages_is_refused_and_handed_back),
        Clause::of(a_batch_with_too_many_bytes_loses_nothing_in_silence).when(Bounds),
        Clause::of(many_messages_go_out_in_several_batches),
        Clause::of(an_empty_batch_has_an_empty_answer),
        Clause::of(a_whole_batch_is_deleted_in_one_call),
        Clause::of(a_whole_batch_is_hidden_anew_in_one_call),
        Clause::of(a_stale_receipt_does_not_spoil_a_delete_batch).when(StaleDeletes),
        Clause::of(a_stale_receipt_does_not_spoil_a_visibility_batch).when(StaleExtensions),
        Clause::of(a_settle_batch_with_too_many_receipts_is_refused),
    ]
}

fn messages(bodies: &[String]) -> Vec<Outgoing> {
    bodies.iter().map(|body| Outgoing::new(body.as_str())).collect()
}

/// Q6: as many answers as messages, in the same order: the first id is the first message's.
async fn a_batch_is_answered_in_its_order(case: Case) {
    let queue = case.queue().await;
    let sent = numbered(queue.batch());
    let answers = queue.queue().publish(messages(&sent)).await;
    let ids: Vec<MessageId> = answers
        .into_iter()
        .map(|answer| answer.map_err(Rejected::into_error).expect("it is sound"))
        .collect();
    assert_eq!(ids.len(), sent.len(), "as many answers as messages");
    for delivery in queue.take(sent.len()).await {
        let at = ids.iter().position(|id| id == delivery.message().id()).expect("its id was answered");
        assert_eq!(delivery.message().body(), sent[at], "the id at place {at} is that of another message");
    }
}

/// Q6, Q11: what the sender caused is handed back in its place; the rest is stored.
async fn one_bad_message_does_not_spoil_a_batch(case: Case) {
    let queue = case.queue().await;
    let batch = ["first", "", "third", "fourth"].map(Outgoing::new).to_vec();
    let answers = queue.queue().publish(batch.clone()).await;
    let refused: Vec<_> = answers.iter().map(|answer| answer.as_ref().err().map(Rejected::kind)).collect();
    assert_eq!(refused, [None, Some(Permanent), None, None]);
    assert_eq!(
        answers[1].as_ref().expect_err("just seen").message(),
        &batch[1],
        "the message is handed back"
    );
    assert_eq!(bodies(&queue.take(3).await), ["first", "fourth", "third"]);
    queue.is_quiet().await;
}

/// Q6: one more than [`Limits::batch`](queue_core::Limits): every entry is refused, handed back, and not stored.
async fn a_batch_with_too_many_messages_is_refused_and_handed_back(case: Case) {
    let queue = case.queue().await;
    let batch = messages(&numbered(queue.queue().limits().batch + 1));
    let answers = queue.queue().publish(batch.clone()).await;
    let back: Vec<_> = answers.into_iter().map(|answer| answer.expect_err("one too many")).collect();
    assert!(back.iter().all(|rejected| rejected.kind() == Permanent), "{back:?}");
    let back: Vec<_> = back.into_iter().map(Rejected::into_message).collect();
    assert_eq!(back, batch, "all are handed back, in order");
    queue.is_quiet().await;
}

/// Q6, Q11, P34: each fits, all together don't. Whatever the answer is, it says of each message what became of it.
async fn a_batch_with_too_many_bytes_loses_nothing_in_silence(case: Case) {
    let queue = case.queue().await;
    let limits = queue.queue().limits();
    let size = limits.message_bytes.min(limits.batch_bytes / 2 + 1);
    let count = (limits.batch_bytes / size + 1).min(limits.batch);
    let letters = ('a'..='z').map(|letter| Outgoing::new(String::from(letter).repeat(size)));
    let batch: Vec<_> = letters.take(count).collect();
    let answers = queue.queue().publish(batch.clone()).await;
    assert_eq!(answers.len(), count, "as many answers as messages");
    let told: Vec<_> = batch.iter().zip(&answers).filter(|(_, answer)| answer.is_ok()).collect();
    let told: Vec<_> = told.into_iter().map(|(message, _)| message.body().to_owned()).collect();
    let stored = bodies(&queue.take(told.len()).await);
    assert!(stored == told, "what was answered as stored is not what is stored");
    queue.is_quiet().await;
}

/// Q6: `publish_all` takes any number.
async fn many_messages_go_out_in_several_batches(case: Case) {
    let queue = case.queue().await;
    let sent = numbered(25);
    queue.send_all(&sent).await;
    assert_eq!(bodies(&queue.take(25).await), sent);
    queue.is_quiet().await;
}

/// Q6: nothing in, nothing out, and no error.
async fn an_empty_batch_has_an_empty_answer(case: Case) {
    let queue = case.queue().await;
    assert!(queue.queue().publish(Vec::new()).await.is_empty(), "publish");
    queue.send_all(&numbered(1)).await;
    let settler = settler(&queue.take(1).await);
    assert!(settler.delete(Vec::new()).await.is_empty(), "delete");
    assert!(settler.change_visibility(Vec::new()).await.is_empty(), "change_visibility");
}

/// Receives a batch for a short time: the deliveries, and when they have to come back.
async fn lease_batch(queue: &Subject, count: usize) -> (Vec<Delivery>, Window) {
    let held = queue.take(count).await;
    let (lease, asked) = (queue.pace.lease(), Instant::now());
    let entries = held.iter().map(|delivery| (delivery.receipt().clone(), lease)).collect();
    let answers = settler(&held).change_visibility(entries).await;
    assert_eq!(kinds(&answers), vec![None; count], "what is held can be hidden for a shorter time");
    (held, Window::after(asked, lease))
}

fn receipts(held: &[Delivery]) -> Vec<Receipt> {
    held.iter().map(|delivery| delivery.receipt().clone()).collect()
}

/// Q3, Q6: every entry is deleted.
async fn a_whole_batch_is_deleted_in_one_call(case: Case) {
    let queue = case.queue().await;
    let count = queue.batch();
    queue.send_all(&numbered(count)).await;
    let (held, back) = lease_batch(&queue, count).await;
    assert_eq!(kinds(&settler(&held).delete(receipts(&held)).await), vec![None; count]);
    queue.is_quiet_after(back).await;
}

/// Q3, Q6: every entry comes back at its new time.
async fn a_whole_batch_is_hidden_anew_in_one_call(case: Case) {
    let queue = case.queue().await;
    let count = queue.batch();
    queue.send_all(&numbered(count)).await;
    let (held, back) = lease_batch(&queue, count).await;
    queue.is_quiet().await;
    queue.pass(back).await;
    assert_eq!(bodies(&queue.take(count).await), bodies(&held));
}

/// Four deliveries, the second of which is stale, as its message was given to another consumer, who holds it.
async fn second_is_stale(queue: &Subject) -> (Vec<Delivery>, Delivery) {
    queue.send_all(&numbered(4)).await;
    let mut held = vec![queue.take_one().await];
    let stale = queue.lease_one().await;
    held.push(stale.delivery);
    held.extend(queue.take(2).await);
    let other = queue.comes_in(stale.back).await;
    (held, other)
}

/// Q4, Q6: *lost* in its place, and the others are deleted.
async fn a_stale_receipt_does_not_spoil_a_delete_batch(case: Case) {
    let queue = case.queue().await;
    let (held, other) = second_is_stale(&queue).await;
    let answers = settler(&held).delete(receipts(&held)).await;
    assert_eq!(kinds(&answers), [None, Some(Lost), None, None]);
    let (id, asked) = (other.message().id().clone(), Instant::now());
    other.release(case.pace.lease()).await.expect("the other consumer still holds it");
    assert_eq!(queue.comes_in(Window::after(asked, case.pace.lease())).await.message().id(), &id);
    queue.is_quiet().await;
}

/// Q4, Q6: *lost* in its place, and the others are hidden anew.
async fn a_stale_receipt_does_not_spoil_a_visibility_batch(case: Case) {
    let queue = case.queue().await;
    let (mut held, _other) = second_is_stale(&queue).await;
    let (lease, asked) = (case.pace.lease(), Instant::now());
    let entries = receipts(&held).into_iter().map(|receipt| (receipt, lease)).collect();
    let answers = settler(&held).change_visibility(entries).await;
    assert_eq!(kinds(&answers), [None, Some(Lost), None, None]);
    queue.pass(Window::after(asked, lease)).await;
    held.remove(1).forget();
    assert_eq!(bodies(&queue.take(3).await), bodies(&held));
    queue.is_quiet().await;
}

/// Q6: one more than [`ReceiveLimits::batch`](queue_core::ReceiveLimits): every entry is refused, nothing is done.
async fn a_settle_batch_with_too_many_receipts_is_refused(case: Case) {
    let queue = case.queue().await;
    let count = queue.queue().receive_limits().batch + 1;
    queue.send_all(&numbered(count)).await;
    let held = queue.take(count).await;
    let settler = settler(&held);
    let entries = receipts(&held).into_iter().map(|receipt| (receipt, case.pace.lease())).collect();
    let refused = vec![Some(Permanent); count];
    assert_eq!(kinds(&settler.change_visibility(entries).await), refused, "change_visibility");
    assert_eq!(kinds(&settler.delete(receipts(&held)).await), refused, "delete");
    for delivery in held {
        delivery.release(Duration::ZERO).await.expect("nothing was done to it");
    }
    assert_eq!(bodies(&queue.take(count).await), numbered(count));
}
