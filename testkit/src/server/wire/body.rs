//! The bodies of requests and answers.

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{self, HeaderValue};
use serde::Serialize;

use crate::server::error::ServiceError;
use crate::server::http::Response;

/// The longest body that is read. A batch of the largest size is 1 MiB, and each of its bytes is up to six in JSON.
const LONGEST: usize = 8 * 1024 * 1024;

/// Reads a body whole.
pub(in crate::server) async fn read(body: Incoming) -> Result<Bytes, ServiceError> {
    let too_long = || {
        let refused =
            ServiceError::sender("RequestEntityTooLarge", format!("A request has at most {LONGEST} bytes"));
        ServiceError { status: 413, ..refused }
    };
    if body.size_hint().lower() > LONGEST as u64 {
        return Err(too_long());
    }
    Ok(Limited::new(body, LONGEST).collect().await.map_err(|_| too_long())?.to_bytes())
}

/// An answer in the server's own JSON.
pub(in crate::server) fn with_json(status: u16, value: &impl Serialize) -> Response {
    let body = serde_json::to_string(value).unwrap_or_default();
    respond(status, "application/json", body)
}

/// An answer.
pub(super) fn respond(status: u16, content_type: &'static str, body: String) -> Response {
    let mut response = Response::new(Full::new(Bytes::from(body)));
    // Every status that comes here is one: the services' are written in the code, a script's were checked.
    if let Ok(status) = hyper::StatusCode::from_u16(status) {
        *response.status_mut() = status;
    }
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}
