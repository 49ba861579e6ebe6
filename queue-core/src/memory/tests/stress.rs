//! Many tasks on many threads, with the real clock; nothing here sleeps unless a wake-up is lost.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::Mutex;

use futures::poll;
use tokio::task::JoinSet;

use super::*;
use crate::CancellationToken;

const MESSAGES: u32 = 4_000;

/// Far less than one lost wake-up would cost, which is a wait of 20 s.
const PROMPT: Duration = Duration::from_secs(15);

#[derive(Debug, Default)]
struct Acked {
    by_body: Mutex<HashMap<String, u32>>,
    all: CancellationToken,
}

impl Acked {
    fn note(&self, body: String) {
        let mut by_body = self.by_body.lock().unwrap();
        *by_body.entry(body).or_default() += 1;
        if by_body.len() == MESSAGES as usize {
            self.all.cancel();
        }
    }
}

/// Receives until all are acked; every third receive is dropped after one poll, every fifth message released.
async fn consume(queue: MemoryQueue, acked: Arc<Acked>) {
    let options = ReceiveOptions::new(3).with_stop(acked.all.clone());
    for round in 0_u32.. {
        let mut receive = Box::pin(queue.receive(options.clone()));
        let deliveries = match poll!(&mut receive) {
            std::task::Poll::Ready(answer) => answer.unwrap(),
            std::task::Poll::Pending if round % 3 == 0 => continue,
            std::task::Poll::Pending => receive.await.unwrap(),
        };
        for delivery in deliveries {
            if round % 5 == 0 {
                delivery.release(Duration::ZERO).await.unwrap();
            } else {
                let body = delivery.message().body().to_owned();
                delivery.ack().await.unwrap();
                acked.note(body);
            }
        }
        if acked.all.is_cancelled() {
            return;
        }
    }
}

async fn publish_some(queue: MemoryQueue, numbers: std::ops::Range<u32>) {
    for n in numbers {
        publish(&queue, &n.to_string()).await;
        if n % 7 == 0 {
            tokio::task::yield_now().await;
        }
    }
}

// Q3, Q5: every message is acked once, and no wake-up is lost
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_receives_on_many_threads_lose_nothing_and_no_wake_up() {
    let (queue, acked) = (MemoryQueue::new(), Arc::new(Acked::default()));
    let start = Instant::now();
    let mut tasks = JoinSet::new();
    for _ in 0..8 {
        tasks.spawn(consume(queue.clone(), Arc::clone(&acked)));
    }
    for quarter in 0..4 {
        let numbers = quarter * MESSAGES / 4..(quarter + 1) * MESSAGES / 4;
        tasks.spawn(publish_some(queue.clone(), numbers));
    }
    while let Some(ended) = tasks.join_next().await {
        ended.unwrap();
    }
    assert!(start.elapsed() < PROMPT);
    assert!(acked.by_body.lock().unwrap().values().all(|&times| times == 1));
    assert_eq!(queue.depth().await.unwrap(), Depth::empty());
}

// Q7: one thread moves messages while another settles moved ones and looks into both queues
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_queue_and_its_dead_letter_queue_do_not_lock_each_other_out() {
    let dead = MemoryQueue::new();
    let queue = MemoryQueue::builder().dead_letter(dead.clone(), 1).build().unwrap();
    let start = Instant::now();
    let mut tasks = JoinSet::new();
    for _ in 0..4 {
        tasks.spawn(push_and_pull(queue.clone(), dead.clone()));
    }
    while let Some(ended) = tasks.join_next().await {
        ended.unwrap();
    }
    assert!(start.elapsed() < PROMPT);
    assert!(queue.counts().dead_lettered > 0);
}

async fn push_and_pull(queue: MemoryQueue, dead: MemoryQueue) {
    for n in 0..500 {
        publish(&queue, &n.to_string()).await;
        for delivery in take(&queue).await {
            let settler = Arc::clone(delivery.settler());
            let receipt = delivery.receipt().clone();
            let _released = delivery.release(Duration::ZERO).await;
            let _moved = queue.receive(ReceiveOptions::new(1).with_wait(Duration::ZERO)).await;
            let _settled = settler.delete(vec![receipt]).await;
        }
        for delivery in take(&dead).await {
            let _printed = format!("{dead:?} {queue:?}");
            delivery.ack().await.unwrap();
        }
    }
}
