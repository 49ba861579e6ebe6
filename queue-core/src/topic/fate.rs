//! What became of the copies of an entry, and what its publisher is told.

use std::sync::Arc;

use crate::{QueueError, QueueErrorKind};

/// What became of one copy.
#[derive(Debug)]
pub(super) enum Fate {
    Stored,
    /// For a reason that doesn't pass.
    Refused(QueueError),
    /// The deadline came first.
    Unsettled {
        /// It may have been stored.
        uncertain: bool,
        /// The last error, if it was sent at all.
        error: Option<QueueError>,
    },
}

/// What became of the copies of one entry, by subscriber.
#[derive(Debug, Default)]
pub(super) struct Fates(Vec<(Arc<str>, Fate)>);

impl Fates {
    pub(super) fn add(&mut self, subscriber: Arc<str>, fate: Fate) {
        self.0.push((subscriber, fate));
    }

    /// What the publisher is told: done if all have stored it; else the error that passes least.
    pub(super) fn verdict(&self) -> Result<(), QueueError> {
        self.refused().or_else(|| self.unsettled()).map_or(Ok(()), Err)
    }

    fn refused(&self) -> Option<QueueError> {
        self.0.iter().find_map(|(subscriber, fate)| match fate {
            Fate::Refused(error) => {
                let reason = format!("subscriber {subscriber:?} has refused it");
                Some(self.error(error.kind(), &reason, Some(error)))
            }
            _ => None,
        })
    }

    fn unsettled(&self) -> Option<QueueError> {
        self.0.iter().find_map(|(subscriber, fate)| match fate {
            Fate::Unsettled { error, .. } => {
                let reason = format!("subscriber {subscriber:?} has not stored it in time");
                Some(self.error(self.passing(), &reason, error.as_ref()))
            }
            _ => None,
        })
    }

    fn passing(&self) -> QueueErrorKind {
        let somewhere = self.0.iter().any(|(_, fate)| match fate {
            Fate::Stored => true,
            Fate::Refused(_) => false,
            Fate::Unsettled { uncertain, .. } => *uncertain,
        });
        if somewhere { QueueErrorKind::Indeterminate } else { QueueErrorKind::Transient }
    }

    fn error(&self, kind: QueueErrorKind, reason: &str, source: Option<&QueueError>) -> QueueError {
        let stored = self.0.iter().filter(|(_, fate)| matches!(fate, Fate::Stored)).count();
        let error = QueueError::new(kind, format!("{reason}; {stored} of {} have stored it", self.0.len()));
        let Some(source) = source else { return error };
        let error = source.retry_after().into_iter().fold(error, QueueError::with_retry_after);
        error.with_source(source.clone())
    }
}
