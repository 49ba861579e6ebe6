//! Times of semaphores beside their bars, as ratios within one run: B13, B14, B26.

#![expect(clippy::expect_used, reason = "a measurement whose database fails has nothing to say")]
#![expect(clippy::print_stdout, reason = "a program: its report goes to stdout")]
#![expect(clippy::print_stderr, reason = "a program: what failed goes to stderr")]

mod bare;
mod growth;
mod pairs;
mod procedure;
mod site;

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
    let sqlite = site::sqlite(directory.path()).await?;
    findings.extend(pairs::against_updates(&sqlite).await?);
    findings.push(growth::measure(&sqlite).await?);
    match postgres() {
        Some(options) => {
            let place = site::postgres(options).await?;
            findings.extend(pairs::against_updates(&place).await?);
            findings.push(growth::measure(&place).await?);
        }
        None => findings.extend(["B13", "B26"].map(|id| Finding::unmeasured(id, "PostgreSQL", POSTGRES))),
    }
    match mysql() {
        Some(options) => {
            let place = site::mysql(options).await?;
            findings.extend(pairs::against_updates(&place).await?);
            findings.push(procedure::measure(&place).await?);
            findings.push(growth::measure(&place).await?);
        }
        None => {
            findings.extend(["B13", "B14", "B26"].map(|id| Finding::unmeasured(id, "MariaDB", MYSQL)));
        }
    }
    Ok(findings)
}
