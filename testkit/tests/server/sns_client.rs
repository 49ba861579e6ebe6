//! What the tests of SNS do over and over.

use serde_json::{Value, json};

use crate::client::{Answer, Client};

/// The ARN of a queue.
pub(crate) fn queue_arn(name: &str) -> String {
    format!("arn:aws:sqs:us-east-1:000000000000:{name}")
}

/// The ARN of a topic.
pub(crate) fn topic_arn(name: &str) -> String {
    format!("arn:aws:sns:us-east-1:000000000000:{name}")
}

/// A policy that lets a topic send to a queue, as the service's documentation has it.
pub(crate) fn policy(queue: &str, topic: &str) -> String {
    let statement = json!({
        "Effect": "Allow",
        "Principal": { "Service": "sns.amazonaws.com" },
        "Action": "sqs:SendMessage",
        "Resource": queue_arn(queue),
        "Condition": { "ArnEquals": { "aws:SourceArn": topic } },
    });
    json!({ "Version": "2012-10-17", "Statement": [statement] }).to_string()
}

/// The parameters of a map, in order.
pub(crate) fn map<'a>(name: &str, entries: &[(&'a str, &'a str)]) -> Vec<(String, &'a str)> {
    let entry = |(number, (key, value)): (usize, &(&'a str, &'a str))| {
        let prefix = format!("{name}.entry.{}", number + 1);
        [(format!("{prefix}.key"), *key), (format!("{prefix}.value"), *value)]
    };
    entries.iter().enumerate().flat_map(entry).collect()
}

/// The parameters of message attributes: names, types and values; those of the type `Binary` in base64.
pub(crate) fn attributes<'a>(attributes: &[[&'a str; 3]]) -> Vec<(String, &'a str)> {
    let attribute = |(number, [name, data_type, value]): (usize, &[&'a str; 3])| {
        let prefix = format!("MessageAttributes.entry.{}", number + 1);
        let field = if data_type.starts_with("Binary") { "BinaryValue" } else { "StringValue" };
        [
            (format!("{prefix}.Name"), *name),
            (format!("{prefix}.Value.DataType"), *data_type),
            (format!("{prefix}.Value.{field}"), *value),
        ]
    };
    attributes.iter().enumerate().flat_map(attribute).collect()
}

impl Client {
    /// Calls SNS with parameters of which some are made.
    pub(crate) async fn sns_with(
        &mut self,
        operation: &str,
        parameters: &[(&str, &str)],
        more: &[(String, &str)],
    ) -> Answer {
        let more = more.iter().map(|(name, value)| (name.as_str(), *value));
        let all: Vec<_> = parameters.iter().copied().chain(more).collect();
        self.sns(operation, &all).await
    }

    /// Makes a topic and answers its ARN.
    pub(crate) async fn topic(&mut self, name: &str, attributes: &[(&str, &str)]) -> String {
        let answer = self.sns_with("CreateTopic", &[("Name", name)], &map("Attributes", attributes)).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.xml("TopicArn").to_owned()
    }

    /// Makes a queue to which a topic may send, and answers its URL.
    pub(crate) async fn queue_of(&mut self, topic: &str, name: &str) -> String {
        let mut attributes = json!({ "Policy": policy(name, topic) });
        if name.strip_suffix(".fifo").is_some() {
            attributes["FifoQueue"] = "true".into();
        }
        let answer = self.sqs("CreateQueue", &json!({ "QueueName": name, "Attributes": attributes })).await;
        answer.json()["QueueUrl"].as_str().unwrap_or_else(|| panic!("{answer:?}")).to_owned()
    }

    /// Subscribes a queue; the answer is left to be looked at.
    pub(crate) async fn subscribe(
        &mut self,
        topic: &str,
        queue: &str,
        attributes: &[(&str, &str)],
    ) -> Answer {
        let endpoint = queue_arn(queue);
        let parameters = [("TopicArn", topic), ("Protocol", "sqs"), ("Endpoint", endpoint.as_str())];
        self.sns_with("Subscribe", &parameters, &map("Attributes", attributes)).await
    }

    /// Makes a queue to which a topic may send, subscribes it, and answers its URL.
    pub(crate) async fn subscribed(
        &mut self,
        topic: &str,
        queue: &str,
        attributes: &[(&str, &str)],
    ) -> String {
        let url = self.queue_of(topic, queue).await;
        let answer = self.subscribe(topic, queue, attributes).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        url
    }

    /// Publishes a text, and expects it to be taken.
    pub(crate) async fn publish(&mut self, topic: &str, text: &str, more: &[(String, &str)]) -> Answer {
        let answer = self.sns_with("Publish", &[("TopicArn", topic), ("Message", text)], more).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        answer
    }

    /// What a queue holds, up to ten, with all attributes.
    pub(crate) async fn received(&mut self, url: &str) -> Vec<Value> {
        let all = json!(["All"]);
        let input = json!({
            "QueueUrl": url, "MaxNumberOfMessages": 10, "MessageAttributeNames": all, "MessageSystemAttributeNames": all,
        });
        let answer = self.sqs("ReceiveMessage", &input).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.json()["Messages"].as_array().cloned().unwrap_or_default()
    }

    /// The bodies of what a queue holds.
    pub(crate) async fn bodies(&mut self, url: &str) -> Vec<String> {
        let messages = self.received(url).await;
        messages.iter().map(|message| message["Body"].as_str().unwrap().to_owned()).collect()
    }
}

/// The code and the text of an error.
pub(crate) fn refused(answer: &Answer) -> (u16, &str, String) {
    let text = answer.xml("Message").replace("&quot;", "\"").replace("&gt;", ">").replace("&lt;", "<");
    (answer.status, answer.xml("Code"), text)
}

/// An error `InvalidParameter`.
pub(crate) fn invalid(reason: &str) -> (u16, &'static str, String) {
    (400, "InvalidParameter", format!("Invalid parameter: {reason}"))
}
