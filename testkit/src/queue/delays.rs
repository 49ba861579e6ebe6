//! Delays: a message that is hidden for a time after it is published.

use std::time::Duration;

use queue_core::Outgoing;
use tokio::time::Instant;

use super::QueueClause;
use super::QueuePromise::Delay;
use super::case::Case;
use crate::clause::Clause;
use crate::pace::Window;

pub(super) fn clauses() -> Vec<QueueClause> {
    let clauses = [
        Clause::of(a_delayed_message_is_hidden_until_its_delay_ends),
        Clause::of(a_delayed_message_holds_up_no_other),
        Clause::of(a_delay_of_zero_delays_nothing),
    ];
    clauses.into_iter().map(|clause| clause.when(Delay)).collect()
}

/// Not before, and not much later.
async fn a_delayed_message_is_hidden_until_its_delay_ends(case: Case) {
    let queue = case.queue().await;
    let asked = Instant::now();
    queue.send(Outgoing::new("a").with_delay(case.pace.lease())).await;
    let due = Window::after(asked, case.pace.lease());
    assert_eq!(queue.comes_in(due).await.message().body(), "a");
}

/// One that was published later, without a delay, comes at once.
async fn a_delayed_message_holds_up_no_other(case: Case) {
    let queue = case.queue().await;
    let asked = Instant::now();
    queue.send(Outgoing::new("late").with_delay(case.pace.lease())).await;
    let due = Window::after(asked, case.pace.lease());
    queue.send(Outgoing::new("early")).await;
    let first = queue.comes_in(Window::now()).await;
    assert_eq!(first.message().body(), "early");
    assert_eq!(queue.comes_in(due).await.message().body(), "late");
}

/// Zero is no delay.
async fn a_delay_of_zero_delays_nothing(case: Case) {
    let queue = case.queue().await;
    queue.send(Outgoing::new("a").with_delay(Duration::ZERO)).await;
    queue.comes_in(Window::now()).await.forget();
}
