//! Permits over a lessor that answers as it is told to, on a paused clock.

mod context;
mod keeping;
mod losing;
mod property;
mod releasing;
mod running;
mod scripted;

use std::time::Duration;

use tokio::time::{Instant, sleep_until, timeout};

use super::Permit;
use crate::{PermitRequest, lease, max};

/// The lease of these permits.
const LEASE: Duration = Duration::from_mins(1);
/// A lease less its margin.
const TRUST: Duration = Duration::from_secs(54);

fn request() -> PermitRequest {
    PermitRequest::new("key", max(1), lease(LEASE))
}

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// How long after `start` the permit is lost; `None`: not within a day.
async fn lost_after(permit: &Permit, start: Instant) -> Option<Duration> {
    let day = Duration::from_hours(24);
    timeout(day, permit.lost().cancelled()).await.ok().map(|()| start.elapsed())
}

async fn at(start: Instant, after: Duration) {
    sleep_until(start + after).await;
}
