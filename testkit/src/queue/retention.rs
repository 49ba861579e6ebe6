//! Retention: how old a message may become.

use queue_core::Outgoing;
use tokio::time::{Instant, sleep};

use super::QueueClause;
use super::QueuePromise::Retention;
use super::case::Case;
use super::subject::{Subject, bodies};
use crate::clause::Clause;
use crate::pace::Window;

pub(super) fn clauses() -> Vec<QueueClause> {
    let clauses = [
        Clause::of(a_message_older_than_the_retention_is_gone),
        Clause::of(a_message_younger_than_the_retention_stays),
        Clause::of(a_receive_makes_a_message_no_younger),
    ];
    clauses.into_iter().map(|clause| clause.when(Retention).needs_setup()).collect()
}

/// A queue that keeps messages for as short a time as it can.
async fn short_lived(case: &Case) -> Subject {
    let retention = case.pace.retention;
    case.queue_with(|setup| setup.retention = retention).await
}

/// Q10: gone, though nobody received it.
async fn a_message_older_than_the_retention_is_gone(case: Case) {
    let queue = short_lived(&case).await;
    let asked = Instant::now();
    queue.send(Outgoing::new("old")).await;
    queue.pass(Window::after(asked, case.pace.retention)).await;
    queue.is_quiet().await;
}

/// Q10: each message has its own age.
async fn a_message_younger_than_the_retention_stays(case: Case) {
    let queue = short_lived(&case).await;
    let asked = Instant::now();
    queue.send(Outgoing::new("old")).await;
    let over = Window::after(asked, case.pace.retention);
    sleep(case.pace.retention / 2).await;
    queue.send(Outgoing::new("young")).await;
    queue.pass(over).await;
    assert_eq!(bodies(&queue.take(1).await), ["young"]);
    queue.is_quiet().await;
}

/// Q10: the age counts from when it was published.
async fn a_receive_makes_a_message_no_younger(case: Case) {
    let queue = short_lived(&case).await;
    let asked = Instant::now();
    queue.send(Outgoing::new("old")).await;
    let over = Window::after(asked, case.pace.retention);
    let held = queue.lease_one().await;
    drop(held.delivery);
    queue.pass(over).await;
    queue.is_quiet().await;
}
