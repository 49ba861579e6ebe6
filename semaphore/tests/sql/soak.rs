//! A short soak with leases that run out: fencing numbers are unique and have no gap, and no two hold a slot at once.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::future::join_all;
use semaphore::{
    Dialect, Lessor, PermitRequest, Renewal, Semaphore, SemaphoreErrorKind, SqlSemaphore, lease, max,
};
use tokio::time::{Instant, sleep};

use crate::support::{Db, ms, on_each, spawn};

const LEASE: Duration = Duration::from_millis(60);
/// What the coarsest of the databases' clocks counts in.
const CLOCK_UNIT: Duration = Duration::from_millis(1);

/// A slot, its fencing number, and from when to when it was surely held: from the answer on, and until the lease would
/// end if it had begun when it was asked for.
type Grants = Arc<Mutex<BTreeMap<(u16, u64), (Instant, Instant)>>>;

async fn client<D: Dialect>(semaphore: SqlSemaphore<D>, grants: Grants) {
    let ends = Instant::now() + Duration::from_secs(2);
    while Instant::now() < ends {
        let asked = Instant::now();
        let request = PermitRequest::new("k", max(3), lease(LEASE));
        let Some(permit) = semaphore.try_acquire(request).await.unwrap() else {
            sleep(ms(fastrand::u64(1..10))).await;
            continue;
        };
        let from = Instant::now();
        let (token, fence) = (permit.token().clone(), permit.fencing_token().get());
        drop(permit); // from here on nothing renews it but this
        let end = uses(&semaphore, &token, asked + LEASE).await;
        let twice = grants.lock().unwrap().insert((token.slot(), fence), (from, end));
        assert!(twice.is_none(), "slot {} had {fence} twice", token.slot());
    }
}

/// Crashes, overruns, or renews and releases; answers until when it surely held.
async fn uses<D: Dialect>(
    semaphore: &SqlSemaphore<D>,
    token: &semaphore::PermitToken,
    until: Instant,
) -> Instant {
    match fastrand::u32(0..100) {
        0..15 => until,
        15..35 => {
            sleep(LEASE * 2).await;
            let renewed = semaphore.renew(token.clone(), Renewal::new(LEASE)).await;
            assert_eq!(renewed.unwrap_err().kind(), SemaphoreErrorKind::Lost, "S6");
            assert_eq!(
                semaphore.release(token.clone()).await.unwrap_err().kind(),
                SemaphoreErrorKind::Lost,
                "S5"
            );
            until
        }
        _ => {
            sleep(ms(fastrand::u64(0..30))).await;
            let asked = Instant::now();
            let renewed = semaphore.renew(token.clone(), Renewal::new(LEASE)).await;
            let until = if renewed.is_ok() { asked + LEASE } else { until };
            let releasing = Instant::now();
            let released = semaphore.release(token.clone()).await;
            if released.is_ok() { releasing.min(until) } else { until }
        }
    }
}

/// 12 clients, 3 slots.
async fn leases_that_run_out_never_overlap<D: Dialect>(db: &Db<D>) {
    let grants = Grants::default();
    let clients = (0..12).map(|_| spawn(client(db.semaphore.clone(), Arc::clone(&grants))));
    for done in join_all(clients).await {
        done.unwrap();
    }
    let grants = grants.lock().unwrap();
    assert!(grants.len() > 30, "{}", grants.len());
    for (((slot, fence), (_, end)), ((next_slot, next), (from, _))) in
        grants.iter().zip(grants.iter().skip(1))
    {
        assert!(*slot < 3);
        if slot == next_slot {
            assert_eq!(*next, fence + 1, "slot {slot}: no grant is missing");
            assert!(
                *from + CLOCK_UNIT >= *end,
                "slot {slot}: {next} begins {:?} before {fence} ends",
                end.duration_since(*from)
            );
        }
    }
}

on_each! {
    // S1, S3, S4, S5, S6, TS8
    leases_that_run_out_never_overlap
}
