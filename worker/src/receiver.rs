//! The receiver: takes messages from one queue and runs a handler on each.

mod builder;
mod finish;
mod held;
mod order;
mod outage;
mod poller;
mod probe;
mod pulse;
mod renewal;
mod room;
mod running;
mod settings;
mod settle;
mod shared;
mod slot;
mod spans;
mod unanswered;
mod vitals;
mod work;

use std::fmt;
use std::sync::Arc;

use queue_core::Consumer;

pub use builder::ReceiverBuilder;
pub use probe::Probe;
pub use running::Running;

use settings::Settings;
use shared::Shared;
use work::Work;

/// Takes messages from one queue, runs a handler on each, and settles them.
///
/// Its *pollers* ask the gate, reserve room, and receive; its *slots* run the handler. The two numbers are
/// independent: one poller with batches of ten feeds many slots. Messages in the buffer and in slots are kept
/// invisible by one renewal task.
///
/// On an ordered queue it handles the messages of a group one by one. A head that fails backs off in place while others
/// of its group wait behind it, and those are given back only at stop or when it is lost, which costs each a receive
/// count. The queue's own receive limit does not see tries in place: set [`attempts`](ReceiverBuilder::attempts) too.
///
/// # Guarantees
/// W1 to W11, W14 with [`json`](crate::json); G1 to G8 with the default gate.
///
/// # Examples
/// ```
/// use std::time::Duration;
/// use queue_core::{Context, MemoryQueue, PublisherExt, json};
/// use worker::{Receiver, WorkerClass};
///
/// #[derive(serde::Deserialize)]
/// struct Visit { sid: String }
///
/// async fn score(visit: Visit, _context: Context) -> Result<(), std::io::Error> {
///     println!("scored {}", visit.sid);
///     Ok(())
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let queue = MemoryQueue::new();
/// queue.publish_json(&serde_json::json!({ "sid": "7f" })).await?;
/// let running = Receiver::builder(queue).pollers(WorkerClass::MAIN, 10).handler(json(score)).start();
/// # tokio::time::sleep(Duration::from_millis(50)).await;
/// let account = running.stop(Duration::from_secs(20)).await;
/// assert_eq!((account.handled, account.orphaned), (1, 0));
/// # Ok(()) }
/// ```
#[must_use = "a receiver does nothing until it is started"]
pub struct Receiver {
    consumer: Arc<dyn Consumer>,
    settings: Settings,
    work: Work,
}

impl Receiver {
    /// Sets up a receiver of `queue`; its [`handler`](ReceiverBuilder::handler) comes last.
    pub fn builder(queue: impl Consumer + 'static) -> ReceiverBuilder {
        ReceiverBuilder::new(Arc::new(queue))
    }

    /// Starts polling and handling.
    ///
    /// # Panics
    /// Outside a tokio runtime.
    pub fn start(self) -> Running {
        let shared = Arc::new(Shared::new(self.consumer, self.settings, self.work));
        shared.start();
        Running::new(shared)
    }
}

impl fmt::Debug for Receiver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Receiver")
            .field("queue", &self.consumer)
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}
