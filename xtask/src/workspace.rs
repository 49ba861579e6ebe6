//! The workspace as cargo describes it.

use anyhow::{Context, Result};
use cargo_metadata::{CargoOpt, Metadata, MetadataCommand};

/// The members only: what they declare, not what it resolves to.
///
/// # Errors
/// When cargo can't read the workspace.
pub(crate) fn members() -> Result<Metadata> {
    MetadataCommand::new().no_deps().exec().context("cannot read the workspace's members")
}

/// The members and everything they depend on, for every platform, all features on.
///
/// # Errors
/// When cargo can't read or resolve the workspace.
pub(crate) fn everything() -> Result<Metadata> {
    let mut command = MetadataCommand::new();
    command.features(CargoOpt::AllFeatures).exec().context("cannot resolve the workspace's dependencies")
}

/// A made-up workspace: its packages as cargo describes them, in TOML, each field that is not named left empty.
#[cfg(test)]
pub(crate) fn made_up(packages: &str) -> Metadata {
    let frame = "version = 1\nworkspace_root = '/house'\ntarget_directory = '/house/target'\nworkspace_members = []\n";
    toml::from_str(&format!("{frame}{packages}")).unwrap()
}
