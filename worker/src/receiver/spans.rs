//! The spans of a receiver, with the fields of `OpenTelemetry`'s conventions for messaging.

use std::iter::{empty, once};

use queue_core::{Message, Verdict};
use tracing::field::Empty;
use tracing::{Span, debug_span, error_span};

use super::held::Held;
use super::shared::Shared;
use crate::trace_context;

impl Shared {
    /// The span of a run of the handler.
    pub(super) fn process_span(&self, batch: &[Held]) -> Span {
        let only = batch.first().filter(|_| batch.len() == 1).map(Held::message);
        // At the level of errors, so that a log of warnings still says which message it was.
        let span = error_span!(
            "process",
            otel.name = Empty,
            otel.kind = Empty,
            otel.status_code = Empty,
            otel.status_description = Empty,
            messaging.system = self.settings.system,
            messaging.destination.name = self.settings.name,
            messaging.operation.name = "process",
            messaging.operation.type = "process",
            messaging.message.id = only.map(|message| tracing::field::display(message.id())),
            messaging.batch.message_count = (batch.len() > 1).then_some(batch.len()),
            receive_count = only.map(Message::receive_count),
            error.type = Empty,
        );
        trace_context::adopt(&span, "consumer", || self.called("process"), batch.iter().map(Held::message));
        span
    }

    /// The span of settling a message by its handler's verdict.
    pub(super) fn settle_span(&self, held: &Held, verdict: &Verdict) -> Span {
        let operation = match verdict {
            Verdict::Done => "ack",
            Verdict::Retry { .. } => "retry",
            Verdict::Discard { .. } => "discard",
        };
        let span = debug_span!(
            "settle",
            otel.name = Empty,
            otel.kind = Empty,
            messaging.system = self.settings.system,
            messaging.destination.name = self.settings.name,
            messaging.operation.name = operation,
            messaging.operation.type = "settle",
            messaging.message.id = %held.message().id(),
        );
        trace_context::adopt(&span, "client", || self.called(operation), once(held.message()));
        span
    }

    /// The span of one receive.
    pub(super) fn receive_span(&self) -> Span {
        let span = debug_span!(
            "receive",
            otel.name = Empty,
            otel.kind = Empty,
            messaging.system = self.settings.system,
            messaging.destination.name = self.settings.name,
            messaging.operation.name = "receive",
            messaging.operation.type = "receive",
        );
        trace_context::adopt(&span, "client", || self.called("receive"), empty());
        span
    }

    /// A span's name in a trace.
    fn called(&self, operation: &str) -> String {
        format!("{operation} {}", self.settings.name)
    }
}

/// Notes in a span how the handler failed: by the first verdict that isn't *done*.
pub(super) fn note<'a>(span: &Span, verdicts: impl IntoIterator<Item = &'a Verdict>) {
    let (kind, reason) = match verdicts.into_iter().find(|verdict| **verdict != Verdict::Done) {
        None | Some(Verdict::Done) => return,
        Some(Verdict::Retry { reason, .. }) => ("retry", reason),
        Some(Verdict::Discard { reason }) => ("discard", reason),
    };
    span.record("error.type", kind);
    trace_context::fail(span, reason);
}
