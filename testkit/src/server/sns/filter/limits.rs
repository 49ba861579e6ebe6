//! The limits of a policy (Amazon SNS Developer Guide, "Filter policy constraints").

use serde_json::{Map, Value};

use super::policy::alternatives;

/// The most keys, counted at the top only.
const KEYS: usize = 5;
/// The most combinations of values.
const COMBINATIONS: usize = 150;
/// The longest policy, in bytes.
pub(super) const BYTES: usize = 256 * 1024;

pub(super) fn check(policy: &Map<String, Value>) -> Result<(), String> {
    if policy.len() > KEYS {
        return Err("Filter policy can not have more than 5 keys".to_owned());
    }
    if combinations(policy, 1, 1) > COMBINATIONS {
        return Err("Filter policy is too complex".to_owned());
    }
    Ok(())
}

/// Multiplies the lengths of all lists, each with the depth that it is at; alternatives add up.
fn combinations(policy: &Map<String, Value>, depth: usize, so_far: usize) -> usize {
    policy.iter().fold(so_far, |so_far, (key, value)| match (alternatives(key, value), value) {
        (Some(rules), _) => {
            rules.iter().map(|rule| combinations(rule, depth, so_far)).fold(0, usize::saturating_add)
        }
        (None, Value::Object(nested)) => combinations(nested, depth + 1, so_far),
        (None, Value::Array(list)) => so_far.saturating_mul(list.len()).saturating_mul(depth),
        _ => so_far,
    })
}
