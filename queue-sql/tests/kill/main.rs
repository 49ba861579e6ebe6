//! Consumers and publishers that are killed: real processes and `kill -9`, at each step and at random times.
//!
//! This program is its own child: with a role in its environment it plays that.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "the helpers of tests fail as tests do")]

mod child;
#[expect(dead_code, reason = "the exercises use what these tests do not")]
#[path = "../exercise/database.rs"]
mod database;
mod killable;
mod scenarios;
mod unanswered;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

/// Makes trials of functions, for each database; those that need a server are ignored without one.
macro_rules! trials {
    ($($(#[test])? $module:ident::$test:ident;)+) => {
        #[expect(clippy::vec_init_then_push, reason = "which trials there are depends on the features")]
        fn trials() -> Vec<Trial> {
            let mut trials = Vec::new();
            $(
                #[cfg(feature = "sqlite")]
                trials.push(trial("sqlite", stringify!($test), || $module::$test::<database::sqlite::Sqlite>()));
                #[cfg(feature = "postgres")]
                trials.push(trial("postgres", stringify!($test), || $module::$test::<database::postgres::Postgres>()));
                #[cfg(feature = "mysql")]
                trials.push(trial("mysql", stringify!($test), || $module::$test::<database::mysql::MySql>()));
            )+
            trials
        }
    };
}

trials! {
    // Q3, TQ15
    #[test] scenarios::a_consumer_killed_with_a_message_gives_it_back_at_the_timeout;
    // Q3, Q7
    #[test] scenarios::a_consumer_killed_after_its_delete_leaves_nothing;
    #[test] scenarios::a_publisher_killed_before_its_commit_leaves_nothing_and_blocks_nobody;
    #[test] scenarios::what_a_publisher_committed_before_it_was_killed_is_there;
    // Q3, Q8: at random times
    #[test] scenarios::consumers_killed_again_and_again_lose_nothing_and_keep_the_order;
    // Q3, TQ15
    #[test] unanswered::a_consumer_killed_before_its_receive_is_done_takes_nothing;
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
    Trial::test(format!("{database}::{name}"), run).with_ignored_flag(database != "sqlite")
}

fn main() -> ExitCode {
    if let Ok(role) = std::env::var(killable::ROLE) {
        child::play(&role);
        return ExitCode::SUCCESS;
    }
    libtest_mimic::run(&Arguments::from_args(), trials()).exit_code()
}
