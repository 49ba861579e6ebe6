//! A thread for renewals alone, which nothing else can block.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::thread;

use tokio::runtime::{Builder, Handle};
use tokio_util::sync::{CancellationToken, DropGuard};

/// A thread with a runtime of its own for the renewal of permits, for services whose runtime gets blocked for longer
/// than half a lease.
///
/// Renewal is a task, and a task does not run while all threads of its runtime are busy: a long computation or a
/// blocking call in an async function is enough. Nothing but renewals should run here. Clones are the same thread; one
/// is enough for many permits.
///
/// # Drop
/// The thread ends soon after the last clone is gone, without being waited for; permits that are renewed there are then
/// [`lost`](crate::Permit::lost). Whatever renews there should keep a clone.
#[derive(Clone)]
pub struct RenewalThread {
    handle: Handle,
    _stop: Arc<DropGuard>,
}

impl RenewalThread {
    /// Starts the thread.
    ///
    /// # Errors
    /// Those of the operating system when it gives no thread, timer or selector.
    pub fn start() -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let stop = CancellationToken::new();
        let stopped = stop.clone();
        let thread = thread::Builder::new().name("permit-renewal".to_owned());
        drop(thread.spawn(move || runtime.block_on(stopped.cancelled_owned()))?);
        Ok(Self { handle, _stop: Arc::new(stop.drop_guard()) })
    }

    /// Its runtime: for [`Permit::new_on`](crate::Permit::new_on), and for what a backend needs there, such as a
    /// connection pool.
    pub fn handle(&self) -> &Handle {
        &self.handle
    }
}

impl fmt::Debug for RenewalThread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RenewalThread").field("runtime", &self.handle.id()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
