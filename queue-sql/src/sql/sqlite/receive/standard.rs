//! Receiving from a standard queue: those first that have been visible for longest.

use sqlx::Row;

use crate::micros;
use crate::sql::sqlite::operation::On;
use crate::sql::sqlite::receive::taken;
use crate::store::{QueueRecord, Received, Taken, Wanted};

/// How often a receive goes on after messages went to the dead-letter queue in place of those it wanted: enough for
/// hundreds of them.
const ROUNDS: usize = 50;

/// Takes messages: in one statement, and more only if some went to the dead-letter queue.
///
/// What one round took is answered, whatever becomes of the next.
pub(super) async fn take(
    on: &mut On<'_>,
    queue: &QueueRecord,
    wanted: &Wanted,
) -> Result<Received, sqlx::Error> {
    let mut received = round(on, queue, wanted).await?;
    let mut dead = received.dead;
    for _ in 1..ROUNDS {
        let missing = wanted.max.saturating_sub(u32::try_from(received.taken.len()).unwrap_or(u32::MAX));
        if dead == 0 || missing == 0 {
            break;
        }
        let rest = Wanted { max: missing, ..wanted.clone() };
        let Ok(more) = round(on, queue, &rest).await else { break };
        dead = more.dead;
        received.dead += more.dead;
        received.taken.extend(more.taken);
    }
    Ok(received)
}

async fn round(on: &mut On<'_>, queue: &QueueRecord, wanted: &Wanted) -> Result<Received, sqlx::Error> {
    let dead_letter = queue.settings.dead_letter;
    let query = on.statements.standard.receive.query().bind(queue.id).bind(micros::of(wanted.visibility));
    let query = query.bind(wanted.receipt.as_bytes().to_vec()).bind(micros::of(queue.settings.retention));
    let query =
        query.bind(dead_letter.map(|dead| dead.max_receive_count)).bind(dead_letter.map(|dead| dead.queue));
    let rows = query.bind(wanted.max).fetch_all(&mut *on.connection).await?;
    let mut received = Received::default();
    let mut in_order: Vec<(i64, Taken)> = Vec::with_capacity(rows.len());
    for row in &rows {
        if row.try_get::<i64, _>(8)? == queue.id {
            in_order.push((row.try_get(7)?, taken(row, wanted.receipt)?));
        } else {
            received.dead += 1;
        }
    }
    in_order.sort_by_key(|(since, taken)| (*since, taken.number));
    received.taken = in_order.into_iter().map(|(_, taken)| taken).collect();
    Ok(received)
}
