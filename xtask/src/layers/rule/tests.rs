//! Made-up families, one broken rule each.

use super::*;
use DependencyKind::{Build, Development, Normal};

fn arrow(from: &str, to: &str, kind: DependencyKind) -> Arrow {
    Arrow { from: from.to_owned(), to: to.to_owned(), kind, versioned: kind != Development }
}

/// What the whole house says about a family with these arrows.
fn judge(arrows: &[Arrow]) -> Vec<String> {
    let family = Family { arrows: arrows.to_vec(), ..Family::default() };
    HOUSE.iter().flat_map(|place| broken(place, &family)).collect()
}

#[test]
fn arrows_that_point_left_keep_the_rules() {
    let left = [
        arrow("queue-sqs", "queue-core", Normal),
        arrow("outbox", "semaphore", Normal),
        arrow("worker", "dispatcher", Build),
        arrow("worker", "queue-core", Normal),
        arrow("testkit", "queue-core", Normal),
        arrow("queue-core", "testkit", Development),
    ];
    assert_eq!(judge(&left), [""; 0]);
}

#[test]
fn an_arrow_to_the_right_names_crate_edge_and_rule() {
    let wanted =
        "outbox: outbox → worker (normal): a crate knows only those left of it, here queue-core, semaphore";
    assert_eq!(judge(&[arrow("outbox", "worker", Normal)]), [wanted]);
}

#[test]
fn a_build_dependency_is_an_arrow_like_any_other() {
    assert_eq!(judge(&[arrow("dispatcher", "semaphore", Build)]).len(), 1);
}

#[test]
fn neighbours_do_not_know_each_other() {
    assert_eq!(
        judge(&[arrow("queue-sqs", "queue-sql", Normal), arrow("queue-sql", "queue-sqs", Normal)]).len(),
        2
    );
}

#[test]
fn a_crate_at_the_left_edge_knows_no_other() {
    let wanted = "semaphore: semaphore → queue-core (normal): it knows no other crate of the family";
    assert_eq!(judge(&[arrow("semaphore", "queue-core", Normal)]), [wanted]);
}

#[test]
fn testkit_is_for_tests_only_except_where_all_may_be_seen() {
    let wanted = "worker: worker → testkit (normal): testkit is a dev-dependency only";
    let arrows = ["worker", "examples", "benches", "harness"].map(|from| arrow(from, "testkit", Normal));
    assert_eq!(judge(&arrows), [wanted]);
}

#[test]
fn a_dev_dependency_to_the_right_has_no_version() {
    let versioned = Arrow { versioned: true, ..arrow("queue-core", "testkit", Development) };
    let wanted = "queue-core: queue-core → testkit (dev): a dev-dependency on a crate that isn't left of it is by path \
                  without a version";
    assert_eq!(judge(&[versioned]), [wanted]);
}

#[test]
fn xtask_depends_on_no_crate_of_the_family_not_even_in_its_tests() {
    assert_eq!(judge(&[arrow("xtask", "testkit", Development), arrow("xtask", "worker", Normal)]).len(), 2);
}

#[test]
fn a_member_without_a_place_is_an_error() {
    let members = ["worker", "utils"].map(str::to_owned).into();
    let wanted = "utils: the architecture names no such crate; give it a place in the house";
    assert_eq!(homeless(&Family { members, ..Family::default() }), [wanted]);
}

#[test]
fn a_place_lets_a_crate_know_only_places_to_its_left() {
    for (position, place) in HOUSE.iter().enumerate() {
        let Knows::These(known) = place.knows else { continue };
        let is_left = |name: &str| HOUSE[..position].iter().any(|left| left.name == name);
        assert!(known.iter().all(|name| is_left(name)), "{place:?}");
    }
}
