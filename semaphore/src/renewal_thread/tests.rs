//! A thread that renews while the runtime is blocked.

use std::sync::mpsc;
use std::time::Duration;

use tokio::runtime::Builder;

use super::RenewalThread;
use crate::{MemorySemaphore, Permit, PermitRequest, Semaphore, lease, max};

const LEASE: Duration = Duration::from_millis(200);

/// Blocks the thread as a computation would.
#[expect(clippy::disallowed_methods, reason = "it is to block the runtime")]
fn block() {
    std::thread::sleep(LEASE * 3);
}

/// Takes a permit on a runtime of one thread, and blocks that for three leases.
fn hold_while_blocked(semaphore: &MemorySemaphore) -> (bool, Option<Permit>) {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let request = PermitRequest::new("key", max(1), lease(LEASE));
        let permit = semaphore.try_acquire(request.clone()).await.unwrap().unwrap();
        tokio::time::sleep(LEASE / 10).await;
        block();
        let other = semaphore.try_acquire(request).await.unwrap();
        let released = permit.release().await;
        (released.is_ok(), other)
    })
}

// S9
#[test]
fn a_blocked_runtime_loses_no_permit_that_is_renewed_on_a_thread_of_its_own() {
    let semaphore = MemorySemaphore::new().with_shortest_lease(LEASE);
    let (kept, other) = hold_while_blocked(&semaphore);
    assert!(!kept && other.is_some(), "without, it is lost");
    drop(other);
    let semaphore = MemorySemaphore::new()
        .with_shortest_lease(LEASE)
        .with_renewal_thread(RenewalThread::start().unwrap());
    let (kept, other) = hold_while_blocked(&semaphore);
    assert!(kept && other.is_none());
}

/// Says when it is dropped, as its runtime is gone.
struct Farewell(mpsc::Sender<()>);

impl Drop for Farewell {
    fn drop(&mut self) {
        self.0.send(()).ok();
    }
}

#[test]
fn the_thread_ends_with_its_last_clone() {
    let thread = RenewalThread::start().unwrap();
    let clone = thread.clone();
    let (farewell, gone) = mpsc::channel();
    let farewell = Farewell(farewell);
    let task = thread.handle().spawn(async move {
        let _farewell = farewell;
        std::future::pending::<()>().await;
    });
    drop(thread);
    assert!(gone.recv_timeout(Duration::from_millis(50)).is_err(), "there is a clone");
    drop(clone);
    gone.recv_timeout(Duration::from_secs(10)).unwrap();
    drop(task);
}

// S9, S10: the permit keeps the thread, and lets it go
#[tokio::test]
async fn a_permit_is_renewed_after_its_semaphore_is_gone() {
    let semaphore = MemorySemaphore::new()
        .with_shortest_lease(LEASE)
        .with_renewal_thread(RenewalThread::start().unwrap());
    let request = PermitRequest::new("key", max(1), lease(LEASE));
    let permit = semaphore.try_acquire(request).await.unwrap().unwrap();
    drop(semaphore);
    tokio::time::sleep(LEASE * 2).await;
    assert!(!permit.lost().is_cancelled());
    permit.release().await.unwrap();
}
