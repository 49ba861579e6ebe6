//! The query protocol, as Amazon SNS speaks it: forms in, XML out.

use hyper::header::HeaderValue;

use super::{request_id, respond};
use crate::server::error::ServiceError;
use crate::server::http::Response;
use crate::server::sns::Form;

const NAMESPACE: &str = "http://sns.amazonaws.com/doc/2010-03-31/";
/// `Version` in "Making API requests" of the Amazon SNS Developer Guide.
const VERSION: &str = "2010-03-31";
/// The operations that answer nothing, not even an empty result.
const SILENT: [&str; 6] = [
    "AddPermission",
    "DeleteTopic",
    "RemovePermission",
    "SetSubscriptionAttributes",
    "SetTopicAttributes",
    "Unsubscribe",
];

/// The operation that a request is for ("Common Errors" in the Amazon SNS API reference).
pub(super) fn operation(form: &Form) -> Result<&str, ServiceError> {
    let Some(operation) = form.value("Action") else {
        return Err(ServiceError::sender(
            "MissingAction",
            "The request is missing an action or a required parameter.",
        ));
    };
    match form.value("Version") {
        Some(VERSION) | None => Ok(operation),
        Some(other) => {
            let message = format!(
                "{operation} of version {other} is not spoken here: SNS is, as of {VERSION}, and SQS in AWS JSON 1.0"
            );
            Err(ServiceError::sender("InvalidAction", message))
        }
    }
}

/// The name of the topic that a call is for.
pub(super) fn target(form: &Form) -> Option<&str> {
    let arn = ["TopicArn", "TargetArn"].into_iter().find_map(|name| form.value(name));
    arn.and_then(|arn| arn.rsplit(':').next()).or_else(|| form.value("Name"))
}

/// Answers with what is inside of the result.
pub(super) fn answer(operation: &str, inside: &str) -> Response {
    let result = if SILENT.contains(&operation) {
        String::new()
    } else {
        format!("<{operation}Result>{inside}</{operation}Result>")
    };
    let id = request_id();
    let body = format!(
        "<{operation}Response xmlns=\"{NAMESPACE}\">{result}\
         <ResponseMetadata><RequestId>{id}</RequestId></ResponseMetadata></{operation}Response>"
    );
    with_request_id(respond(200, "text/xml", body), &id)
}

pub(super) fn refuse(refused: &ServiceError) -> Response {
    let (id, at_fault) = (request_id(), if refused.sender { "Sender" } else { "Receiver" });
    let [code, message] = [&refused.query_code, &refused.message].map(|text| escaped(text));
    let body = format!(
        "<ErrorResponse xmlns=\"{NAMESPACE}\"><Error><Type>{at_fault}</Type><Code>{code}</Code>\
         <Message>{message}</Message></Error><RequestId>{id}</RequestId></ErrorResponse>"
    );
    with_request_id(respond(refused.status, "text/xml", body), &id)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn with_request_id(mut response: Response, id: &str) -> Response {
    if let Ok(id) = HeaderValue::try_from(id) {
        response.headers_mut().insert("x-amzn-requestid", id);
    }
    response
}
