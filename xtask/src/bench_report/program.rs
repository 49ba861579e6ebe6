//! The programs of the crate `benches`: those that find figures, and those that tell times.

use super::{bar::Urls, finding::Finding};
use crate::{cargo::Cargo, workspace};
use anyhow::{Context, Result, ensure};
use cargo_metadata::Metadata;

const PACKAGE: &str = "benches";
/// The programs that print findings; all others of the package print times.
const FINDERS: [&str; 6] = ["counts", "databases", "memory", "semaphores", "sql_queue", "sqs"];

/// Runs one program and reads its findings. That a bar is broken is a finding and no error.
///
/// # Errors
/// When it doesn't compile, or fails though no bar is broken, or says something else.
pub(crate) fn findings(name: &str, urls: Urls<'_>) -> Result<Vec<Finding>> {
    let call = call(&[name]).with_args(["--", "--json"]).with_unshown_envs(urls);
    println!("$ {call}");
    let (text, status) = call.output()?;
    let findings = parse(&text).with_context(|| format!("`{call}` printed something else than findings"))?;
    if !findings.iter().any(Finding::is_broken) {
        call.expect_success(status)?;
    }
    ensure!(!findings.is_empty(), "`{call}` found nothing");
    Ok(findings)
}

/// Runs the programs that tell times; their output goes where ours goes.
///
/// # Errors
/// When one doesn't compile or fails.
pub(crate) fn times() -> Result<()> {
    call(&tellers(&workspace::members()?)).run()
}

fn tellers(workspace: &Metadata) -> Vec<&str> {
    let package = workspace.packages.iter().filter(|package| package.name == PACKAGE);
    let benches = package.flat_map(|package| &package.targets).filter(|target| target.is_bench());
    benches.map(|target| target.name.as_str()).filter(|name| !FINDERS.contains(name)).collect()
}

fn call(names: &[&str]) -> Cargo {
    let names = names.iter().flat_map(|name| ["--bench", name]);
    Cargo::new("bench -p").with_args([PACKAGE]).with_args(names)
}

fn parse(lines: &str) -> Result<Vec<Finding>> {
    lines.lines().map(|line| serde_json::from_str(line).with_context(|| line.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::made_up;

    #[test]
    fn what_is_no_finding_is_shown() {
        let error = parse("Finished\n").unwrap_err();
        assert_eq!(error.to_string(), "Finished");
    }

    #[test]
    fn a_new_benchmark_is_run_without_being_named_here() {
        let bench =
            |name: &str| format!("{{ name = '{name}', kind = ['bench'], src_path = '/x', test = false }}");
        let targets = [bench("counts"), bench("memory"), bench("gate"), bench("lanes")].join(", ");
        let rest = "version = '0.1.0'\nid = 'b'\nmanifest_path = '/x'\ndependencies = []\nfeatures = {}";
        let workspace = made_up(&format!("[[packages]]\nname = 'benches'\n{rest}\ntargets = [{targets}]"));
        let shown = call(&tellers(&workspace)).to_string();
        assert_eq!(shown, "cargo bench -p benches --bench gate --bench lanes");
    }
}
