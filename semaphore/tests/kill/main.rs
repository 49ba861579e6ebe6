//! Holders that are killed or frozen, and processes that share a file: real ones, `kill -9` and `SIGSTOP`.
//!
//! This program is its own child: with a role in its environment it plays that.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "the helpers of tests fail as tests do")]

mod child;
mod frozen;
mod killed;
mod place;
mod sharing;
mod unanswered;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};
use sqlx::{MySql, Postgres, Sqlite};

/// Makes trials of functions, for each database; those that need a server are ignored without one.
macro_rules! trials {
    ($($(#[test])? $module:ident::$test:ident on $($database:ident)+;)+) => {
        fn trials() -> Vec<Trial> {
            vec![$($(
                trial(stringify!($database), stringify!($test), || $module::$test::<$database>()),
            )+)+]
        }
    };
}

trials! {
    // S3, S4, TS9, P56
    #[test] killed::a_killed_holders_slot_is_free_when_its_lease_ends_and_not_before on Sqlite Postgres MySql;
    // S2, S3, S5, S6, S8, TS9, P55, P76
    #[test] frozen::a_frozen_holder_holds_up_nobody_and_can_do_nothing_when_it_goes_on on Sqlite Postgres MySql;
    // S2, S10, TS9: a client that never got to the server
    #[test] unanswered::a_client_frozen_before_its_call_arrives_holds_up_nobody on Sqlite Postgres MySql;
    // S2, S8, TS9: on SQLite the answer is there when the call is done
    #[test] unanswered::a_grant_that_arrives_after_its_lease_is_lost_from_the_start on Postgres MySql;
    // S2, S13, TS9: on SQLite a collector has the one right to write
    #[test] frozen::a_collector_frozen_anywhere_holds_up_nobody on Postgres MySql;
    // S1, S3, TS14
    #[test] sharing::sixteen_processes_share_one_file_and_none_hears_that_it_is_busy on Sqlite;
}

fn trial<F>(database: &str, name: &str, test: impl FnOnce() -> F + Send + 'static) -> Trial
where
    F: Future<Output = ()>,
{
    let run = move || {
        let runtime = tokio::runtime::Runtime::new()?;
        runtime.block_on(test());
        Ok(())
    };
    let name = format!("{}::{name}", database.to_lowercase());
    Trial::test(name, run).with_ignored_flag(database != "Sqlite")
}

fn main() -> ExitCode {
    if let Ok(role) = std::env::var(place::ROLE) {
        child::play(&role);
        return ExitCode::SUCCESS;
    }
    libtest_mimic::run(&Arguments::from_args(), trials()).exit_code()
}
