//! The refusals of Amazon SQS, with the names and texts that it answers.

use crate::server::error::ServiceError;

/// The prefix of error codes that only the older query protocol has.
const PREFIX: &str = "AWS.SimpleQueueService.";

/// One whose code in the query protocol is its name behind a prefix.
fn prefixed(name: &str, message: impl Into<String>) -> ServiceError {
    ServiceError::sender(name, message).with_query_code(format!("{PREFIX}{name}"))
}

/// The code of an entry that failed in a batch: the older one, without its prefix.
pub(super) fn entry_code(error: &ServiceError) -> &str {
    error.query_code.strip_prefix(PREFIX).unwrap_or(&error.query_code)
}

pub(super) fn no_queue() -> ServiceError {
    ServiceError::sender("QueueDoesNotExist", "The specified queue does not exist.")
        .with_query_code(format!("{PREFIX}NonExistentQueue"))
}

pub(super) fn missing(parameter: &str) -> ServiceError {
    let message = format!("The request must contain the parameter {parameter}.");
    ServiceError::sender("MissingRequiredParameterException", message).with_query_code("MissingParameter")
}

pub(super) fn invalid(message: impl Into<String>) -> ServiceError {
    ServiceError::sender("InvalidParameterValueException", message).with_query_code("InvalidParameterValue")
}

pub(super) fn invalid_value(value: impl std::fmt::Display, parameter: &str, reason: &str) -> ServiceError {
    invalid(format!("Value {value} for parameter {parameter} is invalid. Reason: {reason}"))
}

pub(super) fn not_for_this_type(value: impl std::fmt::Display, parameter: &str) -> ServiceError {
    invalid_value(value, parameter, "The request include parameter that is not valid for this queue type.")
}

pub(super) fn contents() -> ServiceError {
    ServiceError::sender(
        "InvalidMessageContents",
        "Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | [#x20 to #xD7FF] | [#xE000 to #xFFFD] | [#x10000 to #x10FFFF]",
    )
}

pub(super) fn unknown_attribute(name: &str) -> ServiceError {
    ServiceError::sender("InvalidAttributeName", format!("Unknown Attribute {name}."))
}

pub(super) fn attribute_value(name: &str, reason: &str) -> ServiceError {
    let reason = if reason.is_empty() { String::new() } else { format!(" Reason: {reason}") };
    let message = format!("Invalid value for the parameter {name}.{reason}");
    ServiceError::sender("InvalidAttributeValue", message)
}

pub(super) fn queue_exists(attribute: &str) -> ServiceError {
    let message =
        format!("A queue already exists with the same name and a different value for attribute {attribute}");
    ServiceError::sender("QueueNameExists", message).with_query_code("QueueAlreadyExists")
}

pub(super) fn deleted_recently() -> ServiceError {
    prefixed(
        "QueueDeletedRecently",
        "You must wait 60 seconds after deleting a queue before you can create another with the same name.",
    )
}

pub(super) fn purge_in_progress(name: &str) -> ServiceError {
    let message = format!("Only one PurgeQueue operation on {name} is allowed every 60 seconds.");
    prefixed("PurgeQueueInProgress", message)
}

pub(super) fn too_many_entries(sent: usize) -> ServiceError {
    let message = format!("Maximum number of entries per request are 10. You have sent {sent}.");
    prefixed("TooManyEntriesInBatchRequest", message)
}

pub(super) fn empty_batch(entry: &str) -> ServiceError {
    prefixed("EmptyBatchRequest", format!("There should be at least one {entry} in the request."))
}

pub(super) fn batch_ids(repeated: &str) -> ServiceError {
    prefixed("BatchEntryIdsNotDistinct", format!("Id {repeated} repeated."))
}

pub(super) fn batch_id() -> ServiceError {
    prefixed(
        "InvalidBatchEntryId",
        "A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.",
    )
}

pub(super) fn batch_size(most: usize, sent: usize) -> ServiceError {
    let message = format!("Batch requests cannot be longer than {most} bytes. You have sent {sent} bytes.");
    prefixed("BatchRequestTooLong", message)
}

pub(super) fn handle(handle: &str) -> ServiceError {
    let message = format!("The input receipt handle \"{handle}\" is not a valid receipt handle.");
    ServiceError::sender("ReceiptHandleIsInvalid", message)
}

pub(super) fn expired_handle(handle: &str) -> ServiceError {
    invalid_value(handle, "ReceiptHandle", "The receipt handle has expired.")
}

pub(super) fn gone(handle: &str) -> ServiceError {
    let reason = "Message does not exist or is not available for visibility timeout change.";
    invalid_value(handle, "ReceiptHandle", reason)
}

pub(super) fn not_in_flight() -> ServiceError {
    prefixed("MessageNotInflight", "The message referred to isn't in flight.")
}

pub(super) fn over_limit() -> ServiceError {
    ServiceError::sender(
        "OverLimit",
        "Too many messages in flight. The maximum number of in flight messages is reached.",
    )
}

pub(super) fn policy_over_limit(message: impl Into<String>) -> ServiceError {
    ServiceError::sender("OverLimit", message)
}

pub(super) fn no_resource(message: impl Into<String>) -> ServiceError {
    let mut error = ServiceError::sender("ResourceNotFoundException", message);
    error.status = 404;
    error
}

pub(super) fn unsupported(operation: &str) -> ServiceError {
    prefixed("UnsupportedOperation", format!("The test server has no {operation}."))
}

pub(super) fn unknown_operation(operation: &str) -> ServiceError {
    ServiceError::sender(
        "UnknownOperationException",
        format!("The operation {operation} is not one of the service."),
    )
}
