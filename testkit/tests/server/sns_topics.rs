//! Topics: names, attributes, tags, lists.

use crate::client::Client;
use crate::sns_client::{invalid, map, refused, topic_arn};

const NAME: &str = "Topic Name";
const FIFO_NAME: &str = "Fifo Topic names must end with .fifo and must be made up of only uppercase and lowercase \
    ASCII letters, numbers, underscores, and hyphens, and must be between 1 and 256 characters long.";

/// The value of an attribute in the answer's map.
fn attribute(body: &str, name: &str) -> Option<String> {
    let (_, after) = body.split_once(&format!("<key>{name}</key><value>"))?;
    Some(after.split_once("</value>")?.0.replace("&quot;", "\""))
}

#[tokio::test]
async fn a_name_has_1_to_256_characters_and_fifo_topics_say_so_in_it() {
    let mut client = Client::new().await;
    let fifo = map("Attributes", &[("FifoTopic", "true")]);
    let (longest, longer) = ("n".repeat(256), "n".repeat(257));
    for name in ["a", "A-b_9", longest.as_str()] {
        assert_eq!(client.topic(name, &[]).await, topic_arn(name));
    }
    for name in ["", "a b", "a.fifo", "é", longer.as_str()] {
        assert_eq!(refused(&client.sns("CreateTopic", &[("Name", name)]).await), invalid(NAME), "{name}");
    }
    assert_eq!(client.topic("a.fifo", &[("FifoTopic", "true")]).await, topic_arn("a.fifo"));
    for name in ["a", ".fifo", "a.b.fifo"] {
        let answer = client.sns_with("CreateTopic", &[("Name", name)], &fifo).await;
        assert_eq!(refused(&answer), invalid(FIFO_NAME), "{name}");
    }
    let answer = client.sns("CreateTopic", &[]).await;
    assert_eq!((answer.status, answer.xml("Code")), (400, "ValidationError"));
}

#[tokio::test]
async fn creating_a_topic_again_answers_it_unless_it_is_to_be_another() {
    let mut client = Client::new().await;
    let arn = client.topic("a", &[("DisplayName", "A")]).await;
    assert_eq!(client.topic("a", &[]).await, arn);
    assert_eq!(client.topic("a", &[("DisplayName", "A")]).await, arn);
    let other = map("Attributes", &[("DisplayName", "B")]);
    let answer = client.sns_with("CreateTopic", &[("Name", "a")], &other).await;
    assert_eq!(
        refused(&answer),
        invalid("Attributes Reason: Topic already exists with different attributes")
    );
    let tag = [("Name", "a"), ("Tags.member.1.Key", "k"), ("Tags.member.1.Value", "v")];
    let answer = client.sns("CreateTopic", &tag).await;
    assert_eq!(refused(&answer), invalid("Tags Reason: Topic already exists with different tags"));
    let by_content = [("FifoTopic", "true"), ("ContentBasedDeduplication", "false")];
    assert_eq!(
        client.topic("b.fifo", &[("FifoTopic", "true")]).await,
        client.topic("b.fifo", &by_content).await
    );
}

#[tokio::test]
async fn a_topic_shows_its_attributes() {
    let mut client = Client::new().await;
    let arn = client.topic("a.fifo", &[("FifoTopic", "true")]).await;
    client.subscribe(&arn, "q", &[]).await;
    let set = |name: &'static str, value: &'static str| {
        [("TopicArn", topic_arn("a.fifo")), ("AttributeName", name.into()), ("AttributeValue", value.into())]
    };
    for (name, value) in
        [("ContentBasedDeduplication", "true"), ("DisplayName", "A"), ("MaximumMessageSize", "1048576")]
    {
        let parameters = set(name, value);
        let parameters: Vec<_> = parameters.iter().map(|(name, value)| (*name, value.as_str())).collect();
        assert_eq!(client.sns("SetTopicAttributes", &parameters).await.status, 200, "{name}");
    }
    let body = client.sns("GetTopicAttributes", &[("TopicArn", &arn)]).await.body;
    for (name, value) in [
        ("TopicArn", arn.as_str()),
        ("Owner", "000000000000"),
        ("DisplayName", "A"),
        ("FifoTopic", "true"),
        ("ContentBasedDeduplication", "true"),
        ("MaximumMessageSize", "1048576"),
        ("SubscriptionsConfirmed", "1"),
        ("SubscriptionsDeleted", "0"),
        ("SubscriptionsPending", "0"),
    ] {
        assert_eq!(attribute(&body, name).as_deref(), Some(value), "{name}");
    }
    let policy: serde_json::Value = serde_json::from_str(&attribute(&body, "Policy").unwrap()).unwrap();
    assert_eq!(policy["Statement"][0]["Resource"], arn.as_str());
}

