//! The visibility timeout: a delivery hides its message for a time, and only for a time.

use queue_core::{Outgoing, ReceiveOptions};
use std::time::Duration;
use tokio::time::{Instant, sleep};

use super::QueueClause;
use super::QueuePromise::LateDeletes;
use super::case::Case;
use crate::clause::Clause;
use crate::pace::{Pace, Window};

pub(super) fn clauses() -> Vec<QueueClause> {
    vec![
        Clause::of(a_received_message_is_hidden_until_its_timeout),
        Clause::of(a_hidden_message_holds_up_no_other),
        Clause::of(a_deleted_message_never_comes_back),
        Clause::of(a_message_deleted_late_never_comes_back).when(LateDeletes),
        Clause::of(a_released_message_comes_back_at_once),
        Clause::of(a_message_released_with_a_delay_comes_back_after_it),
        Clause::of(an_extended_delivery_is_hidden_for_the_new_timeout_from_then_on),
        Clause::of(an_extended_delivery_can_still_be_deleted),
        Clause::of(a_timeout_can_be_shortened),
        Clause::of(a_receive_that_names_no_timeout_has_the_queues_own).needs_setup(),
        Clause::of(a_delivery_tells_how_long_it_is_hidden),
        Clause::of(a_timeout_longer_than_allowed_is_refused),
    ]
}

/// Q3, Q12: hidden until the timeout ends, then received again.
async fn a_received_message_is_hidden_until_its_timeout(case: Case) {
    let queue = case.queue().await;
    let id = queue.send(Outgoing::new("a")).await;
    let held = queue.lease_one().await;
    let again = queue.comes_in(held.back).await;
    assert_eq!((again.message().id(), again.message().body()), (&id, "a"));
}

/// Q3: what is hidden is one message, not the queue.
async fn a_hidden_message_holds_up_no_other(case: Case) {
    let queue = case.queue().await;
    queue.send(Outgoing::new("hidden")).await;
    let _held = queue.take_one().await;
    queue.send(Outgoing::new("free")).await;
    let other = queue.comes_in(Window::now()).await;
    assert_eq!(other.message().body(), "free");
}

/// Q3: deleted in time, it is gone for good.
async fn a_deleted_message_never_comes_back(case: Case) {
    let queue = case.queue().await;
    queue.send(Outgoing::new("a")).await;
    let held = queue.lease_one().await;
    held.delivery.ack().await.expect("what is held can be deleted");
    queue.is_quiet_after(held.back).await;
}

/// Q3: the timeout is over, but nobody else has received it: the receipt still deletes.
async fn a_message_deleted_late_never_comes_back(case: Case) {
    let queue = case.queue().await;
    queue.send(Outgoing::new("a")).await;
    let held = queue.lease_one().await;
    queue.pass(held.back).await;
    held.delivery.ack().await.expect("what nobody else has received can still be deleted");
    queue.is_quiet().await;
}

/// Q3: released without a delay, it can be received at once.
async fn a_released_message_comes_back_at_once(case: Case) {
    let queue = case.queue().await;
    queue.send(Outgoing::new("a")).await;
    let held = queue.take_one().await;
    held.release(Duration::ZERO).await.expect("what is held can be released");
    let again = queue.comes_in(Window::now()).await;
    assert_eq!(again.message().body(), "a");
}

/// Q3: released with a delay, it is hidden for that delay, whatever the timeout was.
async fn a_message_released_with_a_delay_comes_back_after_it(case: Case) {
    let queue = case.queue().await;
    queue.send(Outgoing::new("a")).await;
    let held = queue.take_one().await;
    let asked = Instant::now();
    held.release(case.pace.lease()).await.expect("what is held can be released");
    queue.comes_in(Window::after(asked, case.pace.lease())).await.forget();
}

/// Q3: the new timeout counts from the extension; it is not added to what was left.
async fn an_extended_delivery_is_hidden_for_the_new_timeout_from_then_on(case: Case) {
    let queue = case.queue().await;
    queue.send(Outgoing::new("a")).await;
    let mut held = queue.lease_one().await;
    sleep(case.pace.lease() / 2).await;
    let asked = Instant::now();
    held.delivery.extend(case.pace.lease()).await.expect("what is held can be extended");
    queue.comes_in(Window::after(asked, case.pace.lease())).await.forget();
}

/// Q4: an extension keeps the receipt good.
async fn an_extended_delivery_can_still_be_deleted(case: Case) {
    let queue = case.queue().await;
    queue.send(Outgoing::new("a")).await;
    let mut held = queue.lease_one().await;
    let asked = Instant::now();
    held.delivery.extend(case.pace.lease() * 2).await.expect("what is held can be extended");
    let back = Window::after(asked, case.pace.lease() * 2);
    queue.pass(held.back).await;
    held.delivery.ack().await.expect("its first timeout is over, its second is not");
    queue.is_quiet_after(back).await;
}

/// Q3: a change of visibility replaces the timeout, also by a shorter one.
async fn a_timeout_can_be_shortened(case: Case) {
    let queue = case.queue().await;
    queue.send(Outgoing::new("a")).await;
    let mut held = queue.take_one().await;
    let asked = Instant::now();
    held.extend(case.pace.lease()).await.expect("what is held can be hidden for a shorter time");
    queue.comes_in(Window::after(asked, case.pace.lease())).await.forget();
}

/// Q3, P8, P9: the queue's own timeout is the default, and the consumer and the delivery know it.
async fn a_receive_that_names_no_timeout_has_the_queues_own(case: Case) {
    let lease = case.pace.lease();
    let queue = case.queue_with(|setup| setup.visibility = lease).await;
    assert_eq!(queue.queue().receive_limits().visibility, lease, "receive_limits() tells the queue's own");
    queue.send(Outgoing::new("a")).await;
    let asked = Instant::now();
    let held = queue.receive(ReceiveOptions::new(1).with_wait(Pace::WAIT)).await;
    let back = Window::after(asked, lease);
    let first = held.first().expect("a message is there");
    assert_eq!(first.visibility(), lease, "the delivery tells the timeout in force");
    queue.comes_in(back).await.forget();
}

/// Q3, W4: renewal goes by this; a delivery that believes to be hidden for longer is renewed too late.
async fn a_delivery_tells_how_long_it_is_hidden(case: Case) {
    let queue = case.queue().await;
    queue.send(Outgoing::new("a")).await;
    let held = queue.lease_one().await;
    assert_eq!(held.delivery.visibility(), case.pace.lease(), "the timeout in force");
    let until = held.delivery.hidden_until();
    assert!(until <= held.back.closes, "it believes to be hidden for longer than it is");
    assert!(until + case.pace.early() >= held.back.opens, "it believes to be hidden for less than it is");
}

/// Q3: `ReceiveLimits::max_visibility` is the limit, and what is refused changes nothing.
async fn a_timeout_longer_than_allowed_is_refused(case: Case) {
    let queue = case.queue().await;
    queue.send(Outgoing::new("a")).await;
    let mut held = queue.lease_one().await;
    let too_long = queue.queue().receive_limits().max_visibility + Duration::from_secs(1);
    let error = held.delivery.extend(too_long).await.expect_err("longer than the limit says");
    assert_eq!(error.kind(), queue_core::QueueErrorKind::Permanent, "{error}");
    queue.comes_in(held.back).await.forget();
}
