//! The command line: which words call which part.

use crate::{
    bench_report::{self, Bar},
    ci,
    services::Services,
    soak::Soak,
    stage::Stage,
    suite::{self, Servers},
};
use anyhow::Result;
use clap::{Args, Parser, Subcommand};
use std::{ffi::OsString, path::PathBuf};

/// The project's own commands.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version, propagate_version = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// What can be asked for.
#[derive(Debug, Subcommand)]
enum Command {
    /// Run every test of the workspace: unit, integration, doc tests and the examples' own, and those that need a
    /// server, a database or an emulator, which is started for them.
    Test {
        /// Start no server, and leave out the tests that need one.
        #[arg(long)]
        no_services: bool,
        /// Narrows the run: handed to `cargo test` as it is, e.g. `-p worker -- --nocapture`.
        /// The examples' own tests are then run only if the arguments ask for them.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "CARGO TEST ARGS")]
        extra: Vec<OsString>,
    },
    /// Start, stop or show what tests need besides the project: database servers, a pooler, `LocalStack`, a library.
    #[command(subcommand)]
    Services(Services),
    /// Soak a semaphore or a queue: kill, freeze and restart at random, and check what came of it.
    #[command(subcommand)]
    Soak(Soak),
    /// Run the stages of CI in order; stop at the first that fails; end with a table.
    Ci(Selection),
    /// Check the arrows between the crates, and that light crates stay light.
    Layers,
    /// Check every dependency's licence against the allow-list in deny.toml.
    Licences,
    /// Check each library crate without features and with each of its features alone.
    Features,
    /// Measure what there is a bar for and print each figure beside its limit; fails when a bar is broken.
    BenchReport(Measures),
}

/// What is measured; without an option everything that there is a bar for.
#[derive(Args, Debug)]
struct Measures {
    /// Measure these only (comma-separated).
    #[arg(long, value_enum, value_delimiter = ',', ignore_case = true, value_name = "BARS")]
    only: Vec<Bar>,
    /// Run the benchmarks that compare times first.
    #[arg(long)]
    criterion: bool,
    /// Write the findings to this file too, as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Which stages of CI are meant; without an option all of them.
#[derive(Args, Debug)]
struct Selection {
    /// Run these stages only (comma-separated), in CI's order.
    #[arg(long, value_enum, value_delimiter = ',', value_name = "STAGES", conflicts_with = "skip")]
    only: Vec<Stage>,
    /// Run all stages but these (comma-separated).
    #[arg(long, value_enum, value_delimiter = ',', value_name = "STAGES")]
    skip: Vec<Stage>,
}

impl Cli {
    /// Does what the command line asks for.
    ///
    /// # Errors
    /// Says which stage failed, why, and the command that repeats it.
    pub(crate) fn run(self) -> Result<()> {
        match self.command {
            Command::Test { no_services: true, extra } => suite::run(&extra, Servers::Without),
            Command::Test { no_services: false, extra } => suite::run(&extra, Servers::With),
            Command::Services(services) => services.run(),
            Command::Soak(soak) => soak.run(),
            Command::Ci(selection) => ci::run(&selection.stages()),
            Command::Layers => Stage::Layers.run(),
            Command::Licences => Stage::Licences.run(),
            Command::Features => Stage::Features.run(),
            Command::BenchReport(measures) => measures.run(),
        }
    }
}

impl Measures {
    fn run(&self) -> Result<()> {
        if self.criterion {
            bench_report::times()?;
        }
        bench_report::run(&self.only, self.json.as_deref())
    }
}

impl Selection {
    /// The chosen stages, each once, in CI's order however they were given.
    fn stages(&self) -> Vec<Stage> {
        let chosen = |stage: &Stage| self.only.is_empty() || self.only.contains(stage);
        Stage::all().filter(chosen).filter(|stage| !self.skip.contains(stage)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn stages(words: &[&str]) -> Vec<Stage> {
        let line = ["cargo xtask", "ci"].iter().chain(words);
        match Cli::try_parse_from(line).unwrap().command {
            Command::Ci(selection) => selection.stages(),
            other => panic!("`ci` was read as {other:?}"),
        }
    }

    fn extra(words: &[&str]) -> Vec<OsString> {
        let line = ["cargo xtask", "test"].iter().chain(words);
        match Cli::try_parse_from(line).unwrap().command {
            Command::Test { no_services: false, extra } => extra,
            other => panic!("`test` was read as {other:?}"),
        }
    }

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn without_an_option_ci_runs_every_stage() {
        assert_eq!(stages(&[]), Stage::all().collect::<Vec<_>>());
    }

    #[test]
    fn stages_run_in_the_order_of_ci_and_once_however_they_are_given() {
        assert_eq!(stages(&["--only", "layers,fmt,layers"]), [Stage::Fmt, Stage::Layers]);
    }

    #[test]
    fn skipped_stages_are_left_out() {
        let left = stages(&["--skip", "test,features"]);
        assert_eq!(
            left,
            [
                Stage::Fmt,
                Stage::Clippy,
                Stage::Docs,
                Stage::Layers,
                Stage::Licences,
                Stage::Promises,
                Stage::Readme
            ]
        );
    }

    #[test]
    fn an_unknown_stage_is_refused() {
        assert!(Cli::try_parse_from(["cargo xtask", "ci", "--only", "clipy"]).is_err());
    }

    #[test]
    fn bars_are_chosen_by_their_ids_in_either_case() {
        let line = ["cargo xtask", "bench-report", "--only", "b29,B1"];
        let Command::BenchReport(measures) = Cli::try_parse_from(line).unwrap().command else {
            panic!("`bench-report` was read as something else");
        };
        assert_eq!(measures.only, [Bar::B29, Bar::B1]);
    }

    #[test]
    fn arguments_for_cargo_test_need_no_separator_and_keep_their_own() {
        let wanted = ["-p", "worker", "--", "--nocapture"];
        assert_eq!(extra(&wanted), wanted);
        assert_eq!(extra(&["--", "-p", "worker", "--", "--nocapture"]), wanted);
    }

    #[test]
    fn a_run_without_servers_says_so_before_the_arguments_for_cargo_test() {
        let line = ["cargo xtask", "test", "--no-services", "-p", "worker"];
        let Command::Test { no_services: true, extra } = Cli::try_parse_from(line).unwrap().command else {
            panic!("`--no-services` was not read");
        };
        assert_eq!(extra, ["-p", "worker"]);
    }
}
