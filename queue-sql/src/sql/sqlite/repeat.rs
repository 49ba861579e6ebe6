//! Repeating a receive whose answer was lost (Q8).

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use sqlx::Row;
use uuid::Uuid;

use super::groups::{Turns, tally};
use super::json;
use super::operation::On;
use super::receive::{Hidden, hide, uuid};
use crate::micros;
use crate::store::{QueueRecord, Received, Wanted};

/// What an attempt brought: the numbers, and their receipt.
struct Attempt {
    numbers: Vec<i64>,
    receipt: Uuid,
}

/// Delivers again what an attempt of that id brought, if all of it is untouched: the same messages in the same order, under
/// the same receipts and receive counts, hidden anew. Of a receive that asks for fewer, the rest is visible again.
pub(super) async fn repeat(
    on: &mut On<'_>,
    queue: &QueueRecord,
    wanted: &Wanted,
) -> Result<Option<Received>, sqlx::Error> {
    let Some(id) = &wanted.attempt else { return Ok(None) };
    let Some(mut attempt) = find(on, queue, id).await? else { return Ok(None) };
    let most = usize::try_from(wanted.max).unwrap_or(usize::MAX).min(attempt.numbers.len());
    let rest = attempt.numbers.split_off(most);
    let retake = &on.statements.ordered.retake;
    let at_once = Wanted { visibility: Duration::ZERO, ..wanted.clone() };
    let shown = hide(on, retake, &rest, &at_once).await?;
    let again = Wanted { receipt: attempt.receipt, ..wanted.clone() };
    let hidden = hide(on, retake, &attempt.numbers, &again).await?;
    let groups: BTreeSet<&str> =
        hidden.taken.iter().chain(&shown.taken).filter_map(|taken| taken.group.as_deref()).collect();
    tally(on, queue.id, groups, Turns::Yield).await?;
    shorten(on, queue, (id, &hidden)).await?;
    Ok(Some(Received { taken: hidden.taken, dead: 0 }))
}

async fn find(on: &mut On<'_>, queue: &QueueRecord, id: &Arc<str>) -> Result<Option<Attempt>, sqlx::Error> {
    let query = on.statements.ordered.attempt.query().bind(queue.id).bind(&**id);
    let rows = query.bind(micros::of(queue.settings.retention)).fetch_all(&mut *on.connection).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    let numbers =
        serde_json::from_str(row.try_get(0)?).map_err(|error| sqlx::Error::Decode(Box::new(error)))?;
    Ok(Some(Attempt { numbers, receipt: uuid(row, 1)? }))
}

/// Notes until when its messages are hidden now; it is forgotten if they are not.
async fn shorten(
    on: &mut On<'_>,
    queue: &QueueRecord,
    (id, hidden): (&Arc<str>, &Hidden),
) -> Result<(), sqlx::Error> {
    let numbers = json::numbers(hidden.taken.iter().map(|taken| &taken.number));
    let query = on.statements.ordered.shorten.query().bind(queue.id).bind(&**id);
    query.bind(numbers).bind(hidden.until_us).execute(&mut *on.connection).await?;
    Ok(())
}

/// Notes what a receive brought under an attempt id. With no time to repeat it there is nothing to note.
pub(super) async fn note(
    on: &mut On<'_>,
    queue: &QueueRecord,
    wanted: &Wanted,
    hidden: &Hidden,
) -> Result<(), sqlx::Error> {
    let Some(id) = &wanted.attempt else { return Ok(()) };
    if hidden.taken.is_empty() || wanted.visibility.is_zero() {
        return Ok(());
    }
    let numbers = json::numbers(hidden.taken.iter().map(|taken| &taken.number));
    let query = on.statements.ordered.note.query().bind(queue.id).bind(&**id).bind(numbers);
    let query = query.bind(wanted.receipt.as_bytes().to_vec()).bind(hidden.until_us);
    query.execute(&mut *on.connection).await?;
    Ok(())
}
