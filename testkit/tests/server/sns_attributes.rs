//! Message attributes that the service does not take.

use crate::client::{Answer, Client};
use crate::sns_client::{attributes, refused};

const TYPES: &str = "The message attribute 'a' has an invalid message attribute type, the set of supported type \
    prefixes is Binary, Number, and String.";
const CHARACTER: &str = "Invalid non-alphanumeric character '#x5E' was found in the message attribute name. Can only \
    include alphanumeric characters, hyphens, underscores, or dots.";

/// Publishes with parameters, by a topic that is made for it.
async fn publish(client: &mut Client, parameters: &[(String, &str)]) -> Answer {
    let topic = client.topic("a", &[]).await;
    client.sns_with("Publish", &[("TopicArn", &topic), ("Message", "m")], parameters).await
}

/// Expects an attribute to be refused with a text.
async fn check(client: &mut Client, sent: [&str; 3], text: &str) {
    let answer = publish(client, &attributes(&[sent])).await;
    assert_eq!(refused(&answer), (400, "ParameterValueInvalid", text.to_owned()));
}

#[tokio::test]
async fn names_that_the_service_does_not_take_are_refused_in_its_words() {
    let mut client = Client::new().await;
    let long = "n".repeat(256);
    for (name, text) in [
        (long.as_str(), "Length of message attribute name must be less than 256 bytes."),
        ("a^", CHARACTER),
        (".a", "Invalid message attribute name starting with character '.' was found."),
        ("a.", "Invalid message attribute name ending with character '.' was found."),
        ("a..b", "Message attribute name can not have successive '.' character."),
    ] {
        check(&mut client, [name, "String", "v"], text).await;
    }
    let answer =
        publish(&mut client, &attributes(&[[&long[1..], "String", "v"], ["a.b-c_9", "String", "v"]])).await;
    assert_eq!(answer.status, 200, "{answer:?}");
}

#[tokio::test]
async fn types_and_values_that_the_service_does_not_take_are_refused_in_its_words() {
    let mut client = Client::new().await;
    let empty = |data_type| {
        let begin = "The message attribute 'a' must contain non-empty message attribute value for message attribute type";
        format!("{begin} '{data_type}'.")
    };
    for (data_type, value, text) in [
        ("Strange", "v", TYPES),
        ("String", "", &empty("String")),
        ("Binary", "", &empty("Binary")),
        ("Number", "ten", "Could not cast message attribute 'a' value to number."),
    ] {
        check(&mut client, ["a", data_type, value], text).await;
    }
    let mut other = attributes(&[["a", "String", ""]]);
    other.push(("MessageAttributes.entry.1.Value.BinaryValue".to_owned(), "AgME"));
    let text = "The message attribute 'a' with type 'String' must use field 'String'.";
    assert_eq!(refused(&publish(&mut client, &other).await), (400, "ParameterValueInvalid", text.to_owned()));
    other.retain(|(name, _)| !name.ends_with("DataType"));
    let answer = publish(&mut client, &other).await;
    assert_eq!((answer.status, answer.xml("Code")), (400, "ValidationError"));
}
