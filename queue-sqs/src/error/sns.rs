//! Codes that only Amazon SNS answers with ("Amazon SNS API Reference", the errors of `PublishBatch`, `CreateTopic`,
//! `Subscribe` and `SetSubscriptionAttributes`).

use queue_core::QueueErrorKind::{Permanent, Transient};

use super::row::Row;

pub(super) const ROWS: &[Row] = &[
    Row::new(
        &["NotFound"],
        Transient,
        "the topic or subscription does not exist; create it, or mend the ARN, region or account",
    ),
    Row::new(&["InvalidParameter", "ParameterValueInvalid"], Permanent, "a parameter is not allowed"),
    Row::new(&["EndpointDisabled", "PlatformApplicationDisabled"], Permanent, "the endpoint is switched off"),
    Row::new(
        &[
            "FilterPolicyLimitExceeded",
            "ReplayLimitExceeded",
            "SubscriptionLimitExceeded",
            "TopicLimitExceeded",
        ],
        Permanent,
        "the account has as many of these as it may; remove some, or ask for a higher quota",
    ),
    Row::new(&["ConcurrentAccess"], Transient, "another change of the same topic is under way"),
    Row::new(&["StaleTag", "TagLimitExceeded", "TagPolicy"], Permanent, "the tags are not allowed"),
];
