//! The rules an arrow must keep.

use super::{
    arrow::{Arrow, Family},
    house::{HOUSE, Knows, Place, TESTKIT},
};
use cargo_metadata::DependencyKind;

/// A line for each arrow of the crate that breaks a rule: crate, edge, rule.
pub(crate) fn broken(place: &Place, family: &Family) -> Vec<String> {
    let judged =
        family.from(place.name).filter_map(|arrow| Some((arrow, rule_broken_by(arrow, &place.knows)?)));
    judged.map(|(arrow, rule)| format!("{}: {arrow}: {rule}", place.name)).collect()
}

/// A line for each member that has no place in the house, for which no rule would be checked.
pub(crate) fn homeless(family: &Family) -> Vec<String> {
    let at_home = |name: &String| HOUSE.iter().any(|place| place.name == name);
    let homeless = family.members.iter().filter(|name| !at_home(name));
    homeless
        .map(|name| format!("{name}: the architecture names no such crate; give it a place in the house"))
        .collect()
}

/// The rule that the arrow breaks, if it does.
fn rule_broken_by(arrow: &Arrow, knows: &Knows) -> Option<String> {
    match knows {
        Knows::All => None,
        Knows::Nothing => Some("it depends on no crate of the family".to_owned()),
        Knows::These(left) if left.contains(&arrow.to.as_str()) => None,
        Knows::These(left) => rule_to_the_right(arrow, left),
    }
}

/// The rules for an arrow to a crate that is not left of where it starts.
fn rule_to_the_right(arrow: &Arrow, left: &[&str]) -> Option<String> {
    match arrow.kind {
        DependencyKind::Development if arrow.versioned => {
            Some("a dev-dependency on a crate that isn't left of it is by path without a version".to_owned())
        }
        DependencyKind::Development => None,
        _ if arrow.to == TESTKIT => Some(format!("{TESTKIT} is a dev-dependency only")),
        _ if left.is_empty() => Some("it knows no other crate of the family".to_owned()),
        _ => Some(format!("a crate knows only those left of it, here {}", left.join(", "))),
    }
}

#[cfg(test)]
mod tests;
