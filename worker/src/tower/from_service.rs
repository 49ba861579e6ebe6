//! A `tower` service as a handler.

use std::error::Error;
use std::fmt;
use std::future::poll_fn;
use std::sync::{Mutex, PoisonError};

use queue_core::{Context, Handler, IntoVerdict, Verdict, async_trait};
use tower_service::Service;

/// Makes a handler of a `tower` service whose requests are messages with their contexts.
///
/// Each message gets a clone of the service, which is awaited until it is ready and then called, as `tower`'s contract
/// has it; so what layers share (a limit, a buffer) is shared by the clones. A service that is no `Clone` goes behind
/// `tower`'s `Buffer`. While a message waits for readiness it holds its slot and stays renewed (W4).
///
/// # Guarantees
/// W3: an error of a layer, such as a timeout or a shed load, keeps the message: it is [`Verdict::Retry`].
///
/// # Cancel safety
/// Past its deadline and at abort the clone is dropped with its call, and with it what it held of a limit.
///
/// # Examples
/// ```
/// use std::time::Duration;
/// use queue_core::{Context, MemoryQueue, Message};
/// use tower::ServiceBuilder;
/// use worker::{Receiver, tower::{from_service, service}};
///
/// async fn score(_message: Message, _context: Context) -> Result<(), std::io::Error> { Ok(()) }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let layered = ServiceBuilder::new()
///     .concurrency_limit(4)
///     .timeout(Duration::from_secs(30))
///     .service(service(score));
/// let running = Receiver::builder(MemoryQueue::new()).slots(32).handler(from_service(layered)).start();
/// # running.stop(Duration::ZERO).await;
/// # }
/// ```
pub fn from_service<S>(service: S) -> FromService<S> {
    FromService(Mutex::new(service))
}

/// A service as a handler; see [`from_service`].
pub struct FromService<S>(Mutex<S>); // locked to be cloned, so that a service needn't be `Sync`

#[async_trait]
impl<M, S> Handler<M> for FromService<S>
where
    M: Send + 'static,
    S: Service<(M, Context), Response: IntoVerdict, Error: Into<Box<dyn Error + Send + Sync>>, Future: Send>
        + Clone
        + Send,
{
    async fn handle(&self, message: M, context: Context) -> Verdict {
        let mut service = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Err(error) = poll_fn(|cx| service.poll_ready(cx)).await {
            return failed(error);
        }
        match service.call((message, context)).await {
            Ok(response) => response.into_verdict(),
            Err(error) => failed(error),
        }
    }
}

fn failed(error: impl Into<Box<dyn Error + Send + Sync>>) -> Verdict {
    Verdict::retry(error.into().to_string())
}

impl<S> fmt::Debug for FromService<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FromService").field(&std::any::type_name::<S>()).finish()
    }
}
