//! A model of the SQL protocol, explored state by state: acquire, renew, release, expiry and collection over one key.
//!
//! Statements are atomic and everything else is not: a statement may be sent early and arrive late, twice or by a token
//! that is long stale, its answer may be lost, and the clock moves in between. What is promised holds in every state;
//! and every way to break the protocol that is known to have happened somewhere breaks a promise here.

mod fault;
mod promises;
mod protocol;
mod state;

use stateright::{Checker, HasDiscoveries, Model};

use fault::Fault;
use promises::{FENCES_RISE, NEVER_TOO_MANY, NEVER_TRUSTED_IN_VAIN, STALE_TOKENS_DO_NOTHING};
use protocol::Protocol;

/// Explores every state; fails at one that breaks a promise, and if what is to happen never does.
fn holds(protocol: Protocol, at_least: usize) {
    let checker = protocol.checker().threads(2).spawn_bfs().join();
    checker.assert_properties();
    let states = checker.unique_state_count();
    assert!(states >= at_least, "only {states} states: the model has come to nothing");
}

/// Explores until the promise is broken.
fn breaks(fault: Fault, promise: &'static str) {
    for max in [1, 2] {
        let protocol = Protocol { max, fault, grants: 3, end: 6 };
        let checker = protocol
            .checker()
            .threads(2)
            .finish_when(HasDiscoveries::AnyOf([promise].into()))
            .spawn_bfs()
            .join();
        let counterexample = checker.discovery(promise);
        assert!(counterexample.is_some(), "{protocol:?} keeps the promise that {promise}");
    }
}

// S1, S2, S3, S4, S5, S6, S8, S13
#[test]
fn the_protocol_keeps_its_promises_with_one_slot() {
    holds(Protocol { max: 1, fault: Fault::None, grants: 4, end: 7 }, 10_000);
}

// S1, S2, S3, S4, S5, S6, S8, S13
#[test]
fn the_protocol_keeps_its_promises_with_two_slots() {
    holds(Protocol { max: 2, fault: Fault::None, grants: 3, end: 5 }, 10_000);
}

// S1, S5, P54, P64
#[test]
fn a_release_that_does_not_look_at_the_token_is_caught() {
    breaks(Fault::ReleaseWithoutToken, STALE_TOKENS_DO_NOTHING);
    breaks(Fault::ReleaseWithoutToken, NEVER_TOO_MANY);
}

// S5
#[test]
fn a_renewal_that_does_not_look_at_the_token_is_caught() {
    breaks(Fault::RenewWithoutToken, STALE_TOKENS_DO_NOTHING);
}

// S6, P68
#[test]
fn a_renewal_of_a_lease_that_has_run_out_is_caught() {
    breaks(Fault::RenewExpired, STALE_TOKENS_DO_NOTHING);
}

// S1, P60: what PostgreSQL does when the condition is not repeated outside the subselect
#[test]
fn a_try_that_does_not_look_again_at_what_it_chose_is_caught() {
    breaks(Fault::TakeWithoutLook, NEVER_TOO_MANY);
}

// S3, S13
#[test]
fn a_collection_that_forgets_the_floor_is_caught() {
    breaks(Fault::CollectWithoutFloor, FENCES_RISE);
}

// S3, S13: a slot that was used between the two statements of the collection
#[test]
fn a_collection_of_what_is_above_the_floor_is_caught() {
    breaks(Fault::CollectAboveFloor, FENCES_RISE);
}

// S1, S13
#[test]
fn a_collection_of_what_is_held_is_caught() {
    breaks(Fault::CollectHeld, NEVER_TOO_MANY);
}

// S3, S13
#[test]
fn a_floor_that_is_read_before_it_is_locked_is_caught() {
    breaks(Fault::FloorReadEarly, FENCES_RISE);
}

// S8
#[test]
fn trust_that_counts_from_the_answer_is_caught() {
    breaks(Fault::TrustFromAnswer, NEVER_TRUSTED_IN_VAIN);
}
