//! Redrives by the service itself.

use std::num::NonZeroU16;
use std::time::Duration;

use queue_core::QueueErrorKind::Permanent;
use queue_core::{Inspect, Message};
use queue_sqs::{MoveProgress, MoveState, MoveTask, RedriveOptions};
use tokio::time::{sleep, timeout};

use crate::world::{World, drain, order};

async fn ended(task: &MoveTask) -> MoveProgress {
    let ended = async {
        loop {
            let progress = task.progress().await.unwrap();
            if progress.state.is_over() {
                return progress;
            }
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(Duration::from_secs(10), ended).await.expect("it ends")
}

// Q3, Q8
#[tokio::test]
async fn the_service_moves_messages_back_to_where_they_came_from() {
    for ordered in [false, true] {
        let world = World::start(ordered).await;
        world.bury(3, 10).await;
        let task = world.dead.start_redrive(RedriveOptions::new()).await.unwrap();
        let progress = ended(&task).await;
        assert_eq!((progress.state, progress.moved, progress.to_move), (MoveState::Completed, 30, Some(30)));
        let moved = drain(&world.queue).await;
        assert_eq!(moved.len(), 30);
        for group in (0..3).filter(|_| ordered) {
            assert_eq!(order(&moved, group), (0..10).collect::<Vec<_>>());
        }
        assert!(moved.iter().all(|message| message.attributes().len() == 2), "attributes stay");
    }
}

// Q3
#[tokio::test]
async fn the_service_moves_messages_where_it_is_told_to() {
    let world = World::start(false).await;
    world.bury(1, 5).await;
    let other = world.queue("other").await;
    let task = world.dead.start_redrive(RedriveOptions::new().with_target(&other)).await.unwrap();
    assert_eq!(ended(&task).await.moved, 5);
    assert_eq!((drain(&other).await.len(), drain(&world.queue).await.len()), (5, 0));
}

// Q3
#[tokio::test]
async fn a_slow_redrive_is_found_and_ended_and_what_is_left_stays() {
    let world = World::start(false).await;
    world.bury(1, 40).await;
    let slow = RedriveOptions::new().with_most_per_second(NonZeroU16::new(2).unwrap());
    let task = world.dead.start_redrive(slow.clone()).await.unwrap();
    let found = world.dead.running_redrive().await.unwrap().expect("it runs");
    assert_eq!(found.handle(), task.handle());
    let second = world.dead.start_redrive(slow).await.unwrap_err();
    assert_eq!(second.kind(), Permanent, "{second}");
    found.cancel().await.unwrap();
    let progress = ended(&task).await;
    assert_eq!(progress.state, MoveState::Cancelled);
    assert!(world.dead.running_redrive().await.unwrap().is_none());
    let moved: Vec<Message> = drain(&world.queue).await;
    let left = world.dead.depth().await.unwrap().total();
    assert_eq!(u64::try_from(moved.len()).unwrap() + left, 40);
    assert!(left > 30, "{left}");
    assert_eq!(task.cancel().await.unwrap_err().kind(), Permanent, "it has ended");
}

#[tokio::test]
async fn what_is_no_dead_letter_queue_is_refused() {
    let world = World::start(false).await;
    let error = world.queue.start_redrive(RedriveOptions::new()).await.unwrap_err();
    assert_eq!(error.kind(), Permanent, "{error}");
}
