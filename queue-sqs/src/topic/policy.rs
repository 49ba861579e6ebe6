//! A queue's policy, and the statement in it that lets a topic send.

use queue_core::QueueError;
use serde_json::{Map, Value, json};

/// The most statements and bytes of a queue's policy (Amazon SQS Developer Guide, "Amazon SQS policy quotas"). That page
/// has 10 conditions, too, and yet the service takes 20 statements of one each (dapr/components-contrib, issue 1780): so
/// what else there is to count is left to the service.
const MOST_STATEMENTS: usize = 20;
const MOST_BYTES: usize = 8_192;
/// The version of the policy language that knows everything a statement here says (IAM User Guide, "Version").
const VERSION: &str = "2012-10-17";

/// The policy with the statement that lets `topic` send to `queue`; `None` if it is there already.
pub(super) fn allow(policy: Option<&str>, topic: &str, queue: &str) -> Result<Option<String>, QueueError> {
    let mut document = read(policy)?;
    let mut statements = statements(&mut document)?;
    let wanted = statement(topic, queue);
    if statements.contains(&wanted) {
        return Ok(None);
    }
    statements.retain(|statement| !is_ours(statement, topic));
    statements.push(wanted);
    let count = statements.len();
    document.insert("Statement".to_owned(), statements.into());
    let policy = Value::from(document).to_string();
    for (has, most, what) in [(count, MOST_STATEMENTS, "statements"), (policy.len(), MOST_BYTES, "bytes")] {
        if has > most {
            return Err(full(queue, &format!("it would have {has} {what}, {most} are allowed")));
        }
    }
    Ok(Some(policy))
}

/// The refusal of a statement for which a queue's policy has no room.
pub(super) fn full(queue: &str, why: &str) -> QueueError {
    QueueError::permanent(format!(
        "the policy of {queue} is full: {why}; one statement that lets several topics send (`ArnLike`) can replace theirs, \
         and `without_policy` leaves it alone"
    ))
}

/// The policy without that statement, empty if nothing else is in it; `None` if it isn't there.
pub(super) fn disallow(policy: Option<&str>, topic: &str) -> Result<Option<String>, QueueError> {
    let mut document = read(policy)?;
    let mut statements = statements(&mut document)?;
    let before = statements.len();
    statements.retain(|statement| !is_ours(statement, topic));
    if statements.len() == before {
        return Ok(None);
    }
    if statements.is_empty() {
        return Ok(Some(String::new()));
    }
    document.insert("Statement".to_owned(), statements.into());
    Ok(Some(Value::from(document).to_string()))
}

fn read(policy: Option<&str>) -> Result<Map<String, Value>, QueueError> {
    match policy.filter(|policy| !policy.is_empty()) {
        None => Ok([("Version".to_owned(), json!(VERSION))].into_iter().collect()),
        Some(policy) => serde_json::from_str(policy).map_err(|error| {
            QueueError::permanent("the queue's policy is no JSON object; it was left as it is")
                .with_source(error)
        }),
    }
}

/// Takes the statements out: a policy has a list of them, or one by itself.
fn statements(document: &mut Map<String, Value>) -> Result<Vec<Value>, QueueError> {
    match document.remove("Statement") {
        None => Ok(Vec::new()),
        Some(Value::Array(statements)) => Ok(statements),
        Some(one @ Value::Object(_)) => Ok(vec![one]),
        Some(_) => Err(QueueError::permanent(
            "the statements of the queue's policy are neither a list nor an object; it was left as it is",
        )),
    }
}

/// Amazon SNS Developer Guide, "Subscribing an Amazon SQS queue to an Amazon SNS topic".
fn statement(topic: &str, queue: &str) -> Value {
    json!({
        "Sid": sid(topic),
        "Effect": "Allow",
        "Principal": { "Service": "sns.amazonaws.com" },
        "Action": "sqs:SendMessage",
        "Resource": queue,
        "Condition": { "ArnEquals": { "aws:SourceArn": topic } },
    })
}

fn is_ours(statement: &Value, topic: &str) -> bool {
    statement["Sid"] == *sid(topic)
}

