//! The test target's `main`: checks as trials of a test harness.

use std::process::ExitCode;

use libtest_mimic::{Arguments, Completion, Trial};

use crate::check::Check;
use crate::suite::Suite;

/// How many clauses run at a time in real time, where they mostly sleep.
const AT_A_TIME: usize = 32;

/// Runs suites as the command line asks: what [`conformance!`](crate::conformance) makes a test target's `main` do.
pub fn main(suites: impl IntoIterator<Item = Suite>) -> ExitCode {
    let suites: Vec<_> = suites.into_iter().collect();
    let mut arguments = Arguments::from_args();
    if suites.iter().any(Suite::is_real_time) {
        arguments.test_threads.get_or_insert(AT_A_TIME);
    }
    // Whoever asks for what is ignored wants nothing left out that could run. What isn't promised can't.
    let all = arguments.ignored || arguments.include_ignored;
    let checks = suites.into_iter().flat_map(Suite::into_checks);
    let checks = checks.filter(|check| !all || check.unpromised().is_none());
    let trials = checks.map(|check| trial(check, &arguments)).collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Makes a trial. One that is ignored finds that out when it runs, since only then the harness shows the reason;
/// in lists, and for `--ignored`, it is marked.
fn trial(check: Check, arguments: &Arguments) -> Trial {
    let asked_for = arguments.ignored || arguments.include_ignored;
    let needed = check.need().filter(|_| !asked_for).map(|need| format!("needs {need}"));
    let why = check.unpromised().map(str::to_owned).or(needed);
    let marked = (arguments.list || arguments.ignored) && (why.is_some() || check.need().is_some());
    let name = check.name().to_owned();
    let run = move || match why {
        Some(why) => Ok(Completion::ignored_with(why)),
        None => check.run().map(|()| Completion::Completed).map_err(Into::into),
    };
    Trial::ignorable_test(name, run).with_ignored_flag(marked)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    /// What comes of one clause: passed, failed, ignored; how often it ran; and what was printed.
    fn outcome(check: Check, arguments: &[&str]) -> (u64, u64, u64, String) {
        let log = std::env::temp_dir().join(format!("testkit-{}", uuid::Uuid::new_v4()));
        let log_option = format!("--logfile={}", log.display());
        let start = ["trials", log_option.as_str()];
        let arguments = Arguments::from_iter(start.iter().chain(arguments));
        let conclusion = libtest_mimic::run(&arguments, vec![trial(check, &arguments)]);
        let printed = std::fs::read_to_string(&log).unwrap();
        std::fs::remove_file(log).unwrap();
        (conclusion.num_passed, conclusion.num_failed, conclusion.num_ignored, printed)
    }

    #[test]
    fn a_clause_that_is_not_promised_is_ignored_with_the_reason_whatever_is_asked_for() {
        for arguments in [&[][..], &["--ignored"], &["--include-ignored"]] {
            let check = Check::new("name", || Ok(())).unless(Some("not promised".to_owned()));
            let (passed, failed, ignored, printed) = outcome(check, arguments);
            assert_eq!((passed, failed, ignored), (0, 0, 1), "{arguments:?}");
            assert!(printed.contains("ignored (not promised)"), "{printed}");
        }
    }

    #[test]
    fn a_clause_that_needs_something_runs_only_when_it_is_asked_for() {
        let runs = Arc::new(AtomicU32::new(0));
        for (arguments, expected) in [(&[][..], 0), (&["--ignored"], 1), (&["--include-ignored"], 2)] {
            let count = Arc::clone(&runs);
            let run = move || {
                count.fetch_add(1, Ordering::Relaxed);
                Ok(())
            };
            let printed = outcome(Check::new("name", run).needing(Some("a server")), arguments).3;
            assert_eq!(runs.load(Ordering::Relaxed), expected, "{arguments:?}");
            assert_eq!(printed.contains("ignored (needs a server)"), expected == 0, "{printed}");
        }
    }

    #[test]
    fn a_list_marks_what_is_ignored() {
        let check = Check::new("name", || Ok(())).needing(Some("a server"));
        assert_eq!(outcome(check, &["--list", "--ignored"]).3, "name: test\n");
        assert_eq!(outcome(Check::new("name", || Ok(())), &["--list", "--ignored"]).3, "");
    }

    #[test]
    fn a_clause_that_fails_says_why() {
        let (_, failed, _, printed) = outcome(Check::new("name", || Err("too late".to_owned())), &[]);
        assert_eq!(failed, 1);
        assert!(printed.contains("too late"), "{printed}");
    }
}
