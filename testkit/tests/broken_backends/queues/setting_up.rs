//! Queues that are not set up as they were asked to be.

use queue_core::{Limits, MemoryQueue, MemoryQueueBuilder};
use testkit::Setup;

use super::fault::Fault;
use crate::expected::Expected::{self, Exactly};

/// What is wrong with the set-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SettingUp {
    /// The visibility timeout stays at 30 s.
    NoTimeout,
    /// Messages are kept for ever.
    NoRetention,
    /// No message moves to the dead-letter queue.
    NoDeadLetter,
    /// Messages move one delivery too early.
    EarlyDeadLetter,
    /// Messages move one delivery too late.
    LateDeadLetter,
}

pub(crate) const EXPECTED: &[(SettingUp, Expected)] = &[
    (SettingUp::NoTimeout, Exactly(&["a_receive_that_names_no_timeout_has_the_queues_own"])),
    (
        SettingUp::NoRetention,
        Exactly(&[
            "a_message_older_than_the_retention_is_gone",
            "a_message_younger_than_the_retention_stays",
            "a_receive_makes_a_message_no_younger",
        ]),
    ),
    (
        SettingUp::NoDeadLetter,
        Exactly(&[
            "a_message_moves_after_its_last_allowed_delivery",
            "a_message_moves_alone",
            "a_message_moves_with_body_and_attributes_intact",
            "a_message_whose_consumers_died_moves_too",
        ]),
    ),
    (
        SettingUp::EarlyDeadLetter,
        Exactly(&[
            "a_message_can_be_deleted_in_its_last_allowed_delivery",
            "a_message_does_not_move_before_its_last_allowed_delivery",
            "a_message_moves_after_its_last_allowed_delivery",
            "a_message_moves_alone",
            "a_message_moves_with_body_and_attributes_intact",
            "a_message_whose_consumers_died_moves_too",
        ]),
    ),
    (
        SettingUp::LateDeadLetter,
        Exactly(&[
            "a_message_moves_after_its_last_allowed_delivery",
            "a_message_moves_alone",
            "a_message_moves_with_body_and_attributes_intact",
            "a_message_whose_consumers_died_moves_too",
        ]),
    ),
];

/// The largest message, in bytes: a small one, so that the clauses about size are quick.
const SIZE: usize = 10_000;

/// The queue, and its dead-letter queue if one is asked for.
pub(crate) fn build(fault: Fault, setup: &Setup) -> (MemoryQueue, Option<MemoryQueue>) {
    let fault = if let Fault::SetUp(fault) = fault { Some(fault) } else { None };
    let mut queue = MemoryQueue::builder().limits(Limits::default().with_message_bytes(SIZE));
    if fault != Some(SettingUp::NoTimeout) {
        queue = queue.visibility(setup.visibility);
    }
    if fault != Some(SettingUp::NoRetention) {
        queue = queue.retention(setup.retention);
    }
    let dead = setup.max_receive_count.map(|max| (MemoryQueue::new(), max));
    if let Some((dead, max)) = &dead {
        queue = dead_letter(fault, queue, dead, *max);
    }
    (queue.build().unwrap(), dead.map(|(dead, _max)| dead))
}

fn dead_letter(
    fault: Option<SettingUp>,
    queue: MemoryQueueBuilder,
    dead: &MemoryQueue,
    max: u32,
) -> MemoryQueueBuilder {
    match fault {
        Some(SettingUp::NoDeadLetter) => queue,
        Some(SettingUp::EarlyDeadLetter) => queue.dead_letter(dead.clone(), max - 1),
        Some(SettingUp::LateDeadLetter) => queue.dead_letter(dead.clone(), max + 1),
        _ => queue.dead_letter(dead.clone(), max),
    }
}
