//! Attempts and delays of ordered queues, and heads that expire: what moves the end of a group's wait.

use std::time::Duration;

use queue_core::{Consumer, Delivery, ReceiveOptions};
use queue_sql::{SqlQueue, SqlStore as Store};
use tokio::time::sleep;

use crate::database::Database;
use crate::groups::ordered;
use crate::support::{delete, depth, millis, secs, send, take, take_for, words};

crate::each::on_each_database! {
    // Q8
    #[test] an_attempt_is_repeated_at_another_handle;
    // Q8
    #[test] an_attempt_that_asks_for_fewer_frees_the_rest;
    // Q8
    #[test] an_attempt_is_forgotten_after_five_minutes;
    // Q8: the first is at work still when it is repeated
    #[test] two_receives_under_one_id_at_once_do_not_share_what_is_there;
    // Q8, TQ12
    #[test] a_delay_of_the_queue_holds_for_each_message_and_keeps_the_order;
    // Q8, Q10
    #[test] an_expired_head_does_not_block_its_group;
}

async fn attempt<S: Store>(queue: &SqlQueue<S>, most: usize) -> Vec<Delivery> {
    let options = ReceiveOptions::new(most).with_attempt_id("x").with_wait(Duration::ZERO);
    queue.receive(options.with_visibility(secs(60))).await.unwrap()
}

fn receipts(deliveries: &[Delivery]) -> Vec<&str> {
    deliveries.iter().map(|delivery| delivery.receipt().as_str()).collect()
}

async fn an_attempt_is_repeated_at_another_handle<D: Database>(database: &D) {
    let [queue, other] = [ordered(database).await, ordered(database).await];
    send(&queue, "a1 a2 b1 c1").await;
    let lost = attempt(&queue, 10).await;
    send(&queue, "d1 a3").await;
    let again = attempt(&other, 10).await;
    assert_eq!((words(&again), receipts(&again)), (vec!["a1", "a2", "b1", "c1"], receipts(&lost)));
    assert!(again.iter().all(|delivery| delivery.message().receive_count() == 1));
    delete(again).await;
    assert_eq!(words(&take(&other).await), ["d1", "a3"]);
}

async fn an_attempt_that_asks_for_fewer_frees_the_rest<D: Database>(database: &D) {
    let queue = ordered(database).await;
    send(&queue, "a1 a2 a3 b1").await;
    let all = attempt(&queue, 10).await;
    let first = attempt(&queue, 2).await;
    assert_eq!(receipts(&first), receipts(&all)[..2]);
    assert_eq!(words(&take(&queue).await), ["b1"], "a3 is behind what is delivered");
    assert_eq!(receipts(&attempt(&queue, 10).await), receipts(&first));
    delete(first).await;
    let next = take(&queue).await;
    assert_eq!((words(&next), next[0].message().receive_count()), (vec!["a3"], 2));
}

async fn an_attempt_is_forgotten_after_five_minutes<D: Database>(database: &D) {
    let queue = ordered(database).await;
    send(&queue, "a1").await;
    let lost = attempt(&queue, 10).await;
    let earlier = D::an_hour_earlier("expires");
    assert_eq!(database.execute(&format!("UPDATE q_attempt SET {earlier}")).await, 1);
    assert!(attempt(&queue, 10).await.is_empty());
    send(&queue, "b1").await;
    assert_eq!(words(&attempt(&queue, 10).await), ["b1"]);
    delete(lost).await;
}

async fn two_receives_under_one_id_at_once_do_not_share_what_is_there<D: Database>(database: &D) {
    for _round in 0..20 {
        let [one, two] = [ordered(database).await, ordered(database).await];
        let number = fastrand::u64(..);
        send(&one, &format!("a{number} b{number}")).await;
        let (first, second) = tokio::join!(attempt(&one, 10), attempt(&two, 10));
        let third = attempt(&two, 10).await;
        assert_eq!(third.len(), 2);
        for earlier in [first, second] {
            let none_or_all = earlier.is_empty() || receipts(&earlier) == receipts(&third);
            assert!(none_or_all, "{:?}, then {:?}", words(&earlier), words(&third));
        }
        delete(third).await;
    }
}

async fn a_delay_of_the_queue_holds_for_each_message_and_keeps_the_order<D: Database>(database: &D) {
    let queue = database.open().queue("late.fifo").ordered().delay(secs(1)).build().await.unwrap();
    send(&queue, "a1").await;
    sleep(millis(500)).await;
    send(&queue, "a2").await;
    assert_eq!((take(&queue).await.len(), depth(&queue).await.delayed), (0, 2));
    sleep(millis(600)).await;
    let first = take(&queue).await;
    assert_eq!(words(&first), ["a1"]);
    delete(first).await;
    assert!(take(&queue).await.is_empty(), "the second has its own delay");
    sleep(millis(600)).await;
    assert_eq!(words(&take(&queue).await), ["a2"]);
}

async fn an_expired_head_does_not_block_its_group<D: Database>(database: &D) {
    let queue = database.open().queue("short.fifo").ordered().retention(secs(60)).build().await.unwrap();
    send(&queue, "a1 a2 b1").await;
    let held = take_for(&queue, 1, secs(600)).await;
    assert_eq!(words(&held), ["a1"]);
    let earlier = D::an_hour_earlier("sent");
    let expire = format!("UPDATE q_ordered_message SET {earlier} WHERE body IN ('a1', 'b1')");
    assert_eq!(database.execute(&expire).await, 2);
    send(&queue, "b2").await;
    let last = tokio::time::Instant::now() + secs(20);
    let mut came = Vec::new();
    while came.len() < 2 && tokio::time::Instant::now() < last {
        came.extend(take(&queue).await);
        sleep(millis(50)).await;
    }
    let mut came = words(&came);
    came.sort_unstable();
    assert_eq!(came, ["a2", "b2"], "a1 and b1 are gone, also though a1 is in flight");
    held.into_iter().for_each(Delivery::forget);
}
