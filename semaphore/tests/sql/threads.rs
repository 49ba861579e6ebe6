//! Renewal on a thread of its own.

use std::time::Duration;

use futures::future::join_all;
use semaphore::{PermitRequest, RenewalThread, Semaphore, lease, max};

use crate::support::{Db, Probe, is_full, ms, on_each, spawn};

/// The thread that would renew computes for two leases, and so do the others of the runtime.
async fn a_blocked_runtime_loses_no_permit<D: Probe>(db: &Db<D>) {
    let semaphore = db.semaphore.clone().with_renewal_thread(RenewalThread::start().unwrap());
    let request = PermitRequest::new("k", max(1), lease(ms(2000)));
    let permit = semaphore.try_acquire(request).await.unwrap().expect("it is free");
    let blocked = (0..4).map(|_| spawn(async { block(ms(4400)) }));
    for done in join_all(blocked).await {
        done.unwrap();
    }
    assert!(!permit.lost().is_cancelled());
    is_full(&db.semaphore, "k", 1).await;
    permit.release().await.unwrap();
}

#[expect(clippy::disallowed_methods, reason = "it is about threads that are blocked, in real time")]
fn block(length: Duration) {
    std::thread::sleep(length);
}

on_each! {
    // S9
    a_blocked_runtime_loses_no_permit
}
