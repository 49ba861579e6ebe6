//! Exact counts of round trips at a database beside their bars: semaphores (B6) and queues (B9).

#![expect(clippy::print_stdout, reason = "a program: its report goes to stdout")]
#![expect(clippy::print_stderr, reason = "a program: what failed goes to stderr")]

mod queue;
mod semaphore;
mod site;

use std::process::ExitCode;

use benches::{Finding, MYSQL, POSTGRES, Report, two_threads};
use site::{Counter, Site};

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
    let site = Site::open().await?;
    let mut findings = Vec::new();
    findings.extend(semaphore::count("SQLite", &site.sqlite_semaphore().await?, &site.statements).await?);
    findings.extend(queue::count("SQLite", &site.sqlite_queue().await?, &site.statements).await?);
    if let Some(place) = &site.postgres {
        findings.extend(semaphore::count("PostgreSQL", &place.semaphore().await?, place).await?);
        findings.extend(queue::count("PostgreSQL", &place.queue().await?, place).await?);
    } else {
        findings.extend(["B6", "B9"].map(|id| Finding::unmeasured(id, "PostgreSQL: round trips", POSTGRES)));
    }
    if let Some(place) = &site.mysql {
        findings.extend(semaphore::count("MariaDB", &place.semaphore().await?, place).await?);
        findings.extend(queue::count("MariaDB", &place.queue().await?, place).await?);
    } else {
        findings.extend(["B6", "B9"].map(|id| Finding::unmeasured(id, "MariaDB: round trips", MYSQL)));
    }
    Ok(findings)
}

/// Counts what `work` takes, once it has been done a few times.
async fn counted<T: Send>(counter: &impl Counter, work: impl Future<Output = T> + Send) -> (T, u64) {
    let before = counter.count();
    let answer = work.await;
    (answer, counter.count() - before)
}
