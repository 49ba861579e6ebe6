//! Sorting: which deliveries of a receive are handed out, and which rest.

use std::collections::HashSet;
use std::sync::Arc;

use object_store::path::Path;
use queue_core::{Delivery, QueueError};

/// What was found for one message.
#[derive(Debug)]
pub(super) enum Found {
    /// It is handed out as it came.
    Whole,
    /// Its body, and where that lies if it is to be removed.
    Body(Arc<str>, Option<Path>),
    /// There is no body to be had, now or later.
    Broken,
    /// The store failed.
    Failed(QueueError),
}

/// The deliveries of a receive.
#[derive(Debug, Default)]
pub(super) struct Sorted {
    pub(super) handed: Vec<(Delivery, Found)>,
    pub(super) resting: Vec<Delivery>,
    /// Why one of the resting failed, if the store did.
    pub(super) failure: Option<QueueError>,
}

impl Sorted {
    /// Sorts. On an ordered queue what follows a resting message in its group rests too (Q8).
    pub(super) fn new(found: impl Iterator<Item = (Delivery, Found)>, ordered: bool) -> Self {
        let mut sorted = Self::default();
        let mut stuck: HashSet<String> = HashSet::new();
        for (delivery, found) in found {
            let group = delivery.message().group_key().filter(|_| ordered);
            let is_stuck = group.is_some_and(|group| stuck.contains(group));
            match found {
                Found::Whole | Found::Body(..) if !is_stuck => sorted.handed.push((delivery, found)),
                found => {
                    stuck.extend(group.map(str::to_owned));
                    sorted.resting.push(delivery);
                    if let Found::Failed(error) = found {
                        sorted.failure.get_or_insert(error);
                    }
                }
            }
        }
        sorted
    }
}
