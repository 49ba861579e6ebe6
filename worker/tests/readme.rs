//! README's test of a handler, as it stands there.

// README from here
use queue_core::{Context, Depth, Inspect, MemoryQueue, Message, Outgoing, PublisherExt, Verdict};
use std::time::Duration;
use worker::Receiver;

async fn fails_once(_message: Message, context: Context) -> Result<(), Verdict> {
    if context.receive_count() == 1 { Err(Verdict::retry("not yet")) } else { Ok(()) }
}

#[tokio::test(start_paused = true)]
async fn a_failed_visit_comes_back_after_its_back_off() -> Result<(), Box<dyn std::error::Error>> {
    let queue = MemoryQueue::new();
    queue.publish_one(Outgoing::new("visit")).await?;
    let _running = Receiver::builder(queue.clone()).handler(fails_once).start();
    tokio::time::sleep(Duration::from_secs(2)).await; // takes no time
    assert_eq!(queue.depth().await?, Depth::empty());
    Ok(())
}
// to here

#[test]
fn readme_shows_this_test() {
    let code = include_str!("readme.rs").split("// README from here\n").nth(1).unwrap();
    let code = code.split("// to here").next().unwrap();
    assert!(include_str!("../../README.md").contains(code));
}
