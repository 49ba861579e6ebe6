//! What is promised of every state, and what has to happen in some.

use std::collections::BTreeSet;

use stateright::Property;

use super::protocol::Protocol;
use super::state::State;

pub(crate) const NEVER_TOO_MANY: &str = "S1: no more unexpired grants than the maximum, one a slot";
pub(crate) const FENCES_RISE: &str = "S3, S13: the fencing tokens of a slot rise for all time";
pub(crate) const STALE_TOKENS_DO_NOTHING: &str = "S5, S6: a stale token changes nothing";
const A_FREE_SLOT_IS_FOUND: &str = "S2, S4: what nobody holds can be taken";
pub(crate) const NEVER_TRUSTED_IN_VAIN: &str = "S8: a slot that is trusted is held";

pub(crate) fn all() -> Vec<Property<Protocol>> {
    vec![
        Property::always(NEVER_TOO_MANY, never_too_many),
        Property::always(FENCES_RISE, |_, state| fences_rise(state)),
        Property::always(STALE_TOKENS_DO_NOTHING, |_, state: &State| !state.stale),
        Property::always(A_FREE_SLOT_IS_FOUND, a_free_slot_is_found),
        Property::always(NEVER_TRUSTED_IN_VAIN, |_, state| never_trusted_in_vain(state)),
        Property::sometimes("a dead holder's slot is taken", |_, state| a_dead_holders_slot_is_taken(state)),
        Property::sometimes("all are held", |protocol: &Protocol, state: &State| {
            state.live().count() == protocol.max
        }),
        Property::sometimes("a slot is made again", |_, state| a_slot_is_made_again(state)),
        Property::sometimes("a lease is renewed after another", |_, state| a_lease_is_long(state)),
    ]
}

fn never_too_many(protocol: &Protocol, state: &State) -> bool {
    let slots: BTreeSet<_> = state.live().map(|grant| grant.slot).collect();
    slots.len() == state.live().count() && slots.len() <= protocol.max
}

/// Tokens are numbered in the order in which they were given.
fn fences_rise(state: &State) -> bool {
    let rise = |slot| {
        let fences = state.grants.iter().filter(|grant| grant.slot == slot).map(|grant| grant.fence);
        fences.is_sorted_by(|earlier, later| earlier < later)
    };
    (0..state.rows.len()).all(rise)
}

/// By a try, or by one after the missing slots were made.
fn a_free_slot_is_found(protocol: &Protocol, state: &State) -> bool {
    let missing = state.rows.iter().any(Option::is_none);
    state.live().count() >= protocol.max || missing || state.lowest_free().is_some()
}

fn never_trusted_in_vain(state: &State) -> bool {
    state.grants.iter().all(|grant| state.now >= grant.trusted || state.now < grant.until)
}

/// Neither was released: a release ends the trust.
fn a_dead_holders_slot_is_taken(state: &State) -> bool {
    let pairs = state.grants.iter().enumerate();
    pairs.into_iter().any(|(token, dead)| {
        dead.trusted > 0 && state.grants[token + 1..].iter().any(|next| next.slot == dead.slot)
    })
}

/// Only a row that nobody has held yet ends at no time at all.
fn a_slot_is_made_again(state: &State) -> bool {
    state.floor > 0 && state.rows.iter().flatten().any(|row| row.until == 0)
}

fn a_lease_is_long(state: &State) -> bool {
    state.live().any(|grant| grant.until == state.now + 1 && state.now >= 5 && grant.fence == 1)
}
