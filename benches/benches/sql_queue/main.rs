//! How a SQL queue's cost grows, beside its bars: with the backlog (B23), and with a snapshot that is held open (B24).

#![expect(clippy::print_stdout, reason = "a program: its report goes to stdout")]
#![expect(clippy::print_stderr, reason = "a program: its progress, and what failed, go to stderr")]

mod backlog;
mod cycle;
mod latency;
mod site;
mod snapshot;

use std::process::ExitCode;

use benches::{Finding, MYSQL, POSTGRES, Report, mysql, postgres, two_threads};

fn main() -> ExitCode {
    let mut report = Report::from_args();
    match two_threads().block_on(measure()) {
        Ok(findings) => report.extend(findings),
        Err(error) => {
            eprintln!("error: {error:#}");
            return ExitCode::FAILURE;
        }
    }
    print!("{report}");
    report.exit_code()
}

async fn measure() -> anyhow::Result<Vec<Finding>> {
    let mut findings = Vec::new();
    let directory = tempfile::tempdir()?;
    let site = site::sqlite(directory.path()).await?;
    findings.push(backlog::measure(&site).await?);
    findings.push(snapshot::measure(&site).await?);
    match postgres() {
        Some(options) => {
            let site = site::postgres(options).await?;
            findings.push(backlog::measure(&site).await?);
            findings.push(snapshot::measure(&site).await?);
        }
        None => findings.extend(["B23", "B24"].map(|id| Finding::unmeasured(id, "PostgreSQL", POSTGRES))),
    }
    match mysql() {
        Some(options) => {
            let site = site::mysql(options).await?;
            findings.push(backlog::measure(&site).await?);
            findings.push(snapshot::measure(&site).await?);
        }
        None => findings.extend(["B23", "B24"].map(|id| Finding::unmeasured(id, "MariaDB", MYSQL))),
    }
    Ok(findings)
}
