//! B26: how an acquire's time grows with the maximum.

use std::time::Duration;

use anyhow::Context;
use benches::{Bar, Finding, Rounds};
use semaphore::{PermitRequest, Semaphore, lease, max};
use tokio::time::Instant;

use crate::site::Place;

const ROUNDS: usize = 7;
const PAIRS: u32 = 200;
const MANY: u32 = 1_000;

/// Measures one client's acquire and release of the only permit, and of one in a thousand of which half are held.
pub(crate) async fn measure<DB: sqlx::Database, S: Semaphore>(
    place: &Place<DB, S>,
) -> anyhow::Result<Finding> {
    let mut held = Vec::new();
    for _ in 0..MANY / 2 {
        held.push(place.semaphore.try_acquire(request("many", MANY)).await?.context("a permit is free")?);
    }
    let mut ratios = Vec::new();
    time(place, "one", 1).await?;
    time(place, "many", MANY).await?;
    for _ in 0..ROUNDS {
        let (one, many) = (time(place, "one", 1).await?, time(place, "many", MANY).await?);
        ratios.push(many / one);
    }
    for permit in held {
        permit.release().await?;
    }
    let rounds = Rounds::new(ratios);
    let what = format!(
        "{}: acquire + release, 1 of 1,000 with 500 held against 1 of 1 ({})",
        place.name,
        rounds.spread()
    );
    Ok(Finding::new("B26", what, rounds.median(), Bar::AtMost(2.0)))
}

async fn time<DB: sqlx::Database, S: Semaphore>(
    place: &Place<DB, S>,
    key: &str,
    most: u32,
) -> anyhow::Result<f64> {
    let start = Instant::now();
    for _ in 0..PAIRS {
        let permit = place.semaphore.try_acquire(request(key, most)).await?.context("a permit is free")?;
        permit.release().await?;
    }
    Ok(start.elapsed().as_secs_f64())
}

fn request(key: &str, most: u32) -> PermitRequest {
    PermitRequest::new(key, max(most), lease(Duration::from_mins(10)))
}
