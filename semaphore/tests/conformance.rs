//! The conformance suite, for the semaphore in memory.

use std::time::Duration;

use semaphore::{MemorySemaphore, RenewalThread};
use testkit::{Promises, SemaphoreFixture};

testkit::conformance! {
    memory: semaphore(Promises::leased().paused_clock(), || async { fixture(fresh()) }),
    memory_in_real_time: semaphore(Promises::leased().slack(SLACK), || async { fixture(fresh()) }),
    memory_with_a_renewal_thread: semaphore(Promises::leased().slack(SLACK), with_a_thread),
}

/// How late things may be in real time, on a busy machine; a lease is four times as long.
const SLACK: Duration = Duration::from_millis(150);

fn fresh() -> MemorySemaphore {
    MemorySemaphore::new().with_shortest_lease(Duration::from_millis(100))
}

#[expect(clippy::expect_used, reason = "a factory panics when it can't make a semaphore")]
async fn with_a_thread() -> SemaphoreFixture {
    fixture(fresh().with_renewal_thread(RenewalThread::start().expect("a thread")))
}

fn fixture(semaphore: MemorySemaphore) -> SemaphoreFixture {
    let collected = semaphore.clone();
    SemaphoreFixture::new(semaphore.clone()).with_holders(semaphore).with_collector(move |idle, limit| {
        let semaphore = collected.clone();
        async move { semaphore.collect(idle, limit).await }
    })
}
