//! A fault: what happens to one call.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What happens to a call, beside taking its time.
///
/// In JSON it is an object with one of these, and `delay_ms` with any of them or alone:
///
/// | | |
/// | --- | --- |
/// | `{"delay_ms":50}` | so many milliseconds pass before anything else |
/// | `{"cut":"before"}` | the connection is reset and nothing is done: the request is lost |
/// | `{"cut":"after"}` | it is done and the connection is reset: the answer is lost |
/// | `{"hang":true}` | nothing is done and there is no answer, until the client goes |
/// | `{"status":502,"body":"<html>"}` | nothing is done; the answer is as a proxy's: this status and body, or none |
/// | `{"error":"OverLimit"}` | nothing is done; the service refuses, in its own words for that name. `status` and `message` are optional |
/// | `{"throttled":true}` | the same by the name that the service throttles with |
/// | `{"partial":["InternalError",null]}` | these entries of a batch fail by that code, from the first one on; the others are done |
/// | `{"in_flight_cap":10}` | a receive finds a cap of so many messages in flight at its queue |
/// | `{"abandon":true}` | a receive whose client hangs up goes on, and hides what it takes, as the service's may |
///
/// `retry_after_s` goes with `status`, `error` and `throttled` and is the answer's header `Retry-After`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Fault {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) delay_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cut: Option<Cut>,
    #[serde(skip_serializing_if = "is_unset")]
    pub(super) hang: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) body: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
    #[serde(skip_serializing_if = "is_unset")]
    pub(super) throttled: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) retry_after_s: Option<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) partial: Vec<Option<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) in_flight_cap: Option<usize>,
    #[serde(skip_serializing_if = "is_unset")]
    pub(super) abandon: bool,
}

/// What is lost when a connection is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cut {
    /// The request: nothing is done.
    Before,
    /// The answer: it is done.
    After,
}

impl Fault {
    /// It takes that long, to the millisecond.
    pub fn delay(delay: Duration) -> Self {
        Self::default().with_delay(delay)
    }

    /// Its connection is cut, and nothing but the request or the answer is lost.
    pub fn cut(cut: Cut) -> Self {
        Self { cut: Some(cut), ..Self::default() }
    }

    /// It is never done and never answered.
    pub fn hang() -> Self {
        Self { hang: true, ..Self::default() }
    }

    /// It is not done, and answered as by a proxy.
    pub fn status(status: u16, body: impl Into<String>) -> Self {
        Self { status: Some(status), body: Some(body.into()), ..Self::default() }
    }

    /// It is refused by this name, such as `OverLimit`, with what belongs to it.
    pub fn error(name: impl Into<String>) -> Self {
        Self { error: Some(name.into()), ..Self::default() }
    }

    /// It is throttled, by the service's own name for it.
    pub fn throttled() -> Self {
        Self { throttled: true, ..Self::default() }
    }

    /// Entries of a batch fail by these codes, from the first one on; `None` lets one succeed.
    pub fn partial<'a>(codes: impl IntoIterator<Item = Option<&'a str>>) -> Self {
        let partial = codes.into_iter().map(|code| code.map(str::to_owned)).collect();
        Self { partial, ..Self::default() }
    }

    /// A receive finds this cap of messages in flight.
    pub fn in_flight_cap(cap: usize) -> Self {
        Self { in_flight_cap: Some(cap), ..Self::default() }
    }

    /// A receive whose client hangs up hides what it takes.
    pub fn abandon() -> Self {
        Self { abandon: true, ..Self::default() }
    }

    /// It takes that long before the rest of it.
    #[must_use]
    pub fn with_delay(mut self, delay: Duration) -> Self {
        self.delay_ms = Some(u64::try_from(delay.as_millis()).unwrap_or(u64::MAX));
        self
    }

    /// The status of an [`error`](Self::error), instead of what belongs to its name.
    #[must_use]
    pub fn with_status(mut self, status: u16) -> Self {
        self.status = Some(status);
        self
    }

    /// The text of an [`error`](Self::error).
    #[must_use]
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }

    /// Asks the client to wait for so many seconds.
    #[must_use]
    pub fn with_retry_after(mut self, seconds: u64) -> Self {
        self.retry_after_s = Some(seconds);
        self
    }

    /// Why it makes no sense, if it makes none.
    pub(super) fn check(&self) -> Result<(), String> {
        let answered = self.error.is_some() || self.throttled;
        let kinds = [
            self.cut.is_some(),
            self.hang,
            self.status.is_some() && !answered,
            self.error.is_some(),
            self.throttled,
            !self.partial.is_empty(),
            self.in_flight_cap.is_some(),
            self.abandon,
        ];
        match (kinds.into_iter().filter(|&is| is).count(), self.status) {
            (2.., _) => Err("a fault is one thing, beside its delay".to_owned()),
            (0, _) if self.delay_ms.is_none() => Err("a fault says nothing".to_owned()),
            (_, Some(status)) if !(200..=599).contains(&status) => {
                Err(format!("the status is {status}; 200 to 599 are allowed"))
            }
            _ => self.check_words(answered),
        }
    }

    /// Whether the words of an answer belong to one.
    fn check_words(&self, answered: bool) -> Result<(), String> {
        let stray = |what, is_there: bool, belongs: bool| {
            if is_there && !belongs { Err(format!("`{what}` belongs to another fault")) } else { Ok(()) }
        };
        stray("body", self.body.is_some(), self.status.is_some() && !answered)?;
        stray("message", self.message.is_some(), answered)?;
        stray("retry_after_s", self.retry_after_s.is_some(), answered || self.status.is_some())
    }

    /// The status and body, if it answers as a proxy.
    pub(in crate::server) fn proxy_answer(&self) -> Option<(u16, &str)> {
        let is_proxy = self.error.is_none() && !self.throttled;
        let status = self.status.filter(|_| is_proxy)?;
        Some((status, self.body.as_deref().unwrap_or_default()))
    }

    /// How many seconds the client is asked to wait.
    pub(in crate::server) fn retry_after(&self) -> Option<u64> {
        self.retry_after_s
    }

    /// Whether it does anything to a call of this operation.
    pub(super) fn suits(&self, operation: &str) -> bool {
        if !self.partial.is_empty() {
            return operation.ends_with("Batch");
        }
        operation == "ReceiveMessage" || !(self.abandon || self.in_flight_cap.is_some())
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_unset(flag: &bool) -> bool {
    !flag
}
