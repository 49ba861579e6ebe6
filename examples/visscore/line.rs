//! A line of the input.

/// One line, without its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// Its number in the input, from 1.
    pub(crate) number: u64,
    /// Its text, or why it could not be read.
    pub(crate) text: Result<String, &'static str>,
}
