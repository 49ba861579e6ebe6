//! Redrive: moving messages back out of a dead-letter queue.

use queue_core::QueueError;

use crate::SqlQueue;
use crate::store::Store;

/// How many messages one step moves.
const STEP: u32 = 500;

impl<S: Store> SqlQueue<S> {
    /// Moves up to `most` visible messages of this queue to `target`, oldest first, and answers how many: out of a
    /// dead-letter queue, once the cause is mended. Body, attributes, id and age stay; the receive count begins anew.
    ///
    /// Each step of 500 is one transaction: a message is in one queue or in the other at any moment.
    ///
    /// # Cancel safety
    /// Safe: the steps that were done stand.
    ///
    /// # Errors
    /// *Permanent*: the two are the same queue, of different kinds, or in different databases. *Transient*,
    /// *indeterminate*: call it again.
    pub async fn redrive_to(&self, target: &Self, most: u64) -> Result<u64, QueueError> {
        self.check_target(target)?;
        let (store, mut moved) = (&self.shared.database.store, 0);
        while moved < most {
            let step = u32::try_from(most - moved).unwrap_or(STEP).min(STEP);
            let count = store.redrive(&self.shared.record, &target.shared.record, step).await?;
            moved += count;
            target.shared.announce();
            if count < u64::from(step) {
                break;
            }
        }
        Ok(moved)
    }

    fn check_target(&self, target: &Self) -> Result<(), QueueError> {
        let (from, to) = (&self.shared, &target.shared);
        let refuse = |why: String| Err(QueueError::permanent(why));
        if !std::sync::Arc::ptr_eq(&from.database, &to.database) {
            return refuse("a redrive needs two queues of one `SqlDatabase`; these are of two".to_owned());
        }
        if from.record.id == to.record.id {
            return refuse(format!("queue {:?} can't be redriven to itself", from.record.name));
        }
        if from.record.settings.ordered != to.record.settings.ordered {
            return refuse(
                "a redrive needs two queues of one kind: both ordered, or both standard".to_owned(),
            );
        }
        Ok(())
    }
}