/// The same that the console gives it, so that a topic has one statement whoever subscribed the queue.
fn sid(topic: &str) -> String {
    format!("topic-subscription-{topic}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOPIC: &str = "arn:aws:sns:us-east-1:000000000000:orders";
    const OTHER: &str = "arn:aws:sns:us-east-1:000000000000:orders2";
    const QUEUE: &str = "arn:aws:sqs:us-east-1:000000000000:search";

    fn parsed(policy: Option<String>) -> Value {
        serde_json::from_str(&policy.unwrap()).unwrap()
    }

    #[test]
    fn a_statement_is_added_once_and_names_the_topic_alone() {
        let policy = allow(None, TOPIC, QUEUE).unwrap().unwrap();
        assert_eq!(
            parsed(Some(policy.clone())),
            json!({ "Version": "2012-10-17", "Statement": [statement(TOPIC, QUEUE)] })
        );
        assert_eq!(allow(Some(&policy), TOPIC, QUEUE).unwrap(), None);
        assert_eq!(parsed(allow(Some(""), TOPIC, QUEUE).unwrap()), parsed(Some(policy)));
    }

    #[test]
    fn foreign_statements_stay_in_a_list_or_alone() {
        let foreign =
            json!({ "Sid": "ops", "Effect": "Deny", "Principal": "*", "Action": "sqs:*", "Resource": QUEUE });
        for theirs in [foreign.clone(), json!([foreign.clone()])] {
            let policy = json!({ "Version": "2008-10-17", "Id": "mine", "Statement": theirs }).to_string();
            let both = parsed(allow(Some(&policy), TOPIC, QUEUE).unwrap());
            let wanted = json!([foreign.clone(), statement(TOPIC, QUEUE)]);
            assert_eq!(both, json!({ "Version": "2008-10-17", "Id": "mine", "Statement": wanted }));
            let without = parsed(disallow(Some(&both.to_string()), TOPIC).unwrap());
            assert_eq!(without["Statement"], json!([foreign.clone()]));
        }
    }

    #[test]
    fn an_outdated_statement_of_the_topic_is_replaced_and_that_of_another_is_not() {
        let old = json!({ "Sid": sid(TOPIC), "Effect": "Allow", "Resource": "arn:old" });
        let policy = json!({ "Statement": [old, statement(OTHER, QUEUE)] }).to_string();
        let merged = parsed(allow(Some(&policy), TOPIC, QUEUE).unwrap());
        assert_eq!(merged["Statement"], json!([statement(OTHER, QUEUE), statement(TOPIC, QUEUE)]));
        assert_eq!(
            parsed(disallow(Some(&policy), TOPIC).unwrap())["Statement"],
            json!([statement(OTHER, QUEUE)])
        );
    }

    #[test]
    fn the_last_statement_takes_the_policy_with_it_and_none_changes_nothing() {
        let policy = allow(None, TOPIC, QUEUE).unwrap();
        assert_eq!(disallow(policy.as_deref(), TOPIC).unwrap().as_deref(), Some(""));
        assert_eq!(disallow(policy.as_deref(), OTHER).unwrap(), None);
        assert_eq!(disallow(None, TOPIC).unwrap(), None);
    }

    #[test]
    fn a_policy_that_is_not_understood_or_full_is_left_alone() {
        let full: Vec<Value> = (0..20).map(|number| json!({ "Sid": number.to_string() })).collect();
        for policy in ["no JSON", "[]", r#"{"Statement": 7}"#, &json!({ "Statement": full }).to_string()] {
            assert!(allow(Some(policy), TOPIC, QUEUE).is_err(), "{policy}");
        }
        let last = json!({ "Statement": full[..19] }).to_string();
        assert!(allow(Some(&last), TOPIC, QUEUE).unwrap().is_some());
    }

    #[test]
    fn a_policy_has_8192_bytes_and_not_one_more() {
        let with = |bytes| json!({ "Statement": { "Sid": "x".repeat(bytes) } }).to_string();
        let empty = allow(Some(&with(0)), TOPIC, QUEUE).unwrap().unwrap().len();
        let full = allow(Some(&with(MOST_BYTES - empty)), TOPIC, QUEUE).unwrap();
        assert_eq!(full.map(|policy| policy.len()), Some(MOST_BYTES));
        let refused = allow(Some(&with(MOST_BYTES - empty + 1)), TOPIC, QUEUE).unwrap_err();
        assert!(refused.message().contains("8193 bytes, 8192 are allowed"), "{refused}");
    }
}
