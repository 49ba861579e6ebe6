//! Exact counts of calls beside their bars, B1 to B5, on the memory backend and a paused clock.
//!
//! They hold for what the family decides: when to poll, how much to ask for, what goes together. What a service
//! adds, such as answers that are shorter than its backlog, is counted again on the backend that speaks to it.

#![expect(clippy::print_stdout, reason = "a program: its report goes to stdout")]

mod idle;
mod load;
mod outage;
mod publish;
mod renewal;

use std::process::ExitCode;

use benches::Report;

fn main() -> ExitCode {
    let mut report = Report::from_args();
    report.extend(load::findings());
    report.extend(publish::findings());
    report.extend(renewal::findings());
    report.extend(idle::findings());
    report.extend(outage::findings());
    print!("{report}");
    report.exit_code()
}
