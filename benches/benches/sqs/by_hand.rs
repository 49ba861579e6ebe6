//! B11: a receiver's throughput against that of a loop by hand on the bare SDK, with as many calls at once and deletes in
//! batches too.

use std::time::Duration;

use benches::{Bar, Finding, Rounds, fill, in_turn, until};
use queue_core::{Context, Message, WorkerClass};
use queue_sqs::aws_sdk_sqs::Client;
use queue_sqs::aws_sdk_sqs::types::DeleteMessageBatchRequestEntry as Delete;
use queue_sqs::{SqsQueue, SqsQueueSettings};
use testkit::server::{Fault, FaultScript, Rule, SqsServer};
use tokio::task::JoinSet;
use tokio::time::Instant;
use worker::Receiver;

use crate::site;

const MESSAGES: u32 = 20_000;
/// Pollers of the receiver, and loops by hand.
const POLLERS: usize = 10;
const ROUNDS: usize = 5;

/// As over a network, where calls take their time, and as fast as processors can.
pub(crate) async fn findings() -> [Finding; 2] {
    let network = finding("10 ms a call", Some(Duration::from_millis(10))).await;
    [network, finding("no latency, server beside it", None).await]
}

async fn finding(name: &str, latency: Option<Duration>) -> Finding {
    let server = site::server().await;
    if let Some(latency) = latency {
        let slow = |call: &str| Rule::new(Fault::delay(latency)).with_operation(call);
        server.faults(FaultScript::new(["ReceiveMessage", "DeleteMessageBatch"].map(slow)));
    }
    let (ours, theirs) = (|| consumed(&server, by_receiver), || consumed(&server, by_hand));
    let mut ratios = Vec::new();
    for _ in 0..ROUNDS {
        ratios.push(in_turn(ours, theirs).await);
    }
    let rounds = Rounds::new(ratios);
    let what = format!(
        "a receiver's rate against loops by hand on the SDK, {POLLERS} pollers each, {name} ({})",
        rounds.spread()
    );
    Finding::new("B11", what, rounds.median(), Bar::AtLeast(0.95))
}

/// Messages a second. What it takes to stop is not counted: a receive that waits ends when its wait does.
async fn consumed<W: Future<Output = Duration>>(
    server: &SqsServer,
    way: impl Fn(Client, SqsQueue) -> W,
) -> f64 {
    let queue = site::queue(server, SqsQueueSettings::new()).await;
    fill(&queue, MESSAGES as usize, 1_024).await;
    f64::from(MESSAGES) / way(site::client(server), queue).await.as_secs_f64()
}

async fn by_receiver(_client: Client, queue: SqsQueue) -> Duration {
    let start = Instant::now();
    let running = Receiver::builder(queue)
        .pollers(WorkerClass::MAIN, POLLERS)
        .slots(10 * POLLERS)
        .wait(Duration::from_secs(1))
        .handler(async |_message: Message, _context: Context| {})
        .start();
    until(Duration::from_millis(1), || running.account().handled >= u64::from(MESSAGES)).await;
    let time = start.elapsed();
    running.stop(Duration::from_secs(5)).await;
    time
}

async fn by_hand(client: Client, queue: SqsQueue) -> Duration {
    let start = Instant::now();
    let mut loops = JoinSet::new();
    for _ in 0..POLLERS {
        loops.spawn(drain(client.clone(), queue.url().to_owned()));
    }
    loops.join_all().await;
    start.elapsed()
}

/// Receives and deletes until nothing comes.
async fn drain(client: Client, url: String) {
    loop {
        let call = client.receive_message().queue_url(&url).max_number_of_messages(10);
        let answer = call.wait_time_seconds(0).send().await.expect("a receive is answered");
        let messages = answer.messages.unwrap_or_default();
        if messages.is_empty() {
            return;
        }
        let deletes = messages.into_iter().enumerate().map(|(number, message)| {
            let handle = message.receipt_handle.unwrap_or_default();
            Delete::builder()
                .id(number.to_string())
                .receipt_handle(handle)
                .build()
                .expect("an entry is whole")
        });
        let call = client.delete_message_batch().queue_url(&url).set_entries(Some(deletes.collect()));
        call.send().await.expect("a delete is answered");
    }
}
