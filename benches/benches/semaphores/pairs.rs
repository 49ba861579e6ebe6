//! B13: an acquire and a release against two bare updates, eight clients, ten permits.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use benches::{Bar, Finding, Rounds, in_turn, rate};
use semaphore::{PermitRequest, Semaphore, lease, max};
use sqlx::{AssertSqlSafe, Database, Encode, Executor, IntoArguments, Pool, Type};

use crate::site::{CLIENTS, Place};

/// Many short rounds: a disk or a neighbour that comes and goes then meets both alike, and the median is steady.
const ROUNDS: usize = 21;
const TIME: Duration = Duration::from_millis(120);

/// Measures it, and counts how often "full" was said though a permit was free.
pub(crate) async fn against_updates<DB, S>(place: &Place<DB, S>) -> anyhow::Result<Vec<Finding>>
where
    DB: Database,
    S: Semaphore + Clone + 'static,
    for<'c> &'c Pool<DB>: Executor<'c, Database = DB>,
    DB::Arguments: IntoArguments<DB>,
    for<'q> i64: Encode<'q, DB> + Type<DB>,
{
    let missed = Arc::<AtomicU64>::default();
    let permits = || permits(&place.semaphore, &missed);
    let updates = || updates(&place.pool, &place.bare.update);
    tokio::join!(permits(), updates());
    let mut ratios = Vec::new();
    for _ in 0..ROUNDS {
        ratios.push(in_turn(permits, updates).await);
    }
    let rounds = Rounds::new(ratios);
    let what = format!("{}: acquire + release against two bare updates ({})", place.name, rounds.spread());
    let false_full = f64::from(u32::try_from(missed.load(Ordering::Acquire))?);
    Ok(vec![
        Finding::new("B13", what, rounds.median(), Bar::AtLeast(0.8)),
        Finding::new(
            "B13",
            format!("{}: \"full\" though a permit was free", place.name),
            false_full,
            Bar::Exactly(0.0),
        ),
    ])
}

/// Pairs a second.
pub(crate) async fn permits<S: Semaphore + Clone + 'static>(semaphore: &S, missed: &Arc<AtomicU64>) -> f64 {
    let (semaphore, missed) = (semaphore.clone(), Arc::clone(missed));
    rate(CLIENTS, TIME, move |_| {
        let (semaphore, missed) = (semaphore.clone(), Arc::clone(&missed));
        async move {
            let request = PermitRequest::new("bench", max(10), lease(Duration::from_mins(1)));
            match semaphore.try_acquire(request).await.expect("the database answers") {
                Some(permit) => permit.release().await.expect("the lease has not ended"),
                None => drop(missed.fetch_add(1, Ordering::AcqRel)),
            }
        }
    })
    .await
}

async fn updates<DB>(pool: &Pool<DB>, update: &str) -> f64
where
    DB: Database,
    for<'c> &'c Pool<DB>: Executor<'c, Database = DB>,
    DB::Arguments: IntoArguments<DB>,
    for<'q> i64: Encode<'q, DB> + Type<DB>,
{
    let (pool, update) = (pool.clone(), Arc::<str>::from(update));
    rate(CLIENTS, TIME, move |client| {
        let (pool, update) = (pool.clone(), Arc::clone(&update));
        async move {
            for _ in 0..2 {
                let row = i64::try_from(client).unwrap_or(0);
                let update = sqlx::query(AssertSqlSafe(Arc::clone(&update))).bind(row);
                update.execute(&pool).await.expect("the database answers");
            }
        }
    })
    .await
}
