//! The time for which an answer asks to be left alone.

use std::time::Duration;

use aws_smithy_runtime_api::client::orchestrator::HttpResponse;

/// No answer can stop a poller for longer: it may be a proxy's.
const LONGEST: Duration = Duration::from_mins(5);

/// `x-amz-retry-after` in milliseconds, or `Retry-After` in seconds. The date that the latter may hold as well is not
/// used by the service, and a clock that differs would turn it into nonsense.
pub(super) fn asked_for(response: &HttpResponse) -> Option<Duration> {
    let number = |name| response.headers().get(name)?.trim().parse::<u64>().ok();
    let asked = number("x-amz-retry-after")
        .map(Duration::from_millis)
        .or_else(|| number("retry-after").map(Duration::from_secs))?;
    Some(asked.min(LONGEST))
}
