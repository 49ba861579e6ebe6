//! What passes a filter, and what a policy may say.

use queue_core::{AttributeValue, Attributes};
use serde_json::json;

use super::{Filter, Scope, Values};

fn text(text: &str) -> AttributeValue {
    AttributeValue::string(text)
}

fn number(number: &str) -> AttributeValue {
    AttributeValue::number(number)
}

fn array(json: &str) -> AttributeValue {
    AttributeValue::string(json).with_label("Array")
}

/// Whether a message with these attributes passes.
fn passes(policy: &str, attributes: &[(&str, AttributeValue)]) -> bool {
    let attributes: Attributes = attributes.iter().map(|(name, value)| (*name, value.clone())).collect();
    let filter = Filter::parse(policy, Scope::Attributes).unwrap();
    filter.rule.passes(&Values::of_attributes(&attributes))
}

/// Whether a message with this body passes.
fn body_passes(policy: &str, body: &str) -> bool {
    let filter = Filter::parse(policy, Scope::Body).unwrap();
    Values::of_body(body).is_some_and(|values| filter.rule.passes(&values))
}

/// Conditions on the attribute `a`, values that meet them, and values that don't.
type Case = (&'static str, Vec<AttributeValue>, Vec<AttributeValue>);

fn check(cases: impl IntoIterator<Item = Case>) {
    for (conditions, pass, stay) in cases {
        let policy = format!(r#"{{"a": {conditions}}}"#);
        let passes = |value: &AttributeValue| passes(&policy, &[("a", value.clone()), ("other", text("x"))]);
        assert!(pass.iter().all(passes), "{conditions} {pass:?}");
        assert!(!stay.iter().any(passes), "{conditions} {stay:?}");
    }
}

#[test]
fn operators_on_text_let_pass_what_the_service_documents() {
    check([
        (r#"["x", "y"]"#, vec![text("y"), array(r#"["z", "x"]"#)], vec![text("X"), text("xy"), array("[]")]),
        (r#"["100"]"#, vec![text("100")], vec![number("100"), array("[100]")]),
        (r#"[{"prefix": "eu-"}]"#, vec![text("eu-1")], vec![text("EU-1"), text("-eu-"), number("1")]),
        (r#"[{"suffix": ".png"}]"#, vec![text("a.png")], vec![text("a.PNG"), text("png")]),
        (
            r#"[{"equals-ignore-case": "TeNNis"}]"#,
            vec![text("tennis"), text("TENNIS")],
            vec![text("tennis ")],
        ),
        (
            r#"[{"wildcard": "a*b*a"}]"#,
            vec![text("aba"), text("axxbya")],
            vec![text("a"), text("ab"), text("axa")],
        ),
        (r#"[{"wildcard": "*.png"}]"#, vec![text(".png"), text("a.png")], vec![text("a.png ")]),
        (r#"[{"wildcard": "a\\*b"}]"#, vec![text("a*b")], vec![text("axb"), text("a\\*b")]),
        (r#"[{"wildcard": "plain"}]"#, vec![text("plain")], vec![text("plainer")]),
        (
            r#"[{"cidr": "10.0.0.0/24"}]"#,
            vec![text("10.0.0.255")],
            vec![text("10.0.1.0"), text("x"), text("::1")],
        ),
        (r#"[{"cidr": "0.0.0.0/0"}]"#, vec![text("1.2.3.4")], vec![text("::1")]),
        (
            r#"[{"exists": true}]"#,
            vec![text("x"), number("0")],
            vec![array("[]"), AttributeValue::binary([1])],
        ),
        (r#"[{"exists": false}]"#, vec![AttributeValue::binary([1])], vec![text("x"), array("[1]")]),
    ]);
}

#[test]
fn operators_on_numbers_and_negations_let_pass_what_the_service_documents() {
    check([
        ("[100]", vec![number("100"), number("1e2"), array("[1, 100]")], vec![text("100"), number("101")]),
        (r#"[{"numeric": ["=", 5]}]"#, vec![number("5.0")], vec![number("5.1"), text("5")]),
        (
            r#"[{"numeric": [">", 1, "<=", 5]}]"#,
            vec![number("5"), number("1.1")],
            vec![number("1"), number("6")],
        ),
        (r#"[{"numeric": ["<", 0]}]"#, vec![number("-1e9")], vec![number("0")]),
        (r#"[{"numeric": [">=", 0, "<", 2]}]"#, vec![number("0")], vec![number("2")]),
        (
            r#"[{"anything-but": "x"}]"#,
            vec![text("y"), number("1")],
            vec![text("x"), AttributeValue::binary([1])],
        ),
        (r#"[{"anything-but": ["x", "y"]}]"#, vec![array(r#"["x", "z"]"#)], vec![array(r#"["x", "y"]"#)]),
        (r#"[{"anything-but": [1, 2]}]"#, vec![text("1"), number("3")], vec![number("1.0")]),
        (r#"[{"anything-but": {"prefix": "x"}}]"#, vec![text("y")], vec![text("xy")]),
        (r#"[{"anything-but": {"suffix": "x"}}]"#, vec![text("xy")], vec![text("yx")]),
        (r#"[{"anything-but": {"wildcard": "*/lib/*"}}]"#, vec![text("/bin/x")], vec![text("/lib/x")]),
        (r#"["x", {"numeric": [">=", 7]}]"#, vec![text("x"), number("7")], vec![number("6")]),
        ("[true, null]", vec![array("[true]"), array("[null]")], vec![text("true"), text("null")]),
    ]);
}

#[test]
fn an_absent_attribute_passes_only_where_absence_is_asked_for() {
    let other = [("other", text("x"))];
    for conditions in ["[\"x\"]", "[null]", r#"[{"exists": true}]"#, r#"[{"anything-but": "x"}]"#] {
        assert!(!passes(&format!(r#"{{"a": {conditions}}}"#), &other), "{conditions}");
    }
    let absent = r#"{"a": [{"exists": false}, "x"]}"#;
    assert!(passes(absent, &other));
    assert!(!passes(absent, &[]), "as the service documents it");
    assert!(passes("{}", &[]));
}

#[test]
fn keys_are_all_to_be_met_and_alternatives_one_of_them() {
    let policy = r#"{"a": ["x"], "$or": [{"b": [1]}, {"c": [{"prefix": "y"}], "d": [2]}]}"#;
    let x = || ("a", text("x"));
    assert!(passes(policy, &[x(), ("b", number("1"))]));
    assert!(passes(policy, &[x(), ("c", text("yes")), ("d", number("2"))]));
    assert!(!passes(policy, &[x(), ("c", text("yes"))]));
    assert!(!passes(policy, &[("b", number("1"))]));
    // One alternative is none: the key is then one like any other.
    assert!(passes(r#"{"$or": ["x"]}"#, &[("$or", text("x"))]));
}

#[test]
fn a_body_is_looked_into_by_its_keys() {
    let policy = r#"{"object": {"key": [{"prefix": "auto-"}]}, "n": [{"numeric": [">", 1]}, null]}"#;
    assert!(body_passes(policy, r#"{"object": {"key": "auto-1"}, "n": 2, "more": 1}"#));
    assert!(body_passes(policy, r#"{"object": [{"key": "x"}, {"key": ["auto-2"]}], "n": null}"#));
    assert!(!body_passes(policy, r#"{"object": {"key": "x"}, "n": 2}"#));
    assert!(!body_passes(policy, r#"{"object": {"key": "auto-1"}}"#));
    assert!(!body_passes(policy, r#"{"key": "auto-1", "n": 2}"#));
    for body in ["text", "[]", "1", ""] {
        assert!(!body_passes("{}", body), "{body:?} is no JSON object");
    }
    let or = r#"{"o": {"$or": [{"a": [true]}, {"b": [{"exists": false}]}]}}"#;
    assert!(body_passes(or, r#"{"o": {"a": true, "b": 1}}"#) && body_passes(or, r#"{"o": {"a": false}}"#));
    assert!(!body_passes(or, r#"{"o": {"a": false, "b": 1}}"#));
}

#[test]
fn what_is_wrong_with_a_policy_is_said_in_the_services_words() {
    let cases = [
        (r#"{"key": [["value"]]}"#, "Match value must be String, number, true, false, or null"),
        (r#"{"key": [{"wrong-operator": true}]}"#, "Unrecognized match type wrong-operator"),
        (r#"{"key": [{"suffix": "a", "prefix": "b"}]}"#, "Only one key allowed in match expression"),
        (r#"{"key": [{}]}"#, "Only one key allowed in match expression"),
        (r#"{"key": [{"suffix": 100}]}"#, "suffix match pattern must be a string"),
        (r#"{"key": {"suffix": "value"}}"#, "\"suffix\" must be an object or an array"),
        (r#"{"key": "value"}"#, "\"key\" must be an object or an array"),
        (r#"{"key": []}"#, "Empty arrays are not allowed"),
        (r#"{"key": [{"exists": "no"}]}"#, "exists match pattern must be either true or false."),
        (
            r#"{"key": [{"anything-but": {"numeric": ["=", 1]}}]}"#,
            "Unsupported anything-but pattern: numeric",
        ),
        (r#"{"key": [{"anything-but": []}]}"#, "Empty arrays are not allowed"),
        (r#"{"key": [{"wildcard": "a**b"}]}"#, "Consecutive wildcard characters are not allowed"),
        (r#"{"key": [{"wildcard": "a\\b"}]}"#, "Invalid escape character in wildcard pattern"),
        (r#"{"key": [{"cidr": "10.0.0.0"}]}"#, "Malformed CIDR, one '/' required"),
        (r#"{"key": [{"cidr": "10.0.0.0/33"}]}"#, "Malformed CIDR, mask bits are too many"),
        ("not json", "failed to parse JSON. expected ident at line 1 column 2"),
    ];
    for (policy, reason) in cases {
        assert_eq!(
            Filter::parse(policy, Scope::Attributes),
            Err(format!("FilterPolicy: {reason}")),
            "{policy}"
        );
    }
}

#[test]
fn what_is_wrong_with_a_range_is_said_in_the_services_words() {
    let cases = [
        (json!([]), "Invalid member in numeric match: ]"),
        (json!(["operator"]), "Unrecognized numeric range operator: operator"),
        (json!([1, "<="]), "Invalid member in numeric match: 1"),
        (json!(["=", "000"]), "Value of equals must be numeric"),
        (json!([">="]), "Value of >= must be numeric"),
        (json!(["<", 100, ">", 10]), "Too many elements in numeric expression"),
        (json!([">=", 1, ">", 2]), "Bad numeric range operator: >"),
        (json!([">", 3, "<", 1]), "Bottom must be less than top"),
        (json!([">", 20, "<="]), "Value of <= must be numeric"),
        (json!([">", 20, 30]), "Bad value in numeric range: 30"),
        (json!([">", 20, "test"]), "Bad numeric range operator: test"),
        (json!([">", 20, "<", "30"]), "Value of < must be numeric"),
        (json!([">", 20, "<", 30, "<", 50]), "Too many terms in numeric range expression"),
    ];
    for (range, reason) in cases {
        let policy = json!({ "key": [{ "numeric": range }] }).to_string();
        assert_eq!(Filter::parse(&policy, Scope::Body), Err(format!("FilterPolicy: {reason}")), "{policy}");
    }
}

#[test]
fn a_policy_has_limits() {
    let refused = |policy: serde_json::Value, scope| Filter::parse(&policy.to_string(), scope).err();
    let complex = Some("FilterPolicy: Filter policy is too complex".to_owned());
    let keys: serde_json::Map<_, _> = ('a'..='f').map(|key| (key.to_string(), json!(["x"]))).collect();
    let many = "FilterPolicy: Filter policy can not have more than 5 keys";
    assert_eq!(refused(json!(keys), Scope::Body), Some(many.to_owned()));
    let list = |count: usize| json!(vec!["x"; count]);
    assert_eq!(refused(json!({ "a": list(15), "b": list(10) }), Scope::Attributes), None, "150");
    assert_eq!(refused(json!({ "a": list(151) }), Scope::Attributes), complex);
    // 3 x 4 x 2 x 3 x 3 = 216
    let nested = json!({ "a": { "b": { "c": list(4) } }, "d": { "e": list(3) }, "f": list(3) });
    assert_eq!(refused(nested, Scope::Body), complex);
    assert_eq!(refused(json!({ "$or": [{ "a": list(75) }, { "b": list(76) }] }), Scope::Body), complex);
    let nested = "Filter policy scope MessageAttributes does not support nested filter policy";
    assert_eq!(refused(json!({ "a": { "b": ["x"] } }), Scope::Attributes), Some(nested.to_owned()));
}
