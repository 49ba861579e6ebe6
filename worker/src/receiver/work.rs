//! The handler behind one face, whether it takes one message or several.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{self, Poll};

use async_trait::async_trait;
use futures::FutureExt;
use queue_core::{BatchHandler, Context, Handler, Message, Verdict};
use tracing::warn;

/// What a slot runs.
#[derive(Clone)]
pub(crate) struct Work {
    /// The most messages that one run takes.
    pub(crate) most: usize,
    run: Arc<dyn Run>,
}

impl Work {
    pub(crate) fn each(handler: impl Handler<Message> + 'static) -> Self {
        Self { most: 1, run: Arc::new(Each(handler)) }
    }

    pub(crate) fn batch(most: usize, handler: impl BatchHandler<Message> + 'static) -> Self {
        Self { most, run: Arc::new(Several(handler)) }
    }

    /// Runs the handler; `Err` is what it panicked with (W3).
    pub(crate) async fn run(&self, batch: Vec<(Message, Context)>) -> Result<Vec<Verdict>, String> {
        AssertUnwindSafe(Contained(Some(self.run.run(batch)))).catch_unwind().await.map_err(|panic| {
            let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
            text.or_else(|| panic.downcast_ref::<String>().cloned())
                .unwrap_or_else(|| "no message".to_owned())
        })
    }
}

type Running<'a> = Pin<Box<dyn Future<Output = Vec<Verdict>> + Send + 'a>>;

/// A run of the handler that can be dropped at any time.
///
/// # Drop
/// A panic of what the handler holds ends here: it must not take the slot with it (W3).
struct Contained<'a>(Option<Running<'a>>);

impl Future for Contained<'_> {
    type Output = Vec<Verdict>;

    fn poll(mut self: Pin<&mut Self>, context: &mut task::Context<'_>) -> Poll<Vec<Verdict>> {
        self.0.as_mut().map_or(Poll::Pending, |running| running.as_mut().poll(context))
    }
}

impl Drop for Contained<'_> {
    fn drop(&mut self) {
        let running = self.0.take();
        if catch_unwind(AssertUnwindSafe(|| drop(running))).is_err() {
            warn!("the handler panicked while it was dropped");
        }
    }
}

impl fmt::Debug for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Work").field("most", &self.most).finish_non_exhaustive()
    }
}

#[async_trait]
trait Run: Send + Sync {
    async fn run(&self, batch: Vec<(Message, Context)>) -> Vec<Verdict>;
}

struct Each<H>(H);

#[async_trait]
impl<H: Handler<Message>> Run for Each<H> {
    async fn run(&self, batch: Vec<(Message, Context)>) -> Vec<Verdict> {
        let mut verdicts = Vec::with_capacity(batch.len());
        for (message, context) in batch {
            verdicts.push(self.0.handle(message, context).await);
        }
        verdicts
    }
}

struct Several<H>(H);

#[async_trait]
impl<H: BatchHandler<Message>> Run for Several<H> {
    async fn run(&self, batch: Vec<(Message, Context)>) -> Vec<Verdict> {
        self.0.handle(batch).await
    }
}
