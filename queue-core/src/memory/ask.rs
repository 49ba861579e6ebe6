//! What a receive may ask for.

use crate::{QueueError, ReceiveLimits, ReceiveOptions};

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
    match options.visibility {
        Some(visibility) if visibility > limits.max_visibility => refuse(format!(
            "a visibility timeout of {visibility:?} is longer than the {:?} allowed",
            limits.max_visibility
        )),
        _ => Ok(()),
    }
}
