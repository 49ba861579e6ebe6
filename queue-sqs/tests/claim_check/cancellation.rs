//! Calls that are dropped at each of their await points, in every combination with what queue and store do meanwhile.

use std::time::Duration;

use queue_core::{MemoryQueue, PublisherExt, QueueErrorKind, Rejected};
use queue_sqs::ClaimCheck;
use testkit::{CallKind, Faulty, Run, matrix};
use tokio::time::sleep;

use crate::store::{FaultyStore, Op, gates};
use crate::support::{large, letters, over, queue, receive, receive_one, shared, total, try_receive};

/// Every message that is stored is received whole, by a consumer whose store is sound; afterwards nothing is stored.
async fn all_come_whole(queue: &MemoryQueue, store: &FaultyStore) {
    store.heal();
    sleep(Duration::from_secs(100)).await;
    let stored = total(queue).await;
    let checked = over(queue, store);
    let came = receive(&checked).await;
    assert_eq!(
        letters(&came),
        "a".repeat(usize::try_from(stored).unwrap()),
        "no message is without its body"
    );
    for delivery in came {
        delivery.ack().await.unwrap();
    }
    assert_eq!(total(queue).await, 0);
}

// Q6, Q13: a kill at any moment leaves a body without a message at most
#[test]
fn a_publish_that_ends_anywhere_leaves_a_body_behind_at_most() {
    let runs = matrix(async |run: Run| {
        let (queue, store) = (queue(), FaultyStore::new(gates(&run, Op::Put)));
        let faulty = Faulty::new(queue.clone(), run.gates(CallKind::Publish, 1));
        let checked = ClaimCheck::new(faulty, shared(&store), "bodies");
        let answer = run.cut(checked.publish_one(large("a"))).await;
        let stored = total(&queue).await;
        let kind = answer.as_ref().map(|answer| answer.as_ref().err().map(Rejected::kind));
        match kind {
            Some(None) => assert_eq!(stored, 1, "what was answered is stored"),
            Some(Some(QueueErrorKind::Transient)) => assert_eq!(stored, 0, "and what was refused is not"),
            _ => {}
        }
        let bodies = store.keys().await.len();
        assert!(bodies <= 1 && bodies as u64 >= stored, "{bodies} bodies, {stored} messages");
        all_come_whole(&queue, &store).await;
    });
    assert!(runs > 30, "{runs}");
}

// Q3
#[test]
fn a_receive_that_ends_anywhere_loses_nothing() {
    let runs = matrix(async |run: Run| {
        let (queue, store) = (queue(), FaultyStore::new(gates(&run, Op::Get)));
        let faulty = Faulty::new(queue.clone(), run.gates(CallKind::ChangeVisibility, 1));
        let checked = ClaimCheck::new(faulty, shared(&store), "bodies");
        checked.publish_one(large("a")).await.unwrap();
        let came = run.cut(try_receive(&checked)).await;
        if let Some(Ok(came)) = came {
            assert_eq!(letters(&came), "a");
            drop(came);
        }
        assert_eq!(total(&queue).await, 1);
        all_come_whole(&queue, &store).await;
    });
    assert!(runs > 30, "{runs}");
}

// Q3, Q4, Q6
#[test]
fn an_ack_that_ends_anywhere_leaves_no_message_without_its_body() {
    let runs = matrix(async |run: Run| {
        let (queue, store) = (queue(), FaultyStore::new(gates(&run, Op::Delete)));
        let faulty = Faulty::new(queue.clone(), run.gates(CallKind::Delete, 1));
        let checked = ClaimCheck::new(faulty, shared(&store), "bodies");
        checked.publish_one(large("a")).await.unwrap();
        let delivery = receive_one(&checked).await;
        let answer = run.cut(delivery.ack()).await;
        if let Some(Ok(())) = answer {
            assert_eq!(total(&queue).await, 0);
        }
        drop(answer);
        all_come_whole(&queue, &store).await;
    });
    assert!(runs > 30, "{runs}");
}

/// Both sides at once: the publish goes on while the receive is dropped somewhere.
#[test]
fn a_whole_journey_that_ends_anywhere_loses_nothing_that_was_answered() {
    let runs = matrix(async |run: Run| {
        let (queue, store) = (queue(), FaultyStore::sound());
        let checked = ClaimCheck::new(queue.clone(), shared(&store), "bodies");
        let journey = async {
            checked.publish_one(large("a")).await.unwrap();
            receive_one(&checked).await.ack().await.unwrap();
        };
        run.cut(journey).await;
        all_come_whole(&queue, &store).await;
        assert!(store.keys().await.len() <= 1);
    });
    assert!(runs > 1, "{runs}");
}
