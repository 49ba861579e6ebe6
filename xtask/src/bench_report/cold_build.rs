//! B29: what the first build of queue-core costs someone who adds it to a service.

use super::{Bar, finding::Finding};
use crate::{cargo::Cargo, stopwatch::timed, workspace};
use anyhow::{Context, Result, ensure};
use cargo_metadata::{Message, camino::Utf8Path};
use std::{collections::BTreeSet, fs, io, time::Duration};

/// How often it is built; the median counts, and the spread is shown.
const ROUNDS: usize = 3;
const MOST_TIME: Duration = Duration::from_secs(20);
const MOST_CRATES: usize = 45;

/// Builds it into an empty directory, several times, and removes that again.
///
/// # Errors
/// When it doesn't compile, or the directory can't be emptied.
pub(crate) fn findings() -> Result<Vec<Finding>> {
    Cargo::new("fetch").run()?; // downloading is not building
    let target = workspace::members()?.target_directory.join("bench-report");
    let rounds: Vec<_> = (0..ROUNDS).map(|_| round(&target)).collect::<Result<_>>()?;
    remove(&target)?;
    let (mut times, crates): (Vec<_>, Vec<_>) = rounds.into_iter().unzip();
    times.sort_unstable();
    let crates = crates.into_iter().max().unwrap_or_default();
    Ok(vec![time(&times), number(crates)])
}

/// One build: how long it took, and how many crates were compiled. Two jobs, as on the machine that the bar is for;
/// no cache of compiled crates.
fn round(target: &Utf8Path) -> Result<(Duration, usize)> {
    remove(target)?;
    let words = "build -p queue-core --no-default-features --offline --jobs 2 --message-format json-render-diagnostics";
    let call = Cargo::new(words).with_args(["--target-dir", target.as_str()]).with_env("RUSTC_WRAPPER", "");
    println!("$ {call}");
    let (text, took) = timed(|| call.read());
    let crates = compiled(&text?)?;
    println!("{crates} crates in {:.1} s", took.as_secs_f64());
    ensure!(crates > 0, "`{call}` compiled nothing");
    Ok((took, crates))
}

/// The number of packages that were compiled, by cargo's messages; a build script and its crate are one.
fn compiled(messages: &str) -> Result<usize> {
    let mut packages = BTreeSet::new();
    for message in Message::parse_stream(messages.as_bytes()) {
        if let Message::CompilerArtifact(artifact) = message? {
            packages.extend((!artifact.fresh).then_some(artifact.package_id));
        }
    }
    Ok(packages.len())
}

fn time(sorted: &[Duration]) -> Finding {
    let seconds = |at: usize| sorted.get(at).map_or(f64::NAN, Duration::as_secs_f64);
    let (best, median, worst) =
        (seconds(0), seconds(sorted.len() / 2), seconds(sorted.len().saturating_sub(1)));
    Finding {
        id: Bar::B29,
        what: format!("cold build of queue-core, median of {ROUNDS} ({best:.1} to {worst:.1} s)"),
        figure: format!("{median:.1} s"),
        bar: format!("≤ {} s", MOST_TIME.as_secs()),
        kept: Some(median <= MOST_TIME.as_secs_f64()),
    }
}

fn number(crates: usize) -> Finding {
    Finding {
        id: Bar::B29,
        what: "crates compiled for it".to_owned(),
        figure: crates.to_string(),
        bar: format!("≤ {MOST_CRATES}"),
        kept: Some(crates <= MOST_CRATES),
    }
}

/// Removes a directory; one that isn't there is removed already.
fn remove(directory: &Utf8Path) -> Result<()> {
    match fs::remove_dir_all(directory) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {directory}"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_judged_and_the_spread_is_shown() {
        let finding = time(&[19.0, 20.0, 25.5].map(Duration::from_secs_f64));
        assert_eq!(finding.what, "cold build of queue-core, median of 3 (19.0 to 25.5 s)");
        assert_eq!((finding.figure.as_str(), finding.kept), ("20.0 s", Some(true)));
        assert!(time(&[19.0, 20.1, 25.5].map(Duration::from_secs_f64)).is_broken());
    }

    #[test]
    fn one_crate_too_many_breaks_the_bar() {
        assert_eq!([45, 46].map(|crates| number(crates).kept), [Some(true), Some(false)]);
    }

    #[test]
    fn a_crate_and_its_build_script_are_one_and_fresh_ones_are_not_compiled() {
        let target = r#"{"kind":["lib"],"crate_types":["lib"],"name":"a","src_path":"/a.rs"}"#;
        let profile =
            r#"{"opt_level":"0","debuginfo":0,"debug_assertions":true,"overflow_checks":true,"test":false}"#;
        let artifact = |id: &str, fresh: bool| {
            let rest = r#""features":[],"filenames":[],"executable":null"#;
            format!(
                r#"{{"reason":"compiler-artifact","package_id":"{id}","manifest_path":"/a","target":{target},"profile":{profile},"fresh":{fresh},{rest}}}"#
            )
        };
        let lines = [artifact("a", false), artifact("a", false), artifact("b", false), artifact("c", true)];
        assert_eq!(compiled(&lines.join("\n")).unwrap(), 2);
    }
}
