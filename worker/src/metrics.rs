//! What a receiver and a meter tell the `metrics` facade (feature `metrics`).
//!
//! Install a recorder (an exporter for Prometheus, say) *before* a receiver is started: its handles are made then, once,
//! so that counting costs an atomic add. A recorder that comes later sees nothing of it. An exporter that drops idle
//! metrics (`idle_timeout`) loses such handles too; leave that off.
//!
//! Names are `OpenTelemetry`'s where its messaging conventions have one (`messaging.…`). Exporters write them in their
//! own way: Prometheus has `messaging_client_consumed_messages_total` and `messaging_process_duration_seconds` with its
//! recommended naming. Every metric has the label `queue`, which is
//! [`ReceiverBuilder::name`](crate::ReceiverBuilder::name); those of a poller have `poller` as well.
//!
//! | name | kind | more labels | counts |
//! | --- | --- | --- | --- |
//! | `messaging.client.consumed.messages` | counter | | deliveries received |
//! | `messaging.process.duration` | histogram, s | | runs of the handler, aborted ones included; a batch is one run |
//! | `worker.messages.settled` | counter | `outcome` | what became of messages: `handled`, `retried`, `moved`, `discarded`, `lost`, `released`, `orphaned`, as in [`Account`](crate::Account) |
//! | `worker.messages.panicked` | counter | | messages whose handler panicked |
//! | `worker.messages.overran` | counter | | messages whose handler ran past its deadline |
//! | `worker.messages.age` | histogram, s | | from sent to received; where the backend says when a message was sent |
//! | `worker.messages.in_flight` | gauge | | messages in a handler or waiting for one |
//! | `worker.messages.buffered` | gauge | | messages waiting for a free slot; a part of those in flight |
//! | `worker.renewals` | counter | | renewal calls |
//! | `worker.renewals.lost` | counter | | messages whose renewal came too late, or found them lost (W5) |
//! | `worker.poller.receives.failed` | counter | `poller` | receives that failed |
//! | `worker.poller.consecutive_errors` | gauge | `poller` | failed receives since the last success |
//! | `worker.poller.last_success.timestamp` | gauge, s | `poller` | when a receive last succeeded, in seconds since 1970; 0 before the first |
//! | `messaging.client.sent.messages` | counter | | messages published † |
//! | `queue.calls` | counter | `operation` | calls: `publish`, `receive`, `delete`, `change_visibility`, `inspect` † |
//! | `queue.calls.failed` | counter | `operation` | those of them that failed † |
//! | `queue.receives.empty` | counter | | receives that brought nothing † |
//! | `queue.deliveries.abandoned` | counter | | deliveries dropped unsettled (Q12) † |
//! | `queue.requests.billed` | counter | | requests as a queue service bills them † |
//!
//! † of a [`Meter`](queue_core::Meter) behind a [`MeterExport`].

mod instruments;
mod levels;
mod meter_export;
mod names;
mod poller;
mod tally;
mod timing;

pub(crate) use instruments::Instruments;
pub use meter_export::MeterExport;
pub(crate) use poller::PollerInstruments;
pub(crate) use tally::Tally;
