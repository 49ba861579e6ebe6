//! A queue of the server and the calls at it.

use std::time::Duration;

use serde_json::{Value, json};

use crate::client::{Answer, Client};

/// A server, a connection, and one queue that calls go to unless they name another.
pub(crate) struct Sqs {
    pub(crate) client: Client,
    pub(crate) url: String,
}

impl Sqs {
    /// Makes a standard queue `q` with these attributes.
    pub(crate) async fn new(attributes: Value) -> Self {
        let mut sqs = Self { client: Client::new().await, url: String::new() };
        sqs.url = sqs.create("q", attributes).await;
        sqs
    }

    /// Makes an ordered queue `q.fifo` with these attributes.
    pub(crate) async fn fifo(mut attributes: Value) -> Self {
        attributes["FifoQueue"] = json!("true");
        let mut sqs = Self { client: Client::new().await, url: String::new() };
        sqs.url = sqs.create("q.fifo", attributes).await;
        sqs
    }

    /// Makes another queue and answers with its URL.
    pub(crate) async fn create(&mut self, name: &str, attributes: Value) -> String {
        let created = self.done("CreateQueue", json!({ "QueueName": name, "Attributes": attributes })).await;
        created["QueueUrl"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn call(&mut self, operation: &str, mut input: Value) -> Answer {
        if input.get("QueueUrl").is_none() {
            input["QueueUrl"] = json!(self.url);
        }
        self.client.sqs(operation, &input).await
    }

    /// Calls and expects success.
    pub(crate) async fn done(&mut self, operation: &str, input: Value) -> Value {
        let answer = self.call(operation, input).await;
        assert_eq!(answer.status, 200, "{operation}: {answer:?}");
        answer.json()
    }

    /// Calls and expects a refusal: its name and its text.
    pub(crate) async fn refused(&mut self, operation: &str, input: Value) -> (String, String) {
        let told = input.to_string();
        let answer = self.call(operation, input).await;
        let told = &told[..told.len().min(300)];
        assert!((400..500).contains(&answer.status), "{operation} {told}: {answer:?}");
        let error = answer.json();
        let name = error["__type"].as_str().unwrap().rsplit('#').next().unwrap().to_owned();
        (name, error["message"].as_str().unwrap().to_owned())
    }

    pub(crate) async fn send(&mut self, body: &str) -> Value {
        self.done("SendMessage", json!({ "MessageBody": body })).await
    }

    /// Sends to an ordered queue. The body is the deduplication id as well.
    pub(crate) async fn send_in(&mut self, group: &str, body: &str) -> Value {
        let input = json!({ "MessageBody": body, "MessageGroupId": group, "MessageDeduplicationId": body });
        self.done("SendMessage", input).await
    }

    /// Receives up to ten, unless the input says otherwise.
    pub(crate) async fn receive(&mut self, mut input: Value) -> Vec<Value> {
        if input.get("MaxNumberOfMessages").is_none() {
            input["MaxNumberOfMessages"] = json!(10);
        }
        self.done("ReceiveMessage", input).await["Messages"].as_array().cloned().unwrap_or_default()
    }

    /// Receives and answers with the bodies.
    pub(crate) async fn bodies(&mut self, input: Value) -> Vec<String> {
        self.receive(input).await.iter().map(body).collect()
    }

    /// Sends one and receives it: its handle.
    pub(crate) async fn handle(&mut self, body: &str) -> Value {
        self.send(body).await;
        self.receive(json!({})).await.remove(0)["ReceiptHandle"].clone()
    }

    /// One attribute of the queue.
    pub(crate) async fn attribute(&mut self, name: &str) -> Value {
        let all = self.done("GetQueueAttributes", json!({ "AttributeNames": [name] })).await;
        all["Attributes"][name].clone()
    }

    pub(crate) fn advance(&self, seconds: u64) {
        self.client.server.advance(Duration::from_secs(seconds));
    }
}

pub(crate) fn body(message: &Value) -> String {
    message["Body"].as_str().unwrap().to_owned()
}

pub(crate) fn arn(name: &str) -> String {
    format!("arn:aws:sqs:us-east-1:000000000000:{name}")
}
