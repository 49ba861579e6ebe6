//! Processes that write to one file: real ones, one of them frozen or killed.
//!
//! This program is its own child: with a file in its environment it works on that.

#![expect(clippy::unwrap_used, reason = "the helpers of tests fail as tests do")]
#![expect(clippy::print_stdout, reason = "the longest wait is a figure to be read, not a bar")]

mod scenarios;
mod worker;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

fn trial<F>(name: &str, test: impl FnOnce() -> F + Send + 'static) -> Trial
where
    F: Future<Output = ()>,
{
    Trial::test(name, move || {
        tokio::runtime::Runtime::new()?.block_on(test());
        Ok(())
    })
}

fn main() -> ExitCode {
    if worker::work() {
        return ExitCode::SUCCESS;
    }
    let trials = vec![
        // TQ14
        trial("eight_processes_write_to_one_file_and_none_is_refused", scenarios::eight_write),
        // TQ14
        trial("a_process_frozen_with_the_lock_file_holds_up_nobody_for_long", scenarios::one_is_frozen),
        // TQ14, TQ15
        trial("a_process_killed_in_its_turn_leaves_it_free", scenarios::one_is_killed),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
