//! Refusals: the errors of Amazon SNS, in its own words where they are known.

use super::super::error::ServiceError;

/// `InvalidParameter`; the service begins the text so.
pub(super) fn invalid(reason: impl std::fmt::Display) -> ServiceError {
    ServiceError::sender("InvalidParameter", format!("Invalid parameter: {reason}"))
}

/// What is wrong with a message attribute: `InvalidParameterValueException`, whose code is this.
pub(super) fn invalid_value(reason: impl Into<String>) -> ServiceError {
    ServiceError::sender("ParameterValueInvalid", reason)
}

/// A parameter that has to be there; `path` as the service spells it, such as `topicArn`.
pub(super) fn missing(path: &str) -> ServiceError {
    let text = "failed to satisfy constraint: Member must not be null";
    ServiceError::sender(
        "ValidationError",
        format!("1 validation error detected: Value null at '{path}' {text}"),
    )
}

pub(super) fn no_topic() -> ServiceError {
    not_found("NotFound", "Topic does not exist")
}

pub(super) fn no_subscription() -> ServiceError {
    not_found("NotFound", "Subscription does not exist")
}

/// What the operations on tags say of a missing topic.
pub(super) fn no_resource() -> ServiceError {
    not_found("ResourceNotFound", "Resource does not exist")
}

fn not_found(code: &str, message: &str) -> ServiceError {
    ServiceError { status: 404, ..ServiceError::sender(code, message) }
}
