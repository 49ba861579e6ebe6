//! What is left when a consumer or a publisher was killed at a step.

use std::time::Duration;

use harness::{Ledger, Moments};
use queue_core::{Consumer, ReceiveOptions};
use tokio::time::{Instant, sleep, timeout};

use crate::child::VISIBILITY;
use crate::killable::{Killable, jobs, send, take, total};

const KINDS: [bool; 2] = [false, true];

pub(crate) async fn a_consumer_killed_with_a_message_gives_it_back_at_the_timeout<D: Killable>() {
    for ordered in KINDS {
        let database = D::fresh().await;
        let queue = jobs::<D>(&database.open(), ordered).await;
        send(&queue, "a", 1).await;
        let child = database.child("consume", ordered).hold_at("received").start().unwrap();
        child.wait_until_held().unwrap();
        let received = Instant::now();
        assert!(child.kill().unwrap().was_killed());
        if received.elapsed() < VISIBILITY / 2 {
            assert!(take(&queue).await.is_empty(), "hidden until its timeout");
        }
        let got = queue.receive(ReceiveOptions::new(10).with_wait(VISIBILITY * 4)).await.unwrap();
        assert_eq!(got.len(), 1);
        assert_eq!(got[0].message().receive_count(), 2);
        assert!(received.elapsed() <= VISIBILITY * 3, "it comes at the timeout: {:?}", received.elapsed());
        database.remove().await;
    }
}

pub(crate) async fn a_consumer_killed_after_its_delete_leaves_nothing<D: Killable>() {
    for ordered in KINDS {
        let database = D::fresh().await;
        let queue = jobs::<D>(&database.open(), ordered).await;
        send(&queue, "a", 1).await;
        let child = database.child("consume", ordered).hold_at("deleted").start().unwrap();
        child.wait_until_held().unwrap();
        child.kill().unwrap();
        sleep(VISIBILITY).await;
        assert_eq!(total(&queue).await, 0);
        database.remove().await;
    }
}

pub(crate) async fn a_publisher_killed_before_its_commit_leaves_nothing_and_blocks_nobody<D: Killable>() {
    for ordered in KINDS {
        let database = D::fresh().await;
        let queue = jobs::<D>(&database.open(), ordered).await;
        let child = database.child("publish", ordered).hold_at("stored").start().unwrap();
        child.wait_until_held().unwrap();
        child.kill().unwrap();
        // The same group and the same deduplication id: neither is locked nor remembered.
        timeout(Duration::from_secs(10), send(&queue, "a", 1)).await.expect("nobody holds the group");
        assert_eq!(total(&queue).await, 1);
        database.remove().await;
    }
}

pub(crate) async fn what_a_publisher_committed_before_it_was_killed_is_there<D: Killable>() {
    for ordered in KINDS {
        let database = D::fresh().await;
        let queue = jobs::<D>(&database.open(), ordered).await;
        let child = database.child("publish", ordered).hold_at("committed").start().unwrap();
        child.wait_until_held().unwrap();
        child.kill().unwrap();
        let got = take(&queue).await;
        assert_eq!(got.iter().map(|delivery| delivery.message().body()).collect::<Vec<_>>(), ["1"]);
        database.remove().await;
    }
}

const GROUPS: u64 = 10;
const EACH: u64 = 20;

pub(crate) async fn consumers_killed_again_and_again_lose_nothing_and_keep_the_order<D: Killable>() {
    for ordered in KINDS {
        let (database, ledger) = (D::fresh().await, Ledger::create().unwrap());
        let queue = jobs::<D>(&database.open(), ordered).await;
        for number in 0..EACH {
            for group in 0..GROUPS {
                let key = format!("g{group}");
                send(&queue, &key, number).await;
                ledger.pen().sent(&key, number).unwrap();
            }
        }
        let worker = database.child("work", ordered).with_ledger(&ledger);
        let moments = Moments::fresh(Duration::from_millis(20)..Duration::from_millis(400));
        let seed = moments.seed();
        for moment in moments.take(6) {
            let [one, other] = [worker.start().unwrap(), worker.start().unwrap()];
            one.wait_until_passed("ready", 1).unwrap();
            one.kill_after(moment).unwrap();
            other.kill_after(moment).unwrap();
        }
        worker
            .clone()
            .with_patience(Duration::from_secs(90))
            .start()
            .unwrap()
            .finish()
            .unwrap()
            .expect_success()
            .unwrap();
        let balance = ledger.balance().unwrap();
        assert!(balance.lost().is_empty() && balance.unsent().is_empty(), "{balance}, seed {seed}");
        assert!(
            !ordered || balance.disorder().is_empty(),
            "{balance}, seed {seed}: {:?}",
            balance.disorder()
        );
        assert_eq!(total(&queue).await, 0, "{balance}, seed {seed}");
        database.remove().await;
    }
}
