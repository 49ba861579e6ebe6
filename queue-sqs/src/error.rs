//! What an answer of the service, or none, means for the caller of a queue.
//!
//! The whole table is in `docs/sqs-errors.md`, one row a meaning; the rows here and the ones there are compared by a
//! test. Three rules stand behind it:
//!
//! * By code, never by status: throttling comes as 400 here, like a broken limit. The SDK models an error only where
//!   the header `x-amzn-query-error` spells its old name, so each row has both names, and with or without an
//!   "Exception" at the end.
//! * *Permanent* and *lost* blame the call itself: its message, its receipt, its options. What blames the surroundings
//!   (a queue that isn't there, a right that is missing, a key, credentials) passes once somebody mends it, without a
//!   change of the call: *transient*, and the words say what to mend. Pollers go on, slowly (W7), and who keeps a
//!   backlog keeps it.
//! * *Indeterminate* is what nobody denied: sent, and not answered, or answered by what isn't the service. A receive
//!   that ends so is repeated under its attempt id (Q8).

mod pause;
mod row;
mod sns;
mod table;
mod unanswered;

use std::error::Error;

use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use aws_smithy_runtime_api::client::result::SdkError;
use aws_smithy_types::error::metadata::ProvideErrorMetadata;
use queue_core::QueueError;

use row::{Fault, Report};

/// A batch call whose entries are answered one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    /// `SendMessageBatch`.
    Send,
    /// `DeleteMessageBatch`.
    Delete,
    /// `ChangeMessageVisibilityBatch`.
    ChangeVisibility,
    /// `PublishBatch`.
    #[cfg(any(feature = "sns", test))]
    Publish,
}

impl Call {
    const fn what(self) -> &'static str {
        match self {
            Self::Send => "send",
            Self::Delete => "delete",
            Self::ChangeVisibility => "change of visibility",
            #[cfg(any(feature = "sns", test))]
            Self::Publish => "publish",
        }
    }
}

/// What a whole call's error means to the caller of `what`: for each entry, if it was a batch.
pub(crate) fn of_call<E>(what: &'static str, error: SdkError<E, HttpResponse>) -> QueueError
where
    E: ProvideErrorMetadata + Error + Send + Sync + 'static,
{
    let pause = error.raw_response().and_then(pause::asked_for);
    let made = match &error {
        SdkError::ServiceError(answer) => answered(what, answer.err(), answer.raw()),
        SdkError::ResponseError(_) => {
            QueueError::indeterminate(format!("{what}: the answer broke off or can't be read"))
        }
        SdkError::TimeoutError(_) => QueueError::indeterminate(format!("{what}: no answer in time")),
        SdkError::DispatchFailure(failure) => unanswered::judge(what, failure),
        _ => QueueError::permanent(format!("{what}: the request can't be made")),
    };
    let made = match pause.filter(|_| made.kind().is_passing()) {
        Some(pause) => made.with_retry_after(pause),
        None => made,
    };
    match error {
        // Not the error itself, which is an enum around an error and would tell its words twice.
        SdkError::ServiceError(answer) if answer.err().code().is_some() => {
            made.with_source(answer.err().meta().clone())
        }
        error => match error.into_source() {
            Ok(source) => made.with_source(source),
            Err(error) => made.with_source(error.to_string()),
        },
    }
}

fn answered<E: ProvideErrorMetadata>(what: &'static str, error: &E, raw: &HttpResponse) -> QueueError {
    let Some(code) = error.code() else {
        let status = raw.status().as_u16();
        return QueueError::indeterminate(format!("{what}: the answer is not the service's (HTTP {status})"));
    };
    let fault = match error.meta().extra("type") {
        Some("Sender") => Fault::Sender,
        Some("Receiver") => Fault::Service,
        _ if raw.status().is_server_error() => Fault::Service,
        _ => Fault::Sender,
    };
    row::find(Report { code, words: error.message().unwrap_or_default(), fault }).of_call(what, code)
}

/// What a failed entry of a batch call means. The service says that it failed, so it did not happen.
pub(crate) fn of_entry(call: Call, code: &str, sender_fault: bool, message: Option<&str>) -> QueueError {
    let words = message.unwrap_or_default();
    let fault = if sender_fault { Fault::Sender } else { Fault::Service };
    row::find(Report { code, words, fault }).of_entry(call.what(), code, words)
}

#[cfg(test)]
mod tests;
