//! The redrive policy of a queue: where messages go that were received too often.

use serde_json::Value;

use super::queue::Queue;
use super::refusal;
use crate::server::error::ServiceError;

/// The most receives that a policy may allow (Amazon SQS API Reference, `CreateQueue`).
const MOST_RECEIVES: u64 = 1_000;

/// A policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Redrive {
    pub(super) target_arn: String,
    pub(super) max_receive_count: u32,
}

impl Redrive {
    /// Reads a policy. Its number may be written as text.
    pub(super) fn read(policy: &str) -> Result<Self, ServiceError> {
        let refuse = |reason: &str| refusal::invalid_value(policy, "RedrivePolicy", reason);
        let value: Value =
            serde_json::from_str(policy).map_err(|_| refuse("Redrive policy is not a valid JSON map."))?;
        let target = value.get("deadLetterTargetArn").and_then(Value::as_str).unwrap_or_default();
        if target.is_empty() {
            return Err(refuse("Redrive policy does not contain mandatory attribute: deadLetterTargetArn."));
        }
        if !target.starts_with("arn:") {
            return Err(refuse("Invalid value for deadLetterTargetArn."));
        }
        let count = value
            .get("maxReceiveCount")
            .ok_or_else(|| refuse("Redrive policy does not contain mandatory attribute: maxReceiveCount."))?;
        let count = count.as_u64().or_else(|| count.as_str().and_then(|text| text.parse().ok()));
        let count = count.filter(|count| (1..=MOST_RECEIVES).contains(count));
        let count = count.and_then(|count| u32::try_from(count).ok());
        let max_receive_count = count
            .ok_or_else(|| refuse("Invalid value for maxReceiveCount: must be an integer from 1 to 1000."))?;
        Ok(Self { target_arn: target.to_owned(), max_receive_count })
    }

    /// Whether `target` may be the dead-letter queue of `source_arn`. `policy` is this one as it was written.
    pub(super) fn check(
        policy: &str,
        (source_arn, fifo): (&str, bool),
        target: Option<&Queue>,
    ) -> Result<(), ServiceError> {
        let refuse = |reason: &str| Err(refusal::invalid_value(policy, "RedrivePolicy", reason));
        let Some(target) = target else { return refuse("Dead letter target does not exist.") };
        if target.fifo() != fifo {
            return refuse("Dead-letter queue must be same type of queue as the source.");
        }
        if !allows(target.settings().document("RedriveAllowPolicy").as_ref(), source_arn) {
            return refuse("Queue does not have permission to access dead letter queue.");
        }
        Ok(())
    }
}

/// Whether a queue's `RedriveAllowPolicy` lets another have it as its dead-letter queue.
fn allows(policy: Option<&Value>, source_arn: &str) -> bool {
    let Some(policy) = policy else { return true };
    match policy.get("redrivePermission").and_then(Value::as_str) {
        Some("denyAll") => false,
        Some("byQueue") => {
            let sources = policy.get("sourceQueueArns").and_then(Value::as_array);
            sources.is_some_and(|sources| sources.iter().any(|source| source == source_arn))
        }
        _ => true,
    }
}
