//! The settings and their ranges.

use super::*;
use crate::{Limits, MemoryQueueBuilder};

const DAY: u64 = 24 * 3600;

fn builder() -> MemoryQueueBuilder {
    MemoryQueue::builder()
}

#[test]
fn the_defaults_are_those_of_the_service() {
    let queue = MemoryQueue::default();
    let limits = queue.receive_limits();
    assert_eq!((limits.visibility, limits.batch, limits.max_wait), (secs(30), 10, secs(20)));
    assert!(!limits.ordered);
}

#[test]
fn both_ends_of_each_range_can_be_built() {
    let dead = MemoryQueue::new();
    for builder in [
        builder().visibility(Duration::ZERO).retention(secs(60)).delay(Duration::ZERO).in_flight(1),
        builder().visibility(secs(43_200)).retention(secs(14 * DAY)).delay(secs(900)).in_flight(120_000),
        builder().dead_letter(dead.clone(), 1),
        builder().dead_letter(dead.clone(), 1_000),
    ] {
        assert!(builder.build().is_ok());
    }
}

#[test]
fn a_setting_out_of_range_is_refused_with_its_value_and_what_would_be_right() {
    let dead = MemoryQueue::new();
    for (builder, message) in [
        (builder().visibility(secs(43_201)), "the visibility timeout is 43201s; 0ns to 43200s are allowed"),
        (builder().retention(secs(59)), "the retention is 59s; 60s to 1209600s are allowed"),
        (builder().retention(secs(14 * DAY + 1)), "the retention is 1209601s; 60s to 1209600s are allowed"),
        (builder().delay(secs(901)), "the delay is 901s; 0ns to 900s are allowed"),
        (builder().in_flight(0), "the number of messages in flight is 0; 1 to 120000 are allowed"),
        (builder().in_flight(120_001), "the number of messages in flight is 120001; 1 to 120000 are allowed"),
        (builder().dead_letter(dead.clone(), 0), "the maximum receive count is 0; 1 to 1000 are allowed"),
        (
            builder().dead_letter(dead.clone(), 1_001),
            "the maximum receive count is 1001; 1 to 1000 are allowed",
        ),
        (
            builder().limits(Limits::default().with_ordered(true)),
            "the limits are an ordered queue's; this one is standard",
        ),
    ] {
        let error = builder.build().unwrap_err();
        assert_eq!((error.kind(), error.message()), (QueueErrorKind::Permanent, message));
    }
}

// P8
#[tokio::test(start_paused = true)]
async fn each_queue_has_its_own_timeout() {
    let [short, long] = [5, 50].map(|seconds| builder().visibility(secs(seconds)).build().unwrap());
    for queue in [&short, &long] {
        publish(queue, "a").await;
        take_one(queue).await.forget();
    }
    advance(secs(5)).await;
    assert_eq!((depth(&short).await.visible, depth(&long).await.visible), (1, 0));
}
