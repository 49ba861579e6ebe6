//! The one thing that a broken gate does wrong, and the clauses that see it.

use crate::expected::Expected::{self, AtLeast, Exactly};

/// What is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// There is no gate.
    Open,
    /// All gates are one.
    Shared,
    /// All classes are one.
    OneClass,
    /// Nothing opens it.
    NeverOpens,
    /// An empty receive does not close it.
    NeverCloses,
    /// An empty receive closes it only if it was the master's.
    OthersNeverClose,
    /// Any message opens it.
    AnyOpens,
    /// Only more than half opens it.
    MoreThanHalf,
    /// However many quick receives there are in a row, they open nothing.
    NoRow,
    /// A receive that waited counts as quick.
    WaitingIsQuick,
    /// An empty receive does not break the row.
    EmptyIsNoBreak,
    /// Less than half closes it.
    SmallCloses,
    /// Less than half at another worker closes it.
    SmallClosesAtOthers,
    /// Messages at another worker open it.
    OthersOpen,
    /// A failed receive opens it.
    FailureOpens,
    /// A failed receive closes it.
    FailureCloses,
    /// A dropped turn opens it.
    DropOpens,
    /// A dropped turn is never handed back.
    KeepsDroppedTurns,
    /// A failed turn is never handed back.
    KeepsFailedTurns,
    /// A worker that gave up keeps its place, and the turn that it gets there.
    KeepsPlaces,
    /// Nobody stands in for worker 0.
    NoStandIn,
    /// Worker 0 is one of many.
    FirstComeFirstServed,
    /// What a stand-in receives opens nothing.
    StandInsDoNotJudge,
    /// The others look for an open gate once a second.
    Timer,
    /// Only those that wait are let in when it opens.
    Edge,
    /// The master waits until no other poll is running.
    WaitsForOthers,
}

