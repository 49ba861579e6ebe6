//! The test suite: README's `cargo xtask test`, which is also CI's test stage.
//!
//! `cargo test --workspace` runs unit, integration (`harness = false` too) and doc tests and compiles the
//! examples as programs, but doesn't run an example's own tests unless its manifest says `test = true`;
//! those come in a second call. `--all-targets` would leave out the doc tests and run every benchmark.
//!
//! Tests that need a server are `#[ignore]`d with that reason, so that plain `cargo test` passes anywhere; here
//! the servers are there and `--include-ignored` runs those tests too. What a backend doesn't promise stays ignored.

use crate::{cargo::Cargo, interrupt, services, workspace};
use anyhow::Result;
use cargo_metadata::Metadata;
use std::{collections::BTreeSet, ffi::OsString, iter};

/// Whether the servers are started for a run.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Servers {
    /// They are, and the tests that need them are run.
    With,
    /// They aren't, and those tests show as ignored.
    Without,
}

/// Runs every test, or, with `extra` arguments for `cargo test`, what those narrow it to.
///
/// # Errors
/// When a test fails or doesn't compile, when a server can't be had, and when somebody interrupts the run. What was
/// started for it is stopped in any case.
pub(crate) fn run(extra: &[OsString], servers: Servers) -> Result<()> {
    let calls = calls(extra)?;
    if servers == Servers::Without {
        return calls.iter().try_for_each(Cargo::run);
    }
    interrupt::catch()?;
    let servers = services::Run::start()?;
    let run = |call: Cargo| call.with_ignored().with_unshown_envs(servers.urls()).run_interruptibly();
    let outcome = calls.into_iter().try_for_each(run);
    let stopped = servers.stop();
    outcome.and(stopped)
}

fn calls(extra: &[OsString]) -> Result<Vec<Cargo>> {
    if !extra.is_empty() {
        return Ok(vec![narrowed(extra)]);
    }
    let all = Cargo::new("test --workspace --all-features");
    Ok(iter::once(all).chain(examples(&workspace::members()?)).collect())
}

/// The call with the user's own arguments; a package named there takes the place of the whole workspace.
fn narrowed(extra: &[OsString]) -> Cargo {
    let names_package = |arg: &str| arg.starts_with("-p") || arg.starts_with("--package");
    let for_cargo = extra.iter().take_while(|arg| *arg != "--");
    let scope = if for_cargo.filter_map(|arg| arg.to_str()).any(names_package) { "" } else { "--workspace" };
    Cargo::new(&format!("test {scope} --all-features")).with_args(extra)
}

/// The call for the tests inside examples that the first call only compiles; none without such examples.
fn examples(workspace: &Metadata) -> Option<Cargo> {
    let targets = workspace.packages.iter().flat_map(|package| &package.targets);
    let names: BTreeSet<_> =
        targets.filter(|target| target.is_example() && !target.test).map(|target| &target.name).collect();
    let args: Vec<_> = names.into_iter().flat_map(|name| ["--example", name.as_str()]).collect();
    (!args.is_empty()).then(|| Cargo::new("test --workspace --all-features").with_args(args))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::made_up;

    fn call(extra: &[&str]) -> String {
        narrowed(&extra.iter().map(OsString::from).collect::<Vec<_>>()).to_string()
    }

    #[test]
    fn arguments_narrow_the_workspace_and_a_package_replaces_it() {
        assert_eq!(call(&["gates"]), "cargo test --workspace --all-features gates");
        assert_eq!(call(&["-p", "worker"]), "cargo test --all-features -p worker");
        assert_eq!(call(&["--package=worker"]), "cargo test --all-features --package=worker");
    }

    #[test]
    fn what_goes_to_the_test_program_names_no_package() {
        assert_eq!(call(&["--", "-p"]), "cargo test --workspace --all-features -- -p");
    }

    #[test]
    fn with_servers_the_ignored_tests_are_run_unless_the_arguments_choose() {
        let call = |extra: &[&str]| {
            let extra: Vec<_> = extra.iter().map(OsString::from).collect();
            narrowed(&extra).with_ignored().to_string()
        };
        assert_eq!(call(&["-p", "worker"]), "cargo test --all-features -p worker -- --include-ignored");
        assert_eq!(
            call(&["-p", "worker", "--", "--nocapture"]),
            "cargo test --all-features -p worker -- --nocapture --include-ignored"
        );
        assert_eq!(
            call(&["-p", "worker", "--", "--ignored"]),
            "cargo test --all-features -p worker -- --ignored"
        );
    }

    #[test]
    fn examples_that_cargo_test_only_compiles_get_their_call() {
        let package = r#"
            [[packages]]
            name = "examples"
            version = "0.1.0"
            id = "examples"
            manifest_path = "/house/examples/Cargo.toml"
            dependencies = []
            features = {}
            targets = [
                { name = "examples", kind = ["lib"], src_path = "/house/examples/lib.rs", test = true },
                { name = "visscore", kind = ["example"], src_path = "/house/examples/visscore.rs", test = false },
                { name = "trades", kind = ["example"], src_path = "/house/examples/trades.rs", test = true },
            ]
        "#;
        let call = examples(&made_up(package)).unwrap().to_string();
        assert_eq!(call, "cargo test --workspace --all-features --example visscore");
        assert!(examples(&made_up("packages = []")).is_none());
    }
}
