//! A receipt's text: which delivery of which message of which queue.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use queue_core::{QueueError, Receipt};
use uuid::Uuid;

use crate::store::{Handle, QueueRecord};

/// The queue's tag, the message's number, the receipt; the group follows.
const FIXED: usize = 8 + 8 + 16;

/// Writes the receipt of a delivery.
pub(crate) fn write(queue: &QueueRecord, handle: &Handle) -> Receipt {
    let mut bytes = Vec::with_capacity(FIXED + handle.group.as_ref().map_or(0, |group| group.len()));
    bytes.extend(queue.tag.to_be_bytes());
    bytes.extend(handle.number.to_be_bytes());
    bytes.extend(handle.receipt.as_bytes());
    if let Some(group) = &handle.group {
        bytes.extend(group.as_bytes());
    }
    Receipt::new(URL_SAFE_NO_PAD.encode(bytes))
}

/// Reads a receipt that this queue wrote.
///
/// # Errors
/// *Permanent*: it has another form, or another queue wrote it.
pub(crate) fn read(queue: &QueueRecord, receipt: &Receipt) -> Result<Handle, QueueError> {
    parse(queue, receipt.as_str()).ok_or_else(|| {
        let (text, name) = (receipt.as_str(), &queue.name);
        QueueError::permanent(format!("receipt {text:?} was not written by queue {name:?}"))
    })
}

fn parse(queue: &QueueRecord, text: &str) -> Option<Handle> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    let (tag, rest) = bytes.split_first_chunk()?;
    let (number, rest) = rest.split_first_chunk()?;
    let (receipt, group) = rest.split_first_chunk()?;
    let group = std::str::from_utf8(group).ok().filter(|group| group.is_empty() != queue.settings.ordered)?;
    (i64::from_be_bytes(*tag) == queue.tag).then(|| Handle {
        number: i64::from_be_bytes(*number),
        receipt: Uuid::from_bytes(*receipt),
        group: queue.settings.ordered.then(|| Arc::from(group)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::tests::record;

    // Q4
    #[test]
    fn a_receipt_can_be_read_as_it_was_written_and_by_its_own_queue_only() {
        for ordered in [false, true] {
            let queue = record(ordered);
            let group = ordered.then(|| Arc::from("gruppe-ü"));
            let handle = Handle { number: 7, receipt: Uuid::from_u128(9), group };
            let receipt = write(&queue, &handle);
            assert_eq!(read(&queue, &receipt).unwrap(), handle);
            let other = QueueRecord { tag: queue.tag + 1, ..queue.clone() };
            assert!(read(&other, &receipt).is_err());
            assert!(read(&record(!ordered), &receipt).is_err());
            for garbage in ["", "x", "not base64!", &receipt.as_str()[1..], &receipt.as_str()[..20]] {
                assert!(read(&queue, &Receipt::new(garbage)).is_err(), "{garbage}");
            }
        }
    }
}
