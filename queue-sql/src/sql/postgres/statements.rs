//! The statements, with the names of this database's tables.

use std::sync::Arc;

use super::{groups, inspect, outlook, publish, receive, record, redrive, repeat, settle, sweep, take};
use crate::sql::schema::with_prefix;

/// The text of each statement, written once so that connections know it again.
#[derive(Debug)]
pub(super) struct Statements {
    pub(super) find: Arc<str>,
    pub(super) create: Arc<str>,
    pub(super) update: Arc<str>,
    pub(super) publish: Arc<str>,
    pub(super) publish_ordered: Arc<str>,
    pub(super) receive: Arc<str>,
    pub(super) delete: Arc<str>,
    pub(super) change: Arc<str>,
    pub(super) state: Arc<str>,
    pub(super) outlook: Arc<str>,
    pub(super) oldest_transaction: Arc<str>,
    pub(super) depth: Arc<str>,
    pub(super) depth_ordered: Arc<str>,
    pub(super) purge: Arc<str>,
    pub(super) sweep: Arc<str>,
    pub(super) sweep_deduplication: Arc<str>,
    pub(super) sweep_attempts: Arc<str>,
    pub(super) redrive: Arc<str>,
    pub(super) groups: GroupStatements,
}

/// Those of ordered queues that begin with a lock on groups.
#[derive(Debug)]
pub(super) struct GroupStatements {
    pub(super) take: Arc<str>,
    pub(super) lock: Arc<str>,
    pub(super) lock_all: Arc<str>,
    pub(super) settle: Arc<str>,
    pub(super) exhausted: Arc<str>,
    pub(super) enter: Arc<str>,
    pub(super) transfer: Arc<str>,
    pub(super) delete: Arc<str>,
    pub(super) change: Arc<str>,
    pub(super) state: Arc<str>,
    pub(super) lock_attempt: Arc<str>,
    pub(super) attempt: Arc<str>,
    pub(super) end_attempt: Arc<str>,
    pub(super) is_whole: Arc<str>,
    pub(super) repeat: Arc<str>,
    pub(super) note_repeat: Arc<str>,
    pub(super) purge: Arc<str>,
    pub(super) purge_groups: Arc<str>,
    pub(super) stale: Arc<str>,
    pub(super) sweep: Arc<str>,
    pub(super) unready: Arc<str>,
    pub(super) sweep_groups: Arc<str>,
    pub(super) visible: Arc<str>,
}

impl Statements {
    pub(super) fn new(prefix: &str) -> Self {
        let text = |sql: &str| Arc::from(with_prefix(sql, prefix));
        Self {
            find: text(record::FIND),
            create: text(record::CREATE),
            update: text(record::UPDATE),
            publish: text(publish::PUBLISH),
            publish_ordered: text(publish::PUBLISH_ORDERED),
            receive: text(receive::RECEIVE),
            delete: text(settle::DELETE),
            change: text(settle::CHANGE),
            state: text(settle::STATE),
            outlook: text(outlook::OUTLOOK),
            oldest_transaction: text(outlook::OLDEST_TRANSACTION),
            depth: text(inspect::DEPTH),
            depth_ordered: text(inspect::DEPTH_ORDERED),
            purge: text(inspect::PURGE),
            sweep: text(sweep::SWEEP),
            sweep_deduplication: text(sweep::SWEEP_DEDUPLICATION),
            sweep_attempts: text(sweep::SWEEP_ATTEMPTS),
            redrive: text(redrive::REDRIVE),
            groups: GroupStatements::new(prefix),
        }
    }
}

impl GroupStatements {
    fn new(prefix: &str) -> Self {
        let text = |sql: &str| Arc::from(with_prefix(sql, prefix));
        Self {
            take: text(take::TAKE),
            lock: text(groups::LOCK),
            lock_all: text(groups::LOCK_ALL),
            settle: text(groups::SETTLE),
            exhausted: text(groups::EXHAUSTED),
            enter: text(groups::ENTER),
            transfer: text(groups::TRANSFER),
            delete: text(settle::DELETE_ORDERED),
            change: text(settle::CHANGE_ORDERED),
            state: text(settle::STATE_ORDERED),
            lock_attempt: text(repeat::LOCK_ATTEMPT),
            attempt: text(repeat::ATTEMPT),
            end_attempt: text(repeat::END_ATTEMPT),
            is_whole: text(repeat::IS_WHOLE),
            repeat: text(repeat::REPEAT),
            note_repeat: text(repeat::NOTE_REPEAT),
            purge: text(inspect::PURGE_ORDERED),
            purge_groups: text(inspect::PURGE_GROUPS),
            stale: text(sweep::STALE),
            sweep: text(sweep::SWEEP_ORDERED),
            unready: text(sweep::UNREADY),
            sweep_groups: text(sweep::SWEEP_GROUPS),
            visible: text(redrive::VISIBLE),
        }
    }
}
