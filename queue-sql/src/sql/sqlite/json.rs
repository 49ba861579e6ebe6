//! Lists of parameters, as JSON texts: `json_each` makes rows of them, so that one statement takes any number.

use std::time::Duration;

use serde_json::{Value, json};
use uuid::Uuid;

use crate::micros;
use crate::store::Handle;

/// Numbers: `[1,2]`.
pub(super) fn numbers<'a>(numbers: impl IntoIterator<Item = &'a i64>) -> String {
    numbers.into_iter().copied().collect::<Value>().to_string()
}

/// Texts: `["a","b"]`.
pub(super) fn texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    texts.into_iter().collect::<Value>().to_string()
}

/// Numbers with receipts: `[[1,"0a…"]]`.
pub(super) fn handles<'a>(handles: impl IntoIterator<Item = &'a Handle>) -> String {
    handles
        .into_iter()
        .map(|handle| json!([handle.number, hex(handle.receipt)]))
        .collect::<Value>()
        .to_string()
}

/// Numbers with receipts and durations: `[[1,"0a…",1000000]]`.
pub(super) fn changes<'a>(changes: impl IntoIterator<Item = (&'a Handle, Duration)>) -> String {
    let change = |(handle, to): (&Handle, _)| json!([handle.number, hex(handle.receipt), micros::of(to)]);
    changes.into_iter().map(change).collect::<Value>().to_string()
}

/// Texts with ids: `[["a","0a…"]]`.
pub(super) fn pairs<'a>(pairs: impl IntoIterator<Item = (&'a str, Uuid)>) -> String {
    pairs.into_iter().map(|(text, id)| json!([text, hex(id)])).collect::<Value>().to_string()
}

fn hex(id: Uuid) -> String {
    id.simple().to_string()
}
