//! A handler as a `tower` service.

use std::convert::Infallible;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context as TaskContext, Poll};

use queue_core::{Context, Handler, Verdict};
use tower_service::Service;

/// Makes a `tower` service of a handler, to put layers around it; [`from_service`](super::from_service) makes a handler
/// of the whole.
///
/// A request is the message with its context, the response a verdict. It never fails and is always ready.
pub fn service<H>(handler: H) -> HandlerService<H> {
    HandlerService(Arc::new(handler))
}

/// A handler as a service; see [`service`]. Cheap to clone.
pub struct HandlerService<H>(Arc<H>);

impl<M, H> Service<(M, Context)> for HandlerService<H>
where
    M: Send + 'static,
    H: Handler<M> + 'static,
{
    type Response = Verdict;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Verdict, Infallible>> + Send>>;

    fn poll_ready(&mut self, _context: &mut TaskContext<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, (message, context): (M, Context)) -> Self::Future {
        let handler = Arc::clone(&self.0);
        Box::pin(async move { Ok(handler.handle(message, context).await) })
    }
}

impl<H> Clone for HandlerService<H> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<H> fmt::Debug for HandlerService<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("HandlerService").field(&std::any::type_name::<H>()).finish()
    }
}
