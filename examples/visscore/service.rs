//! The queue service as this run sees it: every call counted, none larger than the batch allows.

use std::sync::Arc;
use std::time::Duration;

use queue_core::{Meter, Metered, QueueName, QueueType};

use crate::backend::{Backend, Place};
use crate::company::Registry;
use crate::cut::Cut;
use crate::gates::Gates;
use crate::letter::PREFIX;
use crate::options::{GateKind, Options};

/// Makes queues whose calls are counted on one meter.
#[derive(Debug)]
pub(crate) struct Service {
    backend: Box<dyn Backend>,
    batch: usize,
    meter: Meter,
}

/// An account's two queues.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    /// First deliveries.
    pub(crate) main: Place,
    /// What failed there.
    pub(crate) retry: Place,
}

impl Service {
    pub(crate) async fn open(options: &Options, meter: Meter) -> anyhow::Result<Self> {
        Ok(Self { backend: options.backend.open(options).await?, batch: options.batch, meter })
    }

    /// Where the processes that share these queues see each other.
    pub(crate) fn registry(&self) -> Arc<dyn Registry> {
        self.backend.registry()
    }

    /// How long nothing may happen until what a queue says of its depth can be believed.
    pub(crate) fn patience(&self) -> Duration {
        self.backend.patience()
    }

    /// The gates that `kind` names.
    pub(crate) fn gates(&self, kind: GateKind) -> Gates {
        match kind {
            GateKind::Cluster => Gates::cluster(self.backend.registry()),
            GateKind::Master | GateKind::Open => Gates::alone(kind),
        }
    }

    /// Makes the queues of the account `aid`.
    pub(crate) async fn pair(&self, aid: &str) -> anyhow::Result<Pair> {
        Ok(Pair {
            main: self.queue(QueueType::Main, aid).await?,
            retry: self.queue(QueueType::Retry, aid).await?,
        })
    }

    /// The queue for what can't be handled.
    pub(crate) fn quarantine(&self) -> Place {
        self.counted(self.backend.quarantine())
    }

    async fn queue(&self, queue_type: QueueType, aid: &str) -> anyhow::Result<Place> {
        let name = QueueName::new(PREFIX, queue_type, aid)?;
        Ok(self.counted(self.backend.queue(&name).await?))
    }

    /// Looks into a queue are no part of the work and are not counted.
    fn counted(&self, place: Place) -> Place {
        let cut = Cut::new(Arc::clone(&place.queue), self.batch);
        Place { queue: Arc::new(Metered::with_meter(cut, self.meter.clone())), ..place }
    }
}
