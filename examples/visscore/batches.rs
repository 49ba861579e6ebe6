//! Batches in the making: letters that wait until their account's batch is full or old enough.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use queue_core::{Limits, Publisher};
use tokio::time::Instant;

use crate::letter::Letter;

/// How long a letter waits for others of its account.
const LINGER: Duration = Duration::from_millis(250);

/// A batch that is ready, and where it goes.
pub(crate) type Ready = (Arc<dyn Publisher>, Vec<Letter>);

/// One batch for each account.
#[derive(Debug, Default)]
pub(crate) struct Batches {
    accounts: HashMap<String, Batch>,
}

#[derive(Debug)]
struct Batch {
    to: Arc<dyn Publisher>,
    limits: Limits,
    letters: Vec<Letter>,
    bytes: usize,
    /// When it goes out if it does not get full.
    due: Instant,
}

impl Batches {
    /// Where the letters of `aid` go, if that is known.
    pub(crate) fn knows(&self, aid: &str) -> bool {
        self.accounts.contains_key(aid)
    }

    /// Sets where the letters of `aid` go.
    pub(crate) fn open(&mut self, aid: String, to: Arc<dyn Publisher>) {
        let limits = to.limits();
        let batch = Batch { to, limits, letters: Vec::new(), bytes: 0, due: Instant::now() };
        self.accounts.insert(aid, batch);
    }

    /// The limits that a letter to `aid` has to keep.
    pub(crate) fn limits(&self, aid: &str) -> Option<&Limits> {
        self.accounts.get(aid).map(|batch| &batch.limits)
    }

    /// Adds a letter to its account's batch, and takes out what is full now: before it, with it, or both.
    pub(crate) fn add(&mut self, letter: Letter) -> Vec<Ready> {
        let Some(batch) = self.accounts.get_mut(&letter.aid) else { return Vec::new() };
        let mut ready = Vec::new();
        if batch.bytes + letter.outgoing.size() > batch.limits.batch_bytes {
            ready.extend(batch.take());
        }
        batch.push(letter);
        if batch.letters.len() >= batch.limits.batch {
            ready.extend(batch.take());
        }
        ready
    }

    /// Takes out what is due at `now`.
    pub(crate) fn take_due(&mut self, now: Instant) -> Vec<Ready> {
        let due = self.accounts.values_mut().filter(|batch| batch.due <= now);
        due.filter_map(Batch::take).collect()
    }

    /// Takes out everything.
    pub(crate) fn take_all(&mut self) -> Vec<Ready> {
        self.accounts.values_mut().filter_map(Batch::take).collect()
    }
}

impl Batch {
    fn push(&mut self, letter: Letter) {
        if self.letters.is_empty() {
            self.due = Instant::now() + LINGER;
        }
        self.bytes += letter.outgoing.size();
        self.letters.push(letter);
    }

    fn take(&mut self) -> Option<Ready> {
        self.bytes = 0;
        let letters = std::mem::take(&mut self.letters);
        (!letters.is_empty()).then(|| (Arc::clone(&self.to), letters))
    }
}
