//! The wait until something was counted.

use std::time::Duration;

use tokio::time::sleep;

/// Looks every `pause` whether `done` is so. It waits for ever if it never is.
///
/// # Cancel safety
/// Safe.
pub async fn until(pause: Duration, done: impl Fn() -> bool) {
    while !done() {
        sleep(pause).await;
    }
}
