//! The sequence: messages of a group come one after the other, and groups take turns.

use queue_core::Rejected;

use super::moves::{done, grouped, words};
use crate::clause::Clause;
use crate::pace::Pace;
use crate::queue::QueueClause;
use crate::queue::QueuePromise::{GroupBatches, GroupTurns};
use crate::queue::case::Case;

pub(super) fn clauses() -> Vec<QueueClause> {
    vec![
        Clause::of(messages_of_a_group_come_in_order),
        Clause::of(a_batch_keeps_its_order),
        Clause::of(several_of_a_group_in_one_receive_come_in_order).when(GroupBatches),
        Clause::of(a_message_tells_its_group),
        Clause::of(an_ordered_queue_says_that_it_is_one),
        Clause::of(groups_take_turns).when(GroupTurns),
    ]
}

/// Q8: in the order in which they were sent.
async fn messages_of_a_group_come_in_order(case: Case) {
    let queue = case.ordered_queue().await;
    queue.send_words("a1 a2 a3 a4 a5").await;
    for body in ["a1", "a2", "a3", "a4", "a5"] {
        done(queue.next_is(body).await).await;
    }
    queue.is_quiet().await;
}

/// Q6, Q8: what is published in one call was sent in the order of the batch.
async fn a_batch_keeps_its_order(case: Case) {
    let queue = case.ordered_queue().await;
    let batch = ["a1", "a2", "a3", "a4"].map(grouped).to_vec();
    for answer in queue.queue().publish(batch).await {
        answer.map_err(Rejected::into_error).expect("a sound message is taken");
    }
    for body in ["a1", "a2", "a3", "a4"] {
        done(queue.next_is(body).await).await;
    }
}

/// Q8: one receive may bring several; the first is the oldest.
async fn several_of_a_group_in_one_receive_come_in_order(case: Case) {
    let queue = case.ordered_queue().await;
    queue.send_words("a1 a2 a3 a4 a5").await;
    queue.brings("a1 a2 a3 a4 a5").await;
}

/// Q8: or a consumer could not keep the order.
async fn a_message_tells_its_group(case: Case) {
    let queue = case.ordered_queue().await;
    queue.send_words("a1").await;
    assert_eq!(queue.next_is("a1").await.message().group_key(), Some("a"));
}

/// Q8: its limits tell a publisher what it needs, and a receiver how to work.
async fn an_ordered_queue_says_that_it_is_one(case: Case) {
    let queue = case.ordered_queue().await;
    assert!(queue.queue().limits().ordered, "limits().ordered");
    assert!(queue.queue().receive_limits().ordered, "receive_limits().ordered");
}

/// Q8, P30: a group with much to do does not starve the others.
async fn groups_take_turns(case: Case) {
    let queue = case.ordered_queue().await;
    queue.send_words("a1 a2 a3 a4 a5 a6 a7 a8 b1 c1").await;
    let mut seen = Vec::new();
    for _turn in 0..3 {
        let got = queue.take_at_once(1, Pace::HOLD).await;
        seen.extend(words(&got).into_iter().map(str::to_owned));
        for delivery in got {
            done(delivery).await;
        }
    }
    seen.sort_unstable();
    assert_eq!(seen, ["a1", "b1", "c1"], "each group that is ready has its turn before one has a second");
}
