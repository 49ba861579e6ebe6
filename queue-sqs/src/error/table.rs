//! The rows for Amazon SQS, and those that all of the provider's services have in common ("Amazon SQS API Reference",
//! "Common Errors" and the errors of each action).

use queue_core::QueueErrorKind::{Indeterminate, Lost, Permanent, Transient};

use super::row::Row;

pub(super) const ROWS: &[Row] = &[
    // Too much at once. Rates are counted by the second, and the service seldom says when to come back.
    Row::new(
        &[
            "RequestThrottled",
            "Throttled",
            "Throttling",
            "RequestLimitExceeded",
            "SlowDown",
            "TooManyRequests",
            "KmsThrottled",
            "KmsThrottling",
        ],
        Transient,
        "too many requests",
    )
    .with_pause(1),
    Row::new(&["OverLimit"], Permanent, "the queue's policy is full").with_words("submitted policy"),
    Row::new(
        &["OverLimit"],
        Transient,
        "too many messages are in flight; settle some, or ask for a higher quota",
    ),
    // The service itself.
    Row::new(&["ServiceUnavailable"], Transient, "the service can't just now"),
    Row::new(
        &["InternalError", "InternalFailure", "InternalServerError", "InternalService", "RequestTimeout"],
        Indeterminate,
        "the service failed",
    ),
    // The surroundings: somebody has to mend them.
    Row::new(
        &["QueueDoesNotExist", "NonExistentQueue"],
        Transient,
        "the queue does not exist; create it, or mend the URL, region or account",
    ),
    Row::new(
        &["AccessDenied", "NotAuthorized", "AuthorizationError", "UnauthorizedOperation"],
        Transient,
        "the caller may not do this; grant it in the caller's or the resource's policy",
    ),
    Row::new(&["InvalidSecurity"], Transient, "the request was not signed, or not made over HTTPS"),
    Row::new(
        &["InvalidClientTokenId", "UnrecognizedClient", "InvalidAccessKeyId", "MissingAuthenticationToken"],
        Transient,
        "the service does not know these credentials; renew them",
    ),
    Row::new(
        &["ExpiredToken", "TokenRefreshRequired"],
        Transient,
        "the credentials have run out; their provider should renew them",
    ),
    Row::new(
        &["SignatureDoesNotMatch", "InvalidSignature", "IncompleteSignature"],
        Transient,
        "the signature is wrong; look at the secret key, and at proxies that change requests",
    ),
    Row::new(
        &["RequestExpired", "RequestTimeTooSkewed"],
        Transient,
        "the request was too old or too new; set the clock",
    ),
    Row::new(
        &["OptInRequired", "KmsOptInRequired"],
        Transient,
        "the account has no subscription to this service",
    ),
    Row::new(
        &["KmsAccessDenied"],
        Transient,
        "the caller may not use the queue's encryption key; grant it in the key's policy",
    ),
    Row::new(
        &["KmsDisabled", "KmsInvalidState", "KmsInvalidKeyUsage", "KmsNotFound"],
        Transient,
        "the queue's encryption key can't be used; enable it, or choose another",
    ),
    // Wait a minute ("Amazon SQS API Reference", `PurgeQueue` and `CreateQueue`).
    Row::new(&["PurgeQueueInProgress"], Transient, "the queue was purged in the last 60 seconds")
        .with_pause(60),
    Row::new(&["QueueDeletedRecently"], Transient, "a queue of this name was deleted in the last 60 seconds")
        .with_pause(60),
    // The receipt.
    Row::new(&["ReceiptHandleIsInvalid"], Permanent, "the receipt is malformed, or another queue's")
        .with_words("not a valid receipt handle"),
    Row::new(&["InvalidIdFormat"], Permanent, "the receipt is malformed, or another queue's"),
    Row::new(
        &["ReceiptHandleIsInvalid", "MessageNotInflight"],
        Lost,
        "the receipt is good no longer: its time ran out, or the message is gone",
    ),
    Row::new(
        &["InvalidParameterValue"],
        Lost,
        "the receipt is good no longer: its time ran out, or the message is gone",
    )
    .with_words("for parameter ReceiptHandle is invalid"),
    Row::new(
        &["InvalidParameterValue"],
        Permanent,
        "a message can be hidden for 12 hours in all, counted from its receipt",
    )
    .with_words("beyond the limit"),
    // The message, or the call as a whole.
    Row::new(
        &[
            "InvalidParameterValue",
            "InvalidParameterCombination",
            "InvalidQueryParameter",
            "MalformedQueryString",
            "MissingAction",
            "MissingParameter",
            "MissingRequiredParameter",
            "Serialization",
            "Validation",
            "ValidationError",
        ],
        Permanent,
        "a parameter is missing or not allowed",
    ),
    Row::new(&["InvalidMessageContents"], Permanent, "the message has characters that are not allowed"),
    Row::new(&["BatchRequestTooLong"], Permanent, "the messages of the batch have too many bytes together"),
    Row::new(
        &["TooManyEntriesInBatchRequest", "EmptyBatchRequest"],
        Permanent,
        "a batch has 1 to 10 entries",
    ),
    Row::new(
        &["BatchEntryIdsNotDistinct", "InvalidBatchEntryId"],
        Permanent,
        "the ids of the entries are not allowed",
    ),
    Row::new(
        &["InvalidAttributeName", "InvalidAttributeValue"],
        Permanent,
        "a queue attribute is not allowed",
    ),
    Row::new(&["InvalidAddress"], Permanent, "the queue's URL is none, or of another region"),
    Row::new(
        &["QueueNameExists", "QueueAlreadyExists"],
        Permanent,
        "a queue of this name exists with other attributes",
    ),
    Row::new(&["ResourceNotFound"], Permanent, "what the call names does not exist"),
    Row::new(
        &["UnsupportedOperation", "InvalidAction", "UnknownOperation"],
        Permanent,
        "the service does not do this",
    ),
];
