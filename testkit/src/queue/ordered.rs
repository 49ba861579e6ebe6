//! Ordered queues: groups whose messages come in order, and what is sent twice stored once.

mod attempts;
mod blocking;
mod by_content;
mod dead_letter;
mod deduplication;
mod moves;
mod racing;
mod receipts;
mod refusals;
mod sequence;

use super::QueueClause;

/// The clauses of ordered queues. Each asks for an ordered queue by its set-up.
pub(super) fn clauses() -> Vec<QueueClause> {
    let themes = [
        sequence::clauses(),
        blocking::clauses(),
        receipts::clauses(),
        dead_letter::clauses(),
        refusals::clauses(),
        deduplication::clauses(),
        by_content::clauses(),
        attempts::clauses(),
        racing::clauses(),
    ];
    themes.into_iter().flatten().map(QueueClause::needs_setup).collect()
}
