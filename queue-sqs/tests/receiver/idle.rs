//! B4, scaled: what idle pollers cost, as the server counts it.

use queue_core::{OpenGate, WorkerClass};
use tokio::time::sleep;
use worker::{Receiver, handler};

use crate::world::{Seen, ms, note, queue, server};

// G6, B4: of ten pollers one polls, and each of its receives waits as long as was asked for
#[tokio::test]
async fn ten_idle_pollers_behind_a_gate_make_the_calls_of_one() {
    let (gated, open) = tokio::join!(calls(false), calls(true));
    // Each receive waits for a second: three begin within 2.5 s, two on a slow machine. Without a gate nine pollers begin a second late.
    assert!((2..=3).contains(&gated), "with one: {gated}");
    assert!(open >= 10, "without a gate: {open}");
}

async fn calls(open: bool) -> u64 {
    let server = server().await;
    let main = queue(&server, "main", 30).await;
    let builder = Receiver::builder(main).pollers(WorkerClass::MAIN, 10).wait(ms(1_000));
    let builder = if open { builder.gate(OpenGate) } else { builder };
    let running = builder.handler(handler(note).with(Seen::default())).start();
    sleep(ms(2_500)).await;
    let calls = server.calls();
    running.stop(ms(0)).await;
    assert_eq!(calls.of("ReceiveMessage"), calls.total(), "and nothing else");
    calls.total()
}
