//! Calls counted by a server that speaks as Amazon SQS and SNS do, beside their bars, B1 to B5; and a receiver's time
//! against that of a loop by hand, B11.
//!
//! Nothing is simulated but the services: the calls go through the SDK over sockets. The server is that of `testkit`, in
//! this process, on a thread of its own.

#![expect(clippy::expect_used, reason = "a measurement whose server fails has nothing to say")]
#![expect(clippy::print_stdout, reason = "a program: its report goes to stdout")]

mod by_hand;
mod idle;
mod load;
mod outage;
mod publish;
mod renewal;
mod site;

use std::process::ExitCode;

use benches::{Finding, Report, two_threads};

fn main() -> ExitCode {
    let mut report = Report::from_args();
    report.extend(two_threads().block_on(measure()));
    print!("{report}");
    report.exit_code()
}

/// What takes a while in vain runs beside each other; what is timed runs alone.
async fn measure() -> Vec<Finding> {
    let (outage, renewal) = tokio::join!(outage::findings(), renewal::finding());
    let mut findings = vec![load::finding().await];
    findings.extend(publish::findings().await);
    findings.push(renewal);
    findings.push(idle::finding().await);
    findings.extend(outage);
    findings.extend(by_hand::findings().await);
    findings
}
