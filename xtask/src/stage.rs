//! A stage of CI: its name and what it does.

use crate::{
    cargo::Cargo,
    features, layers, licences, promises,
    suite::{self, Servers},
};
use anyhow::{Context, Result};
use clap::ValueEnum;
use std::fmt;

/// The stages, in the order in which CI runs them.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Stage {
    /// The code is formatted
    Fmt,
    /// No lint warns
    Clippy,
    /// The documentation builds without a warning
    Docs,
    /// Every test passes; the same as `cargo xtask test`
    Test,
    /// The arrows between the crates point where the architecture says
    Layers,
    /// The licences of all dependencies are on deny.toml's list
    Licences,
    /// Each promise in docs/ is cited by a test
    Promises,
    /// README's first command runs, built as a user builds it: without the features that tests add
    Readme,
    /// Each library crate builds without features and with each feature alone
    Features,
}

impl Stage {
    /// All stages in order.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        Self::value_variants().iter().copied()
    }

    /// Runs the stage.
    ///
    /// # Errors
    /// Names the stage and the command that repeats it; the cause is in the chain.
    pub(crate) fn run(self) -> Result<()> {
        self.work().with_context(|| format!("stage `{self}` failed; repeat it: cargo xtask ci --only {self}"))
    }

    fn work(self) -> Result<()> {
        match self {
            Self::Fmt => Cargo::new("fmt --all --check").run(),
            Self::Clippy => {
                Cargo::new("clippy --workspace --all-targets --all-features -- -D warnings").run()
            }
            Self::Docs => Cargo::new("doc --workspace --all-features --no-deps")
                .with_env("RUSTDOCFLAGS", "-D warnings")
                .run(),
            Self::Test => suite::run(&[], Servers::With),
            Self::Layers => layers::check(),
            Self::Licences => licences::check(),
            Self::Promises => promises::check(),
            Self::Readme => Cargo::new("run --release -p examples --example visscore").run(),
            Self::Features => features::check(),
        }
    }
}

impl fmt::Display for Stage {
    /// The name, as `--only` takes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.to_possible_value();
        f.pad(value.as_ref().map_or("", |value| value.get_name()))
    }
}
