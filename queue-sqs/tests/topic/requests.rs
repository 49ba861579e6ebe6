//! What is sent to the service, and what its answers mean.

use queue_core::QueueErrorKind::{Indeterminate, Permanent, Transient};
use queue_core::{AttributeValue, MemoryTopic, MessageId, Outgoing, Publisher, PublisherExt, Rejected};

use crate::replay::{ARN, Service, failed, published, stored};

fn messages(count: usize) -> Vec<Outgoing> {
    (0..count).map(|number| Outgoing::new(format!("m{number}"))).collect()
}

#[tokio::test]
async fn a_batch_is_one_request_with_all_that_the_messages_have() {
    let service = Service::new([(200, &*published(&(stored(0, "a") + &stored(1, "b")), ""))]);
    let topic = service.topic(&format!("{ARN}.fifo")).await;
    let full = Outgoing::new("m0").with_group_key("g").with_deduplication_id("d");
    let full = full.with_attribute("list", AttributeValue::string("[1,\"x\"]").with_label("Array"));
    let full = full.with_attribute("bytes", AttributeValue::binary([0, 1, 2]));
    let bare = Outgoing::new("m1").with_group_key("g").with_deduplication_id("e");
    let ids: Vec<_> = topic.publish(vec![full, bare]).await.into_iter().map(Result::unwrap).collect();
    assert_eq!((ids[0].as_str(), ids[1].as_str()), ("a", "b"));
    let forms = service.forms();
    assert_eq!(forms.len(), 1);
    for pair in [
        "Action=PublishBatch",
        "TopicArn=arn:aws:sns:us-east-1:000000000000:entity.fifo",
        "PublishBatchRequestEntries.member.1.Id=0",
        "PublishBatchRequestEntries.member.1.Message=m0",
        "PublishBatchRequestEntries.member.1.MessageGroupId=g",
        "PublishBatchRequestEntries.member.1.MessageDeduplicationId=d",
        "PublishBatchRequestEntries.member.2.Id=1",
        "PublishBatchRequestEntries.member.2.MessageDeduplicationId=e",
    ] {
        assert!(forms[0].iter().any(|sent| sent == pair), "{pair} in {forms:?}");
    }
    let ends = |end: &str| forms[0].iter().filter(|pair| pair.ends_with(end)).count();
    assert_eq!((ends(".DataType=String.Array"), ends(".StringValue=[1,\"x\"]")), (1, 1));
    assert_eq!((ends(".DataType=Binary"), ends(".BinaryValue=AAEC")), (1, 1));
    assert!(!forms[0].iter().any(|pair| pair.contains("member.2.MessageAttributes")), "{forms:?}");
}

// Q6, P34
#[tokio::test]
async fn each_entry_is_answered_by_its_id_and_one_without_an_answer_is_indeterminate() {
    let answer = published(
        &(stored(3, "d") + &stored(0, "a")),
        &(failed(2, "InvalidParameter", true) + &failed(1, "InternalError", false)),
    );
    let service = Service::new([(200, &*answer)]);
    let answers = service.topic(ARN).await.publish(messages(5)).await;
    let ids: Vec<_> = answers.iter().map(|answer| answer.as_ref().ok().map(MessageId::as_str)).collect();
    assert_eq!(ids, [Some("a"), None, None, Some("d"), None]);
    let kinds: Vec<_> =
        answers.iter().filter_map(|answer| answer.as_ref().err()).map(Rejected::kind).collect();
    assert_eq!(kinds, [Transient, Permanent, Indeterminate]);
    assert_eq!(answers[2].as_ref().unwrap_err().message(), &Outgoing::new("m2"));
    assert!(answers[2].as_ref().unwrap_err().error().message().contains("why"));
}

// Q6, Q11
#[tokio::test]
async fn what_is_refused_here_is_not_sent_and_the_rest_keeps_its_places() {
    let service = Service::new([(200, &*published(&stored(1, "b"), ""))]);
    let topic = service.topic(ARN).await;
    let batch = vec![Outgoing::new(""), Outgoing::new("m1"), Outgoing::new("m2").with_deduplication_id("d")];
    let answers = topic.publish(batch).await;
    assert_eq!(answers[1].as_ref().unwrap().as_str(), "b");
    assert!([0, 2].into_iter().all(|entry| answers[entry].as_ref().unwrap_err().kind() == Permanent));
    let refused = topic.publish_one(Outgoing::new("\u{1}")).await.unwrap_err();
    assert!(refused.error().message().contains("U+0001"), "{refused}");
    assert_eq!(service.forms().len(), 1, "nothing is sent of a batch that breaks limits whole");
}

// Q6
#[tokio::test]
async fn a_call_that_fails_is_made_once_and_has_failed_for_each_entry() {
    let fault = |code: &str| {
        format!(
            "<ErrorResponse xmlns=\"http://sns.amazonaws.com/doc/2010-03-31/\"><Error><Type>Sender</Type>\
             <Code>{code}</Code><Message>why</Message></Error><RequestId>r</RequestId></ErrorResponse>"
        )
    };
    for (status, body, kind) in [
        (404, fault("NotFound"), Transient),
        (403, fault("AuthorizationError"), Transient),
        (429, fault("Throttled"), Transient),
        (400, fault("KMSThrottling"), Transient),
        (400, fault("KMSDisabled"), Transient),
        (500, fault("InternalError"), Indeterminate),
        (400, fault("InvalidParameter"), Permanent),
        (400, fault("BatchRequestTooLong"), Permanent),
        (502, "<html>Bad gateway</html>".to_owned(), Indeterminate),
        (200, "<PublishBatchResp".to_owned(), Indeterminate),
        (200, String::new(), Indeterminate),
    ] {
        let service = Service::new([(status, &*body), (200, &*published(&stored(0, "late"), ""))]);
        let answers = service.topic(ARN).await.publish(messages(3)).await;
        let kinds: Vec<_> = answers.iter().map(|answer| answer.as_ref().unwrap_err().kind()).collect();
        assert_eq!(kinds, [kind; 3], "{status} {body}");
        assert_eq!(service.forms().len(), 1, "the SDK's own retries are off: {status} {body}");
    }
}

// O17
#[tokio::test]
async fn an_id_that_the_publisher_names_is_answered_and_travels_as_an_attribute() {
    let answers = published(&(stored(0, "theirs") + &stored(1, "theirs2")), "");
    let service = Service::new([(200, &*answers)]);
    let named = |id: &str| Outgoing::new("m").with_attribute(MemoryTopic::MESSAGE_ID, id);
    let ids = service.topic(ARN).await.publish(vec![named("change-7"), named("not an id")]).await;
    let ids: Vec<_> = ids.into_iter().map(Result::unwrap).collect();
    assert_eq!((ids[0].as_str(), ids[1].as_str()), ("change-7", "theirs2"));
    let sent = service.forms().remove(0);
    assert!(sent.iter().any(|pair| pair.ends_with(".StringValue=change-7")), "{sent:?}");
}
