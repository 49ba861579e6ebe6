//! The first receives: when a message was handed out for the first time.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use queue_core::{Message, MessageId};

/// The times of the first receives, for as long as the messages are there.
///
/// Messages whose retention ended leave without a word, so each note looks for such: there are never many more notes
/// than messages.
#[derive(Debug, Default)]
pub(super) struct Firsts(Mutex<Notes>);

#[derive(Debug, Default)]
struct Notes {
    by_id: HashMap<MessageId, (SystemTime, SystemTime)>,
    by_age: BTreeSet<(SystemTime, MessageId)>,
}

impl Firsts {
    /// When `message` was received first: now, unless it was before.
    pub(super) fn note(&self, message: &Message, now: SystemTime, retention: Duration) -> SystemTime {
        self.with(|notes| {
            notes.forget_older(now, retention);
            let (id, sent) = (message.id(), message.sent_at().unwrap_or(now));
            if let Some(&(_, first)) = notes.by_id.get(id) {
                return first;
            }
            notes.by_id.insert(id.clone(), (sent, now));
            notes.by_age.insert((sent, id.clone()));
            now
        })
    }

    /// Whether the message was received, and was not deleted.
    pub(super) fn has(&self, id: &MessageId) -> bool {
        self.with(|notes| notes.by_id.contains_key(id))
    }

    pub(super) fn forget(&self, id: &MessageId) {
        self.with(|notes| notes.forget(id));
    }

    pub(super) fn clear(&self) {
        self.with(|notes| *notes = Notes::default());
    }

    fn with<T>(&self, act: impl FnOnce(&mut Notes) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Notes {
    fn forget(&mut self, id: &MessageId) {
        if let Some((sent, _)) = self.by_id.remove(id) {
            self.by_age.remove(&(sent, id.clone()));
        }
    }

    fn forget_older(&mut self, now: SystemTime, retention: Duration) {
        while let Some((sent, id)) = self.by_age.first()
            && *sent + retention < now
        {
            let id = id.clone();
            self.forget(&id);
        }
    }
}
