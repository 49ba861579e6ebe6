//! A soak program that has run: its last line, its status, what it told meanwhile.

#![expect(clippy::unwrap_used, clippy::panic, reason = "what a test can't read of a soak fails the test")]

use std::process::{Command, Stdio};

use serde_json::Value;

/// A soak program that has run.
#[derive(Debug)]
pub(crate) struct Soaked {
    pub(crate) success: bool,
    /// All of stdout.
    pub(crate) text: String,
    /// All of stderr.
    pub(crate) progress: String,
}

impl Soaked {
    /// Runs a program to its end.
    pub(crate) fn by(program: &str, words: &str) -> Self {
        let mut command = Command::new(program);
        let output = command.args(words.split_whitespace()).stdin(Stdio::null()).output().unwrap();
        let [text, progress] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        Self { success: output.status.success(), text, progress }
    }

    /// Goes on if nothing was found.
    pub(crate) fn expect_clean(self) -> Self {
        assert!(self.success, "{}{}", self.progress, self.text);
        self
    }

    /// A figure of the last line.
    pub(crate) fn figure(&self, name: &str) -> u64 {
        let figure = self.verdict()[name].as_u64();
        figure.unwrap_or_else(|| panic!("there is no {name} in {}{}", self.progress, self.text))
    }

    /// The names of all figures, sorted.
    pub(crate) fn fields(&self) -> Vec<String> {
        let mut fields: Vec<_> = self.verdict().as_object().unwrap().keys().cloned().collect();
        fields.sort();
        fields
    }

    fn verdict(&self) -> Value {
        let last = self.text.lines().last().unwrap_or_default();
        serde_json::from_str(last).unwrap_or_default()
    }
}
