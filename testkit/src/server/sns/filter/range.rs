//! A range of numbers: the operator `numeric`.

use std::ops::{Bound, RangeBounds};

use serde_json::Value;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Range(Bound<f64>, Bound<f64>);

impl Range {
    /// Reads `["=", 5]`, `[">", 0]` or `[">=", 0, "<", 10]`.
    ///
    /// # Errors
    /// What is wrong with it, in the service's words.
    pub(super) fn parse(operand: &Value) -> Result<Self, String> {
        let parts = operand.as_array().ok_or("Value of numeric must be an array.")?;
        let (operator, number, rest) = comparison(parts)?;
        match (operator, rest) {
            ("=", []) => Ok(Self(Bound::Included(number), Bound::Included(number))),
            ("<", []) => Ok(Self(Bound::Unbounded, Bound::Excluded(number))),
            ("<=", []) => Ok(Self(Bound::Unbounded, Bound::Included(number))),
            (">" | ">=", []) => Ok(Self(from(operator, number), Bound::Unbounded)),
            (">" | ">=", rest) => Ok(Self(from(operator, number), to(number, rest)?)),
            _ => Err("Too many elements in numeric expression".to_owned()),
        }
    }

    pub(super) fn contains(&self, number: f64) -> bool {
        (self.0, self.1).contains(&number)
    }
}

fn from(operator: &str, number: f64) -> Bound<f64> {
    if operator == ">" { Bound::Excluded(number) } else { Bound::Included(number) }
}

/// Reads the second comparison of two.
fn to(bottom: f64, parts: &[Value]) -> Result<Bound<f64>, String> {
    let first = parts.first().unwrap_or(&Value::Null);
    let operator = first.as_str().ok_or_else(|| format!("Bad value in numeric range: {first}"))?;
    if !["<", "<="].contains(&operator) {
        return Err(format!("Bad numeric range operator: {operator}"));
    }
    let (_, top, rest) = comparison(parts)?;
    match (operator, rest) {
        _ if top <= bottom => Err("Bottom must be less than top".to_owned()),
        ("<", []) => Ok(Bound::Excluded(top)),
        (_, []) => Ok(Bound::Included(top)),
        _ => Err("Too many terms in numeric range expression".to_owned()),
    }
}

fn comparison(parts: &[Value]) -> Result<(&str, f64, &[Value]), String> {
    let first = parts.first().ok_or("Invalid member in numeric match: ]")?;
    let operator = first.as_str().ok_or_else(|| format!("Invalid member in numeric match: {first}"))?;
    if !["=", "<", "<=", ">", ">="].contains(&operator) {
        return Err(format!("Unrecognized numeric range operator: {operator}"));
    }
    let name = if operator == "=" { "equals" } else { operator };
    let number = parts.get(1).and_then(Value::as_f64);
    let number = number.ok_or_else(|| format!("Value of {name} must be numeric"))?;
    Ok((operator, number, parts.get(2..).unwrap_or_default()))
}
