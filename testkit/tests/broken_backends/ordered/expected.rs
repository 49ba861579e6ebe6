//! Which clauses see which ordered queue that is broken.

use super::fault::{Fault, Publishing, Receiving, Settling};
use crate::expected::Expected::{self, AtLeast, Exactly};

pub(crate) const EXPECTED: &[(Fault, Expected)] = &[
    (Fault::None, Exactly(&[])),
    (
        Fault::Publish(Publishing::EachAlone),
        Exactly(&[
            "a_batch_given_back_comes_in_the_same_order",
            "a_delete_after_the_timeout_is_lost_and_the_message_comes_again",
            "a_group_goes_on_after_its_batch_was_deleted",
            "a_group_in_flight_goes_to_nobody_else_and_others_go_on",
            "a_head_that_is_extended_blocks_its_group",
            "a_head_that_is_released_with_a_delay_blocks_its_group",
            "a_release_after_the_timeout_is_lost_and_the_message_comes_again",
            "a_released_head_comes_before_later_ones",
            "a_released_middle_one_waits_for_those_in_flight",
            "a_stale_receipt_of_a_group_deletes_nothing",
            "a_stale_receipt_of_a_group_frees_nothing",
            "after_the_timeout_a_group_begins_with_its_oldest_undeleted",
            "groups_take_turns",
            "many_consumers_keep_the_order_of_each_group",
            "moved_messages_keep_their_order_and_their_group_goes_on",
            "two_senders_to_one_group_have_one_order",
        ]),
    ),
    (
        Fault::Publish(Publishing::OneGroup),
        Exactly(&[
            "a_group_in_flight_goes_to_nobody_else_and_others_go_on",
            "a_message_tells_its_group",
            "a_repeated_attempt_brings_the_same_messages_receipts_and_counts",
            "an_attempt_of_which_something_was_deleted_is_not_repeated",
            "an_attempt_of_which_something_was_released_is_not_repeated",
            "groups_take_turns",
            "many_consumers_keep_the_order_of_each_group",
            "moved_messages_keep_their_order_and_their_group_goes_on",
            "what_was_refused_can_be_sent_again",
        ]),
    ),
    (
        Fault::Publish(Publishing::Backwards),
        Exactly(&[
            "a_batch_keeps_its_order",
            "a_refused_message_leaves_no_gap_in_its_group",
            "what_is_twice_in_a_batch_is_stored_once",
        ]),
    ),
    (Fault::Publish(Publishing::SaysItIsStandard), Exactly(&["an_ordered_queue_says_that_it_is_one"])),
    (
        Fault::Publish(Publishing::StoresDuplicates),
        Exactly(&[
            "an_id_is_the_same_in_every_group",
            "what_is_sent_by_many_at_once_is_stored_once",
            "what_is_sent_twice_is_stored_once_and_has_the_first_ones_id",
            "what_is_twice_in_a_batch_is_stored_once",
            "what_was_deleted_is_not_stored_again",
        ]),
    ),
    (
        Fault::Publish(Publishing::OwnIds),
        Exactly(&[
            "an_id_goes_before_the_body",
            "an_id_is_the_same_in_every_group",
            "the_same_body_is_stored_once_whatever_is_around_it",
            "what_is_sent_by_many_at_once_is_stored_once",
            "what_is_sent_twice_is_stored_once_and_has_the_first_ones_id",
            "what_is_twice_in_a_batch_is_stored_once",
            "what_was_deleted_is_not_stored_again",
        ]),
    ),
    (Fault::Publish(Publishing::ForgetsDeleted), Exactly(&["what_was_deleted_is_not_stored_again"])),
    (Fault::Publish(Publishing::ByGroup), Exactly(&["an_id_is_the_same_in_every_group"])),
    (Fault::Publish(Publishing::BatchBlind), Exactly(&["what_is_twice_in_a_batch_is_stored_once"])),
    (Fault::Publish(Publishing::Racy), Exactly(&["what_is_sent_by_many_at_once_is_stored_once"])),
    (Fault::Publish(Publishing::RemembersRefused), Exactly(&["what_was_refused_can_be_sent_again"])),
    (
        Fault::Publish(Publishing::ByAttributes),
        Exactly(&["the_same_body_is_stored_once_whatever_is_around_it"]),
    ),
    (
        Fault::Publish(Publishing::BodyIsId),
        Exactly(&["an_id_that_spells_a_body_or_its_digest_is_not_that_body"]),
    ),
    (
        Fault::Publish(Publishing::BodyBeforeId),
        Exactly(&["an_id_goes_before_the_body", "an_id_that_spells_a_body_or_its_digest_is_not_that_body"]),
    ),
    (Fault::Publish(Publishing::NeedsNoGroup), Exactly(&["a_message_without_a_group_is_refused"])),
    (Fault::Publish(Publishing::NeedsNoId), Exactly(&["a_message_with_nothing_to_tell_it_by_is_refused"])),
    (
        Fault::Publish(Publishing::TakesDelays),
        Exactly(&[
            "a_delay_of_its_own_is_refused_where_there_is_an_order",
            "a_refused_message_leaves_no_gap_in_its_group",
        ]),
    ),
    (Fault::Publish(Publishing::AllOrNothing), Exactly(&["a_refused_message_leaves_no_gap_in_its_group"])),
    (
        Fault::Receive(Receiving::Backwards),
        Exactly(&[
            "a_batch_given_back_comes_in_the_same_order",
            "a_group_goes_on_after_its_batch_was_deleted",
            "a_released_middle_one_waits_for_those_in_flight",
            "after_the_timeout_a_group_begins_with_its_oldest_undeleted",
            "an_attempt_of_which_something_was_deleted_is_not_repeated",
            "an_attempt_of_which_something_was_released_is_not_repeated",
            "an_attempt_that_ran_out_is_not_repeated",
            "another_attempt_gets_nothing_of_it",
            "many_consumers_keep_the_order_of_each_group",
            "several_of_a_group_in_one_receive_come_in_order",
            "two_senders_to_one_group_have_one_order",
        ]),
    ),
    (
        Fault::Receive(Receiving::OneOfAGroup),
        Exactly(&[
            "a_batch_given_back_comes_in_the_same_order",
            "a_group_goes_on_after_its_batch_was_deleted",
            "a_released_middle_one_waits_for_those_in_flight",
            "a_repeated_attempt_brings_the_same_messages_receipts_and_counts",
            "after_the_timeout_a_group_begins_with_its_oldest_undeleted",
            "an_attempt_of_which_something_was_deleted_is_not_repeated",
            "an_attempt_of_which_something_was_released_is_not_repeated",
            "an_attempt_that_ran_out_is_not_repeated",
            "another_attempt_gets_nothing_of_it",
            "several_of_a_group_in_one_receive_come_in_order",
        ]),
    ),
    (
        Fault::Receive(Receiving::NoGroup),
        Exactly(&[
            "a_message_tells_its_group",
            "a_repeated_attempt_hides_its_messages_anew",
            "an_attempt_of_which_something_was_released_is_not_repeated",
            "an_attempt_that_ran_out_is_not_repeated",
            "many_consumers_keep_the_order_of_each_group",
        ]),
    ),
    (
        Fault::Receive(Receiving::Starves),
        Exactly(&["groups_take_turns", "moved_messages_keep_their_order_and_their_group_goes_on"]),
    ),
    (Fault::Receive(Receiving::SleepsThroughTheWait), Exactly(&["a_wait_ends_when_a_group_is_free_again"])),
    (
        Fault::Receive(Receiving::IgnoresAttempts),
        Exactly(&[
            "a_repeated_attempt_brings_the_same_messages_receipts_and_counts",
            "a_repeated_attempt_hides_its_messages_anew",
            "what_a_repeated_attempt_brings_can_be_deleted",
        ]),
    ),
    (Fault::Receive(Receiving::OneAttempt), Exactly(&["another_attempt_gets_nothing_of_it"])),
    (
        Fault::Receive(Receiving::NewReceipts),
        Exactly(&[
            "a_repeated_attempt_brings_the_same_messages_receipts_and_counts",
            "what_a_repeated_attempt_brings_can_be_deleted",
        ]),
    ),
    (
        Fault::Receive(Receiving::CountsRepeats),
        Exactly(&["a_repeated_attempt_brings_the_same_messages_receipts_and_counts"]),
    ),
    (
        Fault::Receive(Receiving::RepeatsTouched),
        Exactly(&[
            "a_repeated_attempt_hides_its_messages_anew",
            "an_attempt_of_which_something_was_deleted_is_not_repeated",
            "an_attempt_of_which_something_was_released_is_not_repeated",
            "an_attempt_that_ran_out_is_not_repeated",
        ]),
    ),
    (Fault::Receive(Receiving::HidesOnce), Exactly(&["a_repeated_attempt_hides_its_messages_anew"])),
    (
        Fault::Receive(Receiving::RemembersEmpty),
        Exactly(&["an_attempt_that_brought_nothing_is_not_remembered"]),
    ),
    (
        Fault::Settle(Settling::LateDeletes),
        Exactly(&["a_delete_after_the_timeout_is_lost_and_the_message_comes_again"]),
    ),
    (
        Fault::Settle(Settling::LateReleases),
        Exactly(&["a_release_after_the_timeout_is_lost_and_the_message_comes_again"]),
    ),
    (Fault::Settle(Settling::StaleDeletes), Exactly(&["a_stale_receipt_of_a_group_deletes_nothing"])),
    (Fault::Settle(Settling::StaleReleases), Exactly(&["a_stale_receipt_of_a_group_frees_nothing"])),
    (
        Fault::Settle(Settling::ReleasesToTheEnd),
        Exactly(&[
            "a_batch_given_back_comes_in_the_same_order",
            "a_group_whose_messages_have_all_moved_takes_new_ones",
            "a_released_head_comes_before_later_ones",
            "a_released_middle_one_waits_for_those_in_flight",
            "an_attempt_of_which_something_was_released_is_not_repeated",
            "moved_messages_keep_their_order_and_their_group_goes_on",
            "two_senders_to_one_group_have_one_order",
        ]),
    ),
    (
        Fault::Settle(Settling::OpensEarly),
        Exactly(&[
            "a_group_goes_on_after_its_batch_was_deleted",
            "a_released_middle_one_waits_for_those_in_flight",
            "a_stale_receipt_of_a_group_deletes_nothing",
            "after_the_timeout_a_group_begins_with_its_oldest_undeleted",
            "an_attempt_of_which_something_was_deleted_is_not_repeated",
            "many_consumers_keep_the_order_of_each_group",
            "two_senders_to_one_group_have_one_order",
        ]),
    ),
    (
        Fault::Settle(Settling::DeletesNothing),
        AtLeast(&[
            "messages_of_a_group_come_in_order",
            "what_a_repeated_attempt_brings_can_be_deleted",
            "a_wait_ends_when_a_group_is_free_again",
        ]),
    ),
    (
        Fault::Settle(Settling::IgnoresDelays),
        Exactly(&[
            "a_head_that_is_extended_blocks_its_group",
            "a_head_that_is_released_with_a_delay_blocks_its_group",
        ]),
    ),
    (
        Fault::Settle(Settling::IgnoresExtensions),
        Exactly(&[
            "a_head_that_is_extended_blocks_its_group",
            "a_head_that_is_released_with_a_delay_blocks_its_group",
            "a_release_after_the_timeout_is_lost_and_the_message_comes_again",
        ]),
    ),
    (
        Fault::NoDeadLetter,
        Exactly(&[
            "a_group_whose_messages_have_all_moved_takes_new_ones",
            "moved_messages_keep_their_order_and_their_group_goes_on",
        ]),
    ),
    (Fault::DeadLastFirst, Exactly(&["moved_messages_keep_their_order_and_their_group_goes_on"])),
];
