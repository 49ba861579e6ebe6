//! What a child inherits from the test that started it.

use std::env;
use std::os::unix::process::parent_id;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::OnceLock;

/// The variable with the process of the test: a child of a child inherits it too and sees that it isn't meant.
pub(crate) const PARENT: &str = "HARNESS_PARENT";
/// The variable with the number of the run.
pub(crate) const RUN: &str = "HARNESS_RUN";
/// The variable with the ledger's file.
pub(crate) const LEDGER: &str = "HARNESS_LEDGER";

/// What a child inherits from the test that started it.
#[derive(Debug)]
pub(crate) struct Inherited {
    /// Which run of a program it is, counted by the ledger.
    pub(crate) run: u64,
    /// The ledger's file, if there is one.
    pub(crate) ledger: Option<PathBuf>,
}

impl Inherited {
    /// What this process inherited; nothing if no test started it.
    pub(crate) fn here() -> Option<&'static Self> {
        static HERE: OnceLock<Option<Inherited>> = OnceLock::new();
        HERE.get_or_init(Self::read).as_ref()
    }

    fn read() -> Option<Self> {
        let parent: u32 = number(PARENT)?;
        (parent == parent_id()).then(|| Self {
            run: number(RUN).unwrap_or_default(),
            ledger: env::var_os(LEDGER).map(PathBuf::from),
        })
    }
}

fn number<N: FromStr>(variable: &str) -> Option<N> {
    env::var(variable).ok()?.parse().ok()
}
