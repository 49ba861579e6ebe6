//! The back-off that all pollers of a queue share while its receives fail.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};
use queue_core::QueueError;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

/// How long the very first receive may be under way before the others start too. What refuses does so sooner.
const PATIENCE: Duration = Duration::from_secs(1);

/// Lets receives through while they succeed, and one at a time, ever more rarely, while they fail.
///
/// W7: pauses of at least 0.5, 1.5, 4.5, 13.5 and then 30 s make at most 6 calls in any minute, however many pollers
/// there are.
#[derive(Debug)]
pub(crate) struct Outage {
    state: Mutex<State>,
    changed: watch::Sender<()>,
}

#[derive(Debug)]
struct State {
    /// The last receive succeeded.
    proven: bool,
    /// When the receive that finds out was let through.
    probe: Option<Instant>,
    /// No receive before this time.
    until: Option<Instant>,
    pauses: Option<ExponentialBackoff>,
}

impl Outage {
    pub(crate) fn new() -> Self {
        let state = State { proven: false, probe: None, until: None, pauses: None };
        Self { state: Mutex::new(state), changed: watch::Sender::new(()) }
    }

    /// Waits for leave to receive.
    pub(crate) async fn pass(&self) -> Pass<'_> {
        let mut changed = self.changed.subscribe();
        loop {
            let wake = match self.lock().admit(Instant::now()) {
                Ok(probe) => return Pass { outage: self, probe },
                Err(wake) => wake,
            };
            let timer = async {
                match wake {
                    Some(at) => sleep_until(at).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = timer => {}
                _ = changed.changed() => {}
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Whether a receive may start, and if it is the probe; else when to ask again, if time alone can change it.
    fn admit(&mut self, now: Instant) -> Result<bool, Option<Instant>> {
        if let Some(until) = self.until.filter(|until| now < *until) {
            return Err(Some(until));
        }
        match self.probe {
            _ if self.proven => Ok(false),
            None => {
                self.probe = Some(now);
                Ok(true)
            }
            Some(_) if self.pauses.is_some() => Err(None),
            Some(since) if now < since + PATIENCE => Err(Some(since + PATIENCE)),
            Some(_) => Ok(false),
        }
    }

    fn failed(&mut self, error: &QueueError, now: Instant) {
        self.proven = false;
        if self.until.is_some_and(|until| now < until) {
            return; // one of several that were under way together: one failure
        }
        let pause = self.pauses.get_or_insert_with(pauses).next().unwrap_or(Duration::from_secs(30));
        self.until = Some(now + pause.max(error.retry_after().unwrap_or_default()));
    }

    fn succeeded(&mut self) {
        self.proven = true;
        self.until = None;
        self.pauses = None;
    }
}

/// The pauses between failing receives; jitter makes them longer, never shorter.
fn pauses() -> ExponentialBackoff {
    ExponentialBuilder::new()
        .with_min_delay(Duration::from_millis(500))
        .with_factor(3.0)
        .with_max_delay(Duration::from_secs(30))
        .with_jitter()
        .without_max_times()
        .build()
}

/// Leave to make one receive.
///
/// # Drop
/// Without a report it counts for nothing, and the next poller may try.
#[derive(Debug)]
pub(crate) struct Pass<'a> {
    outage: &'a Outage,
    probe: bool,
}

impl Pass<'_> {
    pub(crate) fn succeeded(self) {
        self.outage.lock().succeeded();
    }

    pub(crate) fn failed(self, error: &QueueError) {
        self.outage.lock().failed(error, Instant::now());
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        if self.probe {
            self.outage.lock().probe = None;
        }
        self.outage.changed.send_replace(());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten pollers that fail for ten minutes; the times of their calls.
    async fn calls_in_ten_minutes() -> Vec<Instant> {
        let outage = Outage::new();
        let calls = Mutex::new(Vec::new());
        let poller = || async {
            loop {
                let pass = outage.pass().await;
                calls.lock().unwrap().push(Instant::now());
                pass.failed(&QueueError::permanent("no such queue"));
            }
        };
        let all = futures::future::join_all((0..10).map(|_| poller()));
        assert!(tokio::time::timeout(Duration::from_mins(10), all).await.is_err());
        calls.into_inner().unwrap()
    }

    // W7, B5, P31, P32
    #[tokio::test(start_paused = true)]
    async fn ten_pollers_make_six_failing_calls_at_most_in_any_minute() {
        let calls = calls_in_ten_minutes().await;
        let most = calls.iter().map(|&from| {
            calls.iter().filter(|&&at| at >= from && at < from + Duration::from_mins(1)).count()
        });
        assert!(most.clone().all(|count| count <= 6), "{:?}", most.collect::<Vec<_>>());
        assert!(calls.len() >= 10, "it keeps trying: {}", calls.len());
    }

    // W7
    #[tokio::test(start_paused = true)]
    async fn a_success_lets_everyone_through_at_once() {
        let outage = Outage::new();
        outage.pass().await.failed(&QueueError::transient("refused"));
        let probe = outage.pass().await;
        assert!(tokio::time::timeout(Duration::from_hours(1), outage.pass()).await.is_err(), "one at a time");
        probe.succeeded();
        let before = Instant::now();
        let _passes = (outage.pass().await, outage.pass().await);
        assert_eq!(Instant::now(), before);
    }

    // W7
    #[tokio::test(start_paused = true)]
    async fn calls_that_fail_together_are_one_failure() {
        let outage = Outage::new();
        outage.pass().await.succeeded();
        let together = futures::future::join_all((0..10).map(|_| outage.pass())).await;
        for pass in together {
            pass.failed(&QueueError::transient("reset"));
        }
        let start = Instant::now();
        outage.pass().await.succeeded();
        assert!(start.elapsed() <= Duration::from_secs(1), "{:?}", start.elapsed());
    }

    // W7
    #[tokio::test(start_paused = true)]
    async fn a_dropped_probe_leaves_its_place_to_the_next() {
        let outage = Outage::new();
        drop(outage.pass().await);
        let before = Instant::now();
        outage.pass().await.failed(&QueueError::transient("busy").with_retry_after(Duration::from_mins(2)));
        outage.pass().await.succeeded();
        assert!(Instant::now() - before >= Duration::from_mins(2), "it waits as long as it was asked to");
    }
}
