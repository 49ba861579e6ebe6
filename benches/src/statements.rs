//! The statements that a SQLite client runs, counted by what the driver logs of each.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tracing::field::{Field, Visit};
use tracing::{Event, Level, Metadata, Subscriber, span};

/// What the driver's log calls itself.
const TARGET: &str = "sqlx::query";

/// Counts statements, but for those that only begin, end or part a transaction.
#[derive(Clone, Debug, Default)]
pub struct Statements(Arc<AtomicU64>);

impl Statements {
    /// How many there were so far.
    pub fn count(&self) -> u64 {
        self.0.load(Ordering::Acquire)
    }

    /// Counts those of the whole process from now on.
    ///
    /// # Panics
    /// If somebody listens to the log already.
    #[expect(clippy::expect_used, reason = "a measurement that can't start has nothing to say")]
    pub fn listen() -> Self {
        let statements = Self::default();
        tracing::subscriber::set_global_default(statements.clone()).expect("nobody else listens to the log");
        statements
    }
}

impl Subscriber for Statements {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == TARGET && *metadata.level() <= Level::DEBUG
    }

    fn new_span(&self, _span: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _span: &span::Id, _values: &span::Record<'_>) {}

    fn record_follows_from(&self, _span: &span::Id, _follows: &span::Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut text = Text::default();
        event.record(&mut text);
        let bracket = ["BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE"];
        if !bracket.iter().any(|word| text.0.trim_start().to_ascii_uppercase().starts_with(word)) {
            self.0.fetch_add(1, Ordering::AcqRel);
        }
    }

    fn enter(&self, _span: &span::Id) {}

    fn exit(&self, _span: &span::Id) {}
}

/// The beginning of a statement, as the log has it.
#[derive(Default)]
struct Text(String);

impl Visit for Text {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "summary" {
            value.clone_into(&mut self.0);
        }
    }

    fn record_debug(&mut self, _field: &Field, _value: &dyn fmt::Debug) {}
}
