//! Input: what a call says, taken out of its JSON.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::refusal;
use crate::server::error::ServiceError;

/// Reads the input of one operation.
pub(super) fn read<T: DeserializeOwned>(input: Value) -> Result<T, ServiceError> {
    serde_json::from_value(input).map_err(|error| {
        ServiceError::sender("SerializationException", format!("The request has another form: {error}"))
    })
}

/// A parameter that has to be there and not to be empty.
pub(super) fn required(value: Option<String>, name: &str) -> Result<String, ServiceError> {
    value.filter(|text| !text.is_empty()).ok_or_else(|| refusal::missing(name))
}
