//! Any operations of any tasks: each gets the answer of its own entries, and every entry is sent once.

use std::time::Duration;

use futures::future::join_all;
use proptest::collection::vec;
use proptest::prelude::*;
use tokio::runtime::Builder;
use tokio::time::sleep;

use super::backend::{Answers, Backend, Call, id_of};
use crate::{Coalesced, Consumer, Limits, Outgoing, Publisher, QueueError, ReceiveOptions};

#[derive(Clone, Debug)]
enum Step {
    Publish(usize),
    Ack,
    Extend,
    Release,
    Drop,
    Flush,
    Sleep(u64),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0_usize..30).prop_map(Step::Publish),
        4 => Just(Step::Ack),
        2 => Just(Step::Extend),
        2 => Just(Step::Release),
        1 => Just(Step::Drop),
        1 => Just(Step::Flush),
        4 => (0_u64..80).prop_map(Step::Sleep),
    ]
}

/// An entry whose number is divisible by three is refused, in its own name.
fn by_number(_number: usize, call: &Call) -> Answers {
    call.entries
        .iter()
        .map(|name| if fails(name) { Err(QueueError::permanent(name.clone())) } else { Ok(()) })
        .collect()
}

fn fails(name: &str) -> bool {
    name.trim_start_matches(|c: char| !c.is_ascii_digit()).bytes().map(u32::from).sum::<u32>() % 3 == 0
}

fn check<T>(answer: Result<T, QueueError>, name: &str) -> Option<T> {
    match answer {
        Ok(value) => {
            assert!(!fails(name), "{name} is refused");
            Some(value)
        }
        Err(error) => {
            assert_eq!(error.message(), name);
            None
        }
    }
}

/// One task does its steps; answers the entries that it handed over, by the backend's names.
async fn run(queue: &Coalesced<Backend>, task: usize, steps: Vec<Step>) -> Vec<String> {
    let mut names = Vec::new();
    for (turn, step) in steps.into_iter().enumerate() {
        match step {
            Step::Publish(count) => {
                names.append(&mut publish(queue, &format!("p{task:03}{turn:03}"), count).await);
            }
            Step::Flush => queue.flush().await,
            Step::Sleep(ms) => sleep(Duration::from_millis(ms)).await,
            step => names.extend(settle(queue, step).await),
        }
    }
    names
}

async fn publish(queue: &Coalesced<Backend>, prefix: &str, count: usize) -> Vec<String> {
    let names: Vec<_> = (0..count).map(|number| format!("{prefix}{number:03}")).collect();
    let answers = queue.publish(names.iter().map(|name| Outgoing::new(name.as_str())).collect()).await;
    assert_eq!(answers.len(), count);
    for (name, answer) in names.iter().zip(answers) {
        let answer = answer.map_err(|rejected| {
            assert_eq!(rejected.message().body(), name);
            rejected.into_error()
        });
        assert!(check(answer, name).is_none_or(|id| id == id_of(name)));
    }
    names
}

async fn settle(queue: &Coalesced<Backend>, step: Step) -> Vec<String> {
    let mut delivery = queue.receive(ReceiveOptions::new(1)).await.unwrap().remove(0);
    let name = delivery.receipt().as_str().to_owned();
    match step {
        Step::Extend => drop(check(delivery.extend(Duration::from_secs(9)).await, &name)),
        Step::Ack => drop(check(delivery.ack().await.map_err(|failed| failed.error().clone()), &name)),
        Step::Release => {
            let answer = delivery.release(Duration::ZERO).await;
            check(answer.map_err(|failed| failed.error().clone()), &name);
        }
        _ => return Vec::new(),
    }
    vec![name]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    // Q6
    #[test]
    fn each_caller_gets_its_own_answers_and_every_entry_is_sent_once(
        tasks in vec(vec(step(), 0..12), 1..24),
        latency in 0_usize..4,
        batch in 1_usize..12,
        ordered: bool,
    ) {
        let latencies: [fn(usize) -> Duration; 4] = [
            |_| Duration::ZERO,
            |_| Duration::from_millis(7),
            |call| Duration::from_millis(1 + (call as u64 * 7919) % 60),
            |_| Duration::from_millis(200),
        ];
        let limits = Limits::default().with_batch(batch).with_ordered(ordered);
        let backend = Backend::new().with_latency(latencies[latency]).with_limits(limits).answering(by_number);
        let queue = Coalesced::new(backend.clone()).with_retries(0);
        let runtime = Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        let runs = tasks.into_iter().enumerate().map(|(task, steps)| run(&queue, task, steps));
        let mut handed: Vec<_> = runtime.block_on(join_all(runs)).concat();
        let calls = backend.calls();
        prop_assert!(calls.iter().all(|call| !call.entries.is_empty() && call.entries.len() <= batch));
        let mut sent: Vec<_> = calls.into_iter().flat_map(|call| call.entries).collect();
        handed.sort_unstable();
        sent.sort_unstable();
        prop_assert_eq!(handed, sent);
    }
}
