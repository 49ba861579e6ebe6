//! A record of the statements that SQLite runs, by the names of the threads that run them.

use std::collections::HashMap;
use std::fmt;
use std::sync::{LazyLock, Mutex};
use std::thread;

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// What was run, by thread. All tests of this program share it: sqlx's threads know only a global subscriber.
static RUN: LazyLock<Mutex<HashMap<String, Vec<String>>>> = LazyLock::new(Mutex::default);

struct Recorder;

/// Begins to record; any number of tests may say so.
pub(crate) fn record() {
    tracing::subscriber::set_global_default(Recorder).ok();
}

/// What was run since the last time on threads of that name: the first words of each statement.
pub(crate) fn take(threads: &str) -> Vec<String> {
    RUN.lock().unwrap().remove(threads).unwrap_or_default()
}

#[derive(Default)]
struct Summary(String);

impl Visit for Summary {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "summary" {
            value.clone_into(&mut self.0);
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if field.name() == "summary" {
            self.0 = format!("{value:?}");
        }
    }
}

impl Subscriber for Recorder {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "sqlx::query"
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut summary = Summary::default();
        event.record(&mut summary);
        let thread = thread::current().name().unwrap_or_default().to_owned();
        RUN.lock().unwrap().entry(thread).or_default().push(summary.0);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}
