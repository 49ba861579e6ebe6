//! The statements, with the names of this database's tables.

use super::text::{Series, Text};
use super::{
    ends, groups, inspect, look, outlook, publish, publish_ordered, receive, receive_ordered, record,
    redrive, repeat, settle, settle_ordered, sweep,
};

/// The text of each statement.
#[derive(Debug)]
pub(super) struct Statements {
    pub(super) find: Text,
    pub(super) create: Text,
    pub(super) update: Text,
    pub(super) publish: Series,
    pub(super) deduplicate: Series,
    pub(super) firsts: Series,
    pub(super) store: Series,
    pub(super) ready: Text,
    pub(super) take: Series,
    pub(super) give_up: Series,
    pub(super) delete: Series,
    pub(super) change: Series,
    pub(super) states: Series,
    pub(super) lock_states: Series,
    pub(super) set_visible: Series,
    pub(super) outlook: Text,
    pub(super) oldest_transaction: Text,
    pub(super) depth: Text,
    pub(super) depth_ordered: Text,
    pub(super) latest: Text,
    pub(super) stored: Text,
    pub(super) remove: Series,
    pub(super) groups_after: Text,
    pub(super) remove_of_groups: Series,
    pub(super) forget_attempts: Text,
    pub(super) groups: Groups,
    pub(super) ordered: Ordered,
    pub(super) attempts: Attempts,
    pub(super) sweep: Sweep,
    pub(super) redrive: Redrive,
}

/// About the rows of groups.
#[derive(Debug)]
pub(super) struct Groups {
    pub(super) enter: Series,
    pub(super) leave: Series,
    pub(super) transfer: Text,
    pub(super) lock: Series,
    pub(super) lock_known: Series,
    pub(super) set_ready: Series,
    pub(super) remove_empty: Series,
    pub(super) heads: Series,
}

/// About the messages of ordered queues.
#[derive(Debug)]
pub(super) struct Ordered {
    pub(super) turns: Text,
    pub(super) messages: Series,
    pub(super) take: Series,
    pub(super) delete: Series,
    pub(super) set_visible: Series,
    pub(super) moved: Series,
}

/// About attempts to receive.
#[derive(Debug)]
pub(super) struct Attempts {
    pub(super) find: Text,
    pub(super) brought: Series,
    pub(super) hide_again: Series,
    pub(super) shorten: Text,
    pub(super) forget: Text,
    pub(super) note: Text,
    pub(super) claim: Text,
}

/// About what is past its time.
#[derive(Debug)]
pub(super) struct Sweep {
    pub(super) expired: Text,
    pub(super) stale: Text,
    pub(super) remove_before: Text,
    pub(super) aged_identities: Text,
    pub(super) remove_identities: Series,
    pub(super) aged_attempts: Text,
    pub(super) remove_attempts: Series,
}

/// About moving messages to another queue.
#[derive(Debug)]
pub(super) struct Redrive {
    pub(super) visible: Text,
    pub(super) move_to: Series,
    pub(super) ready_groups: Text,
    pub(super) visible_of_group: Text,
}

impl Statements {
    pub(super) fn new(prefix: &str) -> Self {
        let (text, series) = (|sql| Text::new(sql, prefix), |sql| Series::new(sql, prefix));
        Self {
            find: text(record::FIND),
            create: text(record::CREATE),
            update: text(record::UPDATE),
            publish: series(publish::PUBLISH),
            deduplicate: series(publish_ordered::DEDUPLICATE),
            firsts: series(publish_ordered::FIRSTS),
            store: series(publish_ordered::STORE),
            ready: text(receive::READY),
            take: series(receive::TAKE),
            give_up: series(receive::GIVE_UP),
            delete: series(settle::DELETE),
            change: series(settle::CHANGE),
            states: series(settle::STATES),
            lock_states: series(settle::LOCK_STATES),
            set_visible: series(settle::SET_VISIBLE),
            outlook: text(outlook::OUTLOOK),
            oldest_transaction: text(outlook::OLDEST_TRANSACTION),
            depth: text(inspect::DEPTH),
            depth_ordered: text(inspect::DEPTH_ORDERED),
            latest: text(inspect::LATEST),
            stored: text(inspect::STORED),
            remove: series(inspect::REMOVE),
            groups_after: text(inspect::GROUPS_AFTER),
            remove_of_groups: series(inspect::REMOVE_OF_GROUPS),
            forget_attempts: text(inspect::FORGET_ATTEMPTS),
            groups: Groups::new(prefix),
            ordered: Ordered::new(prefix),
            attempts: Attempts::new(prefix),
            sweep: Sweep::new(prefix),
            redrive: Redrive::new(prefix),
        }
    }
}

impl Groups {
    fn new(prefix: &str) -> Self {
        let series = |sql| Series::new(sql, prefix);
        Self {
            enter: series(ends::ENTER),
            leave: series(ends::LEAVE),
            transfer: Text::new(ends::TRANSFER, prefix),
            lock: series(groups::LOCK),
            lock_known: series(groups::LOCK_KNOWN),
            set_ready: series(groups::SET_READY),
            remove_empty: series(groups::REMOVE_EMPTY),
            heads: series(groups::HEADS),
        }
    }
}

impl Ordered {
    fn new(prefix: &str) -> Self {
        let series = |sql| Series::new(sql, prefix);
        Self {
            turns: Text::new(receive_ordered::TURNS, prefix),
            messages: series(look::MESSAGES),
            take: series(receive_ordered::TAKE),
            delete: series(settle_ordered::DELETE),
            set_visible: series(settle_ordered::SET_VISIBLE),
            moved: series(settle_ordered::MOVED),
        }
    }
}

impl Attempts {
    fn new(prefix: &str) -> Self {
        let (text, series) = (|sql| Text::new(sql, prefix), |sql| Series::new(sql, prefix));
        Self {
            find: text(repeat::ATTEMPT),
            brought: series(repeat::BROUGHT),
            hide_again: series(repeat::HIDE_AGAIN),
            shorten: text(repeat::SHORTEN),
            forget: text(repeat::FORGET),
            note: text(repeat::NOTE),
            claim: text(repeat::CLAIM),
        }
    }
}

impl Sweep {
    fn new(prefix: &str) -> Self {
        let (text, series) = (|sql| Text::new(sql, prefix), |sql| Series::new(sql, prefix));
        Self {
            expired: text(sweep::EXPIRED),
            stale: text(sweep::STALE),
            remove_before: text(sweep::REMOVE_BEFORE),
            aged_identities: text(sweep::AGED_IDENTITIES),
            remove_identities: series(sweep::REMOVE_IDENTITIES),
            aged_attempts: text(sweep::AGED_ATTEMPTS),
            remove_attempts: series(sweep::REMOVE_ATTEMPTS),
        }
    }
}

impl Redrive {
    fn new(prefix: &str) -> Self {
        let text = |sql| Text::new(sql, prefix);
        Self {
            visible: text(redrive::VISIBLE),
            move_to: Series::new(redrive::MOVE, prefix),
            ready_groups: text(redrive::READY_GROUPS),
            visible_of_group: text(redrive::VISIBLE_OF_GROUP),
        }
    }
}
