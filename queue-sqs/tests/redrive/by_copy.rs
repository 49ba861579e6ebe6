//! Redrives by receiving, publishing and deleting.

use std::collections::BTreeSet;

use queue_core::Inspect;
use queue_core::QueueErrorKind::Permanent;

use crate::world::{World, drain, message, order};

// Q3, Q7
#[tokio::test]
async fn a_standard_queue_is_redriven_with_bodies_attributes_and_groups() {
    let world = World::start(false).await;
    world.bury(3, 8).await;
    assert_eq!(world.dead.redrive_to(&world.queue, 5).await.unwrap(), 5);
    assert_eq!(world.dead.redrive_to(&world.queue, u64::MAX).await.unwrap(), 19);
    let moved = drain(&world.queue).await;
    for (group, number) in (0..3).flat_map(|group| (0..8).map(move |number| (group, number))) {
        let wanted = message(group, number, false);
        let found: Vec<_> = moved.iter().filter(|moved| moved.to_outgoing() == wanted).collect();
        assert_eq!(found.len(), 1, "{wanted:?}");
        assert_eq!(found[0].receive_count(), 1);
    }
    assert_eq!(world.dead.depth().await.unwrap().total(), 0);
}

// Q8, Q9
#[tokio::test]
async fn a_fifo_queue_is_redriven_in_order_and_not_taken_for_a_repetition() {
    let world = World::start(true).await;
    world.bury(3, 12).await;
    assert_eq!(world.dead.redrive_to(&world.queue, u64::MAX).await.unwrap(), 36);
    let moved = drain(&world.queue).await;
    for group in 0..3 {
        assert_eq!(order(&moved, group), (0..12).collect::<Vec<_>>(), "group {group}");
    }
    assert_eq!(world.dead.depth().await.unwrap().total(), 0);
}

/// Ten messages take a receive, a send and a delete.
#[tokio::test]
async fn a_redrive_makes_calls_of_ten() {
    let world = World::start(false).await;
    world.bury(1, 40).await;
    world.server.reset_calls();
    assert_eq!(world.dead.redrive_to(&world.queue, 40).await.unwrap(), 40);
    let calls = world.server.calls();
    let made = ["ReceiveMessage", "SendMessageBatch", "DeleteMessageBatch"].map(|name| calls.of(name));
    assert_eq!(made, [4, 4, 4]);
}

#[tokio::test]
async fn a_redrive_to_where_it_can_not_go_is_refused() {
    let world = World::start(false).await;
    world.bury(1, 1).await;
    world.server.reset_calls();
    for target in [&world.dead, &world.queue("other.fifo").await] {
        world.server.reset_calls();
        let error = world.dead.redrive_to(target, 1).await.unwrap_err();
        assert_eq!(error.kind(), Permanent, "{error}");
        assert_eq!(world.server.calls().of("ReceiveMessage"), 0);
    }
    assert_eq!(drain(&world.dead).await.len(), 1);
}

// Q3
#[tokio::test]
async fn any_queue_of_its_kind_can_be_the_target() {
    let world = World::start(false).await;
    world.bury(1, 3).await;
    let other = world.queue("other").await;
    assert_eq!(world.dead.redrive_to(&other, 10).await.unwrap(), 3);
    let bodies: BTreeSet<_> = drain(&other).await.iter().map(|message| message.body().to_owned()).collect();
    assert_eq!(bodies.len(), 3);
}
