//! How many statements a call takes.

use std::sync::{Mutex, Once};

use semaphore::{Dialect, Holders, Lessor, Renewal, Semaphore, SemaphoreKey};
use tokio::time::sleep;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::support::{Db, ask, is_full, ms, on_each, take};

/// What sqlx has logged, on whichever thread and in whichever test.
static LOGGED: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct Log;

impl Subscriber for Log {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "sqlx::query"
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn event(&self, event: &Event<'_>) {
        event.record(&mut Statement);
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

struct Statement;

impl Visit for Statement {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        if field.name() == "db.statement" {
            LOGGED.lock().unwrap().push(format!("{value:?}"));
        }
    }
}

/// Takes what was logged of this database's tables.
async fn statements<D: Dialect>(db: &Db<D>) -> usize {
    sleep(ms(30)).await; // SQLite's thread answers first and logs then
    let mut logged = LOGGED.lock().unwrap();
    let before = logged.len();
    logged.retain(|statement| !statement.contains(&db.prefix));
    before - logged.len()
}

/// One each: to acquire, to miss, to renew, to renew with a context, to list one key's holders or many keys', to release.
async fn each_call_is_one_statement<D: Dialect>(db: &Db<D>) {
    static LOG: Once = Once::new();
    LOG.call_once(|| tracing::subscriber::set_global_default(Log).unwrap());
    let semaphore = &db.semaphore;
    take(semaphore, "k", 1).await.release().await.unwrap();
    assert!(statements(db).await >= 2, "they are seen");

    let permit = semaphore.try_acquire(ask("k", 1)).await.unwrap().expect("it is free");
    assert_eq!(statements(db).await, 1, "to acquire");
    is_full(semaphore, "k", 1).await;
    assert_eq!(statements(db).await, 1, "to miss");
    let token = permit.token().clone();
    semaphore.renew(token.clone(), Renewal::new(ms(60_000))).await.unwrap();
    assert_eq!(statements(db).await, 1, "to renew");
    semaphore.renew(token.clone(), Renewal::new(ms(60_000)).with_context("x")).await.unwrap();
    assert_eq!(statements(db).await, 1, "to set the context");
    assert_eq!(semaphore.holders(token.key().clone()).await.unwrap().len(), 1);
    assert_eq!(statements(db).await, 1, "to list");
    let keys = |last: usize| (0..=last).map(|n| SemaphoreKey::new(format!("k{n:0>254}")).unwrap());
    assert_eq!(semaphore.holders_of(keys(499).collect()).await.unwrap().len(), 500);
    assert_eq!(statements(db).await, 1, "to list those of 500 keys of the greatest length");
    assert_eq!(semaphore.holders_of(keys(500).collect()).await.unwrap().len(), 501);
    assert_eq!(statements(db).await, 2, "to list those of more");
    assert!(semaphore.holders_of(Vec::new()).await.unwrap().is_empty());
    assert_eq!(statements(db).await, 0, "to list none");
    permit.release().await.unwrap();
    assert_eq!(statements(db).await, 1, "to release");
}

on_each! {
    // B6, S2
    each_call_is_one_statement
}
