//! A topic whose service answers from a list.

use aws_sdk_sns::config::{BehaviorVersion, Credentials, Region};
use aws_sdk_sns::{Client, Config};
use aws_smithy_http_client::test_util::{ReplayEvent, StaticReplayClient};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_types::body::SdkBody;
use queue_sqs::{SnsTopic, SnsTopicBuilder, SnsTopicSettings};

pub(crate) const ARN: &str = "arn:aws:sns:us-east-1:000000000000:entity";

/// What the service says, and what it was asked.
#[derive(Debug)]
pub(crate) struct Service(StaticReplayClient);

impl Service {
    /// A service that gives these answers, status and body, one after the other.
    pub(crate) fn new<'a>(answers: impl IntoIterator<Item = (u16, &'a str)>) -> Self {
        let event = |(status, body): (u16, &str)| {
            let response = HttpResponse::new(status.try_into().unwrap(), SdkBody::from(body));
            ReplayEvent::new(HttpRequest::new(SdkBody::empty()), response)
        };
        Self(StaticReplayClient::new(answers.into_iter().map(event).collect()))
    }

    pub(crate) fn client(&self) -> Client {
        let config = Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new("us-east-1"))
            .credentials_provider(Credentials::from_keys("test", "test", None))
            .http_client(self.0.clone());
        Client::from_conf(config.build())
    }

    pub(crate) fn builder(&self) -> SnsTopicBuilder {
        SnsTopic::builder(self.client())
    }

    /// A topic that is not looked up.
    pub(crate) async fn topic(&self, arn: &str) -> SnsTopic {
        self.builder().arn(arn).assume(SnsTopicSettings::new()).build().await.unwrap()
    }

    /// The forms that it was sent, decoded as far as these tests need it.
    pub(crate) fn forms(&self) -> Vec<Vec<String>> {
        let body =
            |request: &HttpRequest| String::from_utf8(request.body().bytes().unwrap().to_vec()).unwrap();
        self.0.actual_requests().map(|request| body(request).split('&').map(decode).collect()).collect()
    }
}

fn decode(pair: &str) -> String {
    [("%3A", ":"), ("%5B", "["), ("%5D", "]"), ("%22", "\""), ("%2C", ","), ("%3D", "=")]
        .into_iter()
        .fold(pair.to_owned(), |text, (from, to)| text.replace(from, to))
}

/// The answer to a `PublishBatch` with these members.
pub(crate) fn published(successful: &str, failed: &str) -> String {
    format!(
        "<PublishBatchResponse xmlns=\"http://sns.amazonaws.com/doc/2010-03-31/\"><PublishBatchResult>\
         <Successful>{successful}</Successful><Failed>{failed}</Failed></PublishBatchResult>\
         <ResponseMetadata><RequestId>r</RequestId></ResponseMetadata></PublishBatchResponse>"
    )
}

pub(crate) fn stored(entry: usize, id: &str) -> String {
    format!("<member><Id>{entry}</Id><MessageId>{id}</MessageId></member>")
}

pub(crate) fn failed(entry: usize, code: &str, sender: bool) -> String {
    format!(
        "<member><Id>{entry}</Id><Code>{code}</Code><Message>why</Message><SenderFault>{sender}</SenderFault></member>"
    )
}
