//! Panics, ends of runtimes, and what is left of the tasks.

use std::time::Duration;

use futures::future::join_all;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::backend::{Backend, Operation, all_well, id_of};
use crate::{
    Coalesced, Consumer, Delivery, Outgoing, Publisher, PublisherExt, QueueErrorKind, ReceiveOptions,
    Rejected,
};

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// Fails rather than hangs.
async fn in_time<T>(future: impl Future<Output = T>) -> T {
    timeout(Duration::from_hours(1), future).await.expect("it hangs")
}

fn paused() -> Runtime {
    Builder::new_current_thread().enable_time().start_paused(true).build().unwrap()
}

// Q6
#[tokio::test(start_paused = true)]
async fn a_backend_that_panics_leaves_its_own_entries_indeterminate_and_no_others() {
    let backend = Backend::new().answering(|number, call| {
        assert_ne!(number, 1, "the second call panics, on purpose");
        all_well(call)
    });
    let queue = Coalesced::new(backend);
    let batch = (0..25).map(|number| Outgoing::new(format!("m{number}"))).collect();
    let answers = queue.publish(batch).await;
    for (number, answer) in answers.into_iter().enumerate() {
        let kind = answer.as_ref().map_err(Rejected::kind).err();
        assert_eq!(kind, (10..20).contains(&number).then_some(QueueErrorKind::Indeterminate));
    }
    queue.flush().await;
    assert_eq!(queue.publish_one(Outgoing::new("a")).await.unwrap(), id_of("a"));
}

#[tokio::test(start_paused = true)]
async fn no_task_is_left_when_all_is_answered() {
    let queue = Coalesced::new(Backend::new().with_latency(|_| ms(10)));
    let deliveries = queue.receive(ReceiveOptions::new(25)).await.unwrap();
    let acks = join_all(deliveries.into_iter().map(Delivery::ack));
    tokio::join!(acks, queue.publish((0..25).map(|_| Outgoing::new("a")).collect()));
    queue.flush().await;
    sleep(ms(1)).await;
    assert_eq!(Handle::current().metrics().num_alive_tasks(), 0);
}

#[tokio::test(start_paused = true)]
async fn acks_go_out_though_the_queue_is_dropped() {
    let backend = Backend::new().with_latency(|_| ms(10));
    let queue = Coalesced::new(backend.clone());
    let mut deliveries = queue.receive(ReceiveOptions::new(4)).await.unwrap();
    let last = deliveries.pop();
    let acks: JoinSet<_> = deliveries.into_iter().map(Delivery::ack).collect();
    let dropped = async {
        sleep(ms(1)).await;
        drop(queue);
    };
    let (acks, ()) = tokio::join!(acks.join_all(), dropped);
    assert!(acks.iter().all(Result::is_ok));
    assert_eq!(backend.sizes(Operation::Delete), [3]);
    drop(last);
}

/// Has the driver and one call of `queue` run in a runtime of their own: "a" is in flight there.
fn begin_elsewhere(queue: &Coalesced<Backend>) -> Runtime {
    let elsewhere = paused();
    for (pause, body) in [(0, "a"), (1, "b")] {
        let queue = queue.clone();
        elsewhere.spawn(async move {
            sleep(ms(pause)).await;
            queue.publish_one(Outgoing::new(body)).await
        });
    }
    elsewhere.block_on(async { sleep(ms(2)).await });
    elsewhere
}

#[test]
fn where_a_runtime_ends_its_entries_are_answered_and_others_go_on() {
    let backend = Backend::new().with_latency(|_| ms(100));
    let queue = Coalesced::new(backend.clone()).with_publish_linger(ms(50));
    let elsewhere = begin_elsewhere(&queue);
    // "b" waits there, with the driver; "c" joins it from here.
    let here = paused();
    let waiting = here.spawn({
        let queue = queue.clone();
        async move { queue.publish_one(Outgoing::new("c")).await }
    });
    here.block_on(tokio::task::yield_now());
    drop(elsewhere);
    let stranded = here.block_on(in_time(waiting)).unwrap().unwrap_err();
    assert_eq!((stranded.kind(), stranded.message().body()), (QueueErrorKind::Closed, "c"));
    here.block_on(in_time(async {
        assert_eq!(queue.publish_one(Outgoing::new("d")).await.unwrap(), id_of("d"));
        queue.flush().await;
    }));
    let sent: Vec<_> = backend.calls().into_iter().map(|call| call.entries).collect();
    assert_eq!(sent, [["a"], ["d"]]);
}

#[test]
fn a_caller_elsewhere_hears_indeterminate_when_the_runtime_of_its_call_ends() {
    let queue = Coalesced::new(Backend::new().with_latency(|_| ms(100)));
    let (elsewhere, here) = (paused(), paused());
    let mut call = Box::pin(queue.publish_one(Outgoing::new("a")));
    elsewhere.block_on(async {
        assert!(futures::poll!(&mut call).is_pending());
        sleep(ms(1)).await;
    });
    drop(elsewhere);
    assert_eq!(here.block_on(in_time(call)).unwrap_err().kind(), QueueErrorKind::Indeterminate);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn on_many_threads_each_caller_gets_its_own_answer() {
    let queue = Coalesced::new(Backend::new());
    let task = |task| {
        let queue = queue.clone();
        async move {
            for turn in 0..200 {
                let body = format!("{task}/{turn}");
                assert_eq!(queue.publish_one(Outgoing::new(body.clone())).await.unwrap(), id_of(&body));
                let delivery = queue.receive(ReceiveOptions::new(1)).await.unwrap().remove(0);
                delivery.ack().await.unwrap();
            }
        }
    };
    (0..16).map(task).collect::<JoinSet<_>>().join_all().await;
    for operation in [Operation::Publish, Operation::Delete] {
        assert_eq!(queue.queue().sizes(operation).iter().sum::<usize>(), 16 * 200);
    }
}
