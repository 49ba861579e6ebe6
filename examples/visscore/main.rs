//! Visscore: page visits of many accounts, each account with a main and a retry queue, ten and five workers, and a poll
//! gate that keeps quiet queues cheap. It runs on queues in SQLite, or on others, counts every call and says what they
//! would cost at Amazon SQS.

#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "counts are turned into rates and prices, where the last digits do not matter"
)]

mod accounts;
mod aid;
mod backend;
mod batches;
mod company;
mod consumer;
mod counts;
mod cut;
mod gates;
mod generator;
mod handler;
mod idle_hour;
mod input;
mod letter;
mod line;
mod options;
mod origin;
mod outcome;
mod pace;
mod producer;
mod progress;
mod publishing;
mod ranges;
mod receivers;
mod report;
mod run;
mod score;
mod seen;
mod service;
mod source;
mod spared;
mod stop;
mod summary;
mod tally;
mod visit;

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use tracing_subscriber::EnvFilter;

use options::Options;
use outcome::Outcome;
use report::Report;
use run::Run;
use summary::Summary;

#[tokio::main]
async fn main() -> ExitCode {
    let options = Options::from_command_line();
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("error,worker=warn"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        .init();
    let answer = match run(&options).await {
        Ok(outcome) => tell(&options, outcome),
        Err(error) => Err(error),
    };
    match answer {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Where stderr is closed there is nobody to tell.
            drop(writeln!(io::stderr(), "error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

async fn run(options: &Options) -> anyhow::Result<Outcome> {
    Run::open(options.clone()).await?.finish().await
}

/// Prints what a run came to.
///
/// # Errors
/// What was lost, or why the input was not read to its end.
fn tell(options: &Options, outcome: Outcome) -> anyhow::Result<()> {
    let summary = Summary::new(options, &outcome).to_string();
    if options.json {
        write!(io::stderr(), "{summary}")?;
        writeln!(io::stdout(), "{}", serde_json::to_string(&Report::new(options, &outcome))?)?;
    } else {
        write!(io::stdout(), "{summary}")?;
    }
    match outcome.lost() {
        0 => {}
        lost if options.knows_others() => anyhow::bail!("{lost} visits were lost"),
        lost => anyhow::bail!(
            "{lost} visits were lost, or handled by another process on these queues: --database-url lets processes know of \
             each other"
        ),
    }
    outcome.failure.map_or(Ok(()), Err)
}
