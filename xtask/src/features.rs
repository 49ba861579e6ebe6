//! The features of each library crate, each alone.

use crate::{cargo::Cargo, workspace};
use anyhow::{Result, ensure};
use cargo_metadata::{Package, Target};

/// Checks each library crate without features, then with each of its features alone.
///
/// # Errors
/// At the first combination that doesn't compile, and when there is nothing to check.
pub(crate) fn check() -> Result<()> {
    let workspace = workspace::members()?;
    let libraries = workspace.packages.iter().filter(|package| package.targets.iter().any(Target::is_lib));
    let calls: Vec<_> = libraries.flat_map(calls_for).collect();
    ensure!(!calls.is_empty(), "the workspace has no library crate");
    for (number, call) in (1..).zip(&calls) {
        println!("features: {number} of {}", calls.len());
        call.run()?;
    }
    Ok(())
}

fn calls_for(library: &Package) -> Vec<Cargo> {
    calls(&library.name, library.features.keys().map(String::as_str))
}

/// One call without features and one for each feature.
fn calls<'a>(library: &str, features: impl Iterator<Item = &'a str>) -> Vec<Cargo> {
    let bare = || Cargo::new("check --lib --no-default-features -p").with_args([library]);
    let alone = features.map(|feature| bare().with_args(["--features", feature]));
    std::iter::once(bare()).chain(alone).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_is_checked_without_features_and_with_each_alone() {
        let shown: Vec<_> =
            calls("outbox", ["mock", "sqlite"].into_iter()).iter().map(Cargo::to_string).collect();
        let bare = "cargo check --lib --no-default-features -p outbox";
        assert_eq!(
            shown,
            [bare.to_owned(), format!("{bare} --features mock"), format!("{bare} --features sqlite")]
        );
    }

    #[test]
    fn a_library_that_has_no_features_is_still_checked() {
        assert_eq!(calls("queue-core", std::iter::empty()).len(), 1);
    }
}
