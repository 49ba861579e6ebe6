//! The policy of a queue, as far as it lets a topic send.

mod quotas;

use serde_json::Value;

pub(super) use quotas::check;

/// Whether a policy lets the topic send to the queue. Read are statements that allow, with their principals, actions,
/// resources, and conditions on `aws:SourceArn`; a statement with any other condition allows nothing, and one that
/// denies as much as it names forbids.
pub(super) fn lets_send(policy: Option<&Value>, queue_arn: &str, topic_arn: &str) -> bool {
    let statements = policy.map_or(&Value::Null, |policy| &policy["Statement"]);
    let apply = |effect: &str| {
        list(statements)
            .filter(|statement| statement["Effect"] == effect)
            .any(|statement| applies(statement, queue_arn, topic_arn))
    };
    apply("Allow") && !apply("Deny")
}

fn applies(statement: &Value, queue_arn: &str, topic_arn: &str) -> bool {
    let is_action =
        |action: &str| matches!(action.to_ascii_lowercase().as_str(), "sqs:sendmessage" | "sqs:*" | "*");
    is_topic(&statement["Principal"])
        && texts(&statement["Action"]).any(is_action)
        && texts(&statement["Resource"]).any(|resource| is_like(resource, queue_arn))
        && meets(&statement["Condition"], topic_arn)
}

fn is_topic(principal: &Value) -> bool {
    principal == "*"
        || texts(&principal["AWS"]).any(|account| account == "*")
        || texts(&principal["Service"]).any(|service| service == "sns.amazonaws.com" || service == "*")
}

/// All conditions have to be met.
fn meets(condition: &Value, topic_arn: &str) -> bool {
    let Some(operators) = condition.as_object() else { return condition.is_null() };
    operators.iter().all(|(operator, keys)| {
        let like = matches!(operator.as_str(), "ArnEquals" | "ArnLike" | "StringLike");
        let meets = |value: &str| if like { is_like(value, topic_arn) } else { value == topic_arn };
        let known = like || operator == "StringEquals";
        known
            && keys.as_object().is_some_and(|keys| {
                keys.iter().all(|(key, values)| {
                    key.eq_ignore_ascii_case("aws:SourceArn") && texts(values).any(meets)
                })
            })
    })
}

/// Whether `text` is like a pattern, in which `*` stands for any characters and `?` for one.
fn is_like(pattern: &str, text: &str) -> bool {
    let (mut pattern, mut text) = (pattern.as_bytes(), text.as_bytes());
    let mut retry = None;
    loop {
        match (pattern.split_first(), text.split_first()) {
            (Some((b'*', rest)), _) => {
                retry = Some((rest, text));
                pattern = rest;
            }
            (Some((here, rest)), Some((there, after))) if here == there || *here == b'?' => {
                (pattern, text) = (rest, after);
            }
            (None, None) => return true,
            _ => match retry {
                Some((rest, [_, after @ ..])) => {
                    retry = Some((rest, after));
                    (pattern, text) = (rest, after);
                }
                _ => return false,
            },
        }
    }
}

/// A list, or the one thing that stands for a list of it.
fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice).iter()
}

fn texts(value: &Value) -> impl Iterator<Item = &str> {
    list(value).filter_map(Value::as_str)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const QUEUE: &str = "arn:aws:sqs:us-east-1:000000000000:q";
    const TOPIC: &str = "arn:aws:sns:us-east-1:000000000000:t";

    fn lets(statement: &Value) -> bool {
        lets_send(Some(&json!({ "Statement": [statement] })), QUEUE, TOPIC)
    }

    fn statement(changes: &Value) -> Value {
        let mut statement = json!({
            "Effect": "Allow", "Principal": { "Service": "sns.amazonaws.com" }, "Action": "sqs:SendMessage",
            "Resource": QUEUE, "Condition": { "ArnEquals": { "aws:SourceArn": TOPIC } },
        });
        for (name, value) in changes.as_object().unwrap() {
            statement[name] = value.clone();
        }
        statement
    }

    #[test]
    fn a_statement_lets_send_if_each_of_its_parts_does() {
        for changes in [
            json!({}),
            json!({ "Principal": "*" }),
            json!({ "Principal": { "AWS": "*" }, "Action": ["sqs:ReceiveMessage", "SQS:SendMessage"] }),
            json!({ "Action": "sqs:*", "Resource": "*" }),
            json!({ "Condition": { "ArnLike": { "aws:SourceArn": "arn:aws:sns:*:t" } } }),
            json!({ "Condition": { "StringEquals": { "AWS:SourceArn": ["other", TOPIC] } } }),
            json!({ "Condition": null }),
        ] {
            assert!(lets(&statement(&changes)), "{changes}");
        }
        for changes in [
            json!({ "Effect": "Deny" }),
            json!({ "Principal": { "Service": "s3.amazonaws.com" } }),
            json!({ "Principal": { "AWS": "123456789012" } }),
            json!({ "Action": "sqs:ReceiveMessage" }),
            json!({ "Resource": "arn:aws:sqs:us-east-1:000000000000:other" }),
            json!({ "Condition": { "ArnEquals": { "aws:SourceArn": "arn:aws:sns:us-east-1:000000000000:other" } } }),
            json!({ "Condition": { "StringEquals": { "aws:SourceArn": "arn:aws:sns:*" } } }),
            json!({ "Condition": { "StringEquals": { "aws:SourceAccount": "000000000000" } } }),
        ] {
            assert!(!lets(&statement(&changes)), "{changes}");
        }
        assert!(!lets_send(None, QUEUE, TOPIC));
    }

    #[test]
    fn a_denial_wins() {
        let both = json!([statement(&json!({})), statement(&json!({ "Effect": "Deny" }))]);
        assert!(!lets_send(Some(&json!({ "Statement": both })), QUEUE, TOPIC));
    }
}
