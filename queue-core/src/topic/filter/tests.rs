//! What passes a filter, and what a policy may say.

use std::collections::BTreeMap;
use std::ops::Bound;

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Condition, Filter};
use crate::{AttributeValue, Attributes, QueueErrorKind};

fn attributes(value: AttributeValue) -> Attributes {
    [("a", value), ("other", AttributeValue::string("x"))].into_iter().collect()
}

fn passes(conditions: &str, value: &AttributeValue) -> bool {
    let filter = Filter::parse(&format!(r#"{{"a": {conditions}}}"#)).unwrap();
    filter.matches(&attributes(value.clone()))
}

fn text(text: &str) -> AttributeValue {
    AttributeValue::string(text)
}

fn number(number: &str) -> AttributeValue {
    AttributeValue::number(number)
}

fn array(json: &str) -> AttributeValue {
    AttributeValue::string(json).with_label("Array")
}

/// Conditions, values that meet them, and values that don't.
type Case = (&'static str, Vec<AttributeValue>, Vec<AttributeValue>);

fn check(cases: impl IntoIterator<Item = Case>) {
    for (conditions, pass, stay) in cases {
        assert!(pass.iter().all(|value| passes(conditions, value)), "{conditions} {pass:?}");
        assert!(!stay.iter().any(|value| passes(conditions, value)), "{conditions} {stay:?}");
    }
}

#[test]
fn operators_on_text_let_pass_what_the_service_documents() {
    check([
        (r#"["x", "y"]"#, vec![text("y"), array(r#"["z", "x"]"#)], vec![text("X"), text("xy"), array("[]")]),
        ("[100]", vec![number("100"), number("1e2"), array("[1, 100]")], vec![text("100"), number("101")]),
        (r#"["100"]"#, vec![text("100")], vec![number("100"), array("[100]")]),
        (
            r#"[{"prefix": "eu-"}]"#,
            vec![text("eu-"), text("eu-1")],
            vec![text("EU-1"), text("-eu-"), number("1")],
        ),
        (r#"[{"suffix": ".png"}]"#, vec![text("a.png")], vec![text("a.PNG"), text("png")]),
        (
            r#"[{"equals-ignore-case": "TeNNis"}]"#,
            vec![text("tennis"), text("TENNIS")],
            vec![text("tennis ")],
        ),
        (r#"[{"exists": true}]"#, vec![text("x"), number("0"), array("[null]")], vec![array("[]")]),
        (r#"[{"exists": false}]"#, vec![AttributeValue::binary([1])], vec![text("x"), array("[null]")]),
    ]);
}

#[test]
fn operators_on_numbers_and_negations_let_pass_what_the_service_documents() {
    check([
        (r#"[{"numeric": ["=", 5]}]"#, vec![number("5.0")], vec![number("5.1"), text("5")]),
        (
            r#"[{"numeric": [">", 0, "<=", 150]}]"#,
            vec![number("150"), number("0.1")],
            vec![number("0"), number("151")],
        ),
        (r#"[{"numeric": ["<", 0]}]"#, vec![number("-1e9")], vec![number("0")]),
        (
            r#"[{"anything-but": "x"}]"#,
            vec![text("y"), number("1")],
            vec![text("x"), AttributeValue::binary([1])],
        ),
        (
            r#"[{"anything-but": [1, "x"]}]"#,
            vec![text("1"), array(r#"["x", "y"]"#)],
            vec![number("1.0"), array(r#"["x"]"#)],
        ),
        (r#"[{"anything-but": {"prefix": "x"}}]"#, vec![text("y")], vec![text("xy")]),
        (r#"["x", {"numeric": [">=", 7]}]"#, vec![text("x"), number("7")], vec![number("6")]),
    ]);
}

#[test]
fn an_absent_attribute_passes_only_where_absence_is_asked_for() {
    let without: Attributes = [("other", "x")].into_iter().collect();
    let passes = |filter: &str, attributes: &Attributes| Filter::parse(filter).unwrap().matches(attributes);
    for conditions in
        [r#"["x"]"#, r#"[{"exists": true}]"#, r#"[{"anything-but": "x"}]"#, r#"[{"numeric": ["<", 9]}]"#]
    {
        assert!(!passes(&format!(r#"{{"a": {conditions}}}"#), &without));
    }
    let absent = r#"{"a": [{"exists": false}, "x"]}"#;
    assert!(passes(absent, &without));
    assert!(!passes(absent, &Attributes::new()), "as the service documents it");
    assert!(passes("{}", &Attributes::new()));
}

#[test]
fn every_attribute_named_has_to_meet_one_of_its_conditions() {
    let filter = Filter::new().with("a", ["x", "y"]).with("b", [1]);
    let matches = |a: &str, b: i32| {
        filter.matches(
            &[("a", AttributeValue::string(a)), ("b", AttributeValue::number(b))].into_iter().collect(),
        )
    };
    assert!(matches("x", 1) && matches("y", 1));
    assert!(!matches("z", 1) && !matches("x", 2));
    let both = Filter::new().with("a", [Condition::prefix("x")]).with("a", [Condition::suffix("z")]);
    assert!(both.matches(&attributes("xyz".into())) && !both.matches(&attributes("xy".into())));
    assert!(!Filter::new().with("a", [0; 0]).matches(&attributes("x".into())));
}

#[test]
fn what_is_not_understood_is_an_error_that_names_it() {
    let cases = [
        (r#"{"a": [{"wildcard": "*x"}]}"#, r#"attribute "a": the operator "wildcard" is not supported here"#),
        (r#"{"a": [{"cidr": "10.0.0.0/24"}]}"#, r#""cidr""#),
        (r#"{"a": [{"anything-but": {"wildcard": "x"}}]}"#, r#""wildcard""#),
        (r#"{"$or": [{"a": ["x"]}]}"#, r#"the operator "$or" is not supported"#),
        (r#"{"a": {"b": ["x"]}}"#, r#"attribute "a" needs a list"#),
        (r#"{"a": []}"#, r#"attribute "a" needs a list"#),
        (r#"{"a": [{"anything-but": []}]}"#, r#"attribute "a""#),
        (r#"{"a": [true]}"#, "true is neither a string nor a number"),
        (r#"{"a": [{"prefix": 1}]}"#, r#""prefix" takes a string, not 1"#),
        (r#"{"a": [{"exists": "yes"}]}"#, r#""exists" takes true or false"#),
        (r#"{"a": [{"prefix": "x", "suffix": "y"}]}"#, "one operator, this one has 2"),
        (r#"{"a": [{}]}"#, "one operator, this one has 0"),
        (r#"{"a": [{"numeric": [">", 1, ">", 2]}]}"#, r#""numeric" takes"#),
        (r#"{"a": [{"numeric": ["<", 1, ">", 0]}]}"#, r#""numeric" takes"#),
        (r#"{"a": [{"numeric": [">"]}]}"#, r#""numeric" takes"#),
        (r#"{"a": [{"numeric": []}]}"#, r#""numeric" takes"#),
        (r#"{"a": [{"numeric": ["!", 1]}]}"#, r#""numeric" takes"#),
        (r#"["a"]"#, "a filter policy is a JSON object"),
        ("", "a filter policy is a JSON object"),
    ];
    for (policy, reason) in cases {
        let error = Filter::parse(policy).unwrap_err();
        assert_eq!(error.kind(), QueueErrorKind::Permanent);
        assert!(error.message().contains(reason), "{policy}: {error}");
    }
}

type Both = (Condition, Value);
/// Whether it is included, and the number.
type End = Option<(bool, i32)>;

fn word() -> impl Strategy<Value = String> {
    "[xyXY]{0,2}"
}

fn scalar() -> impl Strategy<Value = Both> {
    prop_oneof![
        word().prop_map(|text| (Condition::text(text.clone()), json!(text))),
        (-3..3_i32).prop_map(|number| (Condition::number(number), json!(number))),
    ]
}

fn numeric() -> impl Strategy<Value = Both> {
    let bound = || (any::<bool>(), -3..3_i32);
    let build = |(from, to): (End, End)| {
        let (mut list, mut bounds) = (Vec::new(), (Bound::<f64>::Unbounded, Bound::Unbounded));
        for (at, operators, bound) in [(&mut bounds.0, [">", ">="], from), (&mut bounds.1, ["<", "<="], to)] {
            let Some((included, number)) = bound else { continue };
            list.extend([json!(operators[usize::from(included)]), json!(number)]);
            *at = if included { Bound::Included(number.into()) } else { Bound::Excluded(number.into()) };
        }
        (Condition::within(bounds), json!({ "numeric": list }))
    };
    let bounds = (proptest::option::of(bound()), proptest::option::of(bound()));
    bounds.prop_filter("one bound", |(from, to)| from.is_some() || to.is_some()).prop_map(build)
}

fn condition() -> impl Strategy<Value = Both> {
    let none_of = |list: Vec<Both>| {
        let (conditions, values): (Vec<_>, Vec<_>) = list.into_iter().unzip();
        (Condition::none_of(conditions), json!({ "anything-but": values }))
    };
    prop_oneof![
        scalar(),
        numeric(),
        word().prop_map(|text| (Condition::prefix(text.clone()), json!({ "prefix": text }))),
        word().prop_map(|text| (Condition::suffix(text.clone()), json!({ "suffix": text }))),
        word().prop_map(|text| (Condition::ignoring_case(&text), json!({ "equals-ignore-case": text }))),
        Just((Condition::present(), json!({ "exists": true }))),
        Just((Condition::absent(), json!({ "exists": false }))),
        vec(scalar(), 1..3).prop_map(none_of),
        word().prop_map(|text| {
            (
                Condition::none_of([Condition::prefix(text.clone())]),
                json!({ "anything-but": { "prefix": text } }),
            )
        }),
    ]
}

fn value() -> impl Strategy<Value = AttributeValue> {
    prop_oneof![
        "[xyXY]{1,3}".prop_map(AttributeValue::from),
        (-3..3_i32).prop_map(AttributeValue::number),
        Just(AttributeValue::binary([1])),
        vec(word(), 0..3)
            .prop_map(|words| AttributeValue::string(json!(words).to_string()).with_label("Array")),
    ]
}

proptest! {
    #[test]
    fn a_filter_built_in_code_and_its_policy_are_the_same(
        clauses in btree_map("[ab]", vec(condition(), 1..4), 0..3),
        attributes in vec(btree_map("[abc]", value(), 0..4), 20),
    ) {
        let (mut filter, mut policy) = (Filter::new(), BTreeMap::new());
        for (name, conditions) in clauses {
            let (conditions, values): (Vec<_>, Vec<_>) = conditions.into_iter().unzip();
            filter = filter.with(name.clone(), conditions);
            policy.insert(name, Value::from(values));
        }
        let parsed = Filter::parse(&json!(policy).to_string()).unwrap();
        prop_assert_eq!(&parsed, &filter);
        prop_assert_eq!(&Filter::parse(&filter.to_policy().unwrap()).unwrap(), &filter);
        for attributes in attributes {
            let attributes: Attributes = attributes.into_iter().collect();
            prop_assert_eq!(parsed.matches(&attributes), filter.matches(&attributes));
        }
    }
}
