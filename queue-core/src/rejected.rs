//! A message that was not published, and why.

use std::error::Error;
use std::fmt;

use crate::{Outgoing, QueueError, QueueErrorKind};

/// A message that a publisher hands back.
#[derive(Clone, Debug)]
pub struct Rejected {
    message: Box<Outgoing>,
    error: QueueError,
}

impl Rejected {
    /// Hands `message` back because of `error`.
    pub fn new(message: Outgoing, error: QueueError) -> Self {
        Self { message: Box::new(message), error }
    }

    /// The message.
    pub fn message(&self) -> &Outgoing {
        &self.message
    }

    /// Why.
    pub fn error(&self) -> &QueueError {
        &self.error
    }

    /// What the error means.
    pub fn kind(&self) -> QueueErrorKind {
        self.error.kind()
    }

    /// Takes the message back.
    pub fn into_message(self) -> Outgoing {
        *self.message
    }

    /// Takes the error and lets the message go.
    pub fn into_error(self) -> QueueError {
        self.error
    }
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a message of {} bytes was not published: {}", self.message.size(), self.error)
    }
}

impl Error for Rejected {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.error.source()
    }
}
