//! B6: round trips of a semaphore.

use std::time::Duration;

use anyhow::Context;
use benches::{Bar, Finding};
use semaphore::{PermitRequest, Semaphore, lease, max};

use crate::counted;
use crate::site::Counter;

/// How often each call is made before it is counted: the driver prepares each statement on its connection once, and a
/// key's slots are made on its first use.
const WARM_UP: usize = 5;

/// Counts an acquire, a release and a miss.
pub(crate) async fn count(
    database: &str,
    semaphore: &impl Semaphore,
    counter: &impl Counter,
) -> anyhow::Result<Vec<Finding>> {
    let request = || PermitRequest::new("bench", max(1), lease(Duration::from_mins(10)));
    let mut trips = [0; 3];
    for _ in 0..WARM_UP {
        let (permit, acquire) = counted(counter, semaphore.try_acquire(request())).await;
        let permit = permit?.context("the only permit is free")?;
        let (missed, miss) = counted(counter, semaphore.try_acquire(request())).await;
        anyhow::ensure!(missed?.is_none(), "a second permit was given");
        let (released, release) = counted(counter, permit.release()).await;
        released?;
        trips = [acquire, release, miss];
    }
    let found = |(what, trips): (&str, u64)| {
        let figure = u32::try_from(trips).map_or(f64::NAN, f64::from);
        Finding::new("B6", format!("{database}: round trips of {what}"), figure, Bar::Exactly(1.0))
    };
    Ok(["an acquire", "a release", "a miss"].into_iter().zip(trips).map(found).collect())
}
