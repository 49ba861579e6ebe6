//! The order within a group: what follows a settled message, and what happens to those behind one that was not (W11).

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use tokio::time::sleep;

use super::finish::{Ended, Settlement};
use super::held::Held;
use super::shared::Shared;

impl Shared {
    /// The group of a message, if its queue keeps groups in order.
    pub(crate) fn lane_of(&self, held: &Held) -> Option<String> {
        held.group().filter(|_| self.limits.ordered).map(str::to_owned)
    }

    /// Goes on with a lane after its head: with the next one if the head is settled. If it was lost, it comes again,
    /// so none behind it may be handled before.
    pub(crate) async fn go_on(&self, lane: Option<String>, ended: Ended) {
        let Some(group) = lane else { return };
        match ended {
            Ended::Settled => self.room.advance(&group),
            Ended::Lost => self.give_back(self.room.break_off(&group)).await,
            Ended::Resting => {}
        }
    }

    /// Lets a failed head rest in place for `after`. Gives it back if nothing waits behind it: then it can back off in
    /// its queue, where its receive count rises.
    pub(crate) fn try_rest(self: &Arc<Self>, mut held: Held, after: Duration) -> Option<Held> {
        let Some(group) = held.group().map(str::to_owned) else { return Some(held) };
        held.retries += 1;
        if let Some(mut held) = self.room.rest(held) {
            held.retries -= 1;
            return Some(held);
        }
        self.ledger.retried.add(1);
        let shared = Arc::clone(self);
        self.handling.spawn(async move {
            tokio::select! {
                () = shared.stop.cancelled() => {} // it was given back with those that waited
                () = sleep(after) => shared.room.wake(&group),
            }
        });
        None
    }

    /// Makes messages visible again at once: all together, but those of an ordered group one by one, last first, so
    /// that none can be received before those in front of it.
    pub(crate) async fn give_back(&self, batch: Vec<Held>) {
        let mut lanes: BTreeMap<Option<String>, Vec<Held>> = BTreeMap::new();
        for held in batch {
            lanes.entry(self.lane_of(&held)).or_default().push(held);
        }
        let lanes = lanes.into_iter().map(|(group, lane)| self.give_lane_back(lane, group.is_some()));
        join_all(lanes).await;
    }

    async fn give_lane_back(&self, lane: Vec<Held>, ordered: bool) {
        let now = Settlement::Hide(Duration::ZERO);
        let calls = lane.into_iter().rev().map(|held| self.finish(held, now, &self.ledger.released));
        if ordered {
            for call in calls {
                call.await;
            }
        } else {
            join_all(calls).await;
        }
    }
}
