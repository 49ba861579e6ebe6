//! Groups of a FIFO queue: their leases, and what a failure holds back.

use queue_core::{Context, Depth, Message, Outgoing, PublisherExt};
use queue_sqs::SqsQueue;
use tokio::time::sleep;
use worker::{Receiver, handler};

use crate::world::{Seen, depth, ms, queue, server, until};

async fn publish_group(queue: &SqsQueue, count: usize) {
    let message = |number: usize| {
        let number = number.to_string();
        Outgoing::new(number.clone()).with_group_key("g").with_deduplication_id(number)
    };
    for answer in queue.publish_all((0..count).map(message).collect()).await {
        answer.unwrap();
    }
}

fn numbers(seen: &Seen) -> Vec<usize> {
    seen.bodies().iter().map(|body| body.parse().unwrap()).collect()
}

// W4, W11, P4, P43: ten of a group take twice the time for which one receive hides them
#[tokio::test]
async fn a_group_that_takes_longer_than_the_visibility_timeout_is_handled_once_and_in_order() {
    let (server, seen) = (server().await, Seen::default());
    let main = queue(&server, "main.fifo", 1).await;
    publish_group(&main, 10).await;
    let slow = async |seen: Seen, _: Message, context: Context| {
        sleep(ms(200)).await;
        seen.note(&context);
    };
    let builder = Receiver::builder(main.clone()).slots(4).wait(ms(1_000));
    let running = builder.handler(handler(slow).with(seen.clone())).start();
    until("all were handled", || running.account().handled == 10).await;
    let account = running.stop(ms(1_000)).await;
    assert_eq!((account.lost, numbers(&seen)), (0, (0..10).collect()));
    assert!(server.calls().of("ReceiveMessage") <= 4, "one receive brings them, and none pauses the queue");
    assert_eq!(depth(&main).await, Depth::empty());
}

// W11, P10, P42: the head is tried again in its place; the others are renewed until they are settled, and not after
#[tokio::test]
async fn the_rest_of_a_group_waits_for_its_failed_head_and_is_left_alone_afterwards() {
    let (server, seen) = (server().await, Seen::default());
    let main = queue(&server, "main.fifo", 1).await;
    publish_group(&main, 5).await;
    let fails_once = async |seen: Seen, message: Message, context: Context| {
        seen.note(&context);
        let tries = seen.bodies().iter().filter(|body| *body == message.body()).count();
        if message.body() == "1" && tries == 1 { Err("not yet") } else { Ok(()) }
    };
    let builder = Receiver::builder(main.clone()).slots(4).wait(ms(1_000));
    let running = builder.handler(handler(fails_once).with(seen.clone())).start();
    until("all were handled", || running.account().handled == 5).await;
    assert_eq!(numbers(&seen), [0, 1, 1, 2, 3, 4]);
    let renewals = || server.calls().of("ChangeMessageVisibilityBatch");
    let so_far = renewals();
    sleep(ms(1_200)).await;
    assert_eq!(renewals(), so_far);
    running.stop(ms(1_000)).await;
    assert_eq!((server.calls().of("ReceiveMessage") < 8, depth(&main).await), (true, Depth::empty()));
}
