//! Which clauses a broken backend is expected to fail.

use std::collections::BTreeSet;
use std::fmt::Debug;

use testkit::{Check, Suite};

use super::quiet::quietly;

/// Which clauses are expected to fail.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Expected {
    /// These and no others.
    Exactly(&'static [&'static str]),
    /// All of these and no others.
    Together(&'static [&'static [&'static str]]),
    /// These, and many others that come to rest on the same thing.
    AtLeast(&'static [&'static str]),
}

impl Expected {
    pub(crate) fn clauses(&'static self) -> impl Iterator<Item = &'static str> {
        let lists: &'static [&'static [&'static str]] = match self {
            Self::Exactly(clauses) | Self::AtLeast(clauses) => std::slice::from_ref(clauses),
            Self::Together(lists) => lists,
        };
        lists.iter().copied().flatten().copied()
    }

    /// What differs from it in what failed.
    pub(crate) fn surprise(&'static self, failed: &BTreeSet<&str>) -> Option<String> {
        let expected: BTreeSet<&str> = self.clauses().collect();
        let unseen: Vec<_> = expected.difference(failed).collect();
        let unexpected: Vec<_> = failed.difference(&expected).collect();
        let exact = !matches!(self, Self::AtLeast(_));
        let surprising = !unseen.is_empty() || (exact && !unexpected.is_empty());
        surprising.then(|| format!("not failed {unseen:#?}, failed too {unexpected:#?}"))
    }
}

/// Runs every clause against each broken backend; fails with what differs from what is expected.
pub(crate) fn sees<F: Copy + Debug>(faults: &'static [(F, Expected)], suite: impl Fn(F) -> Suite) {
    let surprise = |(fault, expected): &'static (F, Expected)| {
        let suite = suite(*fault);
        let failed = suite.checks().iter().filter(|check| quietly(|| check.run()).is_err());
        expected.surprise(&failed.map(Check::name).collect()).map(|what| format!("{fault:?}: {what}"))
    };
    let surprises: Vec<_> = faults.iter().filter_map(surprise).collect();
    assert!(surprises.is_empty(), "{}", surprises.join("\n"));
}

/// The clauses that are expected to fail.
pub(crate) fn named<F>(faults: &'static [(F, Expected)]) -> impl Iterator<Item = &'static str> {
    faults.iter().flat_map(|(_, expected)| expected.clauses())
}

/// Checks that each clause of a suite is among `named`: that none of them is empty.
pub(crate) fn all_are_named(suite: &Suite, named: impl Iterator<Item = &'static str>) {
    let named: BTreeSet<&str> = named.collect();
    let all: BTreeSet<&str> = suite.checks().iter().map(Check::name).collect();
    let never: Vec<_> = all.difference(&named).collect();
    assert!(never.is_empty(), "nothing broken fails these clauses: {never:#?}");
}
