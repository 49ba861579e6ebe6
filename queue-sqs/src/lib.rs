//! Queues on Amazon SQS and topics on Amazon SNS.
//!
//! The queue is an [`SqsQueue`]: standard or FIFO, found by URL or by name, made if it is missing and you ask for that.
//! It takes an SDK client that you own. The crate `aws-config` makes one from the environment, with its regions,
//! profiles and credentials; this library needs neither that crate nor its choice of TLS.
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use queue_core::{Consumer, Outgoing, PublisherExt, ReceiveOptions};
//! use queue_sqs::SqsQueue;
//! # let config = aws_sdk_sqs::Config::builder().behavior_version_latest().build();
//! // let config = aws_config::load_from_env().await;
//! let client = aws_sdk_sqs::Client::from_conf(config); // Client::new(&config) with aws-config
//! let queue = SqsQueue::builder(client).name("visscore_main_shop-1").build().await?;
//!
//! queue.publish_one(Outgoing::new("hello")).await?;
//! for delivery in queue.receive(ReceiveOptions::default()).await? {
//!     println!("{}", delivery.message().body());
//!     delivery.ack().await?;
//! }
//! # Ok(()) }
//! ```
//!
//! # What is at least once
//!
//! Everything. A standard queue may deliver a message twice and out of order, even while it is held; a call whose answer
//! was lost may have taken effect, and says so: it is *indeterminate*. Handlers have to bear a message that comes again.
//! A FIFO queue stores once what is sent twice under one deduplication id within five minutes, and gives out a group in
//! order; it delivers again, too, what is not deleted in time.
//!
//! # Fair queues
//!
//! A group key on a standard queue orders nothing: it names the tenant. Amazon SQS then holds back the tenants that crowd
//! the queue, so that the others' messages don't wait behind theirs ("Amazon SQS fair queues" in the Developer Guide).
//!
//! # Topics and large bodies
//!
//! With the feature `sns`, `SnsTopic` publishes to a topic of Amazon SNS. It subscribes queues, raw or enveloped, by
//! filter, and lets the topic send to them. With the feature `claim-check`, `ClaimCheck` keeps bodies that are too large for a message in an object store and sends where they are,
//! in front of any queue of the family.
//!
//! # What costs what
//!
//! Amazon SQS bills calls, each 64 KiB of one as one, empty receives too. One call of a trait is one call of the
//! service, whether it brings one message or ten: publish, receive and settle ten at a time. [`queue_core::Coalesced`]
//! does so for single calls: `Coalesced::new(queue)` consumes ten messages in two calls instead of eleven. A receive that
//! waits 20 s costs as much as one that doesn't wait. [`queue_core::Metered`] counts, and knows the prices.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod batch;
mod builder;
mod calls;
#[cfg(feature = "claim-check")]
mod claim_check;
mod convert;
mod create;
mod error;
mod inspect;
mod publish;
mod queue;
mod receive;
mod record;
mod redrive;
mod settings;
mod settler;
#[cfg(feature = "sns")]
mod topic;

#[cfg(feature = "sns")]
pub use aws_sdk_sns;
pub use aws_sdk_sqs;
pub use builder::SqsQueueBuilder;
#[cfg(feature = "claim-check")]
pub use claim_check::ClaimCheck;
#[cfg(feature = "claim-check")]
pub use object_store;
pub use queue::SqsQueue;
pub use redrive::{MoveProgress, MoveState, MoveTask, RedriveOptions};
pub use settings::SqsQueueSettings;
#[cfg(feature = "sns")]
pub use topic::{SnsSubscription, SnsTopic, SnsTopicBuilder, SnsTopicSettings};
