//! The weight of a crate: what it pulls in when no feature is on.

use super::house::HEAVY;
use crate::cargo::Cargo;
use anyhow::{Result, ensure};
use std::collections::BTreeSet;

/// The names of all crates that building this one without features compiles, itself included.
///
/// # Errors
/// When cargo can't resolve the crate.
pub(crate) fn tree(name: &str) -> Result<BTreeSet<String>> {
    let call = Cargo::new(
        "tree --no-default-features --edges normal,build --target all --prefix none --format {p} -p",
    );
    let names = names(&call.with_args([name]).read()?);
    ensure!(names.contains(name), "`cargo tree` says nothing about {name}");
    Ok(names)
}

/// The first word of each line; `cargo tree` has a package to a line, its name first.
fn names(lines: &str) -> BTreeSet<String> {
    lines.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

/// A line for each crate in the tree that a light crate must not pull in.
pub(crate) fn heavy(name: &str, tree: &BTreeSet<String>) -> Vec<String> {
    let is_heavy = |crate_name: &&String| HEAVY.iter().any(|start| crate_name.starts_with(start));
    let rule = "without features it must build without sqlx and without the AWS SDK";
    tree.iter().filter(is_heavy).map(|heavy| format!("{name}: {name} ⇒ {heavy}: {rule}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_light_tree_is_not_heavy() {
        let tree = names(
            "semaphore v0.1.0 (/home/me/semaphore)\ntokio v1.54.0\nmy-aws-like v1.0.0\ntokio v1.54.0 (*)\n",
        );
        assert_eq!(tree.len(), 3);
        assert_eq!(heavy("semaphore", &tree), [""; 0]);
    }

    #[test]
    fn sqlx_and_every_aws_crate_are_found_at_any_depth() {
        let tree = names("dispatcher v0.1.0\nsqlx-core v0.9.0\naws-sdk-sqs v1.2.3\n");
        let rule = "without features it must build without sqlx and without the AWS SDK";
        let wanted =
            ["aws-sdk-sqs", "sqlx-core"].map(|heavy| format!("dispatcher: dispatcher ⇒ {heavy}: {rule}"));
        assert_eq!(heavy("dispatcher", &tree), wanted);
    }

    #[test]
    fn the_tree_of_a_real_crate_holds_what_it_depends_on() {
        let tree = tree("xtask").unwrap();
        assert!(tree.contains("clap") && tree.contains("serde_derive"), "{tree:?}");
    }
}
