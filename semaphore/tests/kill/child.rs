//! The child: who takes permits, and says where it is.

use std::env;
use std::time::Duration;

use harness::{Pen, point_async};
use semaphore::{Permit, PermitRequest, Renewal, Semaphore, SemaphoreErrorKind, SqlSemaphore, lease, max};
use sqlx::{Database, MySql, Postgres, Sqlite};
use tokio::time::{Instant, sleep, timeout};

use crate::place::{ADDRESS, KIND, LEASE, PREFIX, Shared, ask, write};

/// How long a child goes on that shares a file.
const SHARING: Duration = Duration::from_secs(4);
/// How many permits it shares.
pub(crate) const PERMITS: u32 = 4;

/// Plays a role to its end.
pub(crate) fn play(role: &str) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    runtime.block_on(async {
        match env::var(KIND).unwrap().as_str() {
            Sqlite::NAME => act::<Sqlite>(role).await,
            Postgres::NAME => act::<Postgres>(role).await,
            _ => act::<MySql>(role).await,
        }
    });
}

async fn act<D: Shared>(role: &str) {
    let prefix = env::var(PREFIX).unwrap();
    let semaphore = D::open(&env::var(ADDRESS).unwrap()).await.with_prefix(&prefix);
    point_async("ready").await;
    match role {
        "hold" => hold(&semaphore, &prefix).await,
        "try" => {
            assert!(semaphore.try_acquire(ask("k", 1)).await.unwrap().is_none(), "another has it by now");
        }
        "try late" => {
            let permit = semaphore.try_acquire(ask("k", 1)).await.unwrap().expect("it was free");
            can_do_nothing(permit, &semaphore, &prefix).await;
        }
        "collect" => collect(&semaphore).await,
        _ => share(&semaphore).await,
    }
}

/// Holds a permit, which is renewed, and tries what it can still do when it is let go on.
async fn hold<D: Shared>(semaphore: &SqlSemaphore<D>, prefix: &str) {
    let permit = semaphore.try_acquire(ask("k", 1)).await.unwrap().expect("it is free");
    assert!(write(semaphore, prefix, permit.fencing_token()).await);
    point_async("held").await;
    can_do_nothing(permit, semaphore, prefix).await;
}

/// It learns that its permit is lost, and neither renews, nor releases, nor writes what another has by now.
async fn can_do_nothing<D: Shared>(permit: Permit, semaphore: &SqlSemaphore<D>, prefix: &str) {
    timeout(Duration::from_secs(5), permit.lost().cancelled()).await.expect("it learns that it is lost");
    assert!(!write(semaphore, prefix, permit.fencing_token()).await, "the fence refuses it");
    let renewed = permit.lessor().renew(permit.token().clone(), Renewal::new(LEASE)).await;
    assert_eq!(renewed.unwrap_err().kind(), SemaphoreErrorKind::Lost);
    assert_eq!(permit.release().await.unwrap_err().kind(), SemaphoreErrorKind::Lost);
}

/// Makes slots and collects them, until it is killed.
async fn collect<D: Shared>(semaphore: &SqlSemaphore<D>) {
    for round in 0.. {
        let permit = semaphore.try_acquire(ask(&format!("idle-{round}"), 1)).await.unwrap();
        permit.expect("nobody else wants it").release().await.unwrap();
        semaphore.collect(Duration::ZERO, 100).await.unwrap();
        point_async("collected").await;
    }
}

/// Takes and releases; whatever error there is ends it.
async fn share<D: Shared>(semaphore: &SqlSemaphore<D>) {
    let (pen, ends) = (Pen::inherited(), Instant::now() + SHARING);
    while Instant::now() < ends {
        let request = PermitRequest::new("k", max(PERMITS), lease(Duration::from_mins(1)));
        let Some(permit) = semaphore.try_acquire(request).await.unwrap() else {
            sleep(Duration::from_millis(fastrand::u64(1..20))).await;
            continue;
        };
        let fence = permit.fencing_token().get();
        pen.started("k", fence).unwrap();
        pen.started(&format!("slot-{}", permit.token().slot()), fence).unwrap();
        sleep(Duration::from_millis(fastrand::u64(0..3))).await;
        pen.finished(&format!("slot-{}", permit.token().slot()), fence).unwrap();
        pen.finished("k", fence).unwrap();
        permit.release().await.unwrap();
    }
}
