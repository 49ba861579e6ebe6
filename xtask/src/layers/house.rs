//! The house: every crate of the family and which others it may know (ARCHITECTURE.md, as data).

/// A crate's place in the family.
#[derive(Debug)]
pub(crate) struct Place {
    /// The crate's name.
    pub(crate) name: &'static str,
    /// The crates of the family it may depend on.
    pub(crate) knows: Knows,
}

/// The reach of a crate's dependencies within the family.
#[derive(Debug)]
pub(crate) enum Knows {
    /// These, as any kind of dependency; others only in its tests.
    These(&'static [&'static str]),
    /// Every crate, as any kind of dependency.
    All,
    /// None, not even in its tests.
    Nothing,
}

/// The crates from left to right.
pub(crate) const HOUSE: &[Place] = &[
    Place { name: "queue-core", knows: Knows::These(&[]) },
    Place { name: "queue-sqs", knows: Knows::These(&["queue-core"]) },
    Place { name: "queue-sql", knows: Knows::These(&["queue-core"]) },
    Place { name: "dispatcher", knows: Knows::These(&["queue-core"]) },
    Place { name: "semaphore", knows: Knows::These(&[]) },
    Place { name: "outbox", knows: Knows::These(&["queue-core", "semaphore"]) },
    Place { name: "worker", knows: Knows::These(&["queue-core", "semaphore", "dispatcher"]) },
    Place { name: TESTKIT, knows: Knows::These(&["queue-core", "semaphore", "outbox"]) },
    Place { name: "examples", knows: Knows::All },
    Place { name: "benches", knows: Knows::All },
    Place { name: "harness", knows: Knows::All },
    Place { name: "xtask", knows: Knows::Nothing },
];

/// The crate that libraries may use in their tests only.
pub(crate) const TESTKIT: &str = "testkit";

/// The crates that build without SQL and without a cloud's SDK as long as no feature asks for them.
pub(crate) const LIGHT: &[&str] = &["queue-core", "dispatcher", "semaphore"];

/// How the names begin of what a light crate must not pull in.
pub(crate) const HEAVY: &[&str] = &["sqlx", "aws-"];
