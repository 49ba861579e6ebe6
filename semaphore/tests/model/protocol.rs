//! The protocol: its statements, as the database carries them out.

use stateright::{Model, Property};

use super::fault::Fault;
use super::promises;
use super::state::{Grant, Half, Row, State};

/// How long a lease lasts.
const LEASE: u8 = 2;

/// The protocol, and how far it is explored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Protocol {
    pub(crate) max: usize,
    pub(crate) fault: Fault,
    /// How many grants there are at most.
    pub(crate) grants: usize,
    /// The last time.
    pub(crate) end: u8,
}

/// What happens next. A request was sent `sent` ticks before it is carried out; whether its answer is heard, nobody knows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Action {
    Tick,
    Try {
        sent: u8,
        heard: bool,
    },
    /// Makes the slots that are missing.
    Make,
    Renew {
        token: usize,
        sent: u8,
        heard: bool,
    },
    /// Its holder has given up trust before; and it may come late, or again.
    Release {
        token: usize,
    },
    RaiseFloor,
    Remove {
        slot: usize,
    },
    /// The second statement of a try that has two.
    Go {
        half: usize,
    },
}

impl Model for Protocol {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![State::new(self.max)]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        if state.now < self.end {
            actions.push(Action::Tick);
        }
        actions.extend([Action::Make, Action::RaiseFloor]);
        actions.extend((0..self.max).map(|slot| Action::Remove { slot }));
        actions.extend((0..state.halves.len()).map(|half| Action::Go { half }));
        for (sent, heard) in [(0, true), (1, true), (0, false)] {
            if state.grants.len() < self.grants {
                actions.push(Action::Try { sent, heard });
            }
            actions.extend((0..state.grants.len()).map(|token| Action::Renew { token, sent, heard }));
        }
        actions.extend((0..state.grants.len()).map(|token| Action::Release { token }));
    }

    fn next_state(&self, before: &State, action: Action) -> Option<State> {
        let mut state = before.clone();
        match action {
            Action::Tick => state.now += 1,
            Action::Try { sent, heard } => self.attempt(&mut state, self.trust(before, sent, heard)),
            Action::Make => self.make(&mut state),
            Action::Renew { token, sent, heard } => {
                self.renew(&mut state, token, self.trust(before, sent, heard));
            }
            Action::Release { token } => self.release(&mut state, token),
            Action::RaiseFloor => self.raise_floor(&mut state),
            Action::Remove { slot } => self.remove(&mut state, slot),
            Action::Go { half } => self.go(&mut state, half),
        }
        (state != *before).then_some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        promises::all()
    }
}

impl Protocol {
    /// Until when the holder believes what is carried out now; `0` if it never hears of it.
    fn trust(&self, state: &State, sent: u8, heard: bool) -> u8 {
        let from = if self.fault == Fault::TrustFromAnswer { state.now + sent } else { state.now - sent };
        if heard { from + LEASE } else { 0 }
    }

    /// One statement: choose a free slot, and take it.
    fn attempt(&self, state: &mut State, trusted: u8) {
        let Some(slot) = state.lowest_free() else { return };
        if self.fault != Fault::TakeWithoutLook {
            take(state, slot, trusted);
        } else if state.halves.len() < 2 {
            state.halves.push(Half::Chose(slot));
        }
    }

    fn make(&self, state: &mut State) {
        if self.fault != Fault::FloorReadEarly {
            make_above(state, state.floor);
        } else if state.halves.len() < 2 {
            state.halves.push(Half::ReadFloor(state.floor));
        }
    }

    fn go(&self, state: &mut State, half: usize) {
        match state.halves.remove(half) {
            Half::Chose(slot) if state.grants.len() < self.grants => take(state, slot, state.now + LEASE),
            Half::Chose(_) => {}
            Half::ReadFloor(floor) => make_above(state, floor),
        }
    }

    fn renew(&self, state: &mut State, token: usize, trusted: u8) {
        let (live, until, now) = (state.is_live(token), state.now + LEASE, state.now);
        let Some(row) = state.rows[state.grants[token].slot].as_mut() else { return };
        let (ours, in_time) = (row.token == Some(token), now < row.until);
        let renews = match self.fault {
            Fault::RenewWithoutToken => in_time,
            Fault::RenewExpired => ours,
            _ => ours && in_time,
        };
        if renews {
            row.until = until;
            state.stale |= !live;
            let grant = &mut state.grants[token];
            grant.until = until;
            grant.trusted = grant.trusted.max(trusted);
        }
    }

    fn release(&self, state: &mut State, token: usize) {
        state.grants[token].trusted = 0;
        let now = state.now;
        let Some(row) = state.rows[state.grants[token].slot].as_mut() else { return };
        let ours = row.token == Some(token);
        if ours || (self.fault == Fault::ReleaseWithoutToken && row.token.is_some()) {
            row.token = None;
            row.until = row.until.min(now);
            state.stale |= !ours;
            state.grants[token].until = state.grants[token].until.min(now);
        }
    }

    /// To the highest fencing number of what is free.
    fn raise_floor(&self, state: &mut State) {
        if self.fault != Fault::CollectWithoutFloor {
            let free = (0..self.max).filter(|slot| state.is_free(*slot));
            let fences = free.filter_map(|slot| state.rows[slot]).map(|row| row.fence);
            state.floor = fences.fold(state.floor, u8::max);
        }
    }

    /// Removes a slot that is free and not above the floor.
    fn remove(&self, state: &mut State, slot: usize) {
        let Some(row) = state.rows[slot] else { return };
        let below = row.fence <= state.floor
            || matches!(self.fault, Fault::CollectWithoutFloor | Fault::CollectAboveFloor);
        if self.fault == Fault::CollectHeld || (below && state.is_free(slot)) {
            state.rows[slot] = None;
        }
    }
}

/// Gives a slot to a new holder.
fn take(state: &mut State, slot: usize, trusted: u8) {
    let (until, token) = (state.now + LEASE, state.grants.len());
    if let Some(row) = state.rows[slot].as_mut() {
        *row = Row { token: Some(token), until, fence: row.fence + 1 };
        state.grants.push(Grant { slot, fence: row.fence, until, trusted });
    }
}

/// Makes the slots that are missing.
fn make_above(state: &mut State, fence: u8) {
    for row in state.rows.iter_mut().filter(|row| row.is_none()) {
        *row = Some(Row { token: None, until: 0, fence });
    }
}
