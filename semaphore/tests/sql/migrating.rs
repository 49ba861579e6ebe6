//! Making the tables.

use futures::future::join_all;
use semaphore::{Dialect, Semaphore, SemaphoreErrorKind};

use crate::support::{Db, Probe, ask, ms, on_each, spawn, take};

/// As when ten processes of a service start.
async fn ten_at_once_make_the_tables_once<D: Probe>(db: &Db<D>) {
    for round in 0..3 {
        let semaphore = db.semaphore.clone().with_prefix(&format!("{}{round}_", db.prefix));
        let ten = (0..10).map(|_| {
            let semaphore = semaphore.clone();
            spawn(async move { semaphore.migrate().await })
        });
        for done in join_all(ten).await {
            done.unwrap().unwrap();
        }
        take(&semaphore, "k", 1).await.release().await.unwrap();
        assert_eq!(D::number(db, &format!("SELECT count(*) FROM sem_{round}_ledger")).await, 1);
    }
}

async fn a_call_that_is_dropped_is_made_up_for_by_the_next<D: Dialect>(db: &Db<D>) {
    for micros in [0, 200, 500, 1000, 2000, 4000, 8000] {
        let semaphore = db.semaphore.clone().with_prefix(&format!("{}d{micros}_", db.prefix));
        drop(tokio::time::timeout(ms(micros) / 1000, semaphore.migrate()).await);
        semaphore.migrate().await.unwrap();
        take(&semaphore, "k", 1).await.release().await.unwrap();
    }
}

async fn tables_of_a_later_version_are_refused<D: Probe>(db: &Db<D>) {
    D::run(db, "INSERT INTO sem_ledger (version) VALUES (999)").await;
    let error = db.semaphore.migrate().await.unwrap_err();
    assert_eq!(error.kind(), SemaphoreErrorKind::Permanent, "{error}");
    assert!(error.message().contains("999"), "{error}");
}

async fn missing_tables_are_told_with_what_to_do<D: Dialect>(db: &Db<D>) {
    let error = db.semaphore.clone().with_prefix("none_such_").try_acquire(ask("k", 1)).await.unwrap_err();
    assert_eq!(error.kind(), SemaphoreErrorKind::Permanent, "{error}");
    assert!(error.message().contains("migrate()"), "{error}");
}

async fn another_prefix_is_another_semaphore<D: Dialect>(db: &Db<D>) {
    let other = db.semaphore.clone().with_prefix(&format!("{}other_", db.prefix));
    other.migrate().await.unwrap();
    let permits = [take(&db.semaphore, "k", 1).await, take(&other, "k", 1).await];
    for permit in permits {
        permit.release().await.unwrap();
    }
}

async fn a_prefix_that_breaks_the_rule_is_refused<D: Dialect>(db: &Db<D>) {
    let semaphore = db.semaphore.clone().with_prefix("x; DROP TABLE y");
    for error in
        [semaphore.migrate().await.unwrap_err(), semaphore.try_acquire(ask("k", 1)).await.unwrap_err()]
    {
        assert_eq!(error.kind(), SemaphoreErrorKind::Permanent, "{error}");
    }
}

on_each! {
    ten_at_once_make_the_tables_once
    a_call_that_is_dropped_is_made_up_for_by_the_next
    tables_of_a_later_version_are_refused
    missing_tables_are_told_with_what_to_do
    another_prefix_is_another_semaphore
    a_prefix_that_breaks_the_rule_is_refused
}
