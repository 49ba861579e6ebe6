//! The collection of keys that nobody uses any longer.

use std::time::Duration;

use super::ask::Collect;
use super::{Dialect, SqlSemaphore, micros};
use crate::SemaphoreError;

impl<D: Dialect> SqlSemaphore<D> {
    /// Removes the slots of keys of which no slot was held for `idle`, up to `limit` of them, and says how many went. A
    /// key goes as a whole: more go at once if the first key that is found has more.
    ///
    /// Call it now and then, from one process or from all, again as long as it answers more than none. An `idle` of a day
    /// is plenty; a short one makes slots go that are soon made again, and nothing worse.
    ///
    /// First the floor is raised to the highest fencing number of what may go. That waits for whoever makes slots just
    /// then, as those share the lock on the floor's row until they commit. Then what is not above the floor is removed.
    /// So whoever makes a removed slot again has read a floor that covers it (S13). The two are statements that commit
    /// by themselves, or, on MySQL, one transaction in one packet; no client can freeze in the middle of either. A floor
    /// that is higher than need be does no harm.
    ///
    /// # Guarantees
    /// S13.
    ///
    /// # Cancel safety
    /// Safe: what was not removed is removed by the next call.
    ///
    /// # Errors
    /// *Transient*, *indeterminate*: call it again.
    pub async fn collect(&self, idle: Duration, limit: usize) -> Result<u64, SemaphoreError> {
        let ask = Collect { idle_us: micros::of(idle), limit: i64::try_from(limit).unwrap_or(i64::MAX) };
        self.call("raise the floor", D::raise, &ask).await?;
        self.call("collect idle keys", D::collect, &ask).await
    }
}
