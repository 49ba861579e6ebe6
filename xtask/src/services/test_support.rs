//! What the tests of services share: folders of their own, made-up programs, commands in words.

use super::programs::Programs;
use std::process::Command;
use tempfile::TempDir;

/// A folder that is removed when the test has ended.
pub(super) fn folder(test: &str) -> TempDir {
    tempfile::Builder::new().prefix(&format!("xtask-{test}-")).tempdir().unwrap()
}

/// Programs that aren't there.
pub(super) fn made_up_programs() -> Programs {
    let [server, maker, client] = ["/p/server", "/p/maker", "/p/client"].map(Into::into);
    Programs { server, maker, client, version: "15.18".to_owned(), major: "15".to_owned() }
}

/// A command, its words parted by spaces.
pub(super) fn words(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
