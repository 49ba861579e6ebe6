//! Moments: random times at which to do something to a child, repeatable by their seed.

use std::env;
use std::ops::Range;
use std::time::Duration;

use fastrand::Rng;

/// The variable that repeats a run's moments.
const SEED: &str = "HARNESS_SEED";

/// Random times, evenly spread over a range, the same for the same seed.
///
/// # Examples
/// ```
/// use harness::Moments;
/// use std::time::Duration;
///
/// let moments = Moments::seeded(7, Duration::from_millis(1)..Duration::from_millis(80));
/// assert!(moments.take(1000).all(|moment| moment.as_millis() < 80));
/// ```
#[derive(Clone, Debug)]
pub struct Moments {
    seed: u64,
    range: Range<Duration>,
    random: Rng,
}

impl Moments {
    /// The moments of this seed.
    pub fn seeded(seed: u64, range: Range<Duration>) -> Self {
        Self { seed, range, random: Rng::with_seed(seed) }
    }

    /// Moments that are others in each run, or those of the seed in the variable `HARNESS_SEED`. A test that uses them
    /// shows the seed when it fails: `assert!(…, "HARNESS_SEED={}", moments.seed())`.
    pub fn fresh(range: Range<Duration>) -> Self {
        let seed = env::var(SEED).ok().and_then(|seed| seed.parse().ok());
        Self::seeded(seed.unwrap_or_else(|| fastrand::u64(..)), range)
    }

    /// The seed that repeats them.
    pub fn seed(&self) -> u64 {
        self.seed
    }
}

impl Iterator for Moments {
    type Item = Duration;

    fn next(&mut self) -> Option<Duration> {
        let Range { start, end } = self.range;
        Some(start + end.saturating_sub(start).mul_f64(self.random.f64()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RANGE: Range<Duration> = Duration::from_millis(10)..Duration::from_millis(20);

    #[test]
    fn a_seed_repeats_its_moments_and_another_gives_others() {
        let moments = |seed| Moments::seeded(seed, RANGE).take(20).collect::<Vec<_>>();
        assert_eq!(moments(1), moments(1));
        assert_ne!(moments(1), moments(2));
        let fresh = Moments::fresh(RANGE);
        assert_eq!(fresh.clone().take(20).collect::<Vec<_>>(), moments(fresh.seed()));
    }

    #[test]
    fn moments_are_spread_over_their_whole_range() {
        let moments: Vec<_> = Moments::seeded(3, RANGE).take(1000).collect();
        assert!(moments.iter().all(|moment| RANGE.contains(moment)));
        let (low, high) = (Duration::from_millis(11), Duration::from_millis(19));
        assert!(moments.iter().any(|moment| *moment < low) && moments.iter().any(|moment| *moment > high));
    }

    #[test]
    fn a_range_of_nothing_gives_its_start() {
        let moment = Duration::from_millis(5);
        assert_eq!(Moments::seeded(1, moment..moment).next(), Some(moment));
    }
}
