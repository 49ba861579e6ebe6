//! The licences of everything that is compiled in, held against deny.toml.

mod allow_list;

use crate::workspace;
use allow_list::AllowList;
use anyhow::{Context, Result, ensure};
use cargo_metadata::Metadata;
use std::fs;

/// Checks that each package of the resolved workspace may be used under a licence that deny.toml allows.
///
/// # Errors
/// Lists the packages that have no licence expression, or one that no allowed licence satisfies.
pub(crate) fn check() -> Result<()> {
    let workspace = workspace::everything()?;
    let allowed = allow_list(&workspace)?;
    let refused = refused(&workspace, &allowed);
    ensure!(
        refused.is_empty(),
        "{} of {} packages:\n{}",
        refused.len(),
        workspace.packages.len(),
        refused.join("\n")
    );
    println!("licences: {} packages, each under a licence that deny.toml allows", workspace.packages.len());
    Ok(())
}

/// The one list there is: deny.toml's, beside the workspace's manifest.
fn allow_list(workspace: &Metadata) -> Result<AllowList> {
    let path = workspace.workspace_root.join("deny.toml");
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {path}"))?;
    AllowList::parse(&text).with_context(|| format!("cannot take the allowed licences from {path}"))
}

/// A line for each package that may not be used.
fn refused(workspace: &Metadata, allowed: &AllowList) -> Vec<String> {
    let judged =
        workspace.packages.iter().map(|package| (package, allowed.judge(package.license.as_deref())));
    judged
        .filter_map(|(package, verdict)| {
            Some(format!("{} {}: {}", package.name, package.version, verdict.err()?))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::made_up;

    fn package(name: &str, licence: &str) -> String {
        let rest = "version = '1.2.3'\nmanifest_path = '/x'\ndependencies = []\ntargets = []\nfeatures = {}";
        format!("[[packages]]\nname = '{name}'\nid = '{name}'\n{licence}\n{rest}\n")
    }

    #[test]
    fn each_package_that_may_not_be_used_is_named_with_its_version_and_why() {
        let packages = [
            package("fine", "license = 'MIT OR GPL-3.0-only'"),
            package("foul", "license = 'GPL-3.0-only'"),
            package("mute", ""),
        ];
        let allowed = AllowList::parse("licenses.allow = ['MIT']").unwrap();
        let wanted = [
            "foul 1.2.3: `GPL-3.0-only` needs `GPL-3.0-only`, which deny.toml does not allow",
            "mute 1.2.3: it states no licence expression",
        ];
        assert_eq!(refused(&made_up(&packages.concat()), &allowed), wanted);
    }
}
