//! The promises and pitfalls in `docs/`: each has a test that cites it, and no test cites one that isn't there.

mod citations;

use crate::workspace;
use anyhow::{Context, Result, bail, ensure};
use citations::{Id, citations, ids};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Where ids are explained.
const LISTS: [&str; 3] = ["docs/guarantees.md", "docs/pitfalls.md", "docs/exercises.md"];

/// Where the conformance clauses are.
const CLAUSES: &str = "testkit/src";

/// Compares what is listed with what is cited.
///
/// # Errors
/// Names the ids that no test cites, and those that a test cites and no list explains.
pub(crate) fn check() -> Result<()> {
    let root = workspace::members()?.workspace_root;
    let mut listed = BTreeSet::new();
    for list in LISTS {
        let path = root.join(list);
        listed.extend(ids(&fs::read_to_string(&path).with_context(|| format!("{path} can't be read"))?));
    }
    let mut cited = BTreeSet::new();
    read_sources(root.as_std_path(), &mut |path, source| {
        cited.extend(citations(source, path.starts_with(root.join(CLAUSES))));
    })?;
    compare(&listed, &cited)?;
    println!("promises: {} listed, each cited by a test", listed.len());
    Ok(())
}

fn compare(listed: &BTreeSet<Id>, cited: &BTreeSet<Id>) -> Result<()> {
    ensure!(!listed.is_empty(), "no promise is listed in {LISTS:?}");
    let (untested, unknown) = (names(listed.difference(cited)), names(cited.difference(listed)));
    match (untested.as_str(), unknown.as_str()) {
        ("", "") => Ok(()),
        (untested, "") => bail!("no test cites {untested}"),
        ("", unknown) => bail!("tests cite {unknown}, which no list in {LISTS:?} explains"),
        (untested, unknown) => {
            bail!("no test cites {untested}; tests cite {unknown}, which no list explains")
        }
    }
}

fn names<'a>(ids: impl Iterator<Item = &'a Id>) -> String {
    ids.map(Id::to_string).collect::<Vec<_>>().join(", ")
}

/// Reads every Rust source below `folder`, without what was built.
fn read_sources(folder: &Path, each: &mut impl FnMut(&Path, &str)) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("{} can't be read", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() && !name.starts_with("target") && !name.starts_with('.') {
            read_sources(&path, each)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            each(&path, &fs::read_to_string(&path)?);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_promise_without_a_test_and_a_test_without_a_promise_are_named() {
        let set = |text| ids(text).into_iter().collect();
        let error = compare(&set("- **Q1** a\n- **Q2** b"), &set("- **Q2** b\n- **W3** c")).unwrap_err();
        assert_eq!(error.to_string(), "no test cites Q1; tests cite W3, which no list explains");
        assert!(compare(&set("- **Q1** a"), &set("- **Q1** a")).is_ok());
        assert!(compare(&BTreeSet::new(), &BTreeSet::new()).is_err());
    }
}
