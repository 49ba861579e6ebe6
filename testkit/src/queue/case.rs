//! What a clause starts from: the factory and the pace.

use std::sync::Arc;

use futures::future::BoxFuture;

use super::subject::Subject;
use super::{Fixture, QueueFactory, Setup};
use crate::pace::Pace;

type Make = dyn Fn(Setup) -> BoxFuture<'static, Fixture> + Send + Sync;

/// What a clause starts from.
pub(super) struct Case {
    make: Box<Make>,
    pub(super) pace: Pace,
}

impl Case {
    pub(super) fn new<M>(factory: Arc<impl QueueFactory<M>>, pace: Pace) -> Self {
        Self { make: Box::new(move |setup| factory.make(setup)), pace }
    }

    /// A fresh queue that is set up as usual.
    pub(super) async fn queue(&self) -> Subject {
        self.queue_with(|_setup| {}).await
    }

    /// A fresh queue that is set up as `change` says.
    pub(super) async fn queue_with(&self, change: impl FnOnce(&mut Setup) + Send) -> Subject {
        let mut setup = Setup::usual();
        change(&mut setup);
        self.made(setup).await
    }

    /// A fresh ordered queue that is set up as usual.
    pub(super) async fn ordered_queue(&self) -> Subject {
        self.ordered_queue_with(|_setup| {}).await
    }

    /// A fresh ordered queue that is set up as `change` says.
    pub(super) async fn ordered_queue_with(&self, change: impl FnOnce(&mut Setup) + Send) -> Subject {
        let mut setup = Setup::usual().into_ordered();
        change(&mut setup);
        self.made(setup).await
    }

    async fn made(&self, setup: Setup) -> Subject {
        Subject::new((self.make)(setup).await, self.pace)
    }
}
