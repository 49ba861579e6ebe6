//! The report on the bars: what is measured, each figure beside its limit.

mod bar;
mod cold_build;
mod finding;
mod program;
mod table;

pub(crate) use bar::Bar;

use crate::services;
use anyhow::{Context, Result, ensure};
use bar::{Source, Urls};
use finding::Finding;
use std::{fs, path::Path};
use table::Table;

/// Measures what the bars named in `only` speak of, or all that can be measured here, and ends with a table.
///
/// # Errors
/// When something can't be measured, and, after the table, when a bar is broken.
pub(crate) fn run(only: &[Bar], json: Option<&Path>) -> Result<()> {
    let wanted = |bar: Bar| only.is_empty() || only.contains(&bar);
    let sources: Vec<_> = Source::all().filter(|source| source.bars().any(wanted)).collect();
    let findings: Vec<_> = measure(&sources)?.into_iter().filter(|finding| wanted(finding.id)).collect();
    println!("\n{}", Table(&findings));
    if let Some(path) = json {
        write(path, &findings)?;
    }
    let broken = findings.iter().filter(|finding| finding.is_broken()).count();
    ensure!(broken == 0, "{broken} of {} figures break their bar", findings.len());
    Ok(())
}

/// Measures all of it; the database servers are there meanwhile if any of it needs them.
fn measure(sources: &[Source]) -> Result<Vec<Finding>> {
    if !sources.iter().any(|source| source.needs_servers()) {
        return measure_at(sources, &[]);
    }
    let servers = services::Run::start()?;
    let findings = measure_at(sources, servers.urls());
    servers.stop().and(findings)
}

fn measure_at(sources: &[Source], urls: Urls<'_>) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for source in sources {
        println!("\n── {source} ──");
        findings.extend(source.measure(urls)?);
    }
    Ok(findings)
}

/// Runs the benchmarks that have no bar, and tell times that are compared side by side.
///
/// # Errors
/// When one doesn't compile or fails.
pub(crate) fn times() -> Result<()> {
    program::times()
}

fn write(path: &Path, findings: &[Finding]) -> Result<()> {
    let text = serde_json::to_string_pretty(findings)?;
    fs::write(path, text + "\n").with_context(|| format!("cannot write {}", path.display()))
}
