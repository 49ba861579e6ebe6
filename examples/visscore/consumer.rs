//! The consumer: sets up the workers of an account's two queues.

use std::sync::Arc;

use queue_core::{PollGate, Queue, QueueType, WorkerClass};
use worker::{Receiver, ReceiverBuilder};

use crate::backend::Place;
use crate::gates::Gates;
use crate::handler::handler;
use crate::options::Options;
use crate::receivers::Receivers;
use crate::score::Stage;
use crate::service::{Pair, Service};
use crate::spared::{Spared, WatchedGate};
use crate::tally::Tally;

/// Sets up the receiver of one queue: those that run here, and the one that is measured while it is idle.
pub(crate) fn receiver(
    queue: Arc<dyn Queue>,
    (class, workers): (WorkerClass, usize),
    gate: impl PollGate + 'static,
    options: &Options,
) -> ReceiverBuilder {
    let receiver = Receiver::builder(queue).pollers(class, workers).gate(gate);
    receiver.batch(options.batch).wait(options.wait())
}

/// Starts receivers that share a quarantine and a tally.
#[derive(Debug)]
pub(crate) struct Consumer {
    options: Options,
    gates: Gates,
    tally: Arc<Tally>,
    spared: Spared,
    quarantine: Arc<dyn Queue>,
}

impl Consumer {
    pub(crate) fn new(options: &Options, tally: Arc<Tally>, spared: Spared, service: &Service) -> Self {
        let (gates, quarantine) = (service.gates(options.gate), service.quarantine().queue);
        Self { options: options.clone(), gates, tally, spared, quarantine }
    }

    /// How often the semaphore behind the gates was called, if there is one.
    pub(crate) fn semaphore_calls(&self) -> Option<u64> {
        self.gates.semaphore_calls()
    }

    /// Lets go of what other processes wait for.
    pub(crate) async fn stop(&self) {
        self.gates.stop().await;
    }

    /// Starts the workers of both queues. What fails on the main queue is moved to the retry queue.
    pub(crate) fn start(&self, pair: &Pair) -> Receivers {
        let main = self.receiver(&pair.main, (WorkerClass::MAIN, self.options.main_workers));
        let retry = self.receiver(&pair.retry, (WorkerClass::RETRY, self.options.retry_workers));
        let main = main.retry_queue(Arc::clone(&pair.retry.queue));
        let main = main.handler(handler(self.stage(QueueType::Main), Arc::clone(&self.tally)));
        let retry = retry.handler(handler(self.stage(QueueType::Retry), Arc::clone(&self.tally)));
        Receivers::new(main.start(), retry.start())
    }

    fn receiver(&self, place: &Place, workers: (WorkerClass, usize)) -> ReceiverBuilder {
        let gate = WatchedGate::new(self.gates.gate(&place.name), self.spared.clone());
        let receiver = receiver(Arc::clone(&place.queue), workers, gate, &self.options);
        receiver.name(&*place.name).dead_letter(Arc::clone(&self.quarantine))
    }

    fn stage(&self, queue: QueueType) -> Stage {
        Stage { queue, fail_rate: self.options.fail_rate, work: self.options.work() }
    }
}
