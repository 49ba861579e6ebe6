//! The JSON of a filter policy, and what is not understood in it.

use std::ops::Bound;

use serde_json::{Map, Value};

use super::{Condition, Filter};
use crate::QueueError;

type Parsed = Result<Condition, String>;

pub(super) fn parse(policy: &str) -> Result<Filter, QueueError> {
    let clauses: Map<String, Value> = serde_json::from_str(policy).map_err(|error| {
        QueueError::permanent("a filter policy is a JSON object of attributes").with_source(error)
    })?;
    let add = |filter: Filter, (name, list): (String, Value)| -> Result<Filter, String> {
        let conditions = conditions(&name, &list)?;
        Ok(filter.with(name, conditions))
    };
    clauses.into_iter().try_fold(Filter::new(), add).map_err(QueueError::permanent)
}

pub(super) fn write(clauses: &[(String, Vec<Condition>)]) -> Result<String, String> {
    let mut policy = Map::new();
    for (name, conditions) in clauses {
        if conditions.is_empty() {
            return Err(format!("attribute {name:?} has no condition; a policy needs at least one"));
        }
        let one = |one: &Condition| one.json().map_err(|reason| format!("attribute {name:?}: {reason}"));
        let list: Vec<Value> = conditions.iter().map(one).collect::<Result<_, _>>()?;
        if policy.insert(name.clone(), list.into()).is_some() {
            return Err(format!("attribute {name:?} is asked for twice; a policy names it once"));
        }
    }
    Ok(Value::from(policy).to_string())
}

fn conditions(name: &str, list: &Value) -> Result<Vec<Condition>, String> {
    if name.starts_with('$') {
        return Err(format!("the operator {name:?} is not supported"));
    }
    let list = list.as_array().filter(|list| !list.is_empty());
    let list = list.ok_or_else(|| format!("attribute {name:?} needs a list of at least one condition"))?;
    let one = |one| condition(one).map_err(|reason| format!("attribute {name:?}: {reason}"));
    list.iter().map(one).collect()
}

fn condition(value: &Value) -> Parsed {
    match value {
        Value::Object(operators) => {
            let (operator, operand) = only(operators)?;
            operation(operator, operand)
        }
        value => equal(value),
    }
}

fn operation(operator: &str, operand: &Value) -> Parsed {
    match operator {
        "equals-ignore-case" => text(operator, operand).map(Condition::ignoring_case),
        "exists" => exists(operand),
        "numeric" => numeric(operand),
        "anything-but" => anything_but(operand),
        _ => affix(operator, operand),
    }
}

fn affix(operator: &str, operand: &Value) -> Parsed {
    match operator {
        "prefix" => text(operator, operand).map(Condition::prefix),
        "suffix" => text(operator, operand).map(Condition::suffix),
        _ => Err(format!("the operator {operator:?} is not supported here")),
    }
}

fn equal(value: &Value) -> Parsed {
    match (value, value.as_f64()) {
        (Value::String(text), _) => Ok(Condition::text(text)),
        (_, Some(number)) => Ok(Condition::number(number)),
        _ => Err(format!("{value} is neither a string nor a number")),
    }
}

fn exists(operand: &Value) -> Parsed {
    match operand.as_bool() {
        Some(true) => Ok(Condition::present()),
        Some(false) => Ok(Condition::absent()),
        None => Err(format!("\"exists\" takes true or false, not {operand}")),
    }
}

fn anything_but(operand: &Value) -> Parsed {
    let but = match operand {
        Value::Array(list) if !list.is_empty() => list.iter().map(equal).collect::<Result<_, _>>()?,
        Value::Object(operators) => {
            let (operator, operand) = only(operators)?;
            vec![affix(operator, operand)?]
        }
        value => vec![equal(value)?],
    };
    Ok(Condition::none_of(but))
}

/// Reads `["=", 5]`, `[">", 0]` or `[">=", 0, "<", 10]`.
fn numeric(operand: &Value) -> Parsed {
    let refuse =
        || format!("\"numeric\" takes one or two comparisons, such as [\">=\", 0, \"<\", 10], not {operand}");
    let parts = operand.as_array().ok_or_else(refuse)?;
    let pair = |pair: &[Value]| Some((pair.first()?.as_str()?.to_owned(), pair.get(1)?.as_f64()?));
    let comparisons = parts.chunks(2).map(pair).collect::<Option<Vec<_>>>().ok_or_else(refuse)?;
    range(&comparisons).map(Condition::within).ok_or_else(refuse)
}

fn range(comparisons: &[(String, f64)]) -> Option<(Bound<f64>, Bound<f64>)> {
    match comparisons {
        [(operator, number)] if operator == "=" => Some((Bound::Included(*number), Bound::Included(*number))),
        [one] => {
            lower(one).map(|from| (from, Bound::Unbounded)).or_else(|| Some((Bound::Unbounded, upper(one)?)))
        }
        [from, to] => Some((lower(from)?, upper(to)?)),
        _ => None,
    }
}

fn lower((operator, number): &(String, f64)) -> Option<Bound<f64>> {
    match operator.as_str() {
        ">" => Some(Bound::Excluded(*number)),
        ">=" => Some(Bound::Included(*number)),
        _ => None,
    }
}

fn upper((operator, number): &(String, f64)) -> Option<Bound<f64>> {
    match operator.as_str() {
        "<" => Some(Bound::Excluded(*number)),
        "<=" => Some(Bound::Included(*number)),
        _ => None,
    }
}

fn only(operators: &Map<String, Value>) -> Result<(&String, &Value), String> {
    let mut entries = operators.iter();
    match (entries.next(), entries.next()) {
        (Some(one), None) => Ok(one),
        _ => Err(format!("a condition has one operator, this one has {}", operators.len())),
    }
}

fn text<'a>(operator: &str, operand: &'a Value) -> Result<&'a str, String> {
    operand.as_str().ok_or_else(|| format!("{operator:?} takes a string, not {operand}"))
}
