//! The JSON of a filter policy. Errors are in the service's words, without the place in the text that it adds.

use serde_json::{Map, Value};

use super::cidr::Cidr;
use super::condition::Condition;
use super::limits;
use super::range::Range;
use super::values::{Scalar, join};
use super::wildcard::Wildcard;
use super::{Rule, Scope};

type Parsed<T> = Result<T, String>;

pub(super) fn parse(policy: &str, scope: Scope) -> Parsed<Rule> {
    let refuse = |reason: String| format!("FilterPolicy: {reason}");
    if policy.len() > limits::BYTES {
        return Err(refuse("Filter policy is too large".to_owned()));
    }
    let keys: Map<String, Value> =
        serde_json::from_str(policy).map_err(|error| refuse(format!("failed to parse JSON. {error}")))?;
    if scope == Scope::Attributes && is_nested(&keys) {
        return Err("Filter policy scope MessageAttributes does not support nested filter policy".to_owned());
    }
    let rule = limits::check(&keys).and_then(|()| all("", &keys));
    rule.map_err(refuse)
}

/// The rules of which one is enough. As at the service it takes two or more to make `$or` an operator; otherwise it is a
/// key like any other (Amazon SNS Developer Guide, "AND/OR logic").
pub(super) fn alternatives<'a>(key: &str, value: &'a Value) -> Option<Vec<&'a Map<String, Value>>> {
    let list = value.as_array().filter(|list| key == "$or" && list.len() > 1)?;
    let rules: Option<Vec<_>> = list.iter().map(Value::as_object).collect();
    rules.filter(|rules| rules.iter().all(|rule| !rule.is_empty()))
}

fn is_nested(keys: &Map<String, Value>) -> bool {
    keys.iter().any(|(key, value)| match alternatives(key, value) {
        Some(rules) => rules.into_iter().any(is_nested),
        None => value.as_object().is_some_and(|nested| nested.values().all(is_rule)),
    })
}

/// Whether it can stand under a key.
fn is_rule(value: &Value) -> bool {
    value.is_array() || value.is_object()
}

fn all(prefix: &str, keys: &Map<String, Value>) -> Parsed<Rule> {
    keys.iter().map(|(key, value)| rule(prefix, key, value)).collect::<Parsed<_>>().map(Rule::All)
}

fn rule(prefix: &str, key: &str, value: &Value) -> Parsed<Rule> {
    if let Some(rules) = alternatives(key, value) {
        return rules.into_iter().map(|rule| all(prefix, rule)).collect::<Parsed<_>>().map(Rule::Any);
    }
    match value {
        Value::Object(nested) => all(&join(prefix, key), nested),
        Value::Array(list) if list.is_empty() => Err("Empty arrays are not allowed".to_owned()),
        Value::Array(list) => {
            Ok(Rule::Key(join(prefix, key), list.iter().map(condition).collect::<Parsed<_>>()?))
        }
        _ => Err(format!("\"{key}\" must be an object or an array")),
    }
}

fn condition(value: &Value) -> Parsed<Condition> {
    match value {
        Value::Object(operators) => {
            let (operator, operand) = only(operators)?;
            operation(operator, operand)
        }
        value => equal(value),
    }
}

fn equal(value: &Value) -> Parsed<Condition> {
    let refuse = || "Match value must be String, number, true, false, or null".to_owned();
    Scalar::of(value).map(Condition::Is).ok_or_else(refuse)
}

fn operation(operator: &str, operand: &Value) -> Parsed<Condition> {
    match operator {
        "prefix" | "suffix" | "wildcard" => on_text(operator, operand),
        "equals-ignore-case" => Ok(Condition::IgnoringCase(text(operator, operand)?.to_lowercase())),
        "cidr" => Ok(Condition::Cidr(Cidr::parse(text("prefix", operand)?)?)),
        "numeric" => Ok(Condition::Numeric(Range::parse(operand)?)),
        "anything-but" => Ok(Condition::AnythingBut(but(operand)?)),
        "exists" => {
            let refuse = || "exists match pattern must be either true or false.".to_owned();
            operand.as_bool().map(Condition::Exists).ok_or_else(refuse)
        }
        _ => Err(format!("Unrecognized match type {operator}")),
    }
}

fn on_text(operator: &str, operand: &Value) -> Parsed<Condition> {
    let text = text(operator, operand)?.to_owned();
    match operator {
        "prefix" => Ok(Condition::Prefix(text)),
        "suffix" => Ok(Condition::Suffix(text)),
        _ => Ok(Condition::Wildcard(Wildcard::parse(&text)?)),
    }
}

/// What it must not be: a scalar, a list of them, or an operator on text with one operand or a list of them.
fn but(operand: &Value) -> Parsed<Vec<Condition>> {
    match operand {
        Value::Array(list) if list.is_empty() => Err("Empty arrays are not allowed".to_owned()),
        Value::Array(list) => list.iter().map(equal).collect(),
        Value::Object(operators) => {
            let (operator, operand) = only(operators)?;
            if !["prefix", "suffix", "wildcard"].contains(&operator) {
                return Err(format!("Unsupported anything-but pattern: {operator}"));
            }
            let operands = operand.as_array().map_or(std::slice::from_ref(operand), Vec::as_slice);
            operands.iter().map(|operand| on_text(operator, operand)).collect()
        }
        value => Ok(vec![equal(value)?]),
    }
}

fn only(operators: &Map<String, Value>) -> Parsed<(&str, &Value)> {
    let mut entries = operators.iter();
    match (entries.next(), entries.next()) {
        (Some((operator, operand)), None) => Ok((operator, operand)),
        _ => Err("Only one key allowed in match expression".to_owned()),
    }
}

fn text<'a>(operator: &str, operand: &'a Value) -> Parsed<&'a str> {
    operand.as_str().ok_or_else(|| format!("{operator} match pattern must be a string"))
}
