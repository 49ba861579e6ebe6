//! Deliveries: what became of the copies of published messages.

use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

/// How many copies went which way, by the words of the service's metrics (Amazon SNS Developer Guide, "Monitoring Amazon
/// SNS topics using `CloudWatch`").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Deliveries {
    /// Stored in the subscribed queue.
    #[serde(rename = "NumberOfNotificationsDelivered")]
    pub delivered: u64,
    /// Kept away by a filter policy.
    #[serde(rename = "NumberOfNotificationsFilteredOut")]
    pub filtered_out: u64,
    /// Not stored in the subscribed queue.
    #[serde(rename = "NumberOfNotificationsFailed")]
    pub failed: u64,
    /// Of those that failed: stored in the subscription's dead-letter queue.
    #[serde(rename = "NumberOfNotificationsRedrivenToDlq")]
    pub redriven: u64,
    /// Of those that failed: not even stored there. What is in neither of the two was discarded.
    #[serde(rename = "NumberOfNotificationsFailedToRedriveToDlq")]
    pub failed_to_redrive: u64,
}

/// What became of one copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Delivered,
    FilteredOut,
    Discarded,
    Redriven,
    FailedToRedrive,
}

#[derive(Debug, Default)]
pub(super) struct Counts([AtomicU64; 5]);

impl Counts {
    pub(super) fn note(&self, fate: Fate) {
        self.0[fate as usize].fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn read(&self) -> Deliveries {
        let count = |fate: Fate| self.0[fate as usize].load(Ordering::Relaxed);
        let (redriven, failed_to_redrive) = (count(Fate::Redriven), count(Fate::FailedToRedrive));
        Deliveries {
            delivered: count(Fate::Delivered),
            filtered_out: count(Fate::FilteredOut),
            failed: count(Fate::Discarded) + redriven + failed_to_redrive,
            redriven,
            failed_to_redrive,
        }
    }
}
