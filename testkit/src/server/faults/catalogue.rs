//! The services' errors by name, for faults that refuse a call.

use super::Fault;
use crate::server::error::ServiceError;
use crate::server::wire::Service;

/// What throttles calls. For SQS `RequestThrottled` of the Amazon SQS API reference, for SNS `Throttled` of the Amazon SNS API
/// reference, `Publish`.
const fn throttle(service: Service) -> &'static str {
    match service {
        Service::Sqs => "RequestThrottled",
        Service::Sns => "Throttled",
    }
}

/// The refusal that a fault asks for.
pub(in crate::server) fn refusal(service: Service, fault: &Fault) -> ServiceError {
    let name = fault.error.as_deref().unwrap_or_else(|| throttle(service));
    let (status, query_code) = match service {
        Service::Sqs => (sqs_status(name), sqs_query_code(name)),
        Service::Sns => (sns_status(name), name.to_owned()),
    };
    let status = fault.status.unwrap_or(status);
    let message = fault.message.clone().unwrap_or_else(|| "the fault script refuses this call".to_owned());
    ServiceError { name: name.to_owned(), query_code, status, sender: status < 500, message }
}

/// AWS JSON answers 400 to what the sender caused, whatever it is; for the rest see "Common Errors" in the Amazon SQS API
/// reference.
fn sqs_status(name: &str) -> u16 {
    match name {
        "InternalError" | "InternalFailure" => 500,
        "ServiceUnavailable" => 503,
        "InvalidClientTokenId" | "MissingAuthenticationToken" | "OptInRequired" => 403,
        _ => 400,
    }
}

/// The code of the older query protocol, which the service still answers in a header beside the name (the errors of each
/// operation in the Amazon SQS API reference).
fn sqs_query_code(name: &str) -> String {
    match name {
        "QueueDoesNotExist" => "AWS.SimpleQueueService.NonExistentQueue".to_owned(),
        "QueueNameExists" => "QueueAlreadyExists".to_owned(),
        "BatchEntryIdsNotDistinct"
        | "BatchRequestTooLong"
        | "EmptyBatchRequest"
        | "InvalidBatchEntryId"
        | "MessageNotInflight"
        | "PurgeQueueInProgress"
        | "QueueDeletedRecently"
        | "TooManyEntriesInBatchRequest"
        | "UnsupportedOperation" => format!("AWS.SimpleQueueService.{name}"),
        "KmsOptInRequired" => "KMS.OptInRequired".to_owned(),
        "KmsThrottled" => "KMS.ThrottlingException".to_owned(),
        "KmsAccessDenied" | "KmsDisabled" | "KmsInvalidKeyUsage" | "KmsInvalidState" | "KmsNotFound" => {
            format!("KMS.{}Exception", name.trim_start_matches("Kms"))
        }
        _ => name.to_owned(),
    }
}

/// The status of each error (Amazon SNS API reference, the errors of each operation and "Common Errors").
fn sns_status(name: &str) -> u16 {
    match name {
        "InternalError" | "InternalFailure" => 500,
        "ServiceUnavailable" => 503,
        "Throttled" => 429,
        "NotFound" | "ResourceNotFound" => 404,
        "AuthorizationError"
        | "FilterPolicyLimitExceeded"
        | "InvalidClientTokenId"
        | "InvalidSecurity"
        | "KMSOptInRequired"
        | "MissingAuthenticationToken"
        | "OptInRequired"
        | "SubscriptionLimitExceeded"
        | "TopicLimitExceeded" => 403,
        _ => 400,
    }
}
