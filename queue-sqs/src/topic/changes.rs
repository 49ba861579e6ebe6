//! The changes that make a subscription what it is to be.

use std::collections::HashMap;

use serde_json::Value;

/// A filter policy that lets everything pass, by which one is removed (Amazon SNS Developer Guide, "Removing a subscription filter
/// policy").
const EMPTY: &str = "{}";
const FILTER: &str = "FilterPolicy";
const SCOPE: &str = "FilterPolicyScope";
const BY_ATTRIBUTES: &str = "MessageAttributes";

/// A change: an attribute and its new value, or none if it is to go.
pub(super) type Change = (&'static str, Option<String>);

/// The changes, in an order in which each is valid: a policy for attributes is one for bodies as well, but not the other way
/// round, so it is there before the scope narrows and after it widens.
pub(super) fn between(present: &HashMap<String, String>, wanted: &HashMap<&str, String>) -> Vec<Change> {
    let scope = wanted.get(SCOPE).map(String::as_str);
    let by_body = scope.is_some_and(|scope| scope != BY_ATTRIBUTES);
    let filters = if by_body { [SCOPE, FILTER] } else { [FILTER, SCOPE] };
    let names = ["RawMessageDelivery", "RedrivePolicy"].into_iter().chain(filters);
    names.filter_map(|name| change(name, present.get(name), wanted.get(name))).collect()
}

fn change(name: &'static str, present: Option<&String>, wanted: Option<&String>) -> Option<Change> {
    match (present, wanted) {
        (None, None) => None,
        (_, Some(wanted)) if is_same(name, present, wanted) => None,
        (_, Some(wanted)) => Some((name, Some(wanted.clone()))),
        (Some(_), None) if name == SCOPE => None,
        (Some(present), None) if present.is_empty() || present == EMPTY => None,
        // The service takes an empty filter, and for the other an absent value and no empty one.
        (Some(_), None) => Some((name, (name == FILTER).then(|| EMPTY.to_owned()))),
    }
}

/// Compares JSON by its content, as the service may write it anew.
fn is_same(name: &str, present: Option<&String>, wanted: &str) -> bool {
    let unset = if name == SCOPE { BY_ATTRIBUTES } else { "" };
    let present = present.map_or(unset, String::as_str);
    let json = |text| serde_json::from_str::<Value>(text).ok();
    present.eq_ignore_ascii_case(wanted) && !name.ends_with("Policy")
        || json(present).is_some_and(|present| Some(present) == json(wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(present: &[(&str, &str)], wanted: &[(&'static str, &str)]) -> Vec<String> {
        let present = present.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let wanted = wanted.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        let changes = between(&present, &wanted).into_iter();
        changes.map(|(name, value)| format!("{name}={}", value.unwrap_or_default())).collect()
    }

    #[test]
    fn what_is_so_already_is_not_set_again() {
        let present = [
            ("RawMessageDelivery", "True"),
            (FILTER, r#"{ "a": ["x"],  "b": [1] }"#),
            (SCOPE, BY_ATTRIBUTES),
            ("RedrivePolicy", r#"{"deadLetterTargetArn":"q"}"#),
        ];
        let wanted = [
            ("RawMessageDelivery", "true"),
            (FILTER, r#"{"b":[1],"a":["x"]}"#),
            (SCOPE, BY_ATTRIBUTES),
            ("RedrivePolicy", r#"{"deadLetterTargetArn": "q"}"#),
        ];
        assert!(changes(&present, &wanted).is_empty());
        let unscoped = [present[0], present[1], present[3]];
        assert!(changes(&unscoped, &wanted).is_empty(), "attributes are the scope that is not named");
    }

    #[test]
    fn what_is_otherwise_is_set_and_what_is_no_longer_wanted_goes() {
        let present =
            [("RawMessageDelivery", "true"), (FILTER, r#"{"a":["x"]}"#), ("RedrivePolicy", r#"{"q":1}"#)];
        let bare = changes(&present, &[("RawMessageDelivery", "false")]);
        assert_eq!(bare, ["RawMessageDelivery=false", "RedrivePolicy=", "FilterPolicy={}"]);
        let other = changes(
            &present,
            &[("RawMessageDelivery", "true"), (FILTER, r#"{"a":["X"]}"#), ("RedrivePolicy", r#"{"q":2}"#)],
        );
        assert_eq!(
            other,
            [r#"RedrivePolicy={"q":2}"#, r#"FilterPolicy={"a":["X"]}"#],
            "policies keep their capitals"
        );
        assert!(changes(&[(FILTER, EMPTY), (SCOPE, "MessageBody"), ("RedrivePolicy", "")], &[]).is_empty());
    }

    #[test]
    fn a_policy_for_bodies_never_meets_the_scope_of_attributes() {
        let (flat, nested) = (r#"{"a":["x"]}"#, r#"{"a":{"b":["x"]}}"#);
        let widened =
            changes(&[(FILTER, flat), (SCOPE, BY_ATTRIBUTES)], &[(FILTER, nested), (SCOPE, "MessageBody")]);
        assert_eq!(widened, ["FilterPolicyScope=MessageBody".to_owned(), format!("FilterPolicy={nested}")]);
        let narrowed =
            changes(&[(FILTER, nested), (SCOPE, "MessageBody")], &[(FILTER, flat), (SCOPE, BY_ATTRIBUTES)]);
        assert_eq!(
            narrowed,
            [format!("FilterPolicy={flat}"), "FilterPolicyScope=MessageAttributes".to_owned()]
        );
    }
}
