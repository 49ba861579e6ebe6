//! The outstanding deliveries: which body belongs to which receipt, for as long as somebody holds it.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use object_store::path::Path;
use queue_core::Receipt;

/// Bodies by receipt. The settler of one delivery settles those of others too, so that all share this.
#[derive(Debug, Default)]
pub(super) struct Outstanding(Mutex<HashMap<Receipt, Body>>);

#[derive(Debug)]
struct Body {
    path: Path,
    /// How many deliveries have the receipt: a repeated attempt at an ordered queue brings the same one again.
    holders: usize,
}

impl Outstanding {
    pub(super) fn add(&self, receipt: Receipt, path: Path) {
        let mut bodies = self.lock();
        bodies.entry(receipt).or_insert(Body { path, holders: 0 }).holders += 1;
    }

    pub(super) fn remove(&self, receipt: &Receipt) {
        let mut bodies = self.lock();
        let Some(body) = bodies.get_mut(receipt) else { return };
        body.holders -= 1;
        if body.holders == 0 {
            bodies.remove(receipt);
        }
    }

    /// Where the bodies of these lie; those that had none in the store have none here.
    pub(super) fn paths<'a>(&self, receipts: impl Iterator<Item = &'a Receipt>) -> Vec<Path> {
        let bodies = self.lock();
        receipts.filter_map(|receipt| bodies.get(receipt)).map(|body| body.path.clone()).collect()
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.lock().len()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Receipt, Body>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Q8
    #[test]
    fn a_receipt_is_known_until_the_last_delivery_that_has_it_is_gone() {
        let (outstanding, receipt) = (Outstanding::default(), Receipt::new("r"));
        let known = || outstanding.paths([&receipt].into_iter()).len();
        outstanding.add(receipt.clone(), Path::from("a"));
        outstanding.add(receipt.clone(), Path::from("a"));
        outstanding.remove(&receipt);
        assert_eq!(known(), 1);
        outstanding.remove(&receipt);
        outstanding.remove(&receipt);
        assert_eq!((known(), outstanding.len()), (0, 0));
    }
}
