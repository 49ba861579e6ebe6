//! The test server and clients of other make: the AWS SDK for Python and the AWS CLI.

#![expect(clippy::unwrap_used, clippy::panic, reason = "the helpers of tests fail as tests do")]

use std::env;

use serde_json::Value;
use testkit::server::SqsServer;
use tokio::process::Command;

/// A Python that has both.
fn python() -> Command {
    let python = env::var("AWS_CLIENTS_PYTHON")
        .unwrap_or_else(|_| panic!("AWS_CLIENTS_PYTHON is not set; `cargo xtask test` sets it"));
    let mut command = Command::new(python);
    for name in [
        "AWS_PROFILE",
        "AWS_SESSION_TOKEN",
        "AWS_ENDPOINT_URL",
        "AWS_ENDPOINT_URL_SQS",
        "AWS_ENDPOINT_URL_SNS",
    ] {
        command.env_remove(name);
    }
    command
        .env("AWS_CONFIG_FILE", "/dev/null")
        .env("AWS_SHARED_CREDENTIALS_FILE", "/dev/null")
        .kill_on_drop(true);
    command
}

/// What a program said that ended well.
async fn said(command: &mut Command) -> String {
    let output = command.output().await.unwrap();
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?} ended with {}\n{out}{err}", output.status);
    out
}

/// The AWS CLI, as it is called in a shell.
fn aws(server: &SqsServer, words: &[&str]) -> Command {
    let mut command = python();
    command.args(["-m", "awscli", "--endpoint-url", server.endpoint_url(), "--output", "json"]).args(words);
    command
        .env("AWS_ACCESS_KEY_ID", "test")
        .env("AWS_SECRET_ACCESS_KEY", "test")
        .env("AWS_DEFAULT_REGION", "eu-west-1");
    command
}

async fn json(server: &SqsServer, words: &[&str]) -> Value {
    let said = said(&mut aws(server, words)).await;
    if said.trim().is_empty() { Value::Null } else { serde_json::from_str(&said).unwrap() }
}

#[tokio::test]
#[ignore = "needs the AWS clients: cargo xtask test"]
async fn boto3_works_against_the_server() {
    let server = SqsServer::start().await.unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/aws_clients/user.py");
    let said = said(python().args([script, server.endpoint_url()])).await;
    assert_eq!(said.lines().collect::<Vec<_>>(), ["a_standard_queue", "a_fifo_queue", "mistakes", "a_topic"]);
}

#[tokio::test]
#[ignore = "needs the AWS clients: cargo xtask test"]
async fn the_aws_cli_works_against_the_server() {
    let server = SqsServer::start().await.unwrap();
    let made = json(&server, &["sqs", "create-queue", "--queue-name", "a"]).await;
    let url = made["QueueUrl"].as_str().unwrap();
    let sent = json(&server, &["sqs", "send-message", "--queue-url", url, "--message-body", "ü"]).await;
    let received =
        json(&server, &["sqs", "receive-message", "--queue-url", url, "--wait-time-seconds", "5"]).await;
    let message = &received["Messages"][0];
    assert_eq!((&message["Body"], &message["MessageId"]), (&Value::from("ü"), &sent["MessageId"]));
    let receipt = message["ReceiptHandle"].as_str().unwrap();
    json(&server, &["sqs", "delete-message", "--queue-url", url, "--receipt-handle", receipt]).await;
    let names = ["--attribute-names", "All"];
    let told =
        json(&server, &[&["sqs", "get-queue-attributes", "--queue-url", url], &names[..]].concat()).await;
    assert_eq!(told["Attributes"]["ApproximateNumberOfMessagesNotVisible"], "0", "{told}");
}

#[tokio::test]
#[ignore = "needs the AWS clients: cargo xtask test"]
async fn the_aws_cli_shows_errors_and_speaks_to_topics() {
    let server = SqsServer::start().await.unwrap();
    let refused = aws(&server, &["sqs", "get-queue-url", "--queue-name", "nowhere"]).output().await.unwrap();
    let told = String::from_utf8_lossy(&refused.stderr);
    assert!(told.contains("AWS.SimpleQueueService.NonExistentQueue"), "{told}");
    let made = json(&server, &["sns", "create-topic", "--name", "changes"]).await;
    let topic = made["TopicArn"].as_str().unwrap();
    let sent = json(&server, &["sns", "publish", "--topic-arn", topic, "--message", "a"]).await;
    assert!(sent["MessageId"].is_string(), "{sent}");
    assert_eq!(server.calls().of("Publish"), 1);
}
