//! Calls that brought no answer: what was sent, and what not.

use std::error::Error;
use std::io::ErrorKind::{AddrNotAvailable, ConnectionRefused};

use aws_credential_types::provider::error::CredentialsError;
use aws_smithy_runtime_api::client::dns::ResolveDnsError;
use aws_smithy_runtime_api::client::result::DispatchFailure;
use queue_core::QueueError;

/// What the SDK says of a client that can't send at all. It has no types for these.
const UNABLE: [(&str, &str); 4] = [
    ("No HTTP client was available", "the client has no HTTP client; switch on `default-https-client`"),
    ("failed to select an auth scheme", "the client has no credentials provider"),
    ("Missing Region", "the client has no region"),
    // With an endpoint of its own it needs none to find the service, and one to sign.
    ("missing signing region", "the client has no region"),
];

/// What it means that a request got no answer.
pub(super) fn judge(what: &'static str, failure: &DispatchFailure) -> QueueError {
    let Some(error) = failure.as_connector_error() else {
        return QueueError::indeterminate(format!("{what}: no answer"));
    };
    if find::<CredentialsError>(error).is_some() {
        return QueueError::transient(format!("{what}: no credentials could be had; nothing was sent"));
    }
    if let Some((_, why)) = UNABLE.iter().find(|(words, _)| says(error, words)) {
        return QueueError::permanent(format!("{what}: {why}"));
    }
    if error.is_user() {
        return QueueError::permanent(format!("{what}: the request can't be made"));
    }
    if is_unreachable(error) {
        return QueueError::transient(format!("{what}: the service can't be reached; nothing was sent"));
    }
    if error.is_timeout() {
        return QueueError::indeterminate(format!("{what}: no answer in time"));
    }
    QueueError::indeterminate(format!("{what}: the connection broke before the answer came"))
}

/// No connection was had. What can't be told counts as sent: a network that has gone also breaks connections that were
/// there.
fn is_unreachable(error: &(dyn Error + 'static)) -> bool {
    let refused = [ConnectionRefused, AddrNotAvailable];
    find::<ResolveDnsError>(error).is_some()
        || find::<std::io::Error>(error).is_some_and(|error| refused.contains(&error.kind()))
        || says(error, "client error (Connect)") // hyper's word for all that fails before there is a connection
}

fn chain<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&error| error.source())
}

fn find<'a, E: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a E> {
    chain(error).find_map(<dyn Error>::downcast_ref)
}

fn says(error: &(dyn Error + 'static), words: &str) -> bool {
    chain(error).any(|error| error.to_string().contains(words))
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind::{
        BrokenPipe, ConnectionReset, HostUnreachable, NetworkDown, NetworkUnreachable, TimedOut,
    };

    use aws_smithy_runtime_api::client::result::ConnectorError;
    use queue_core::QueueErrorKind::{Indeterminate, Transient};

    use super::*;

    fn after(kind: std::io::ErrorKind) -> QueueError {
        let error = ConnectorError::io(std::io::Error::from(kind).into());
        judge("send", &DispatchFailure::builder().source(error).build())
    }

    // P25, Q6
    #[test]
    fn what_also_ends_a_connection_that_was_there_leaves_open_what_happened() {
        for kind in [HostUnreachable, NetworkUnreachable, NetworkDown, ConnectionReset, BrokenPipe, TimedOut]
        {
            assert_eq!(after(kind).kind(), Indeterminate, "{kind}");
        }
    }

    // P25, W7
    #[test]
    fn what_only_a_new_connection_meets_has_sent_nothing() {
        for kind in [ConnectionRefused, AddrNotAvailable] {
            assert_eq!(after(kind).kind(), Transient, "{kind}");
        }
    }
}
