//! The wire: from one HTTP request to its answer.

mod body;
mod call;
mod json;
mod query;

use std::sync::Arc;

use hyper::body::Incoming;
use hyper::header::{self, HeaderValue};
use hyper::{Request, StatusCode};
use queue_core::MemoryClock;
use tokio::time::sleep;
use uuid::Uuid;

use super::calls::Ledger;
use super::control;
use super::effects::Effects;
use super::error::ServiceError;
use super::faults::{Cut, End, Fault, Faults, refusal};
use super::http::{NoAnswer, Response};
use super::options::SqsServerOptions;
use super::sns::Sns;
use super::sqs::Sqs;
use body::respond;
use call::{Call, Input};

pub(super) use body::{read, with_json};
pub(super) use call::Service;

/// The services behind the wire, and what watches over their calls.
pub(super) struct Wire {
    sqs: Arc<Sqs>,
    pub(super) sns: Sns,
    auth: bool,
    pub(super) clock: MemoryClock,
    pub(super) ledger: Ledger,
    pub(super) faults: Faults,
}

impl Wire {
    pub(super) fn new(options: &SqsServerOptions, endpoint: String) -> Self {
        let clock = MemoryClock::new();
        let sqs = Arc::new(Sqs::new(clock.clone(), endpoint).with_policies(options.policies));
        Self {
            sns: Sns::new(Arc::clone(&sqs), clock.clone()),
            sqs,
            auth: options.auth,
            clock,
            ledger: Ledger::default(),
            faults: Faults::default(),
        }
    }

    /// Answers a request; dropped, because its client hung up, it is no longer done from where it waits.
    pub(super) async fn answer(&self, request: Request<Incoming>) -> Result<Response, NoAnswer> {
        if request.uri().path().starts_with("/_") {
            return Ok(control::answer(self, request).await);
        }
        let (head, body) = request.into_parts();
        let protocol = call::protocol(&head);
        let read = match self.admit(&head) {
            Ok(()) => read(body).await.and_then(|body| Call::read(&head, &body)),
            Err(refused) => Err(refused),
        };
        match read {
            Ok(call) => self.play(call).await,
            Err(refused) => Ok(refuse(protocol, &refused)),
        }
    }

    /// Whether a request may be a call: see "Common Errors" in the Amazon SQS API reference.
    fn admit(&self, head: &hyper::http::request::Parts) -> Result<(), ServiceError> {
        if head.method != hyper::Method::POST {
            let message = format!("{} is not supported here; calls are POST requests", head.method);
            let status = StatusCode::METHOD_NOT_ALLOWED.as_u16();
            return Err(ServiceError { status, ..ServiceError::sender("InvalidAction", message) });
        }
        if self.auth && !head.headers.contains_key(header::AUTHORIZATION) {
            let refused =
                ServiceError::sender("MissingAuthenticationToken", "Request is missing Authentication Token");
            return Err(ServiceError { status: StatusCode::FORBIDDEN.as_u16(), ..refused });
        }
        Ok(())
    }

    /// Does a call, with the faults that strike it.
    async fn play(&self, call: Call) -> Result<Response, NoAnswer> {
        let called = call.called();
        self.ledger.note(called.operation, called.is_setup);
        let plan = self.faults.plan(called);
        if !plan.delay.is_zero() {
            sleep(plan.delay).await;
        }
        match plan.end {
            None => Ok(self.serve(call, &plan.effects).await),
            Some(End::Cut(Cut::Before)) => Err(NoAnswer),
            Some(End::Cut(Cut::After)) => {
                self.serve(call, &plan.effects).await;
                Err(NoAnswer)
            }
            Some(End::Hang) => std::future::pending().await,
            Some(End::Answer(fault)) => Ok(fail(call.service(), &fault)),
        }
    }

    /// Lets the service do a call.
    async fn serve(&self, call: Call, effects: &Effects) -> Response {
        let (service, operation) = (call.service(), call.operation);
        let done = match call.input {
            Input::Json(input) => {
                self.sqs.call(&operation, input, effects).await.map(|value| json::answer(&value))
            }
            Input::Form(form) => {
                self.sns.call(&operation, &form, effects).await.map(|xml| query::answer(&operation, &xml))
            }
        };
        done.unwrap_or_else(|refused| refuse(service, &refused))
    }
}

fn refuse(service: Service, refused: &ServiceError) -> Response {
    match service {
        Service::Sqs => json::refuse(refused),
        Service::Sns => query::refuse(refused),
    }
}

/// The answer of a fault that has its own.
fn fail(service: Service, fault: &Fault) -> Response {
    let mut response = match fault.proxy_answer() {
        Some((status, body)) => respond(status, "text/html", body.to_owned()),
        None => refuse(service, &refusal(service, fault)),
    };
    if let Some(seconds) = fault.retry_after() {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

/// The id of a request.
fn request_id() -> String {
    Uuid::new_v4().to_string()
}
