//! The state of a message: what a receipt can do to it.

use std::time::Duration;

use sqlx::Row;
use sqlx::mysql::MySqlRow;
use uuid::Uuid;

use super::rows;
use crate::micros;
use crate::store::{Handle, Settled};

/// A change of visibility.
pub(super) type Change = (Handle, Duration);

/// What is known of a message.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) visible_us: i64,
    pub(super) receipt: Option<Uuid>,
    pub(super) received_us: Option<i64>,
}

impl State {
    /// What a receipt can do to it.
    pub(super) fn judge(&self, receipt: Uuid, now: i64) -> Settled {
        if self.receipt != Some(receipt) {
            return Settled::Superseded;
        }
        if self.visible_us <= now { Settled::Visible } else { Settled::Done }
    }

    /// Hides it for as long from now on, if the receipt can.
    pub(super) fn change(&mut self, (handle, visibility): &Change, now: i64, longest: Duration) -> Settled {
        let held = micros::duration(now - self.received_us.unwrap_or(now));
        match self.judge(handle.receipt, now) {
            Settled::Done if held.saturating_add(*visibility) > longest => Settled::TooLong(held),
            Settled::Done => {
                self.visible_us = now + micros::of(*visibility);
                Settled::Done
            }
            other => other,
        }
    }
}

/// Reads the columns `visible_us`, `receipt`, `received_us`, of which the first is at `column`.
pub(super) fn state(row: &MySqlRow, column: usize) -> Result<State, sqlx::Error> {
    Ok(State {
        visible_us: row.try_get(column)?,
        receipt: rows::id_or_none(row, column + 1)?,
        received_us: row.try_get(column + 2)?,
    })
}
