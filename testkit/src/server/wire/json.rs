//! AWS JSON 1.0, as Amazon SQS speaks it (Amazon SQS Developer Guide, "Making requests using the AWS JSON protocol").

use hyper::header::{HeaderMap, HeaderValue};
use serde_json::{Value, json};

use super::{request_id, respond};
use crate::server::error::ServiceError;
use crate::server::http::Response;

/// The header that names the operation.
pub(super) const TARGET: &str = "x-amz-target";
const SERVICE: &str = "AmazonSQS.";
const CONTENT_TYPE: &str = "application/x-amz-json-1.0";
/// What is refused before the service looks at it has names of its own.
const FRAMEWORK: [&str; 3] =
    ["MissingAuthenticationToken", "SerializationException", "UnknownOperationException"];

/// The operation that a request is for.
pub(super) fn operation(headers: &HeaderMap) -> Result<&str, ServiceError> {
    let target = headers.get(TARGET).and_then(|target| target.to_str().ok());
    target
        .and_then(|target| target.strip_prefix(SERVICE))
        .filter(|operation| !operation.is_empty())
        .ok_or_else(|| {
            let message = format!(
                "{} is no operation of {SERVICE}",
                target.unwrap_or("A request without X-Amz-Target")
            );
            ServiceError::sender("UnknownOperationException", message)
        })
}

/// Reads a body; one that is empty stands for no parameters.
pub(super) fn read(body: &[u8]) -> Result<Value, ServiceError> {
    let malformed = |message: String| ServiceError::sender("SerializationException", message);
    if body.is_empty() {
        return Ok(json!({}));
    }
    match serde_json::from_slice(body) {
        Ok(input @ Value::Object(_)) => Ok(input),
        Ok(_) => Err(malformed("Start of structure or map found where not expected.".to_owned())),
        Err(error) => Err(malformed(error.to_string())),
    }
}

/// The name of the queue that a call is for.
pub(super) fn target(input: &Value) -> Option<&str> {
    let text = |name| input.get(name).and_then(Value::as_str);
    let last = |path: &'static str, text: &str| text.rfind(path).map_or(0, |at| at + path.len());
    text("QueueUrl")
        .map(|url| &url[last("/", url)..])
        .or_else(|| text("SourceArn").map(|arn| &arn[last(":", arn)..]))
        .or_else(|| text("QueueName"))
}

pub(super) fn answer(output: &Value) -> Response {
    with_request_id(respond(200, CONTENT_TYPE, output.to_string()))
}

/// Refuses a call. The older code comes in a header, for clients that know errors by it.
pub(super) fn refuse(refused: &ServiceError) -> Response {
    let is_framework = FRAMEWORK.contains(&refused.name.as_str());
    let namespace = if is_framework { "com.amazon.coral.service" } else { "com.amazonaws.sqs" };
    let body = json!({ "__type": format!("{namespace}#{}", refused.name), "message": refused.message });
    let mut response = with_request_id(respond(refused.status, CONTENT_TYPE, body.to_string()));
    let at_fault = if refused.sender { "Sender" } else { "Receiver" };
    if let (false, Ok(code)) =
        (is_framework, HeaderValue::try_from(format!("{};{at_fault}", refused.query_code)))
    {
        response.headers_mut().insert("x-amzn-query-error", code);
    }
    response
}

fn with_request_id(mut response: Response) -> Response {
    if let Ok(id) = HeaderValue::try_from(request_id()) {
        response.headers_mut().insert("x-amzn-requestid", id);
    }
    response
}