pub(crate) const EXPECTED: &[(Fault, Expected)] = &[
    (
        Fault::Open,
        AtLeast(&[
            "every_class_starts_closed",
            "nobody_but_the_master_gets_a_turn_while_the_gate_is_closed",
            "less_than_half_opens_nothing",
        ]),
    ),
    (Fault::Shared, AtLeast(&["two_gates_do_not_influence_each_other"])),
    (
        Fault::OneClass,
        Exactly(&[
            "a_class_has_a_master_of_its_own",
            "closing_one_class_closes_no_other",
            "opening_one_class_opens_no_other",
        ]),
    ),
    (
        Fault::NeverOpens,
        AtLeast(&[
            "half_of_what_was_asked_for_opens",
            "any_message_opens_when_one_was_asked_for",
            "everyone_may_poll_while_the_gate_is_open",
            "the_master_may_poll_while_the_gate_is_open",
        ]),
    ),
    (
        Fault::NeverCloses,
        Exactly(&[
            "a_gate_that_closed_can_open_again",
            "a_poll_that_runs_on_after_the_gate_closed_ends_as_any",
            "an_empty_receive_breaks_the_row",
            "an_empty_receive_of_anyone_closes",
            "an_empty_receive_of_the_master_closes",
            "another_workers_messages_open_nothing",
            "no_wake_up_is_lost_in_many_bursts",
        ]),
    ),
    (Fault::OthersNeverClose, Exactly(&["an_empty_receive_of_anyone_closes"])),
    (
        Fault::AnyOpens,
        Exactly(&[
            "a_receive_that_waited_breaks_the_row",
            "an_empty_receive_breaks_the_row",
            "less_than_half_opens_nothing",
            "nobody_but_the_master_gets_a_turn_while_the_gate_is_closed",
            "the_third_quick_receive_in_a_row_opens",
            "worker_0_comes_before_others_that_wait",
        ]),
    ),
    (Fault::MoreThanHalf, Exactly(&["half_of_what_was_asked_for_opens"])),
    (Fault::NoRow, Exactly(&["the_third_quick_receive_in_a_row_opens"])),
    (Fault::WaitingIsQuick, Exactly(&["a_receive_that_waited_breaks_the_row"])),
    (Fault::EmptyIsNoBreak, Exactly(&["an_empty_receive_breaks_the_row"])),
    (
        Fault::SmallCloses,
        Exactly(&[
            "a_small_receive_closes_nothing",
            "another_workers_message_closes_nothing",
            "the_third_quick_receive_in_a_row_opens",
        ]),
    ),
    (Fault::SmallClosesAtOthers, Exactly(&["another_workers_message_closes_nothing"])),
    (
        Fault::OthersOpen,
        Exactly(&[
            "a_poll_that_runs_on_after_the_gate_closed_ends_as_any",
            "another_workers_messages_open_nothing",
        ]),
    ),
    (Fault::FailureOpens, Exactly(&["a_failed_receive_opens_nothing"])),
    (Fault::FailureCloses, Exactly(&["a_failed_receive_closes_nothing"])),
    (
        Fault::DropOpens,
        Exactly(&[
            "a_gate_that_closed_can_open_again",
            "an_empty_receive_of_anyone_closes",
            "another_workers_messages_open_nothing",
            "every_class_starts_closed",
            "opening_one_class_opens_no_other",
        ]),
    ),
    (
        Fault::KeepsDroppedTurns,
        Exactly(&[
            "a_class_never_stops",
            "a_dropped_turn_makes_one_waiting_worker_master",
            "a_gate_that_closed_can_open_again",
            "a_turn_lost_in_a_panic_makes_a_waiting_worker_master",
            "a_worker_that_gave_up_is_passed_over",
            "a_worker_that_gives_up_when_it_is_woken_passes_its_turn_on",
            "an_empty_receive_of_anyone_closes",
            "another_workers_messages_open_nothing",
            "the_master_polls_again_and_again",
            "the_third_quick_receive_in_a_row_opens",
            "two_gates_do_not_influence_each_other",
        ]),
    ),
    (
        Fault::KeepsFailedTurns,
        Exactly(&[
            "a_class_never_stops",
            "a_failed_receive_opens_nothing",
            "after_a_failed_receive_the_next_worker_may_try",
        ]),
    ),
    (
        Fault::KeepsPlaces,
        Exactly(&[
            "a_class_never_stops",
            "a_gate_that_closed_can_open_again",
            "a_worker_that_gave_up_is_passed_over",
            "a_worker_that_gives_up_when_it_is_woken_passes_its_turn_on",
        ]),
    ),
    (
        Fault::NoStandIn,
        Exactly(&[
            "a_class_never_stops",
            "a_dropped_turn_makes_one_waiting_worker_master",
            "a_master_that_is_busy_is_stood_in_for",
            "a_stand_in_opens_the_gate",
            "a_turn_lost_in_a_panic_makes_a_waiting_worker_master",
            "a_worker_that_gave_up_is_passed_over",
            "a_worker_that_gives_up_when_it_is_woken_passes_its_turn_on",
            "a_worker_that_is_alone_is_master",
            "after_a_failed_receive_the_next_worker_may_try",
            "worker_0_comes_before_others_that_wait",
        ]),
    ),
    (Fault::FirstComeFirstServed, Exactly(&["worker_0_comes_before_others_that_wait"])),
    (Fault::StandInsDoNotJudge, Exactly(&["a_stand_in_opens_the_gate"])),
    (
        Fault::Timer,
        AtLeast(&["everyone_that_waits_is_woken_when_the_gate_opens", "no_wake_up_is_lost_in_many_bursts"]),
    ),
    (Fault::Edge, AtLeast(&["a_gate_that_opened_before_a_worker_came_lets_it_in"])),
    (
        Fault::WaitsForOthers,
        Exactly(&[
            "a_poll_that_runs_on_after_the_gate_closed_ends_as_any",
            "another_workers_messages_open_nothing",
            "closing_waits_for_no_running_poll",
            "everyone_may_poll_while_the_gate_is_open",
            "the_master_may_poll_while_the_gate_is_open",
        ]),
    ),
];
