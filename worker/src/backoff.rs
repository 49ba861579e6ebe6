//! When a failed message becomes visible again.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

type Curve = Arc<dyn Fn(u32) -> Duration + Send + Sync>;

/// How long a failed message stays hidden, by how often it has been received (W2).
///
/// The default is one second for each receive, five at most, give or take a fifth.
///
/// # Examples
/// ```
/// use std::time::Duration;
/// use worker::Backoff;
///
/// let doubling = Backoff::by(|count| Duration::from_secs(1 << count.min(8))).with_jitter(0.0);
/// assert_eq!(doubling.delay(3), Duration::from_secs(8));
/// ```
#[derive(Clone)]
pub struct Backoff {
    curve: Curve,
    jitter: f64,
}

impl Backoff {
    /// Grows by `step` with each receive, up to `most`.
    pub fn linear(step: Duration, most: Duration) -> Self {
        Self::by(move |receive_count| step.saturating_mul(receive_count).min(most))
    }

    /// Takes the delay from a function of the receive count, which is 1 at the first delivery.
    pub fn by(curve: impl Fn(u32) -> Duration + Send + Sync + 'static) -> Self {
        Self { curve: Arc::new(curve), jitter: 0.2 }
    }

    /// Sets by which fraction a delay is made longer or shorter at random; 0.2 unless set.
    ///
    /// # Panics
    /// If `fraction` is not between 0 and 1.
    #[must_use]
    pub fn with_jitter(mut self, fraction: f64) -> Self {
        assert!((0.0..=1.0).contains(&fraction), "with_jitter({fraction}): a fraction is between 0 and 1");
        self.jitter = fraction;
        self
    }

    /// The delay after receive number `receive_count`.
    pub fn delay(&self, receive_count: u32) -> Duration {
        let stretch = 1.0 + self.jitter * (2.0 * fastrand::f64() - 1.0);
        let seconds = (self.curve)(receive_count).as_secs_f64() * stretch;
        Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
    }
}

impl Default for Backoff {
    fn default() -> Self {
        Self::linear(Duration::from_secs(1), Duration::from_secs(5))
    }
}

impl fmt::Debug for Backoff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Backoff").field("first", &(self.curve)(1)).field("jitter", &self.jitter).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // W2
    #[test]
    fn the_default_is_a_second_a_receive_and_five_at_most() {
        let exact = Backoff::default().with_jitter(0.0);
        let seconds = [1, 2, 5, 6, 1_000].map(|count| exact.delay(count).as_secs());
        assert_eq!(seconds, [1, 2, 5, 5, 5]);
    }

    // W2
    #[test]
    fn jitter_stays_within_its_fraction_and_is_not_the_same_each_time() {
        let delays: Vec<_> = (0..1_000).map(|_| Backoff::default().delay(1).as_secs_f64()).collect();
        assert!(delays.iter().all(|delay| (0.8..=1.2).contains(delay)));
        assert!(delays.iter().any(|delay| *delay < 0.9) && delays.iter().any(|delay| *delay > 1.1));
    }
}
