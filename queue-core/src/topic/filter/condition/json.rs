//! A condition as it stands in the JSON of a filter policy.

use std::ops::Bound;

use serde_json::{Value, json};

use super::super::scalar::Scalar;
use super::{Condition, Rule};

type Written = Result<Value, String>;

impl Condition {
    /// Writes it, if a policy can say it.
    pub(in super::super) fn json(&self) -> Written {
        match &self.0 {
            Rule::Present => Ok(json!({ "exists": true })),
            Rule::Absent => Ok(json!({ "exists": false })),
            Rule::Is(scalar) => equal(scalar),
            Rule::Prefix(prefix) => Ok(json!({ "prefix": prefix })),
            Rule::Suffix(suffix) => Ok(json!({ "suffix": suffix })),
            Rule::IgnoringCase(text) => Ok(json!({ "equals-ignore-case": text })),
            Rule::Within(from, to) => numeric(*from, *to),
            Rule::NoneOf(conditions) => anything_but(conditions),
        }
    }
}

fn equal(scalar: &Scalar) -> Written {
    match scalar {
        Scalar::Text(text) => Ok(json!(text)),
        Scalar::Number(value) => number(*value),
        Scalar::Other => Err("a value that is neither text nor number".to_owned()),
    }
}

fn number(value: f64) -> Written {
    if value.is_finite() { Ok(json!(value)) } else { Err(format!("{value} is no number in JSON")) }
}

fn numeric(from: Bound<f64>, to: Bound<f64>) -> Written {
    if let (Bound::Included(from), Bound::Included(to)) = (from, to)
        && from.to_bits() == to.to_bits()
    {
        return Ok(json!({ "numeric": ["=", number(from)?] }));
    }
    let mut comparisons = comparison([">=", ">"], from)?;
    comparisons.extend(comparison(["<=", "<"], to)?);
    if comparisons.is_empty() {
        return Err("a range without bounds; a policy needs one".to_owned());
    }
    Ok(json!({ "numeric": comparisons }))
}

fn comparison([inclusive, exclusive]: [&str; 2], bound: Bound<f64>) -> Result<Vec<Value>, String> {
    let (operator, value) = match bound {
        Bound::Included(value) => (inclusive, value),
        Bound::Excluded(value) => (exclusive, value),
        Bound::Unbounded => return Ok(Vec::new()),
    };
    Ok(vec![json!(operator), number(value)?])
}

/// Writes a list of texts and numbers, or one prefix or suffix.
fn anything_but(conditions: &[Condition]) -> Written {
    let but = match conditions {
        [Condition(Rule::Prefix(_) | Rule::Suffix(_))] => conditions[0].json()?,
        [] => return Err("a `none_of` without conditions; `present` says that".to_owned()),
        _ => conditions.iter().map(exception).collect::<Result<_, _>>()?,
    };
    Ok(json!({ "anything-but": but }))
}

fn exception(condition: &Condition) -> Written {
    match &condition.0 {
        Rule::Is(scalar) => equal(scalar),
        _ => Err("a `none_of` other than of texts and numbers, or of one prefix or one suffix".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use crate::{Condition, Filter};

    #[test]
    fn what_a_policy_cannot_say_is_refused_by_name() {
        let none: [Condition; 0] = [];
        let refused = [
            (Filter::new().with("a", ["x"]).with("a", ["y"]), "twice"),
            (Filter::new().with("a", none.clone()), "no condition"),
            (Filter::new().with("a", [Condition::within(..)]), "without bounds"),
            (Filter::new().with("a", [Condition::within(f64::NAN..)]), "no number"),
            (Filter::new().with("a", [Condition::none_of(none)]), "without conditions"),
            (Filter::new().with("a", [Condition::none_of([Condition::present()])]), "none_of"),
            (Filter::new().with("a", [Condition::none_of([Condition::prefix("x"), "y".into()])]), "none_of"),
        ];
        for (filter, reason) in refused {
            let error = filter.to_policy().unwrap_err();
            assert!(error.message().contains("\"a\"") && error.message().contains(reason), "{error}");
        }
        assert_eq!(Filter::new().to_policy().unwrap(), "{}");
    }
}
