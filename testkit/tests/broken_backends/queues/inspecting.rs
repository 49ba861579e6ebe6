//! Queues that count or purge wrongly.

use std::time::Duration;

use queue_core::{Consumer, Depth, Inspect, QueueError, ReceiveOptions};

use super::broken::Broken;
use super::fault::Fault;
use crate::expected::Expected::{self, Exactly};

/// What is wrong with the counts, or with a purge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inspecting {
    /// All messages count as visible.
    AllVisible,
    /// What has been received is counted no more.
    NoneInFlight,
    /// Delayed messages are not counted.
    NoneDelayed,
    /// An empty queue has an oldest message.
    AlwaysOld,
    /// A purge removes what is visible only.
    PurgesVisible,
}

pub(crate) const EXPECTED: &[(Inspecting, Expected)] = &[
    (
        Inspecting::AllVisible,
        Exactly(&[
            "an_expired_delivery_counts_as_visible",
            "the_depth_counts_what_is_delayed",
            "the_depth_counts_what_is_visible_and_what_is_in_flight",
        ]),
    ),
    (
        Inspecting::NoneInFlight,
        Exactly(&[
            "an_expired_delivery_counts_as_visible",
            "the_depth_counts_what_is_visible_and_what_is_in_flight",
        ]),
    ),
    (Inspecting::NoneDelayed, Exactly(&["the_depth_counts_what_is_delayed"])),
    (Inspecting::AlwaysOld, Exactly(&["an_empty_queue_has_no_depth"])),
    (Inspecting::PurgesVisible, Exactly(&["a_purge_removes_every_message"])),
];

pub(crate) fn depth(fault: Fault, depth: Depth) -> Depth {
    let Fault::Inspect(fault) = fault else { return depth };
    let (visible, in_flight, delayed) = (depth.visible, depth.in_flight, depth.delayed);
    match fault {
        Inspecting::AllVisible => Depth::new(depth.total(), 0, 0),
        Inspecting::NoneInFlight => Depth::new(visible, 0, delayed),
        Inspecting::NoneDelayed => Depth::new(visible, in_flight, 0),
        Inspecting::AlwaysOld => depth.with_oldest(Some(Duration::ZERO)),
        Inspecting::PurgesVisible => depth,
    }
}

pub(crate) async fn purge(queue: &Broken) -> Result<(), QueueError> {
    if queue.fault != Fault::Inspect(Inspecting::PurgesVisible) {
        return queue.inner.purge().await;
    }
    for delivery in queue.inner.receive(ReceiveOptions::new(10).with_wait(Duration::ZERO)).await? {
        delivery.ack().await.unwrap();
    }
    Ok(())
}
