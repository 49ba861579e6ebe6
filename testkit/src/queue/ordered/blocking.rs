//! Blocking: while some of a group are in flight nobody else gets that group, and what failed is not overtaken.

use std::time::Duration;

use futures::future::join;
use tokio::time::{Instant, sleep};

use super::moves::{all_done, done, give_back, words};
use crate::clause::Clause;
use crate::pace::{Pace, Window};
use crate::queue::QueueClause;
use crate::queue::QueuePromise::{GroupBatches, LongPolls, WholeGroups};
use crate::queue::case::Case;

pub(super) fn clauses() -> Vec<QueueClause> {
    vec![
        Clause::of(a_group_in_flight_goes_to_nobody_else_and_others_go_on),
        Clause::of(a_group_goes_on_after_its_batch_was_deleted).when(GroupBatches),
        Clause::of(after_the_timeout_a_group_begins_with_its_oldest_undeleted).when(GroupBatches),
        Clause::of(a_released_head_comes_before_later_ones),
        Clause::of(a_head_that_is_released_with_a_delay_blocks_its_group),
        Clause::of(a_head_that_is_extended_blocks_its_group),
        Clause::of(a_released_middle_one_waits_for_those_in_flight).when(GroupBatches).when(WholeGroups),
        Clause::of(a_batch_given_back_comes_in_the_same_order).when(GroupBatches),
        Clause::of(a_wait_ends_when_a_group_is_free_again).when(LongPolls),
    ]
}

/// Q8: the group is blocked, not the queue.
async fn a_group_in_flight_goes_to_nobody_else_and_others_go_on(case: Case) {
    let queue = case.ordered_queue().await;
    queue.send_words("a1 a2 b1 b2").await;
    let mut heads = [queue.take_one().await, queue.take_one().await];
    heads.sort_by(|one, other| one.message().body().cmp(other.message().body()));
    assert_eq!(words(&heads), ["a1", "b1"]);
    queue.is_quiet().await;
}

/// Q8: as soon as none of it is in flight, and not before.
async fn a_group_goes_on_after_its_batch_was_deleted(case: Case) {
    let queue = case.ordered_queue().await;
    queue.send_words("a1 a2 a3").await;
    let mut batch = queue.brings("a1 a2").await;
    done(batch.remove(0)).await;
    queue.is_quiet().await;
    all_done(batch).await;
    queue.next_is("a3").await.forget();
}

/// Q3, Q8: nothing is skipped, and nothing that is deleted comes again.
async fn after_the_timeout_a_group_begins_with_its_oldest_undeleted(case: Case) {
    let queue = case.ordered_queue().await;
    queue.send_words("a1 a2 a3 a4").await;
    let (mut batch, back) = queue.lease_words("a1 a2 a3", case.pace.lease()).await;
    done(batch.remove(1)).await;
    queue.is_quiet().await;
    queue.pass(back).await;
    queue.brings("a1 a3 a4").await;
}

/// Q8, P42: a failed message is not overtaken.
async fn a_released_head_comes_before_later_ones(case: Case) {
    let queue = case.ordered_queue().await;
    queue.send_words("a1 a2").await;
    give_back(queue.next_is("a1").await).await;
    done(queue.next_is("a1").await).await;
    queue.next_is("a2").await.forget();
}

/// Q8, P42: however long its delay is.
async fn a_head_that_is_released_with_a_delay_blocks_its_group(case: Case) {
    let queue = case.ordered_queue().await;
    queue.send_words("a1 a2").await;
    let head = queue.next_is("a1").await;
    let asked = Instant::now();
    head.release(case.pace.lease()).await.expect("what is held can be released");
    let again = queue.comes_in(Window::after(asked, case.pace.lease())).await;
    assert_eq!(again.message().body(), "a1");
    queue.is_quiet().await;
}

/// Q8: a longer hold of the head holds the group.
async fn a_head_that_is_extended_blocks_its_group(case: Case) {
    let queue = case.ordered_queue().await;
    queue.send_words("a1 a2").await;
    let mut head = queue.lease_one().await;
    let asked = Instant::now();
    head.delivery.extend(case.pace.lease() * 2).await.expect("what is held can be extended");
    let again = queue.comes_in(Window::after(asked, case.pace.lease() * 2)).await;
    assert_eq!(again.message().body(), "a1");
}

/// Q8: visible again, it is behind those of its group that are in flight.
async fn a_released_middle_one_waits_for_those_in_flight(case: Case) {
    let queue = case.ordered_queue().await;
    queue.send_words("a1 a2 a3 a4").await;
    let mut batch = queue.brings("a1 a2 a3").await;
    give_back(batch.remove(1)).await;
    queue.is_quiet().await;
    done(batch.remove(0)).await;
    queue.is_quiet().await;
    all_done(batch).await;
    queue.brings("a2 a4").await;
}

/// Q8: whoever failed, and however often.
async fn a_batch_given_back_comes_in_the_same_order(case: Case) {
    let queue = case.ordered_queue().await;
    queue.send_words("a1 a2 a3 a4").await;
    for _time in 0..3 {
        for delivery in queue.brings("a1 a2 a3").await.into_iter().rev() {
            give_back(delivery).await;
        }
    }
    queue.brings("a1 a2 a3 a4").await;
}

/// Q5, Q8, P43: a receive that waits hears of it.
async fn a_wait_ends_when_a_group_is_free_again(case: Case) {
    let queue = case.ordered_queue().await;
    queue.send_words("a1 a2").await;
    let head = queue.next_is("a1").await;
    let free = async {
        sleep(Pace::WAIT).await;
        done(head).await;
    };
    let freed = Window::now().later(Pace::WAIT);
    let (got, ()) = join(queue.receive(queue.long_wait()), free).await;
    assert_eq!(words(&got), ["a2"]);
    queue.assert_in(freed);
    let free = async {
        sleep(Pace::WAIT).await;
        for delivery in got {
            delivery.release(Duration::ZERO).await.expect("what is held can be released");
        }
    };
    let freed = Window::now().later(Pace::WAIT);
    let (again, ()) = join(queue.receive(queue.long_wait()), free).await;
    assert_eq!(words(&again), ["a2"]);
    queue.assert_in(freed);
}
