//! The spans of the receiving side, in the traces of their messages.

use opentelemetry::Context;
use opentelemetry::trace::TraceContextExt;
use queue_core::Message;
use tracing::{Span, debug};
use tracing_opentelemetry::OpenTelemetrySpanExt;

use super::carrier;

/// Names `span` by its operation and destination, links it to each message's context, and makes it a child of that of a
/// single message. Call it before the span is entered.
///
/// `OpenTelemetry`'s conventions ask for the link and allow the parent where there is one message.
pub(crate) fn adopt<'a>(
    span: &Span,
    kind: &str,
    name: impl FnOnce() -> String,
    messages: impl ExactSizeIterator<Item = &'a Message>,
) {
    if span.is_disabled() {
        return;
    }
    span.record("otel.name", name());
    span.record("otel.kind", kind);
    let is_single = messages.len() == 1;
    let contexts = messages.filter_map(|message| carrier::extract(message.attributes()));
    for context in contexts {
        span.add_link(context.clone());
        if is_single && let Err(error) = span.set_parent(Context::new().with_remote_span_context(context)) {
            debug!(%error, "a span did not take its message's context");
        }
    }
}

/// Marks `span` as failed.
pub(crate) fn fail(span: &Span, reason: &str) {
    span.record("otel.status_code", "ERROR");
    span.record("otel.status_description", reason);
}
