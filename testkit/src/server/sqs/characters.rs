//! Characters: which ones a message may have.

use super::refusal;
use crate::server::error::ServiceError;

/// Refuses what the service refuses in bodies and text values (Amazon SQS API Reference, `SendMessage`; P46).
pub(super) fn check(text: &str) -> Result<(), ServiceError> {
    let allowed = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{FFFD}' | '\u{10000}'..);
    if text.chars().all(allowed) { Ok(()) } else { Err(refusal::contents()) }
}

/// Whether it can name a group, a deduplication or an attempt: letters, digits and punctuation, 1 to 128.
pub(super) fn is_id(text: &str) -> bool {
    (1..=128).contains(&text.len()) && text.chars().all(|c| c.is_ascii_graphic())
}

/// Refuses what can't name a group, a deduplication or an attempt (Amazon SQS API Reference, `SendMessage`,
/// `ReceiveMessage`).
pub(super) fn check_id(parameter: &str, id: Option<&str>) -> Result<(), ServiceError> {
    match id {
        Some(id) if !is_id(id) => Err(refusal::invalid_value(
            id,
            parameter,
            &format!(
                "{parameter} can only include alphanumeric and punctuation characters. 1 to 128 in length."
            ),
        )),
        _ => Ok(()),
    }
}
