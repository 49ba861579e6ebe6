//! An idle hour, lived on a clock that does not wait.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::anyhow;
use queue_core::{Context, MemoryQueue, Message, Metered, WorkerClass};
use serde::Serialize;
use tokio::runtime::Builder;
use tokio::time::sleep;
use tracing::subscriber::{NoSubscriber, set_default};

use crate::consumer::receiver;
use crate::gates::Gates;
use crate::options::{GateKind, Options};

/// A poll counts when it begins, and the hour does not include its last instant.
const HOUR: Duration = Duration::from_millis(3_600_000 - 1);

/// How many receives one queue's idle workers make in an hour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Receives {
    /// Through the gate.
    pub(crate) gated: u64,
    /// Without it.
    pub(crate) ungated: u64,
}

/// What was counted in that hour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IdleHour {
    /// At a main queue.
    pub(crate) main: Receives,
    /// At a retry queue.
    pub(crate) retry: Receives,
}

impl IdleHour {
    /// Lets this run's receivers and gates live an hour at an empty queue. It takes milliseconds.
    pub(crate) fn live(options: &Options) -> anyhow::Result<Self> {
        let options = options.clone();
        let hour = thread::spawn(move || {
            let main = receives(&options, &WorkerClass::MAIN, options.main_workers)?;
            Ok(Self { main, retry: receives(&options, &WorkerClass::RETRY, options.retry_workers)? })
        });
        hour.join().map_err(|_| anyhow!("the measurement of an idle hour panicked"))?
    }

    /// The receives of both queues of so many accounts.
    pub(crate) fn of(&self, accounts: usize) -> Receives {
        let accounts = accounts as u64;
        let sum = |main, retry| accounts * (main + retry);
        Receives {
            gated: sum(self.main.gated, self.retry.gated),
            ungated: sum(self.main.ungated, self.retry.ungated),
        }
    }

    /// The share of the ungated receives that falls into `time`.
    pub(crate) fn ungated_within(&self, time: Duration, accounts: usize) -> u64 {
        (self.of(accounts).ungated as f64 * time.as_secs_f64() / 3_600.0).round() as u64
    }
}

fn receives(options: &Options, class: &WorkerClass, workers: usize) -> anyhow::Result<Receives> {
    let count = |kind| count(options, (class.clone(), workers), kind);
    Ok(Receives { gated: count(GateKind::Master)?, ungated: count(GateKind::Open)? })
}

/// The paused clock jumps to the next timer whenever every task waits. What happens in that hour is not logged.
fn count(options: &Options, workers: (WorkerClass, usize), kind: GateKind) -> anyhow::Result<u64> {
    let _silence = set_default(NoSubscriber::new());
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build()?;
    runtime.block_on(async {
        let queue = Metered::new(MemoryQueue::new());
        let meter = queue.meter();
        let builder = receiver(Arc::new(queue), workers, Gates::alone(kind).gate("idle"), options);
        let running = builder.handler(async |_message: Message, _context: Context| {}).start();
        sleep(HOUR).await;
        let calls = meter.calls();
        running.stop(Duration::ZERO).await;
        Ok(calls.receive)
    })
}
