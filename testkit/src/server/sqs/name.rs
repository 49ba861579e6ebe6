//! A queue's name, its ARN and its URL.

use super::refusal;
use crate::server::error::ServiceError;

/// The region and the account that the server stands for.
pub(in crate::server) const REGION: &str = "us-east-1";
pub(in crate::server) const ACCOUNT: &str = "000000000000";

/// A name that the service allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) text: String,
    pub(super) arn: String,
    pub(super) url: String,
}

impl Name {
    /// Checks a name (Amazon SQS API Reference, `CreateQueue`: 1 to 80 characters).
    pub(super) fn new(name: &str, fifo: bool, endpoint: &str) -> Result<Self, ServiceError> {
        let stem = if fifo { name.strip_suffix(".fifo").unwrap_or_default() } else { name };
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if stem.is_empty() || name.len() > 80 || !stem.chars().all(fits) {
            return Err(refusal::invalid(if fifo {
                "The name of a FIFO queue can only include alphanumeric characters, hyphens, or underscores, must end with .fifo suffix and be 1 to 80 in length."
            } else {
                "Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length."
            }));
        }
        Ok(Self {
            text: name.to_owned(),
            arn: format!("arn:aws:sqs:{REGION}:{ACCOUNT}:{name}"),
            url: format!("{endpoint}/{ACCOUNT}/{name}"),
        })
    }

    /// The name in a queue's URL, whatever its host.
    pub(super) fn in_url(url: &str) -> &str {
        url.rsplit('/').next().unwrap_or_default()
    }

    /// The name in an ARN of this account.
    pub(super) fn in_arn(arn: &str) -> Option<&str> {
        arn.strip_prefix("arn:aws:sqs:")?
            .strip_prefix(REGION)?
            .strip_prefix(':')?
            .strip_prefix(ACCOUNT)?
            .strip_prefix(':')
    }
}
