//! Redrives by the service itself.

use std::num::NonZeroU16;
use std::time::Duration;

use queue_core::QueueErrorKind::Permanent;
use queue_core::{Inspect, Message};
use queue_sqs::{MoveProgress, MoveState, MoveTask, RedriveOptions};
use testkit::server::{Fault, FaultScript, Rule};
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
        let buried = world.bury(3, 10).await;
        let task = world.dead.start_redrive(RedriveOptions::new()).await.unwrap();
        let progress = ended(&task).await;
        assert_eq!((progress.state, progress.moved, progress.to_move), (MoveState::Completed, 30, Some(30)));
        let moved = drain(&world.queue).await;
        assert_eq!(moved.len(), 30);
        for group in (0..3).filter(|_| ordered) {
            assert_eq!(order(&moved, group), (0..10).collect::<Vec<_>>());
        }
        assert!(moved.iter().all(|message| message.attributes().len() == 2), "attributes stay");
        assert!(moved.iter().all(|message| !buried.contains(message.id())), "they are new messages");
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
    let error = world.queue.redrive(&world.dead).await.unwrap_err();
    assert_eq!(error.kind(), Permanent, "{error}");
}

// Q3, Q8
#[tokio::test]
async fn a_redrive_is_made_by_the_service_or_where_it_has_no_tasks_by_copies() {
    for (ordered, has_tasks) in [(false, true), (true, true), (false, false), (true, false)] {
        let world = World::start(ordered).await;
        world.bury(3, 10).await;
        if !has_tasks {
            let unsupported = |name| Rule::new(Fault::error("UnsupportedOperation")).with_operation(name);
            let names = ["StartMessageMoveTask", "ListMessageMoveTasks"];
            world.server.faults(FaultScript::new(names.map(unsupported)));
        }
        world.server.reset_calls();
        assert_eq!(world.dead.redrive(&world.queue).await.unwrap(), 30);
        assert_eq!(world.server.calls().of("ReceiveMessage") == 0, has_tasks);
        let moved = drain(&world.queue).await;
        assert_eq!((moved.len(), world.dead.depth().await.unwrap().total()), (30, 0));
        for group in (0..3).filter(|_| ordered) {
            assert_eq!(order(&moved, group), (0..10).collect::<Vec<_>>());
        }
        let error = world.dead.redrive(&world.dead).await.unwrap_err();
        assert_eq!(error.kind(), Permanent, "{error}");
    }
}

#[tokio::test]
async fn one_redrive_of_a_queue_is_made_at_a_time() {
    let world = World::start(false).await;
    world.bury(1, 40).await;
    let slow =
        RedriveOptions::new().with_most_per_second(NonZeroU16::new(2).unwrap()).with_target(&world.queue);
    let running = world.dead.start_redrive(slow).await.unwrap();
    let busy = world.dead.redrive(&world.queue).await.unwrap_err();
    assert_eq!(busy.kind(), Permanent, "one at a time: {busy}");
    running.cancel().await.unwrap();
    assert_eq!(ended(&running).await.state, MoveState::Cancelled);
}
