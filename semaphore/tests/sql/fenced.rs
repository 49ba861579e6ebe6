//! The fenced write of the example, on each database.

#[path = "../../examples/fenced_write.rs"]
#[expect(dead_code, reason = "the example has a main of its own")]
mod fenced_write;

use crate::support::{run, url};

/// The stale holder's last write is refused.
const STALE_REFUSED: [bool; 3] = [true, true, false];

// S3, P76
#[test]
fn a_stale_holders_write_is_refused_on_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let file = format!("sqlite:{}", folder.path().join("fenced.db").display());
    run(async { assert_eq!(fenced_write::show(&file).await.unwrap(), STALE_REFUSED) });
}

// S3, P76
#[test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
fn a_stale_holders_write_is_refused_on_postgres() {
    run(async { assert_eq!(fenced_write::show(&url("POSTGRES_URL")).await.unwrap(), STALE_REFUSED) });
}

// S3, P76
#[test]
#[ignore = "needs MariaDB: cargo xtask test"]
fn a_stale_holders_write_is_refused_on_mysql() {
    run(async { assert_eq!(fenced_write::show(&url("MYSQL_URL")).await.unwrap(), STALE_REFUSED) });
}
