//! The test server over its wire: raw requests, and answers as the services document them.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "the helpers of tests fail as tests do"
)]

mod client;
mod clock;
mod connection;
mod control;
mod faults;
mod rules;
mod sns_attributes;
mod sns_batch;
mod sns_client;
mod sns_deliveries;
mod sns_fifo;
mod sns_filters;
mod sns_publish;
mod sns_subscriptions;
mod sns_topics;
mod sqs;
mod sqs_batch;
mod sqs_dead_letter;
mod sqs_fifo;
mod sqs_moves;
mod sqs_policies;
mod sqs_queues;
mod sqs_receive;
mod sqs_send;
mod sqs_settle;
mod wire;
