//! The vocabulary and the roles of message queues, and an in-memory queue that is their executable specification.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod attribute;
mod batch_handler;
mod clock;
mod coalesced;
mod consumer;
mod context;
mod delivery;
mod envelope;
mod error;
mod gate;
mod handler;
mod inspect;
mod limits;
mod memory;
mod message;
mod metered;
#[cfg(feature = "mock")]
mod mock;
mod name_error;
mod outgoing;
mod publisher;
mod queue;
mod queue_name;
mod receipt;
mod receive_limits;
mod receive_options;
mod rejected;
mod settler;
mod topic;
mod turn;
mod unwrapped;
mod verdict;
mod worker_name;

pub use attribute::{AttributeValue, Attributes};
pub use batch_handler::BatchHandler;
pub use coalesced::Coalesced;
pub use consumer::Consumer;
pub use context::{Context, Hold};
pub use delivery::{Delivery, SettleError};
pub use error::{QueueError, QueueErrorKind};
pub use gate::{MasterGate, OpenGate, PollGate};
pub use handler::{Function, FunctionWith, Handler, Json, JsonWith, handler, json};
pub use inspect::{Depth, Inspect};
pub use limits::Limits;
pub use memory::{MemoryClock, MemoryCounts, MemoryQueue, MemoryQueueBuilder};
pub use message::{Message, MessageId};
pub use metered::{Calls, Meter, Metered, Prices};
pub use name_error::NameError;
pub use outgoing::Outgoing;
pub use publisher::{Publisher, PublisherExt};
pub use queue::Queue;
pub use queue_name::{QueueName, QueueType};
pub use receipt::Receipt;
pub use receive_limits::ReceiveLimits;
pub use receive_options::ReceiveOptions;
pub use rejected::Rejected;
pub use settler::Settler;
pub use topic::{Condition, Filter, MemoryTopic, Subscription, TopicOptions};
pub use turn::{Outcome, Turn};
pub use unwrapped::Unwrapped;
pub use verdict::{IntoVerdict, Verdict};
pub use worker_name::{WorkerClass, WorkerName};

#[cfg(feature = "mock")]
pub use mock::*;

pub use async_trait::async_trait;
pub use tokio_util::sync::CancellationToken;
