//! What a test tells the server beside the services' calls: its counts, its faults and its clock.

use std::time::{Duration, UNIX_EPOCH};

use hyper::body::Incoming;
use hyper::{Method, Request};
use serde::Deserialize;
use serde_json::{Value, json};

use super::error::ServiceError;
use super::faults::FaultScript;
use super::http::Response;
use super::wire::{Wire, read, with_json};

/// How far the clock shall be moved.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Move {
    advance_ms: u64,
}

/// Answers a request to one of the paths that begin with `/_`.
pub(super) async fn answer(wire: &Wire, request: Request<Incoming>) -> Response {
    let (head, body) = request.into_parts();
    let done = match (head.method, head.uri.path()) {
        (Method::GET, "/_calls") => Ok(json!(wire.ledger.calls())),
        (Method::DELETE, "/_calls") => {
            wire.ledger.reset();
            Ok(json!(wire.ledger.calls()))
        }
        (Method::GET, "/_deliveries") => Ok(json!(wire.sns.deliveries())),
        (Method::GET, "/_faults") => Ok(playing(wire)),
        (Method::POST, "/_faults") => read(body).await.and_then(|body| play(wire, &body)),
        (Method::DELETE, "/_faults") => {
            wire.faults.play(FaultScript::default());
            Ok(playing(wire))
        }
        (Method::GET, "/_clock") => Ok(time(wire)),
        (Method::POST, "/_clock") => read(body).await.and_then(|body| advance(wire, &body)),
        (method, path) => Err(unknown(&method, path)),
    };
    match done {
        Ok(value) => with_json(200, &value),
        Err(refused) => with_json(refused.status, &json!({ "error": refused.message })),
    }
}

fn play(wire: &Wire, body: &[u8]) -> Result<Value, ServiceError> {
    wire.faults.play(parse(body)?);
    Ok(playing(wire))
}

fn playing(wire: &Wire) -> Value {
    json!({ "script": wire.faults.script(), "struck": wire.faults.struck() })
}

fn advance(wire: &Wire, body: &[u8]) -> Result<Value, ServiceError> {
    let Move { advance_ms } = parse(body)?;
    wire.clock.advance(Duration::from_millis(advance_ms));
    Ok(time(wire))
}

/// The time by the server's clock, since the epoch.
fn time(wire: &Wire) -> Value {
    let now = wire.clock.at(wire.clock.now()).duration_since(UNIX_EPOCH).unwrap_or_default();
    json!({ "now_ms": u64::try_from(now.as_millis()).unwrap_or(u64::MAX) })
}

fn parse<T: serde::de::DeserializeOwned>(body: &[u8]) -> Result<T, ServiceError> {
    serde_json::from_slice(body).map_err(|error| ServiceError::sender("Malformed", error.to_string()))
}

fn unknown(method: &Method, path: &str) -> ServiceError {
    let message = format!(
        "{method} {path} is unknown; GET and DELETE /_calls, GET /_deliveries, GET, POST and DELETE /_faults, GET and POST /_clock are known"
    );
    ServiceError { status: 404, ..ServiceError::sender("NotFound", message) }
}
