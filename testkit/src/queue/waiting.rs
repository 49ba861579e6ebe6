//! Long polling: a receive waits for the first message, and no longer than it must.

use std::time::Duration;

use futures::future::{join, join_all};
use queue_core::{CancellationToken, Outgoing, ReceiveOptions};
use tokio::time::{Instant, sleep};

use super::QueueClause;
use super::QueuePromise::{Delay, LongPolls, SingleDelivery, Stop};
use super::case::Case;
use super::subject::{bodies, numbered};
use crate::clause::Clause;
use crate::pace::{Pace, Window};

pub(super) fn clauses() -> Vec<QueueClause> {
    vec![
        Clause::of(an_empty_wait_gives_an_empty_list_when_it_ends),
        Clause::of(a_zero_wait_answers_at_once),
        Clause::of(a_wait_ends_when_a_message_arrives).when(LongPolls),
        Clause::of(a_wait_ends_when_a_timeout_ends).when(LongPolls),
        Clause::of(a_wait_ends_when_a_delay_ends).when(LongPolls).when(Delay),
        Clause::of(a_wait_ends_when_a_message_is_released).when(LongPolls),
        Clause::of(several_waiting_receives_share_what_arrives).when(LongPolls).when(SingleDelivery),
        Clause::of(the_stop_token_ends_a_wait).when(Stop),
        Clause::of(a_token_that_is_cancelled_already_ends_the_wait_at_once).when(Stop),
    ]
}

/// Q5: an empty list, no error, and not before the wait is over.
async fn an_empty_wait_gives_an_empty_list_when_it_ends(case: Case) {
    let queue = case.queue().await;
    let wait = case.pace.lease();
    let end = Window::now().later(wait);
    let got = queue.receive(ReceiveOptions::new(queue.batch()).with_wait(wait)).await;
    assert!(got.is_empty(), "{:?}", bodies(&got));
    queue.assert_in(end);
}

/// Q5: whether there is something or not.
async fn a_zero_wait_answers_at_once(case: Case) {
    let queue = case.queue().await;
    let now = Window::now();
    let got = queue.receive(ReceiveOptions::new(queue.batch()).with_wait(Duration::ZERO)).await;
    assert!(got.is_empty(), "{:?}", bodies(&got));
    queue.assert_in(now);
}

/// Q5: a message that is published while a receive waits ends the wait.
async fn a_wait_ends_when_a_message_arrives(case: Case) {
    let queue = case.queue().await;
    let publish = async {
        sleep(Pace::WAIT).await;
        queue.send(Outgoing::new("a")).await
    };
    let arrival = Window::now().later(Pace::WAIT);
    let (got, _id) = join(queue.receive(queue.long_wait()), publish).await;
    assert_eq!(bodies(&got), ["a"]);
    queue.assert_in(arrival);
}

/// Q5: so does a message whose visibility timeout ends.
async fn a_wait_ends_when_a_timeout_ends(case: Case) {
    let queue = case.queue().await;
    queue.send(Outgoing::new("a")).await;
    let held = queue.lease_one().await;
    let got = queue.receive(queue.long_wait()).await;
    assert_eq!(bodies(&got), ["a"]);
    queue.assert_in(held.back);
}

/// Q5: so does a message whose delay ends.
async fn a_wait_ends_when_a_delay_ends(case: Case) {
    let queue = case.queue().await;
    let asked = Instant::now();
    queue.send(Outgoing::new("a").with_delay(case.pace.lease())).await;
    let due = Window::after(asked, case.pace.lease());
    let got = queue.receive(queue.long_wait()).await;
    assert_eq!(bodies(&got), ["a"]);
    queue.assert_in(due);
}

/// Q5: so does a message that another consumer gives back.
async fn a_wait_ends_when_a_message_is_released(case: Case) {
    let queue = case.queue().await;
    queue.send(Outgoing::new("a")).await;
    let held = queue.take_one().await;
    let release = async {
        sleep(Pace::WAIT).await;
        held.release(Duration::ZERO).await
    };
    let back = Window::now().later(Pace::WAIT);
    let (got, released) = join(queue.receive(queue.long_wait()), release).await;
    released.expect("what is held can be released");
    assert_eq!(bodies(&got), ["a"]);
    queue.assert_in(back);
}

/// Q5: with as many receives waiting as messages arrive at once, each gets one: no wake-up is lost.
async fn several_waiting_receives_share_what_arrives(case: Case) {
    let queue = case.queue().await;
    let publish = async {
        sleep(Pace::WAIT).await;
        queue.send_all(&numbered(4)).await
    };
    let arrival = Window::now().later(Pace::WAIT);
    let receives = join_all((0..4).map(|_| queue.receive(queue.long_wait())));
    let (got, _ids) = join(receives, publish).await;
    let got: Vec<_> = got.into_iter().flatten().collect();
    assert_eq!(bodies(&got), numbered(4));
    queue.assert_in(arrival);
}

/// Q5: stopped, a receive answers with what it has, which is nothing.
async fn the_stop_token_ends_a_wait(case: Case) {
    let queue = case.queue().await;
    let stop = CancellationToken::new();
    let cancel = async {
        sleep(Pace::WAIT).await;
        stop.cancel();
    };
    let stopped = Window::now().later(Pace::WAIT);
    let (got, ()) = join(queue.receive(queue.long_wait().with_stop(stop.clone())), cancel).await;
    assert!(got.is_empty(), "{:?}", bodies(&got));
    queue.assert_in(stopped);
}

/// Q5: a receive that starts after the stop does not wait at all.
async fn a_token_that_is_cancelled_already_ends_the_wait_at_once(case: Case) {
    let queue = case.queue().await;
    let stop = CancellationToken::new();
    stop.cancel();
    let now = Window::now();
    let got = queue.receive(queue.long_wait().with_stop(stop)).await;
    assert!(got.is_empty(), "{:?}", bodies(&got));
    queue.assert_in(now);
}
