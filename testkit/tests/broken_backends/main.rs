//! The suites can fail: each clause is failed by a backend that breaks one promise, and by no other than expected.

#![expect(clippy::unwrap_used, reason = "what is broken on purpose fails a test when it breaks by accident")]

mod expected;
mod gates;
mod ordered;
mod queues;
mod quiet;
#[cfg(feature = "semaphore")]
mod semaphores;
