//! The trace context in a message's attributes: how it is written, and how it is read.

use opentelemetry::Context;
use opentelemetry::propagation::{Extractor, Injector, TextMapPropagator};
use opentelemetry::trace::{SpanContext, TraceContextExt};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use queue_core::{Attributes, Limits, Outgoing};

pub(super) const TRACEPARENT: &str = "traceparent";

/// Adds the attributes of `context` to a message, as far as there is room for them under `limits` and in `room` bytes.
/// A message that has a context of its own keeps it, and none is ever made one that would be refused.
pub(super) fn inject(context: &Context, message: Outgoing, limits: &Limits, room: &mut usize) -> Outgoing {
    if message.attributes().get(TRACEPARENT).is_some() || limits.check(&message).is_err() {
        return message;
    }
    let mut entries = Entries::default();
    TraceContextPropagator::new().inject_context(context, &mut entries);
    let mut fitted = message;
    for (name, value) in entries.0 {
        let more = fitted.clone().with_attribute(name, value);
        let size = more.size() - fitted.size();
        if size > *room || limits.check(&more).is_err() {
            break; // a state without its parent means nothing
        }
        *room -= size;
        fitted = more;
    }
    fitted
}

/// The context in a message's attributes; `None` if there is none, or one that is malformed.
pub(super) fn extract(attributes: &Attributes) -> Option<SpanContext> {
    attributes.text(TRACEPARENT).filter(|text| is_well_formed(text))?;
    let context = TraceContextPropagator::new().extract_with_context(&Context::new(), &Reader(attributes));
    let context = context.span().span_context().clone();
    context.is_valid().then_some(context)
}

/// The shape of a `traceparent`: `vv-<32 digits>-<16 digits>-ff`; later versions than 00 may go on behind a hyphen. The
/// propagator takes shorter parts and signs, too.
fn is_well_formed(text: &str) -> bool {
    let digits = |part: &str, count: usize| {
        part.len() == count && part.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    };
    let parts: Vec<&str> = text.splitn(5, '-').collect();
    match parts[..] {
        [version, trace, span, flags, ref rest @ ..] => {
            digits(version, 2)
                && digits(trace, 32)
                && digits(span, 16)
                && digits(flags, 2)
                && (rest.is_empty() || version != "00")
        }
        _ => false,
    }
}

/// What the propagator writes, in its order: the parent first.
#[derive(Default)]
struct Entries(Vec<(String, String)>);

impl Injector for Entries {
    fn set(&mut self, name: &str, value: String) {
        if !value.is_empty() {
            self.0.push((name.to_owned(), value));
        }
    }
}

struct Reader<'a>(&'a Attributes);

impl Extractor for Reader<'_> {
    fn get(&self, name: &str) -> Option<&str> {
        self.0.text(name)
    }

    fn keys(&self) -> Vec<&str> {
        self.0.iter().map(|(name, _)| name).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    fn read(parent: &str) -> Option<SpanContext> {
        extract(&[(TRACEPARENT, parent)].into_iter().collect())
    }

    fn write(message: Outgoing, limits: &Limits, mut room: usize) -> Outgoing {
        let context = Context::new().with_remote_span_context(read(PARENT).unwrap());
        inject(&context, message, limits, &mut room)
    }

    #[test]
    fn a_context_comes_out_as_it_went_in() {
        let message = write(Outgoing::new("x"), &Limits::default(), 1_000);
        assert_eq!(message.attributes().text(TRACEPARENT), Some(PARENT));
        assert_eq!(message.attributes().len(), 1, "an empty state is left out");
    }

    // Q11
    #[test]
    fn without_room_the_message_stays_as_it_is() {
        let message = Outgoing::new("x");
        let size = TRACEPARENT.len() + "String".len() + PARENT.len();
        for limits in [Limits::default().with_attributes(0), Limits::default().with_message_bytes(size)] {
            assert_eq!(write(message.clone(), &limits, 1_000), message);
        }
        assert_eq!(write(message.clone(), &Limits::default(), size - 1), message);
        assert_ne!(write(message.clone(), &Limits::default().with_message_bytes(size + 1), size), message);
    }

    #[test]
    fn a_malformed_context_is_none() {
        assert!(read(PARENT).is_some());
        for (from, to) in
            [("00-4", "ff-4"), ("-01", "-01-x"), ("-01", ""), ("4bf9", ""), ("4bf", "4BF"), ("-0", "-+")]
        {
            assert!(read(&PARENT.replacen(from, to, 1)).is_none(), "{from:?} as {to:?}");
        }
        assert!(read(&format!("00-{}-{}-01", "0".repeat(32), "0".repeat(16))).is_none());
        assert!(read("1-581cf771-a006649127e371903a2de979").is_none(), "a foreign format");
        assert!(read(&PARENT.replacen("00", "cc", 1).replace("-01", "-01-later")).is_some());
    }
}
