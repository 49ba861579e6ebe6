//! The run of CI: stages one after the other, up to the first that fails.

use crate::{
    report::{Outcome, Report},
    stage::Stage,
    stopwatch::timed,
};
use anyhow::{Result, ensure};

/// Runs the stages in the order given and ends with a table of what each took.
///
/// # Errors
/// That of the first stage that failed; the stages after it are shown as not run.
pub(crate) fn run(stages: &[Stage]) -> Result<()> {
    ensure!(!stages.is_empty(), "no stage is left to run");
    let (report, result) = run_each(stages, |stage| {
        println!("\n── {stage} ──");
        stage.run()
    });
    println!("\n{report}");
    result
}

/// Does `work` for each stage up to the first failure, and keeps the account.
fn run_each(stages: &[Stage], work: impl Fn(Stage) -> Result<()>) -> (Report, Result<()>) {
    let mut report = Report::default();
    let mut result = Ok(());
    for &stage in stages {
        if result.is_err() {
            report.add(stage, Outcome::NotRun);
            continue;
        }
        let took;
        (result, took) = timed(|| work(stage));
        report.add(stage, if result.is_ok() { Outcome::Passed(took) } else { Outcome::Failed(took) });
    }
    (report, result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::bail;

    const THREE: [Stage; 3] = [Stage::Fmt, Stage::Clippy, Stage::Docs];

    #[test]
    fn the_first_failing_stage_ends_the_run_and_the_rest_is_shown_as_not_run() {
        let (report, result) = run_each(&THREE, |stage| match stage {
            Stage::Fmt => Ok(()),
            Stage::Clippy => bail!("a lint"),
            other => panic!("{other} was run after a failure"),
        });
        assert_eq!(result.unwrap_err().to_string(), "a lint");
        let table = report.to_string();
        let outcomes: Vec<_> = table.lines().filter_map(|line| line.split("  ").last()).collect();
        assert_eq!(outcomes, ["passed", "FAILED", "not run"]);
    }

    #[test]
    fn a_run_of_no_stage_is_an_error() {
        assert!(run(&[]).is_err());
    }
}
