//! An arrow: one crate of the family declares another as a dependency.

use super::house::HOUSE;
use cargo_metadata::{Dependency, DependencyKind, Metadata, Package};
use std::{collections::BTreeSet, fmt};

/// One dependency within the family, as its manifest declares it (optional ones too).
#[derive(Clone, Debug)]
pub(crate) struct Arrow {
    /// The crate whose manifest it is.
    pub(crate) from: String,
    /// The crate it depends on, by its real name, whatever it is renamed to.
    pub(crate) to: String,
    /// Normal, build or dev.
    pub(crate) kind: DependencyKind,
    /// Whether it states a version, so that packaging keeps it.
    pub(crate) versioned: bool,
}

/// The workspace's members and the arrows between them.
#[derive(Debug, Default)]
pub(crate) struct Family {
    /// The members that exist today.
    pub(crate) members: BTreeSet<String>,
    /// All arrows, in no particular order.
    pub(crate) arrows: Vec<Arrow>,
}

impl Family {
    /// Takes members and arrows from what cargo says of the workspace.
    pub(crate) fn read(workspace: &Metadata) -> Self {
        let members = workspace.packages.iter().map(|package| package.name.to_string()).collect();
        let mut family = Self { members, arrows: Vec::new() };
        for package in &workspace.packages {
            let within = package.dependencies.iter().filter(|to| family.includes(&to.name));
            let arrows: Vec<_> = within.map(|to| Arrow::read(package, to)).collect();
            family.arrows.extend(arrows);
        }
        family
    }

    /// Whether the crate exists today.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.members.contains(name)
    }

    /// The arrows that start at this crate.
    pub(crate) fn from<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Arrow> {
        self.arrows.iter().filter(move |arrow| arrow.from == name)
    }

    /// What the crate depends on, in words.
    pub(crate) fn known_by(&self, name: &str) -> String {
        let known: Vec<_> = self.from(name).map(|arrow| format!("{} ({})", arrow.to, arrow.kind)).collect();
        if known.is_empty() {
            "knows none of the family".to_owned()
        } else {
            format!("knows {}", known.join(", "))
        }
    }

    /// Whether a name belongs to the family: a member, or a place that is reserved for a later one.
    fn includes(&self, name: &str) -> bool {
        self.has(name) || HOUSE.iter().any(|place| place.name == name)
    }
}

impl Arrow {
    fn read(from: &Package, to: &Dependency) -> Self {
        let versioned = to.req != cargo_metadata::semver::VersionReq::STAR;
        Self { from: from.name.to_string(), to: to.name.clone(), kind: to.kind, versioned }
    }
}

impl fmt::Display for Arrow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} → {} ({})", self.from, self.to, self.kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::made_up;

    /// A worker with one dependency of each kind.
    fn worker() -> Metadata {
        let dependency = |name: &str, req: &str, kind: &str, rest: &str| {
            let fixed = "uses_default_features = true, features = []";
            format!("{{ name = '{name}', req = '{req}', kind = '{kind}', {rest}, {fixed} }}")
        };
        let dependencies = [
            dependency("tokio", "^1", "normal", "optional = false"),
            dependency("outbox", "^0.1", "build", "optional = true, rename = 'o'"),
            dependency("testkit", "*", "dev", "optional = false"),
        ];
        let rest = "version = '0.1.0'\nid = 'worker'\nmanifest_path = '/x'\ntargets = []\nfeatures = {}";
        let dependencies = dependencies.join(", ");
        made_up(&format!("[[packages]]\nname = 'worker'\n{rest}\ndependencies = [{dependencies}]"))
    }

    #[test]
    fn only_arrows_within_the_family_are_read_by_their_real_names_optional_ones_too() {
        let family = Family::read(&worker());
        assert_eq!(family.known_by("worker"), "knows outbox (build), testkit (dev)");
        assert!(family.has("worker") && !family.has("outbox"));
    }

    #[test]
    fn a_dependency_by_path_alone_has_no_version() {
        let versioned: Vec<_> = Family::read(&worker()).arrows.iter().map(|arrow| arrow.versioned).collect();
        assert_eq!(versioned, [true, false]);
    }
}
