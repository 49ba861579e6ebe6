//! ARNs: the names of topics, subscriptions and queues.

use super::super::error::ServiceError;
use super::refusal::invalid;

/// Whose everything at this server is, and where.
pub(super) use super::super::sqs::{ACCOUNT, REGION};

pub(super) fn topic(name: &str) -> String {
    format!("arn:aws:sns:{REGION}:{ACCOUNT}:{name}")
}

/// Refuses what isn't the shape of an ARN.
pub(super) fn check<'a>(parameter: &str, arn: &'a str) -> Result<&'a str, ServiceError> {
    match arn.split(':').count() {
        0..6 => {
            let elements = arn.split(':').count();
            Err(invalid(format!("{parameter} Reason: An ARN must have at least 6 elements, not {elements}")))
        }
        _ => Ok(arn),
    }
}

/// Whether it is a queue's.
pub(super) fn is_queue(arn: &str) -> bool {
    let elements: Vec<_> = arn.split(':').collect();
    matches!(elements[..], ["arn", "aws", "sqs", region, account, name]
        if ![region, account, name].contains(&""))
}

/// Whether what it names is ordered.
pub(super) fn is_fifo(arn: &str) -> bool {
    arn.strip_suffix(".fifo").is_some()
}
