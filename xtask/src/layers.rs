//! The layering check: the arrows between the crates, and the light crates' weight.

mod arrow;
mod house;
mod rule;
mod weight;

use crate::workspace;
use anyhow::{Result, ensure};
use arrow::Family;
use house::{HOUSE, LIGHT, Place};

/// Checks the workspace against the architecture, a line per crate; an absent crate is shown as absent.
///
/// # Errors
/// Lists every broken rule with the crate, the edge and the rule.
pub(crate) fn check() -> Result<()> {
    let family = Family::read(&workspace::members()?);
    let mut broken = rule::homeless(&family);
    for place in HOUSE {
        broken.extend(arrows_of(place, &family));
    }
    for name in LIGHT {
        broken.extend(weight_of(name, &family)?);
    }
    ensure!(broken.is_empty(), "{} broken:\n{}", broken.len(), broken.join("\n"));
    Ok(())
}

/// Judges the arrows that start at one crate, and says what it found.
fn arrows_of(place: &Place, family: &Family) -> Vec<String> {
    let broken = rule::broken(place, family);
    let found = match (family.has(place.name), broken.is_empty()) {
        (false, _) => "absent".to_owned(),
        (true, true) => format!("ok      {}", family.known_by(place.name)),
        (true, false) => format!("BROKEN  {}", family.known_by(place.name)),
    };
    println!("layers: {:<11} {found}", place.name);
    broken
}

/// Looks for heavy dependencies under one light crate without features, and says what it found.
fn weight_of(name: &str, family: &Family) -> Result<Vec<String>> {
    if !family.has(name) {
        println!("weight: {name:<11} absent");
        return Ok(Vec::new());
    }
    let tree = weight::tree(name)?;
    let heavy = weight::heavy(name, &tree);
    let outcome = if heavy.is_empty() { "ok    " } else { "BROKEN" };
    println!("weight: {name:<11} {outcome}  {} crates without features", tree.len());
    Ok(heavy)
}
