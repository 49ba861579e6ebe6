//! Publishing in company.

use std::cell::Cell;

use queue_core::{Coalesced, Consumer, MemoryQueue, MessageId, PublisherExt, QueueErrorKind, Rejected};
use testkit::{CallKind, Faulty, Run, matrix};
use tokio::task::{JoinSet, yield_now};
use tokio::time::Instant;

use super::{Queue, nothing_is_left};
use crate::support::{count, message, seconds, stored};

type Answer = Result<MessageId, Rejected>;

fn choose_queue(run: &Run) -> MemoryQueue {
    match run.choose("the queue is", &["standard", "ordered"]) {
        0 => MemoryQueue::new(),
        _ => MemoryQueue::builder().ordered().content_deduplication().build().unwrap(),
    }
}

/// Publishes on a task of its own.
fn company(queue: &Queue, tasks: &mut JoinSet<(&'static str, Answer)>, body: &'static str) {
    let queue = queue.clone();
    tasks.spawn(async move { (body, queue.publish_one(message(body)).await) });
}

// Q6: "a dropped call takes its unsent entries back", and the others get their answers
#[test]
fn a_dropped_publish_leaves_the_others_their_answers() {
    let runs = matrix(async |run: Run| {
        let main = choose_queue(&run);
        let queue = Coalesced::new(Faulty::new(main.clone(), run.gates(CallKind::Publish, 2)));
        let (mut tasks, begun, start) = (JoinSet::new(), Cell::new(false), Instant::now());
        if run.choose("another publish", &["is on its way", "is not"]) == 0 {
            company(&queue, &mut tasks, "before");
            yield_now().await;
            yield_now().await;
        }
        let publishing = async {
            begun.set(true);
            company(&queue, &mut tasks, "after");
            queue.publish_one(message("cut")).await
        };
        let answer = run.cut(publishing).await;
        let others = tasks.join_all().await;
        queue.flush().await;
        assert!(start.elapsed() <= seconds(3_600 + 120), "every call ends by its deadline");
        let stored = stored(&main).await;
        for (body, answer) in &others {
            agree(answer, count(&stored, body));
        }
        match answer {
            Some(answer) => agree(&answer, count(&stored, "cut")),
            None => assert!(count(&stored, "cut") <= usize::from(begun.get())),
        }
        if !queue.receive_limits().ordered {
            nothing_is_left(&queue).await;
        }
    });
    assert!(runs > 300, "{runs}");
}

/// What was answered is what happened.
fn agree(answer: &Answer, stored: usize) {
    match answer {
        Ok(_) => assert_eq!(stored, 1),
        Err(rejected) if rejected.kind() == QueueErrorKind::Indeterminate => assert!(stored <= 1),
        Err(_) => assert_eq!(stored, 0),
    }
}

// Q6: dropped in its linger it is not sent
#[test]
fn a_publish_that_is_dropped_before_it_was_sent_is_not_sent() {
    matrix(async |run: Run| {
        let main = MemoryQueue::new();
        let queue = Coalesced::new(Faulty::new(main.clone(), |_, _| testkit::Fault::Delay(seconds(1))));
        let mut tasks = JoinSet::new();
        company(&queue, &mut tasks, "before");
        yield_now().await;
        yield_now().await;
        let answer = run.cut(queue.publish_one(message("cut"))).await;
        let sent = queue.queue().calls().len() == 2;
        tasks.join_all().await;
        queue.flush().await;
        assert_eq!(queue.queue().calls().len(), 1 + usize::from(sent), "later it is not sent either");
        assert_eq!(count(&stored(&main).await, "cut"), usize::from(sent));
        assert!(sent || answer.is_none());
    });
}
