//! What makes a fresh queue for each clause.

use futures::future::BoxFuture;

use super::{Fixture, Setup};

/// Makes a fresh queue for each clause: an async function or closure that takes nothing, or a [`Setup`].
///
/// It answers a queue or a [`Fixture`], and panics when it can't. With one that takes nothing, the clauses that need a
/// queue set up in a certain way are ignored. `M` only tells the two apart; leave it to the compiler.
pub trait QueueFactory<M>: Send + Sync + 'static {
    /// Makes a queue.
    fn make(&self, setup: Setup) -> BoxFuture<'static, Fixture>;

    /// Whether it heeds the [`Setup`].
    fn can_set_up(&self) -> bool;
}

impl<F, Fut> QueueFactory<()> for F
where
    F: Fn() -> Fut + Send + Sync + 'static,
    Fut: Future<Output: Into<Fixture>> + Send + 'static,
{
    fn make(&self, _setup: Setup) -> BoxFuture<'static, Fixture> {
        let queue = self();
        Box::pin(async { queue.await.into() })
    }

    fn can_set_up(&self) -> bool {
        false
    }
}

impl<F, Fut> QueueFactory<(Setup,)> for F
where
    F: Fn(Setup) -> Fut + Send + Sync + 'static,
    Fut: Future<Output: Into<Fixture>> + Send + 'static,
{
    fn make(&self, setup: Setup) -> BoxFuture<'static, Fixture> {
        let queue = self(setup);
        Box::pin(async { queue.await.into() })
    }

    fn can_set_up(&self) -> bool {
        true
    }
}
