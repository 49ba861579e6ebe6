//! Receipt handles: what a caller shows to settle what it received.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use queue_core::{MessageId, Receipt};
use uuid::Uuid;

use super::queue::Queue;
use super::refusal;
use crate::server::error::ServiceError;

/// A handle of a queue, taken apart.
#[derive(Clone, Debug)]
pub(super) struct Handle {
    pub(super) receipt: Receipt,
    pub(super) message: MessageId,
}

impl Handle {
    /// Writes a memory queue's receipt as a handle.
    pub(super) fn write(queue: &Queue, receipt: &Receipt) -> String {
        STANDARD.encode(format!("{}/{}", queue.id, receipt.as_str()))
    }

    /// Reads a handle that this queue wrote.
    pub(super) fn read(queue: &Queue, handle: &str) -> Result<Self, ServiceError> {
        Self::parse(queue.id, handle).ok_or_else(|| refusal::handle(handle))
    }

    fn parse(queue: Uuid, handle: &str) -> Option<Self> {
        let text = String::from_utf8(STANDARD.decode(handle).ok()?).ok()?;
        let (id, receipt) = text.split_once('/')?;
        let (message, _delivery) = receipt.split_once('/')?;
        let ours = Uuid::try_parse(id).is_ok_and(|id| id == queue);
        ours.then(|| Self { receipt: Receipt::new(receipt), message: MessageId::new(message) })
    }
}
