//! Single publishes, and batches of any size.

use std::time::Duration;

use futures::future::join_all;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use super::backend::{Backend, Operation, all_well, id_of};
use crate::{Coalesced, Limits, Outgoing, Publisher, PublisherExt, QueueError, QueueErrorKind, Rejected};

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn messages(count: usize) -> Vec<Outgoing> {
    (0..count).map(|number| Outgoing::new(format!("m{number}"))).collect()
}

/// Publishes singly, each after its pause; answers when the backend was called, with how many.
async fn calls_of(backend: &Backend, pauses: &[u64]) -> Vec<(Duration, usize)> {
    let queue = Coalesced::new(backend.clone());
    let begun = Instant::now();
    let publish = |(number, &pause)| {
        let queue = &queue;
        async move {
            sleep(ms(pause)).await;
            queue.publish_one(Outgoing::new(format!("m{number}"))).await.unwrap()
        }
    };
    let ids = join_all(pauses.iter().enumerate().map(publish)).await;
    let own: Vec<_> = (0..pauses.len()).map(|number| id_of(&format!("m{number}"))).collect();
    assert_eq!(ids, own);
    backend.calls().iter().map(|call| (call.at - begun, call.entries.len())).collect()
}

#[tokio::test(start_paused = true)]
async fn a_lone_publish_goes_at_once() {
    let queue = Coalesced::new(Backend::new());
    let begun = Instant::now();
    assert_eq!(queue.publish_one(Outgoing::new("a")).await.unwrap(), id_of("a"));
    assert_eq!(begun.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn publishes_that_come_while_one_is_in_flight_go_when_it_ends() {
    let backend = Backend::new().with_latency(|_| ms(4));
    let calls = calls_of(&backend, &[10, 11, 12, 13]).await;
    assert_eq!(calls, [(ms(10), 1), (ms(14), 3)]);
}

#[tokio::test(start_paused = true)]
async fn a_publish_waits_for_one_in_flight_no_longer_than_the_linger() {
    let backend = Backend::new().with_latency(|_| ms(100));
    let calls = calls_of(&backend, &[10, 11, 13, 17]).await;
    assert_eq!(calls, [(ms(10), 1), (ms(16), 2), (ms(22), 1)]);
}

#[tokio::test(start_paused = true)]
async fn a_publish_that_comes_as_the_linger_ends_goes_along() {
    let queue = Coalesced::new(Backend::new().with_latency(|_| ms(100)));
    let publish = |pauses: &'static [u64]| {
        let queue = queue.clone();
        async move {
            for &pause in pauses {
                sleep(ms(pause)).await;
            }
            queue.publish_one(Outgoing::new("a")).await.unwrap()
        }
    };
    // The second lingers from 2 to 7 ms; the others wake at 7 ms too, after it and before it.
    let tasks: [&[u64]; 4] = [&[1], &[2], &[3, 4], &[7]];
    tasks.map(publish).into_iter().collect::<JoinSet<_>>().join_all().await;
    assert_eq!(queue.queue().sizes(Operation::Publish), [1, 3]);
}

#[tokio::test(start_paused = true)]
async fn a_full_call_goes_at_once_though_another_is_in_flight() {
    let backend = Backend::new().with_latency(|_| ms(100));
    let mut pauses = vec![11; 11];
    pauses[0] = 10;
    let calls = calls_of(&backend, &pauses).await;
    assert_eq!(calls, [(ms(10), 1), (ms(11), 10)]);
}

#[tokio::test(start_paused = true)]
async fn at_most_sixteen_calls_are_in_flight_and_what_comes_meanwhile_merges() {
    let backend = Backend::new().with_latency(|call| ms(if call < 16 { 100 } else { 1 }));
    // One every 6 ms, so that each lingers alone; the last one finds the company of nine of the forty.
    let pauses: Vec<_> = (0..16).map(|n| n * 6).chain((0..40).map(|n| 91 + n % 4)).collect();
    let calls = calls_of(&backend, &pauses).await;
    assert_eq!(backend.most_running(), 16);
    assert_eq!(calls.iter().skip(15).map(|call| call.1).collect::<Vec<_>>(), [10, 10, 10, 10, 1]);
}

#[tokio::test(start_paused = true)]
async fn an_ordered_queue_gets_one_publish_at_a_time_in_the_callers_order() {
    let limits = Limits::default().with_ordered(true);
    let backend = Backend::new().with_limits(limits).with_latency(|_| ms(10));
    let answers = Coalesced::new(backend.clone()).publish(messages(25)).await;
    assert!(answers.iter().all(Result::is_ok));
    assert_eq!(backend.most_running(), 1);
    let sent: Vec<_> = backend.calls().into_iter().flat_map(|call| call.entries).collect();
    assert_eq!(sent, (0..25).map(|number| format!("m{number}")).collect::<Vec<_>>());
}

// P34, Q6
#[tokio::test(start_paused = true)]
async fn of_twenty_five_entries_a_failed_second_call_fails_its_own_ten() {
    let backend = Backend::new().answering(|number, call| {
        let answer = if number == 1 { Err(QueueError::permanent("refused")) } else { Ok(()) };
        vec![answer; call.entries.len()]
    });
    let answers = Coalesced::new(backend.clone()).publish(messages(25)).await;
    assert_eq!(backend.sizes(Operation::Publish), [10, 10, 5]);
    for (number, answer) in answers.into_iter().enumerate() {
        match answer {
            Ok(id) => assert!(!(10..20).contains(&number) && id == id_of(&format!("m{number}"))),
            Err(rejected) => {
                assert!((10..20).contains(&number));
                assert_eq!(rejected.kind(), QueueErrorKind::Permanent);
                assert_eq!(rejected.into_message(), Outgoing::new(format!("m{number}")));
            }
        }
    }
}

// Q11
#[tokio::test(start_paused = true)]
async fn a_batch_is_cut_by_bytes_too_and_what_is_too_large_stands_alone() {
    let backend = Backend::new().with_limits(Limits::default().with_message_bytes(100));
    let bodies = [60, 40, 1, 101, 100, 50, 51];
    let batch: Vec<_> = bodies.iter().map(|&size| Outgoing::new("x".repeat(size))).collect();
    let cut: Vec<_> = backend.limits().batches(batch.clone()).iter().map(Vec::len).collect();
    Coalesced::new(backend.clone()).publish(batch).await;
    assert_eq!(backend.sizes(Operation::Publish), [2, 1, 1, 1, 1, 1]);
    assert_eq!(backend.sizes(Operation::Publish), cut);
}

// Q6
#[tokio::test(start_paused = true)]
async fn entries_without_an_answer_are_indeterminate_and_the_others_stand() {
    let backend = Backend::new().answering(|_, call| all_well(call).split_off(3));
    let answers = Coalesced::new(backend.clone()).publish(messages(7)).await;
    assert_eq!(answers.len(), 7);
    for (number, answer) in answers.into_iter().enumerate() {
        let kind = answer.as_ref().map_err(Rejected::kind).err();
        assert_eq!(kind, (number >= 4).then_some(QueueErrorKind::Indeterminate));
        let body = answer.map_err(|rejected| rejected.into_message().body().to_owned());
        assert!(body.is_ok() || body == Err(format!("m{number}")));
    }
    assert_eq!(backend.calls().len(), 1);
}

// Q6
#[tokio::test(start_paused = true)]
async fn an_answer_that_is_too_long_is_cut() {
    let backend = Backend::new().answering(|_, call| vec![Ok(()); call.entries.len() + 3]);
    let answers = Coalesced::new(backend).publish(messages(12)).await;
    let ids: Vec<_> = answers.into_iter().map(Result::unwrap).collect();
    assert_eq!(ids, (0..12).map(|number| id_of(&format!("m{number}"))).collect::<Vec<_>>());
}

#[tokio::test(start_paused = true)]
async fn an_empty_batch_makes_no_call() {
    let backend = Backend::new();
    assert!(Coalesced::new(backend.clone()).publish(Vec::new()).await.is_empty());
    assert!(backend.calls().is_empty());
}
