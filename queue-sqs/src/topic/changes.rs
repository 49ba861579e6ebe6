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

/// The changes, in an order in which each is valid and none drops what both filters let pass. A policy that met the other's
/// scope would: so before the scope changes, the policy goes, and until the new one is there everything passes.
pub(super) fn between(present: &HashMap<String, String>, wanted: &HashMap<&str, String>) -> Vec<Change> {
    let of = |name| change(name, present.get(name), wanted.get(name));
    let mut changes: Vec<_> = ["RawMessageDelivery", "RedrivePolicy"].into_iter().filter_map(of).collect();
    let Some(scope) = of(SCOPE) else {
        changes.extend(of(FILTER));
        return changes;
    };
    changes.extend(change(FILTER, present.get(FILTER), None));
    changes.push(scope);
    changes.extend(change(FILTER, None, wanted.get(FILTER)));
    changes
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
    fn a_policy_never_meets_the_scope_of_another() {
        let (flat, nested) = (r#"{"a":["x"]}"#, r#"{"a":{"b":["x"]}}"#);
        let widened =
            changes(&[(FILTER, flat), (SCOPE, BY_ATTRIBUTES)], &[(FILTER, nested), (SCOPE, "MessageBody")]);
        let scope = |scope| ["FilterPolicy={}".to_owned(), format!("FilterPolicyScope={scope}")];
        let [gone, wide] = scope("MessageBody");
        assert_eq!(widened, [gone, wide, format!("FilterPolicy={nested}")]);
        let narrowed =
            changes(&[(FILTER, nested), (SCOPE, "MessageBody")], &[(FILTER, flat), (SCOPE, BY_ATTRIBUTES)]);
        let [gone, narrow] = scope(BY_ATTRIBUTES);
        assert_eq!(narrowed, [gone, narrow, format!("FilterPolicy={flat}")]);
        let unfiltered = changes(&[(SCOPE, BY_ATTRIBUTES)], &[(FILTER, nested), (SCOPE, "MessageBody")]);
        assert_eq!(
            unfiltered,
            ["FilterPolicyScope=MessageBody".to_owned(), format!("FilterPolicy={nested}")]
        );
    }
}
