//! What handlers did, and the order that they have to keep.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::Instant;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    Started,
    Failed,
    Done,
}

#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) body: String,
    pub(crate) event: Event,
    pub(crate) at: Duration,
    pub(crate) receive_count: u32,
}

/// What handlers did, in order.
#[derive(Clone, Debug)]
pub(crate) struct Journal {
    since: Instant,
    entries: Arc<Mutex<Vec<Entry>>>,
}

impl Journal {
    pub(crate) fn new() -> Self {
        Self { since: Instant::now(), entries: Arc::default() }
    }

    pub(crate) fn note(&self, body: &str, receive_count: u32, event: Event) {
        let entry = Entry { body: body.to_owned(), event, at: self.since.elapsed(), receive_count };
        self.entries.lock().unwrap().push(entry);
    }

    pub(crate) fn all(&self, event: Event) -> Vec<Entry> {
        let entries = self.entries.lock().unwrap();
        entries.iter().filter(|entry| entry.event == event).cloned().collect()
    }

    /// The bodies of one group, each time it was started.
    pub(crate) fn starts(&self, group: &str) -> Vec<String> {
        let all = self.all(Event::Started).into_iter().map(|entry| entry.body);
        all.filter(|body| body.starts_with(group)).collect()
    }

    /// When a message was started, in seconds since the journal was begun.
    pub(crate) fn seconds(&self, body: &str) -> Vec<f64> {
        let all = self.all(Event::Started).into_iter();
        all.filter(|entry| entry.body == body).map(|entry| entry.at.as_secs_f64()).collect()
    }

    pub(crate) fn tries(&self, body: &str) -> usize {
        self.seconds(body).len()
    }

    /// W11: within a group none starts before the one in front of it was done, and none in front of it starts later.
    /// Numbers start at `first` and have no gaps.
    pub(crate) fn assert_in_order(&self, first: usize) {
        let mut next: BTreeMap<String, usize> = BTreeMap::new();
        for entry in self.entries.lock().unwrap().iter() {
            let (group, number) = entry.body.split_at(1);
            let number: usize = number.parse().unwrap();
            let expected = next.entry(group.to_owned()).or_insert(first);
            match entry.event {
                Event::Started => {
                    let again = number + 1 == *expected; // done, but its delete got lost
                    assert!(
                        number == *expected || again,
                        "{entry:?} started, {expected} was next: {self:#?}"
                    );
                }
                Event::Done => *expected = number + 1,
                Event::Failed => {}
            }
        }
    }
}
