//! Receipts: each is good for one delivery, and goes stale when the message is given to another consumer.

use std::time::Duration;

use queue_core::QueueErrorKind::Lost;
use queue_core::{Delivery, Outgoing, SettleError};

use super::QueueClause;
use super::QueuePromise::{ExpiredExtensions, StaleDeletes, StaleExtensions};
use super::case::Case;
use super::subject::{Leased, Subject, kinds, settler};
use crate::clause::Clause;
use crate::pace::Window;

pub(super) fn clauses() -> Vec<QueueClause> {
    vec![
        Clause::of(each_delivery_has_a_receipt_of_its_own),
        Clause::of(a_stale_receipt_cannot_delete).when(StaleDeletes),
        Clause::of(a_stale_receipt_cannot_release).when(StaleExtensions),
        Clause::of(a_stale_receipt_cannot_extend).when(StaleExtensions),
        Clause::of(the_new_receipt_is_good_whatever_the_stale_one_tried)
            .when(StaleDeletes)
            .when(StaleExtensions),
        Clause::of(an_expired_delivery_cannot_be_extended).when(ExpiredExtensions),
        Clause::of(an_expired_delivery_cannot_be_released).when(ExpiredExtensions),
        Clause::of(deleting_what_is_deleted_succeeds),
    ]
}

/// A delivery that ran out, and the one that has the message now, for a short time too.
async fn given_to_another(queue: &Subject) -> (Delivery, Leased) {
    queue.send(Outgoing::new("a")).await;
    let old = queue.lease_one().await;
    let new = queue.comes(old.back, queue.pace.lease()).await;
    (old.delivery, new)
}

/// Q4: the receipts differ, or a stale one could not be told.
async fn each_delivery_has_a_receipt_of_its_own(case: Case) {
    let queue = case.queue().await;
    let (old, new) = given_to_another(&queue).await;
    assert_eq!(old.message().id(), new.delivery.message().id());
    assert_ne!(old.receipt(), new.delivery.receipt());
}

/// Q4: *lost*, the delivery is given back, and the other one's message is not deleted.
async fn a_stale_receipt_cannot_delete(case: Case) {
    let queue = case.queue().await;
    let (old, new) = given_to_another(&queue).await;
    let error = old.ack().await.expect_err("another consumer has it");
    assert_eq!(error.kind(), Lost, "{error}");
    assert_eq!(error.into_delivery().message().id(), new.delivery.message().id());
    queue.comes_in(new.back).await.forget();
}

/// Q4: *lost*, and the other one's message stays hidden until its own timeout.
async fn a_stale_receipt_cannot_release(case: Case) {
    let queue = case.queue().await;
    let (old, new) = given_to_another(&queue).await;
    let error = old.release(Duration::ZERO).await.expect_err("another consumer has it");
    assert_eq!(error.kind(), Lost, "{error}");
    queue.comes_in(new.back).await.forget();
}

/// Q4: *lost*, and the other one's message is hidden for no longer than its own timeout.
async fn a_stale_receipt_cannot_extend(case: Case) {
    let queue = case.queue().await;
    let (mut old, new) = given_to_another(&queue).await;
    let error = old.extend(case.pace.lease() * 3).await.expect_err("another consumer has it");
    assert_eq!(error.kind(), Lost, "{error}");
    queue.comes_in(new.back).await.forget();
}

/// Q4: the other delivery can be extended and deleted as if nothing had happened.
async fn the_new_receipt_is_good_whatever_the_stale_one_tried(case: Case) {
    let queue = case.queue().await;
    let (old, mut new) = given_to_another(&queue).await;
    let old = old.release(Duration::ZERO).await.map_err(SettleError::into_delivery).expect_err("it is stale");
    old.ack().await.map_err(SettleError::into_delivery).expect_err("it is stale").forget();
    new.delivery.extend(case.pace.lease()).await.expect("what is held can be extended");
    new.delivery.ack().await.expect("what is held can be deleted");
    queue.is_quiet_after(Window::within(case.pace.lease())).await;
}

/// Q4: *lost*, though nobody took the message, and the message stays visible.
async fn an_expired_delivery_cannot_be_extended(case: Case) {
    let queue = case.queue().await;
    queue.send(Outgoing::new("a")).await;
    let mut held = queue.lease_one().await;
    queue.pass(held.back).await;
    let error = held.delivery.extend(case.pace.lease()).await.expect_err("its time ran out");
    assert_eq!(error.kind(), Lost, "{error}");
    queue.comes_in(Window::now()).await.forget();
}

/// Q4: *lost*: it is visible already, and a delay no longer hides it.
async fn an_expired_delivery_cannot_be_released(case: Case) {
    let queue = case.queue().await;
    queue.send(Outgoing::new("a")).await;
    let held = queue.lease_one().await;
    queue.pass(held.back).await;
    let error = held.delivery.release(case.pace.lease()).await.expect_err("its time ran out");
    assert_eq!(error.kind(), Lost, "{error}");
    queue.comes_in(Window::now()).await.forget();
}

/// Q3, P36: deleting twice by one receipt is no error, so that a delete can be repeated when its answer was lost.
async fn deleting_what_is_deleted_succeeds(case: Case) {
    let queue = case.queue().await;
    queue.send(Outgoing::new("a")).await;
    let held = queue.take(1).await;
    let receipt = held[0].receipt().clone();
    for time in ["first", "second"] {
        let answers = settler(&held).delete(vec![receipt.clone()]).await;
        assert_eq!(kinds(&answers), [None], "the {time} time");
    }
}
