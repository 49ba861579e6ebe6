//! Traces that go on from a publisher to a handler (feature `trace-context`).
//!
//! The context travels in the message attributes `traceparent` and `tracestate`, as [W3C Trace Context] writes them.
//! [`Traced`] puts it there; a receiver reads it by itself. Both take it from and give it to `tracing` spans through the
//! layer of `tracing-opentelemetry`, which the service installs, in the same version as this crate.
//!
//! | span | level | kind | its place in the trace |
//! | --- | --- | --- | --- |
//! | `publish` | info | producer | a child of the current span; its context goes into the messages |
//! | `process` | error, so that a log of warnings names the message | consumer | a child of the message's `publish`, with a link to it; on a batch a root, with a link to each |
//! | `settle` | debug | client | a child of the message's `publish`, beside `process` |
//! | `receive` | debug | client | a root, as one call brings messages of many traces |
//!
//! Fields are those of `OpenTelemetry`'s conventions for messaging: `messaging.system`, `messaging.destination.name`,
//! `messaging.operation.name`, `messaging.operation.type`, `messaging.message.id`, `messaging.batch.message_count`.
//!
//! [W3C Trace Context]: https://www.w3.org/TR/trace-context/

mod adopt;
mod carrier;
mod traced;

pub(crate) use adopt::{adopt, fail};
pub use traced::Traced;
