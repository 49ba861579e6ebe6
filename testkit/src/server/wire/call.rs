//! A call of a service, as it came over the wire.

use hyper::header;
use hyper::http::request::Parts;
use serde_json::Value;

use super::{json, query};
use crate::server::error::ServiceError;
use crate::server::faults::Called;
use crate::server::sns::{Form, Sns};
use crate::server::sqs::Sqs;

/// A service, and with it the protocol that its clients speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::server) enum Service {
    /// Amazon SQS, in AWS JSON 1.0.
    Sqs,
    /// Amazon SNS, in the query protocol.
    Sns,
}

/// A call.
pub(super) struct Call {
    pub(super) operation: String,
    pub(super) input: Input,
    target: Option<String>,
}

/// What it is called with.
pub(super) enum Input {
    Json(Value),
    Form(Form),
}

/// Which protocol a request is in.
pub(super) fn protocol(head: &Parts) -> Service {
    let is_json = |value: &header::HeaderValue| value.as_bytes().starts_with(b"application/x-amz-json");
    let is_typed = head.headers.get(header::CONTENT_TYPE).is_some_and(is_json);
    if is_typed || head.headers.contains_key(json::TARGET) { Service::Sqs } else { Service::Sns }
}

impl Call {
    /// Reads a request, whose body comes whole.
    pub(super) fn read(head: &Parts, body: &[u8]) -> Result<Self, ServiceError> {
        match protocol(head) {
            Service::Sqs => {
                let operation = json::operation(&head.headers)?.to_owned();
                let input = json::read(body)?;
                let target = json::target(&input).map(str::to_owned);
                Ok(Self { operation, input: Input::Json(input), target })
            }
            Service::Sns => {
                let trace = head.headers.get("x-amzn-trace-id").and_then(|trace| trace.to_str().ok());
                let form = Form::parse(body).with_trace_header(trace);
                let operation = query::operation(&form)?.to_owned();
                let target = query::target(&form).map(str::to_owned);
                Ok(Self { operation, input: Input::Form(form), target })
            }
        }
    }

    pub(super) fn service(&self) -> Service {
        match self.input {
            Input::Json(_) => Service::Sqs,
            Input::Form(_) => Service::Sns,
        }
    }

    /// The call as a script of faults sees it.
    pub(super) fn called(&self) -> Called<'_> {
        let is_setup = match self.service() {
            Service::Sqs => Sqs::is_setup(&self.operation),
            Service::Sns => Sns::is_setup(&self.operation),
        };
        Called { operation: &self.operation, target: self.target.as_deref(), is_setup }
    }
}
