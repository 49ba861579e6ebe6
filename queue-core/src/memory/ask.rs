//! What a receive may ask for.

use crate::{QueueError, ReceiveLimits, ReceiveOptions};

/// The most characters of an attempt id.
const MAX_ATTEMPT_ID: usize = 128;

/// Refuses a receive that asks for more than `limits` allow, and says by how much.
pub(super) fn check(options: &ReceiveOptions, limits: &ReceiveLimits) -> Result<(), QueueError> {
    let refuse = |reason: String| Err(QueueError::permanent(reason));
    if options.max_messages == 0 || options.max_messages > limits.batch {
        return refuse(format!(
            "a receive asked for {} messages; 1 to {} are allowed",
            options.max_messages, limits.batch
        ));
    }
    if options.wait > limits.max_wait {
        return refuse(format!(
            "a wait of {:?} is longer than the {:?} allowed",
            options.wait, limits.max_wait
        ));
    }
    if limits.ordered {
        check_attempt(options.attempt_id.as_deref())?;
    }
    match options.visibility {
        Some(visibility) if visibility > limits.max_visibility => refuse(format!(
            "a visibility timeout of {visibility:?} is longer than the {:?} allowed",
            limits.max_visibility
        )),
        _ => Ok(()),
    }
}

/// `ReceiveRequestAttemptId` of `ReceiveMessage` in the Amazon SQS API reference: letters, digits and punctuation.
fn check_attempt(id: Option<&str>) -> Result<(), QueueError> {
    let Some(id) = id else { return Ok(()) };
    if (1..=MAX_ATTEMPT_ID).contains(&id.len()) && id.chars().all(|c| c.is_ascii_graphic()) {
        return Ok(());
    }
    Err(QueueError::permanent(format!(
        "the attempt id {id:?} is not of 1 to {MAX_ATTEMPT_ID} letters, digits and ASCII punctuation"
    )))
}
