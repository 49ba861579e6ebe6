//! The dead-letter queue of an ordered queue: what moves there keeps its order, and its group goes on.

use super::moves::{done, give_back};
use crate::clause::Clause;
use crate::queue::QueueClause;
use crate::queue::QueuePromise::DeadLetter;
use crate::queue::case::Case;
use crate::queue::subject::Subject;

pub(super) fn clauses() -> Vec<QueueClause> {
    vec![
        Clause::of(moved_messages_keep_their_order_and_their_group_goes_on).when(DeadLetter),
        Clause::of(a_group_whose_messages_have_all_moved_takes_new_ones).when(DeadLetter),
    ]
}

/// An ordered queue whose messages may be received twice, and its dead-letter queue.
async fn twice_at_most(case: &Case) -> (Subject, Subject) {
    let queue = case.ordered_queue_with(|setup| setup.max_receive_count = Some(2)).await;
    let dead = queue.dead_letter();
    (queue, dead)
}

/// Receives a message as often as it may be received, and gives it back each time.
async fn exhaust(queue: &Subject, body: &str) {
    for _time in 0..2 {
        give_back(queue.next_is(body).await).await;
    }
}

/// Q7, Q8: the group is open for the next one, and in the dead-letter queue it is a group still.
async fn moved_messages_keep_their_order_and_their_group_goes_on(case: Case) {
    let (queue, dead) = twice_at_most(&case).await;
    queue.send_words("a1 a2 a3").await;
    exhaust(&queue, "a1").await;
    exhaust(&queue, "a2").await;
    done(queue.next_is("a3").await).await;
    queue.is_quiet().await;
    let first = dead.next_is("a1").await;
    assert_eq!(first.message().group_key(), Some("a"));
    dead.is_quiet().await;
    done(first).await;
    dead.next_is("a2").await.forget();
}

/// Q7, Q8: nothing is left behind that blocks it.
async fn a_group_whose_messages_have_all_moved_takes_new_ones(case: Case) {
    let (queue, dead) = twice_at_most(&case).await;
    queue.send_words("a1").await;
    exhaust(&queue, "a1").await;
    queue.is_quiet().await;
    queue.send_words("a2").await;
    queue.next_is("a2").await.forget();
    dead.next_is("a1").await.forget();
}
