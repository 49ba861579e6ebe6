//! `Running`, dropped at each step of a run.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use queue_core::{Context, Inspect, Message};
use testkit::{Fault, Faulty, Run, matrix};
use tokio::time::sleep;
use worker::{Receiver, Running, WorkerClass, handler};

use crate::left::{nothing_is_lost, queue_of};
use crate::watch::Watch;

/// The receiver, in the hands of its own calls and handlers.
#[derive(Clone)]
struct Steps {
    run: Run,
    running: Arc<Mutex<Option<Running>>>,
}

impl Steps {
    /// One step: the receiver goes on, is dropped, or is told to stop.
    fn step(&self, what: &str) {
        let mut running = self.running.lock().unwrap();
        let Some(runs) = running.take() else { return };
        match self.run.choose(what, &["goes on", "drops the receiver", "stops the receiver"]) {
            0 => *running = Some(runs),
            1 => drop(runs),
            _ => runs.stop_token().cancel(),
        }
    }
}

async fn work((steps, watch): (Steps, Watch), _message: Message, context: Context) {
    let _shift = watch.begin(&context);
    steps.step("a handler that starts");
    sleep(Duration::from_secs(1)).await;
    watch.done(&context);
    steps.step("a handler that ends");
}

// W10: what waits is given back, handlers that run go on to their end, and nothing stays hidden
#[test]
fn a_receiver_that_is_dropped_at_any_step_loses_and_hides_nothing() {
    let runs = matrix(async |run: Run| {
        let (main, watch) = (queue_of(7).await, Watch::default());
        let steps = Steps { run, running: Arc::default() };
        let at_calls = steps.clone();
        let queue = Faulty::new(main.clone(), move |call, number| {
            if number < 9 {
                at_calls.step(&format!("{call} {number}"));
            }
            Fault::Late(Duration::from_millis(3))
        });
        let builder = Receiver::builder(queue).pollers(WorkerClass::MAIN, 2).slots(3);
        let running = builder.handler(handler(work).with((steps.clone(), watch.clone()))).start();
        *steps.running.lock().unwrap() = Some(running);
        sleep(Duration::from_secs(9)).await;
        steps.running.lock().unwrap().take();
        sleep(Duration::from_secs(9)).await;
        assert_eq!(main.depth().await.unwrap().in_flight, 0, "nothing is hidden");
        nothing_is_lost(&main, &watch, 7).await;
    });
    assert!(runs > 30, "{runs}");
}
