//! A kind of entries: what may go together into one call.

use std::fmt::Debug;

use crate::{QueueError, QueueErrorKind};

/// What each entry gets.
pub(in crate::coalesced) type Answer<K> = Result<<K as Kind>::Answer, QueueError>;

/// A kind of entries, with what becomes of them.
pub(in crate::coalesced) trait Kind: Debug + Send + Sync + 'static {
    type Entry: Clone + Debug + Send + Sync + 'static;
    type Answer: Debug + Send + 'static;

    /// Makes one call of the service.
    fn call(&self, batch: Vec<Self::Entry>) -> impl Future<Output = Vec<Answer<Self>>> + Send
    where
        Self: Sized;

    /// How much of a call's bytes an entry takes.
    fn bytes(&self, _entry: &Self::Entry) -> usize {
        0
    }

    /// Nobody else can be about to hand something over, with so many calls in flight.
    fn is_alone(&self, calls: usize) -> bool;

    /// An entry with this error is to be sent again.
    fn is_passing(&self, error: QueueErrorKind) -> bool;

    /// An entry goes out though its caller was dropped before.
    fn outlives_its_caller(&self) -> bool {
        false
    }
}
