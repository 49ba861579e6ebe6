//! Rounds: two things measured in turn, so that what else the machine does meets both alike.

use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::Instant;

/// The ratios of several rounds.
#[derive(Clone, Debug)]
pub struct Rounds(Vec<f64>);

impl Rounds {
    /// Takes the ratio of each round.
    ///
    /// # Panics
    /// If there is none.
    pub fn new(mut ratios: Vec<f64>) -> Self {
        assert!(!ratios.is_empty(), "a measurement has at least one round");
        ratios.sort_by(f64::total_cmp);
        Self(ratios)
    }

    /// The one in the middle.
    pub fn median(&self) -> f64 {
        self.0[self.0.len() / 2]
    }

    /// The spread, to be told beside the median.
    pub fn spread(&self) -> String {
        let (least, most) = (self.0[0], self.0[self.0.len() - 1]);
        format!("{least:.2} to {most:.2} in {} rounds", self.0.len())
    }
}

/// The ratio of `ours` to `theirs`, measured in the order ours, theirs, theirs, ours: what grows or fades meanwhile meets
/// both alike.
pub async fn in_turn<A, B>(ours: impl Fn() -> A, theirs: impl Fn() -> B) -> f64
where
    A: Future<Output = f64>,
    B: Future<Output = f64>,
{
    let first = ours().await;
    let others = theirs().await + theirs().await;
    (first + ours().await) / others
}

/// How often a second `clients` tasks do `once` within `time`, each as often as it can. It is told which client does it.
///
/// # Panics
/// If `once` panics.
#[expect(clippy::expect_used, reason = "a measurement whose work fails has nothing to say")]
pub async fn rate<F, W>(clients: usize, time: Duration, once: F) -> f64
where
    F: Fn(usize) -> W + Clone + Send + 'static,
    W: Future<Output = ()> + Send,
{
    let start = Instant::now();
    let mut tasks = JoinSet::new();
    for client in 0..clients {
        let once = once.clone();
        tasks.spawn(async move {
            let mut done = 0_u32;
            while start.elapsed() < time {
                once(client).await;
                done += 1;
            }
            done
        });
    }
    let mut done = 0;
    while let Some(count) = tasks.join_next().await {
        done += count.expect("a client does not panic");
    }
    f64::from(done) / start.elapsed().as_secs_f64()
}
