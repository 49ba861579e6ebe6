//! Renewals on a thread of their own, with a connection of their own.

use sqlx::Pool;
use sqlx::pool::PoolOptions;
use tokio::runtime::Handle;

use super::{Dialect, SqlSemaphore};
use crate::RenewalThread;

/// A thread for renewals, and a pool whose connection lives in its runtime: one of the service's pool would wait for a
/// runtime that may be blocked.
#[derive(Debug)]
pub(super) struct Renewals<D: Dialect> {
    thread: RenewalThread,
    pool: Pool<D>,
}

impl<D: Dialect> Renewals<D> {
    pub(super) fn handle(&self) -> &Handle {
        self.thread.handle()
    }

    pub(super) fn pool(&self) -> &Pool<D> {
        &self.pool
    }
}

impl<D: Dialect> Clone for Renewals<D> {
    fn clone(&self) -> Self {
        Self { thread: self.thread.clone(), pool: self.pool.clone() }
    }
}

impl<D: Dialect> SqlSemaphore<D> {
    /// Renews on `thread`, over one connection of its own that is made with the pool's options: for services whose runtime
    /// gets blocked for longer than half a lease.
    #[must_use]
    pub fn with_renewal_thread(mut self, thread: RenewalThread) -> Self {
        let options = (*self.pool().connect_options()).clone();
        let inside = thread.handle().enter(); // the pool opens its connection and keeps it up where it is made
        let pool = PoolOptions::new().min_connections(1).max_connections(1).connect_lazy_with(options);
        drop(inside);
        self.renewals = Some(Renewals { thread, pool });
        self
    }
}
