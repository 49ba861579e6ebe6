//! The framing of both protocols, and what is refused before a service looks at it.

use serde_json::json;
use testkit::server::SqsServerOptions;

use crate::client::{AUTHORIZED, Client, FORM, JSON};

const CORAL: &str = "com.amazon.coral.service#";

// Amazon SQS Developer Guide, "Interpreting Amazon SQS JSON API responses"
#[tokio::test]
async fn an_answer_of_sqs_is_json_with_a_request_id_of_its_own() {
    let mut client = Client::new().await;
    let mut ids = Vec::new();
    for _ in 0..2 {
        let answer = client.sqs("ListQueues", &json!({})).await;
        assert_eq!(
            (answer.status, answer.headers["content-type"].as_str()),
            (200, "application/x-amz-json-1.0")
        );
        assert!(answer.json().is_object());
        ids.push(answer.headers["x-amzn-requestid"].clone());
    }
    assert!(ids[0] != ids[1] && ids[0].len() == 36, "{ids:?}");
}

#[tokio::test]
async fn a_refusal_of_sqs_carries_its_name_and_the_older_code() {
    let mut client = Client::new().await;
    let url = format!("{}/000000000000/none", client.server.endpoint_url());
    let answer = client.sqs("SendMessage", &json!({ "QueueUrl": url, "MessageBody": "a" })).await;
    let code = "AWS.SimpleQueueService.NonExistentQueue;Sender";
    assert_eq!(answer.error(), (400, "com.amazonaws.sqs#QueueDoesNotExist".to_owned(), Some(code)));
    assert!(!answer.json()["message"].as_str().unwrap().is_empty());
    assert_eq!(answer.headers["content-type"], "application/x-amz-json-1.0");
}

#[tokio::test]
async fn what_is_no_call_of_sqs_is_refused_by_the_framework() {
    let mut client = Client::new().await;
    for (line, head, body, status, name) in [
        ("POST / ", "X-Amz-Target: AmazonSQS.ListQueues\r\n", "{\"a\":", 400, "SerializationException"),
        ("POST / ", "X-Amz-Target: AmazonSQS.ListQueues\r\n", "[]", 400, "SerializationException"),
        ("POST / ", "X-Amz-Target: AmazonSQS.Fly\r\n", "{}", 400, "UnknownOperationException"),
        ("POST / ", "X-Amz-Target: DynamoDB_20120810.GetItem\r\n", "{}", 400, "UnknownOperationException"),
        ("POST / ", "", "{}", 400, "UnknownOperationException"),
    ] {
        client.send(line, &format!("{JSON}{AUTHORIZED}{head}"), body).await;
        let answer = client.answer().await.unwrap();
        assert_eq!(answer.error(), (status, format!("{CORAL}{name}"), None), "{head}{body}");
        assert_eq!(answer.headers["x-amzn-requestid"].len(), 36);
    }
    client.send("GET / ", &format!("{JSON}{AUTHORIZED}"), "").await;
    assert_eq!(client.answer().await.unwrap().status, 405);
}

#[tokio::test]
async fn a_call_without_authorization_is_refused_and_not_counted_unless_the_server_is_told_otherwise() {
    let open = Client::with_options(SqsServerOptions::default().with_auth(false)).await;
    for (mut client, status) in [(Client::new().await, 403), (open, 200)] {
        client.send("POST / ", &format!("{JSON}X-Amz-Target: AmazonSQS.ListQueues\r\n"), "{}").await;
        let answer = client.answer().await.unwrap();
        assert_eq!(answer.status, status);
        assert_eq!(client.server.calls().of("ListQueues"), u64::from(status == 200));
        if status == 403 {
            assert_eq!(answer.error().1, format!("{CORAL}MissingAuthenticationToken"));
        }
        client.send("POST / ", FORM, "Action=ListTopics&Version=2010-03-31").await;
        assert_eq!(client.answer().await.unwrap().status, status);
    }
}

#[tokio::test]
async fn an_answer_of_sns_is_xml_around_its_result() {
    let mut client = Client::new().await;
    let answer = client.sns("CreateTopic", &[("Name", "news")]).await;
    assert_eq!((answer.status, answer.headers["content-type"].as_str()), (200, "text/xml"));
    let begin = "<CreateTopicResponse xmlns=\"http://sns.amazonaws.com/doc/2010-03-31/\"><CreateTopicResult><TopicArn>";
    assert!(answer.body.starts_with(begin), "{answer:?}");
    assert!(answer.body.ends_with("</RequestId></ResponseMetadata></CreateTopicResponse>"), "{answer:?}");
    assert_eq!(answer.xml("RequestId"), answer.headers["x-amzn-requestid"]);
    let arn = answer.xml("TopicArn").to_owned();
    let answer = client.sns("DeleteTopic", &[("TopicArn", &arn)]).await;
    assert!(!answer.body.contains("DeleteTopicResult"), "{answer:?}");
}

#[tokio::test]
async fn a_refusal_of_sns_says_code_and_fault() {
    let mut client = Client::new().await;
    let arn = "arn:aws:sns:us-east-1:000000000000:none";
    let answer = client.sns("Publish", &[("TopicArn", arn), ("Message", "a")]).await;
    let told = (answer.status, answer.xml("Code"), answer.xml("Type"));
    assert_eq!(told, (404, "NotFound", "Sender"));
    assert_eq!(answer.xml("RequestId"), answer.headers["x-amzn-requestid"]);
    for (body, code) in [
        ("Action=Fly%3C%26&Version=2010-03-31", "InvalidAction"),
        ("Action=SendMessage&Version=2012-11-05", "InvalidAction"),
        ("Version=2010-03-31", "MissingAction"),
    ] {
        client.send("POST / ", &format!("{FORM}{AUTHORIZED}"), body).await;
        let answer = client.answer().await.unwrap();
        assert_eq!((answer.status, answer.xml("Code")), (400, code), "{answer:?}");
        assert!(!answer.body.contains("Fly<"), "a name is escaped: {answer:?}");
    }
}