#[tokio::test]
async fn attributes_that_are_none_or_take_other_values_are_refused() {
    let mut client = Client::new().await;
    let arn = client.topic("a", &[]).await;
    for (name, value, reason) in [
        ("Colour", "red", "AttributeName"),
        ("FifoTopic", "true", "AttributeName"),
        ("ContentBasedDeduplication", "true", "ContentBasedDeduplication can only be set for FIFO topics"),
        ("SignatureVersion", "3", "SignatureVersion: Invalid value [3]. Must be 1 or 2."),
        ("MaximumMessageSize", "1023", "MaximumMessageSize: Invalid value [1023]. Must be 1024 to 1048576."),
        (
            "MaximumMessageSize",
            "1048577",
            "MaximumMessageSize: Invalid value [1048577]. Must be 1024 to 1048576.",
        ),
    ] {
        let parameters = [("TopicArn", arn.as_str()), ("AttributeName", name), ("AttributeValue", value)];
        let answer = client.sns("SetTopicAttributes", &parameters).await;
        assert_eq!(refused(&answer), invalid(reason));
    }
    let unknown = map("Attributes", &[("Colour", "red")]);
    let answer = client.sns_with("CreateTopic", &[("Name", "b")], &unknown).await;
    assert_eq!(refused(&answer), invalid("Attributes Reason: Unknown attribute Colour"));
}

#[tokio::test]
async fn a_topic_that_is_not_there_is_not_found() {
    let mut client = Client::new().await;
    let arn = client.topic("a", &[]).await;
    for _ in 0..2 {
        assert_eq!(
            client.sns("DeleteTopic", &[("TopicArn", &arn)]).await.status,
            200,
            "also when it is gone"
        );
    }
    let missing = (404, "NotFound", "Topic does not exist".to_owned());
    for operation in ["GetTopicAttributes", "ListSubscriptionsByTopic"] {
        assert_eq!(refused(&client.sns(operation, &[("TopicArn", &arn)]).await), missing);
        let answer = client.sns(operation, &[("TopicArn", "a:b")]).await;
        let reason = "TopicArn Reason: An ARN must have at least 6 elements, not 2";
        assert_eq!(refused(&answer), invalid(reason));
    }
    assert_eq!(refused(&client.subscribe(&arn, "q", &[]).await), missing);
    let publish = [("TopicArn", arn.as_str()), ("Message", "a")];
    assert_eq!(refused(&client.sns("Publish", &publish).await), missing);
}

#[tokio::test]
async fn lists_come_in_pages_of_a_hundred() {
    let mut client = Client::new().await;
    for number in 0..201 {
        client.topic(&format!("t{number}"), &[]).await;
    }
    let (mut arns, mut lengths, mut token) = (Vec::new(), Vec::new(), None::<String>);
    loop {
        let next: Vec<_> = token.iter().map(|token| ("NextToken", token.as_str())).collect();
        let answer = client.sns("ListTopics", &next).await;
        let page: Vec<_> =
            answer.body.split("<TopicArn>").skip(1).map(|rest| rest.split('<').next()).collect();
        lengths.push(page.len());
        arns.extend(page.into_iter().map(|arn| arn.unwrap().to_owned()));
        token = Some(answer.xml("NextToken").to_owned()).filter(|token| !token.is_empty());
        if token.is_none() {
            break;
        }
    }
    arns.sort();
    arns.dedup();
    assert_eq!((arns.len(), lengths), (201, vec![100, 100, 1]));
    let answer = client.sns("ListTopics", &[("NextToken", "?")]).await;
    assert_eq!(refused(&answer), invalid("NextToken Reason: Invalid token"));
}

#[tokio::test]
async fn a_topic_has_tags() {
    let mut client = Client::new().await;
    let tags = [("Tags.member.1.Key", "k1"), ("Tags.member.1.Value", "v1")];
    let more = [("Tags.member.1.Key", "k2"), ("Tags.member.1.Value", "v2")];
    let arn =
        client.sns("CreateTopic", &[&[("Name", "a")], &tags[..]].concat()).await.xml("TopicArn").to_owned();
    let resource = [("ResourceArn", arn.as_str())];
    assert_eq!(client.sns("TagResource", &[&resource[..], &more].concat()).await.status, 200);
    let listed = client.sns("ListTagsForResource", &resource).await.body;
    let pair = |number| format!("<member><Key>k{number}</Key><Value>v{number}</Value></member>");
    assert!(listed.contains(&format!("<Tags>{}{}</Tags>", pair(1), pair(2))), "{listed}");
    client.sns("UntagResource", &[&resource[..], &[("TagKeys.member.1", "k1")]].concat()).await;
    let listed = client.sns("ListTagsForResource", &resource).await.body;
    assert!(listed.contains(&format!("<Tags>{}</Tags>", pair(2))), "{listed}");
    let twice = [
        ("Tags.member.1.Key", "k"),
        ("Tags.member.1.Value", "1"),
        ("Tags.member.2.Key", "k"),
        ("Tags.member.2.Value", "2"),
    ];
    let answer = client.sns("TagResource", &[&resource[..], &twice].concat()).await;
    assert_eq!(refused(&answer), invalid("Duplicated keys are not allowed."));
    let none = [("ResourceArn", topic_arn("none"))];
    let answer =
        client.sns("ListTagsForResource", &none.each_ref().map(|(name, arn)| (*name, arn.as_str()))).await;
    assert_eq!(refused(&answer), (404, "ResourceNotFound", "Resource does not exist".to_owned()));
}

#[tokio::test]
async fn what_the_server_does_not_know_is_an_invalid_action() {
    let mut client = Client::new().await;
    let answer = client.sns("CreatePlatformApplication", &[]).await;
    let text = "Could not find operation CreatePlatformApplication for version 2010-03-31";
    assert_eq!(refused(&answer), (400, "InvalidAction", text.to_owned()));
}
