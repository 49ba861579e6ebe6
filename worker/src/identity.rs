//! The identity of this process, as it stands beside the permits that it holds.

use std::process;
use std::sync::LazyLock;

/// The longest text that every backend stores beside a permit, in bytes.
const LONGEST: usize = 255;

static PROCESS: LazyLock<String> =
    LazyLock::new(|| format!("{}/{}", gethostname::gethostname().to_string_lossy(), process::id()));

/// Names this process, by its host and its number there: `web-7/4711`.
pub(crate) fn process_name() -> &'static str {
    &PROCESS
}

/// Makes `text` fit beside a permit: shortened to what is stored, and without what no database takes.
pub(crate) fn fit(text: &str) -> String {
    let mut text = text.replace('\0', " ");
    text.truncate(text.floor_char_boundary(LONGEST));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    // W13
    #[test]
    fn a_long_text_is_cut_between_two_characters() {
        assert_eq!(fit(&"ä".repeat(200)).len(), 254);
        assert_eq!(fit("a\0b"), "a b");
        assert!(process_name().ends_with(&format!("/{}", process::id())));
    }
}
