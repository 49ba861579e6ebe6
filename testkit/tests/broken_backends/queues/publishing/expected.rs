//! Which clauses see which queue that publishes wrongly.

use super::Publishing;
use crate::expected::Expected::{self, Exactly, Together};

/// The clauses that want something refused.
const REFUSALS: &[&str] = &[
    "a_deduplication_id_is_refused_where_nothing_is_ordered",
    "a_delay_that_is_too_long_is_refused",
    "a_message_of_one_byte_more_is_refused",
    "a_number_that_is_none_is_refused",
    "an_empty_body_is_refused",
    "attributes_count_towards_the_size",
    "bad_attribute_names_are_refused",
    "empty_attributes_are_refused",
    "illegal_characters_are_refused",
    "illegal_characters_in_attributes_are_refused",
    "one_attribute_too_many_is_refused",
    "one_bad_message_does_not_spoil_a_batch",
];

pub(crate) const EXPECTED: &[(Publishing, Expected)] = &[
    (
        Publishing::Backwards,
        Exactly(&[
            "a_batch_is_answered_in_its_order",
            "a_batch_with_too_many_messages_is_refused_and_handed_back",
            "one_bad_message_does_not_spoil_a_batch",
        ]),
    ),
    (
        Publishing::LeavesFailuresOut,
        Together(&[
            REFUSALS,
            &[
                "a_batch_with_too_many_bytes_loses_nothing_in_silence",
                "a_batch_with_too_many_messages_is_refused_and_handed_back",
            ],
        ]),
    ),
    (Publishing::AllOrNothing, Exactly(&["one_bad_message_does_not_spoil_a_batch"])),
    (Publishing::AnyNumber, Exactly(&["a_batch_with_too_many_messages_is_refused_and_handed_back"])),
    (Publishing::EmptyIsAnError, Exactly(&["an_empty_batch_has_an_empty_answer"])),
    (Publishing::Mends, Exactly(REFUSALS)),
    (
        Publishing::StoresTheRefused,
        Together(&[
            REFUSALS,
            &[
                "a_batch_with_too_many_bytes_loses_nothing_in_silence",
                "a_batch_with_too_many_messages_is_refused_and_handed_back",
            ],
        ]),
    ),
    (
        Publishing::RefusesAtTheLimit,
        Exactly(&[
            "a_message_of_the_largest_size_is_taken",
            "as_many_attributes_as_allowed_are_taken",
            "attributes_count_towards_the_size",
            "the_longest_delay_is_taken",
        ]),
    ),
    (
        Publishing::HandsBackAnother,
        Together(&[REFUSALS, &["a_batch_with_too_many_messages_is_refused_and_handed_back"]]),
    ),
    (
        Publishing::CallsItTransient,
        Together(&[REFUSALS, &["a_batch_with_too_many_messages_is_refused_and_handed_back"]]),
    ),
    (
        Publishing::LosesTheLast,
        Exactly(&[
            "a_batch_is_answered_in_its_order",
            "a_batch_with_too_many_bytes_loses_nothing_in_silence",
            "a_batch_with_too_many_messages_is_refused_and_handed_back",
            "a_deleted_message_counts_no_more",
            "a_settle_batch_with_too_many_receipts_is_refused",
            "a_stale_receipt_does_not_spoil_a_delete_batch",
            "a_stale_receipt_does_not_spoil_a_visibility_batch",
            "a_whole_batch_is_deleted_in_one_call",
            "a_whole_batch_is_hidden_anew_in_one_call",
            "equal_messages_are_different_messages",
            "many_messages_go_out_in_several_batches",
            "no_two_consumers_hold_the_same_message",
            "one_bad_message_does_not_spoil_a_batch",
            "several_waiting_receives_share_what_arrives",
            "the_depth_counts_what_is_visible_and_what_is_in_flight",
            "what_was_not_asked_for_stays_for_others",
        ]),
    ),
    (
        Publishing::LosesSome,
        Exactly(&[
            "a_receive_dropped_at_any_moment_loses_nothing",
            "publishers_and_consumers_at_once_lose_nothing",
            "what_consumers_give_back_is_handled_in_the_end",
        ]),
    ),
    (
        Publishing::NoDelay,
        Exactly(&[
            "a_delay_that_is_too_long_is_refused",
            "a_delayed_message_holds_up_no_other",
            "a_delayed_message_is_hidden_until_its_delay_ends",
            "a_wait_ends_when_a_delay_ends",
            "the_depth_counts_what_is_delayed",
            "the_longest_delay_is_taken",
        ]),
    ),
    (Publishing::ZeroIsLong, Exactly(&["a_delay_of_zero_delays_nothing"])),
    (
        Publishing::StoresEqualOnce,
        Exactly(&[
            "a_batch_with_too_many_messages_is_refused_and_handed_back",
            "equal_messages_are_different_messages",
        ]),
    ),
];
