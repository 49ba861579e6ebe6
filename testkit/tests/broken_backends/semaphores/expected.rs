//! Which clauses each fault is expected to fail.

use super::fault::Fault;
use crate::expected::Expected::{self, AtLeast, Exactly};

pub(crate) const EXPECTED: &[(Fault, Expected)] = &[
    (Fault::None, Exactly(&[])),
    (
        Fault::OverIssue,
        AtLeast(&[
            "as_many_as_the_maximum_hold_a_key_and_no_more",
            "a_released_slot_is_free_at_once",
            "thirty_two_tasks_never_hold_more_than_the_maximum",
            "a_new_key_that_is_raced_for_has_as_many_holders_as_its_maximum",
        ]),
    ),
    (
        Fault::CheckThenAct,
        AtLeast(&[
            "a_new_key_that_is_raced_for_has_as_many_holders_as_its_maximum",
            "thirty_two_tasks_never_hold_more_than_the_maximum",
        ]),
    ),
    (
        Fault::FalseFull,
        AtLeast(&[
            "a_new_key_that_is_raced_for_has_as_many_holders_as_its_maximum",
            "as_many_clients_as_permits_never_miss",
        ]),
    ),
    (
        Fault::HighestOnly,
        Exactly(&[
            "a_free_slot_is_found_wherever_it_is",
            "a_lone_slot_beside_nine_that_are_held_is_never_missed",
            "releasing_twice_changes_nothing",
        ]),
    ),
    (Fault::SlowMiss, Exactly(&["a_try_that_finds_nothing_free_answers_at_once"])),
    (
        Fault::OldToken,
        AtLeast(&[
            "every_grant_has_a_token_of_its_own",
            "a_stale_token_frees_nothing",
            "a_stale_token_renews_nothing",
        ]),
    ),
    (
        Fault::FenceStays,
        Exactly(&[
            "a_dead_holders_slot_is_collected",
            "a_slot_that_is_made_again_starts_above_what_was_collected",
            "a_slot_that_is_taken_by_force_is_free_at_once_and_its_holder_hears_of_it",
            "collecting_races_with_no_try",
            "fencing_tokens_rise_with_every_grant_of_a_slot",
            "what_is_held_or_was_used_lately_is_not_collected",
        ]),
    ),
    (
        Fault::OneKey,
        AtLeast(&["keys_are_held_apart", "keys_are_compared_byte_for_byte", "a_forged_token_does_nothing"]),
    ),
    (Fault::FoldedKeys, Exactly(&["keys_are_compared_byte_for_byte"])),
    (Fault::CutKeys, Exactly(&["the_longest_key_is_taken"])),
    (Fault::UncheckedKeys, Exactly(&["a_key_that_breaks_a_rule_is_refused"])),
    (Fault::UncheckedRequests, Exactly(&["a_request_that_breaks_a_rule_is_refused_and_takes_no_slot"])),
    (Fault::CutContexts, Exactly(&["a_context_that_breaks_a_rule_is_refused_and_the_permit_stays"])),
    (
        Fault::FirstMaximum,
        Exactly(&[
            "a_forged_token_does_nothing",
            "a_try_that_is_dropped_takes_no_slot_for_longer_than_a_lease",
            "all_slots_of_a_key_are_taken_by_force_and_no_others",
            "lowering_the_maximum_revokes_nothing",
            "raising_the_maximum_frees_new_slots_at_once",
        ]),
    ),
    (Fault::LowerRevokes, Exactly(&["lowering_the_maximum_revokes_nothing"])),
    (Fault::SmallMaximum, Exactly(&["the_greatest_maximum_is_taken"])),
    (Fault::EndlessHold, Exactly(&["a_permit_that_is_past_its_maximum_hold_time_is_lost_and_runs_out"])),
    (
        Fault::NeverExpires,
        AtLeast(&[
            "a_dead_holders_slot_is_free_when_its_lease_ends_and_not_before",
            "a_renewed_lease_ends_when_the_renewal_says",
            "all_slots_of_the_dead_are_free_again",
            "a_dropped_permit_is_not_renewed_and_runs_out",
        ]),
    ),
    (
        Fault::ExpiresEarly,
        Exactly(&[
            "a_dead_holders_slot_is_free_when_its_lease_ends_and_not_before",
            "a_holders_times_are_those_of_its_lease",
            "a_renewed_lease_ends_when_the_renewal_says",
            "a_stale_token_frees_nothing",
            "a_stale_token_renews_nothing",
            "changing_the_context_renews",
            "fencing_tokens_rise_with_every_grant_of_a_slot",
        ]),
    ),
    (
        Fault::OneDead,
        Exactly(&[
            "a_release_that_is_dropped_leaves_the_slot_free_or_running_out",
            "a_try_that_is_dropped_takes_no_slot_for_longer_than_a_lease",
            "all_slots_of_the_dead_are_free_again",
        ]),
    ),
    (
        Fault::RenewsNothing,
        Exactly(&[
            "a_new_context_is_seen_at_once_and_stays_through_renewals",
            "a_permit_is_kept_for_as_long_as_it_is_held",
            "a_permit_that_is_past_its_maximum_hold_time_is_lost_and_runs_out",
            "a_renewed_lease_ends_when_the_renewal_says",
            "changing_the_context_renews",
        ]),
    ),
    (Fault::ContextRenewsNothing, Exactly(&["changing_the_context_renews"])),
    (Fault::RenewsExpired, Exactly(&["a_lease_that_has_run_out_is_not_renewed_though_nobody_took_the_slot"])),
    (Fault::RenewsReleased, Exactly(&["a_released_lease_is_not_renewed"])),
    (
        Fault::RenewsForAnyone,
        Exactly(&[
            "a_dead_holders_slot_is_collected",
            "a_forged_token_does_nothing",
            "a_slot_that_is_taken_by_force_is_free_at_once_and_its_holder_hears_of_it",
            "a_stale_token_renews_nothing",
            "the_new_holder_is_untouched_whatever_a_stale_token_tried",
        ]),
    ),
    (
        Fault::SlowRelease,
        AtLeast(&[
            "a_released_slot_is_free_at_once",
            "a_free_slot_is_found_wherever_it_is",
            "releasing_twice_changes_nothing",
            "a_released_lease_is_not_renewed",
            "who_released_or_ran_out_is_not_listed",
        ]),
    ),
    (
        Fault::ReleasesForAnyone,
        Exactly(&[
            "a_dead_holders_slot_is_collected",
            "a_forged_token_does_nothing",
            "a_slot_that_is_taken_by_force_is_free_at_once_and_its_holder_hears_of_it",
            "a_stale_token_frees_nothing",
            "all_slots_of_a_key_are_taken_by_force_and_no_others",
            "releasing_twice_changes_nothing",
            "the_new_holder_is_untouched_whatever_a_stale_token_tried",
        ]),
    ),
    (
        Fault::ReleasesExpired,
        Exactly(&["releasing_a_lease_that_has_run_out_is_lost_and_leaves_the_slot_free"]),
    ),
    (
        Fault::ReleasesTwice,
        Exactly(&[
            "releasing_a_lease_that_has_run_out_is_lost_and_leaves_the_slot_free",
            "releasing_twice_changes_nothing",
        ]),
    ),
    (
        Fault::LeaksDropped,
        AtLeast(&[
            "a_dropped_permit_is_not_renewed_and_runs_out",
            "a_dead_holders_slot_is_free_when_its_lease_ends_and_not_before",
            "a_lease_that_has_run_out_is_not_renewed_though_nobody_took_the_slot",
        ]),
    ),
    (Fault::LeaksTries, Exactly(&["a_try_that_is_dropped_takes_no_slot_for_longer_than_a_lease"])),
    (Fault::LeaksReleases, Exactly(&["a_release_that_is_dropped_leaves_the_slot_free_or_running_out"])),
    (Fault::Disordered, Exactly(&["holders_are_listed_by_slot_with_what_they_wrote"])),
    (Fault::ListsExpired, Exactly(&["who_released_or_ran_out_is_not_listed"])),
    (Fault::WrongTimes, Exactly(&["a_holders_times_are_those_of_its_lease"])),
    (
        Fault::KeepsContext,
        Exactly(&[
            "a_context_that_breaks_a_rule_is_refused_and_the_permit_stays",
            "a_new_context_is_seen_at_once_and_stays_through_renewals",
        ]),
    ),
    (Fault::DropsContext, Exactly(&["a_new_context_is_seen_at_once_and_stays_through_renewals"])),
    (Fault::InheritsContext, Exactly(&["who_released_or_ran_out_is_not_listed"])),
    (
        Fault::NoForce,
        Exactly(&[
            "a_slot_that_is_taken_by_force_is_free_at_once_and_its_holder_hears_of_it",
            "all_slots_of_a_key_are_taken_by_force_and_no_others",
            "force_does_nothing_to_who_holds_nothing",
        ]),
    ),
    (
        Fault::ForceOnAll,
        Exactly(&[
            "all_slots_of_a_key_are_taken_by_force_and_no_others",
            "force_does_nothing_to_who_holds_nothing",
        ]),
    ),
    (Fault::NoLimit, Exactly(&["what_nobody_holds_is_collected_in_steps"])),
    (Fault::NoIdleTime, Exactly(&["what_is_held_or_was_used_lately_is_not_collected"])),
    (
        Fault::CollectsHeld,
        Exactly(&[
            "a_dead_holders_slot_is_collected",
            "collecting_races_with_no_try",
            "what_is_held_or_was_used_lately_is_not_collected",
        ]),
    ),
    (Fault::KeepsDead, Exactly(&["a_dead_holders_slot_is_collected"])),
    (
        Fault::NoFloor,
        Exactly(&[
            "a_dead_holders_slot_is_collected",
            "a_slot_that_is_made_again_starts_above_what_was_collected",
            "collecting_races_with_no_try",
        ]),
    ),
];
