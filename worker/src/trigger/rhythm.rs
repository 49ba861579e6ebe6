//! The rhythm of a trigger: the grid that its beats lie on.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use tokio::time::Instant;

use crate::clock::WallClock;

/// Makes the grid of a trigger when it is started.
pub(crate) trait Rhythm: Debug + Send + Sync {
    /// The grid whose first point is not before `start`.
    fn grid(&self, start: Instant, clock: &Arc<WallClock>) -> Box<dyn Grid>;
}

/// Points in time, one after the other (W12).
#[async_trait]
pub(crate) trait Grid: Debug + Send {
    /// The next point; `None` if there are no more.
    fn point(&self) -> Option<SystemTime>;

    /// Waits until `lag` after the next point; for ever if there are no more. Safe to drop.
    async fn reached(&mut self, lag: Duration);

    /// Goes on to the point after the next.
    fn advance(&mut self);

    /// Leaves out the points that were more than `lag` ago, and says how many.
    fn skip(&mut self, lag: Duration) -> u64;
}
