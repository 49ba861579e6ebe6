//! The policy of a queue: how much of it there may be.

use serde_json::{Value, json};

use crate::sqs::Sqs;

fn policy(statements: usize, actions: usize) -> String {
    let actions: Vec<_> = (0..actions).map(|number| format!("sqs:Action{number}")).collect();
    let topic = "arn:aws:sns:us-east-1:000000000000:t";
    let condition = json!({ "ArnEquals": { "aws:SourceArn": topic } });
    let statement = json!({ "Effect": "Allow", "Action": actions, "Condition": condition });
    json!({ "Statement": vec![statement; statements] }).to_string()
}

/// One with so many bytes.
fn sized(bytes: usize) -> String {
    let id = |length: usize| json!({ "Id": "x".repeat(length), "Statement": [] }).to_string();
    id(bytes - id(0).len())
}

// Amazon SQS Developer Guide, "Amazon SQS policy quotas"; the words are those of aws/aws-cdk issue 16303,
// ministryofjustice/cloud-platform-environments pull request 9082 and BishopFox/cloudfoxable issue 29
#[tokio::test]
async fn a_policy_has_twenty_statements_seven_actions_in_each_and_8192_bytes() {
    let mut sqs = Sqs::new(json!({})).await;
    for fits in [policy(20, 1), policy(1, 7), sized(8_192)] {
        sqs.done("SetQueueAttributes", json!({ "Attributes": { "Policy": fits } })).await;
        assert_eq!(sqs.attribute("Policy").await, fits);
    }
    sqs.done("SetQueueAttributes", json!({ "Attributes": { "Policy": "" } })).await;
    for (policy, says) in [
        (policy(21, 1), "21 statements were found in the submitted policy, max allowed is 20"),
        (policy(2, 8), "8 actions were found in a statement from the submitted policy, max allowed is 7"),
        (sized(8_193), "Submitted policy is over max allowed size."),
    ] {
        let set = json!({ "Attributes": { "Policy": policy } });
        let refused = ("OverLimit".to_owned(), says.to_owned());
        assert_eq!(sqs.refused("SetQueueAttributes", set).await, refused);
        let create = json!({ "QueueName": "new", "Attributes": { "Policy": policy } });
        assert_eq!(sqs.refused("CreateQueue", create).await, refused);
    }
    assert_eq!(sqs.attribute("Policy").await, Value::Null);
}
