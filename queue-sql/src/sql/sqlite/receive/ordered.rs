//! Receiving from an ordered queue: from the groups whose turn it is, each in order (Q8).

use sqlx::Row;

use crate::micros;
use crate::sql::sqlite::groups::{Pick, Turns, move_to, tally};
use crate::sql::sqlite::operation::On;
use crate::sql::sqlite::repeat::{note, repeat};
use crate::sql::sqlite::statements::Text;
use crate::sql::sqlite::{json, receive::taken};
use crate::store::{QueueRecord, Received, Taken, Wanted};

/// Takes messages, or repeats an attempt.
pub(super) async fn take(
    on: &mut On<'_>,
    queue: &QueueRecord,
    wanted: &Wanted,
) -> Result<Received, sqlx::Error> {
    if let Some(repeated) = repeat(on, queue, wanted).await? {
        return Ok(repeated);
    }
    let dead_letter = queue.settings.dead_letter;
    let max_receive_count = dead_letter.map(|dead| dead.max_receive_count);
    let most = usize::try_from(wanted.max).unwrap_or(usize::MAX);
    let picked = Pick { max_receive_count, ..Pick::of(queue, most) }.run(on).await?;
    if picked.groups.is_empty() {
        return Ok(Received::default());
    }
    let hidden = hide(on, &on.statements.ordered.take, &picked.numbers, wanted).await?;
    if let Some(dead_letter) = dead_letter
        && !picked.dead.is_empty()
    {
        move_to(on, dead_letter.queue, &picked.dead).await?;
    }
    tally(on, queue.id, picked.groups.iter().map(String::as_str), Turns::Yield).await?;
    note(on, queue, wanted, &hidden).await?;
    Ok(Received { taken: hidden.taken, dead: picked.dead.len() as u64 })
}

/// Messages that were hidden, and until when.
#[derive(Debug, Default)]
pub(in crate::sql::sqlite) struct Hidden {
    pub(in crate::sql::sqlite) taken: Vec<Taken>,
    pub(in crate::sql::sqlite) until_us: i64,
}

/// Hides messages for as long as is wanted, and reads them in the order of their numbers in the list.
pub(in crate::sql::sqlite) async fn hide(
    on: &mut On<'_>,
    text: &Text,
    numbers: &[i64],
    wanted: &Wanted,
) -> Result<Hidden, sqlx::Error> {
    if numbers.is_empty() {
        return Ok(Hidden::default());
    }
    let query = text.query().bind(json::numbers(numbers)).bind(micros::of(wanted.visibility));
    let rows = query.bind(wanted.receipt.as_bytes().to_vec()).fetch_all(&mut *on.connection).await?;
    let until_us = rows.first().map_or(Ok(0), |row| row.try_get(7))?;
    let mut taken = rows.iter().map(|row| taken(row, wanted.receipt)).collect::<Result<Vec<_>, _>>()?;
    taken.sort_by_key(|taken| numbers.iter().position(|&number| number == taken.number));
    Ok(Hidden { taken, until_us })
}
