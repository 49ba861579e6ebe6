//! A parcel: the copy of one entry on its way to one subscriber.

use super::fate::Fate;
use super::group::Group;
use crate::{Outgoing, QueueError, QueueErrorKind};

#[derive(Debug)]
pub(super) struct Parcel {
    pub(super) message: Outgoing,
    pub(super) group: Group,
    /// The last error, if it was sent before.
    pub(super) error: Option<QueueError>,
    /// An answer was lost: it may have been stored.
    uncertain: bool,
}

impl Parcel {
    pub(super) fn new(message: Outgoing, group: Group) -> Self {
        Self { message, group, error: None, uncertain: false }
    }

    pub(super) fn failed(&mut self, error: QueueError) {
        self.uncertain |= error.kind() == QueueErrorKind::Indeterminate;
        self.error = Some(error);
    }

    /// What became of it when the deadline came.
    pub(super) fn unsettled(self) -> Fate {
        Fate::Unsettled { uncertain: self.uncertain, error: self.error }
    }
}
