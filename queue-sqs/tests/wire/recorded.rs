//! A client that is given recorded answers, and what it asked.

use aws_sdk_sqs::Client;
use aws_smithy_http_client::test_util::{ReplayEvent, StaticReplayClient};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_types::body::SdkBody;
use queue_sqs::{SqsQueue, SqsQueueSettings};
use serde_json::Value;

use crate::client::config;

pub(crate) const URL: &str = "https://sqs.us-east-1.amazonaws.com/123456789012/visits";
pub(crate) const FIFO: &str = "https://sqs.us-east-1.amazonaws.com/123456789012/visits.fifo";

/// A service that gives these answers, one after the other.
pub(crate) struct Service(StaticReplayClient);

impl Service {
    pub(crate) fn new(answers: &[(u16, &str)]) -> Self {
        let event = |&(status, body): &(u16, &str)| {
            let mut answer = HttpResponse::new(status.try_into().unwrap(), SdkBody::from(body));
            if let Some(code) = body.split('#').nth(1).and_then(|rest| rest.split('"').next()) {
                let old = code.replace("QueueDoesNotExist", "AWS.SimpleQueueService.NonExistentQueue");
                answer.headers_mut().insert("x-amzn-query-error", format!("{old};Sender"));
            }
            ReplayEvent::new(HttpRequest::empty(), answer)
        };
        Self(StaticReplayClient::new(answers.iter().map(event).collect()))
    }

    pub(crate) fn client(&self) -> Client {
        let config = config("https://sqs.us-east-1.amazonaws.com").http_client(self.0.clone());
        Client::from_conf(config.build())
    }

    /// The operations that were called, with what was asked.
    pub(crate) fn asked(&self) -> Vec<(String, Value)> {
        let asked = self.0.actual_requests().map(|request| {
            let target = request.headers().get("x-amz-target").unwrap();
            let operation = target.strip_prefix("AmazonSQS.").unwrap().to_owned();
            (operation, serde_json::from_slice(request.body().bytes().unwrap()).unwrap())
        });
        asked.collect()
    }

    /// The names of the operations.
    pub(crate) fn operations(&self) -> Vec<String> {
        self.asked().into_iter().map(|(operation, _)| operation).collect()
    }

    /// What was asked, the only time.
    pub(crate) fn only(&self) -> Value {
        let mut asked = self.asked();
        assert_eq!(asked.len(), 1, "{asked:?}");
        asked.remove(0).1
    }
}

/// A queue that was not asked for, at a service that gives these answers.
pub(crate) async fn queue(url: &str, answers: &[(u16, &str)]) -> (SqsQueue, Service) {
    let service = Service::new(answers);
    let queue = SqsQueue::builder(service.client()).url(url).assume(SqsQueueSettings::new());
    (queue.build().await.unwrap(), service)
}

/// The error `code`, as the service writes it.
pub(crate) fn error(code: &str) -> String {
    format!(r#"{{"__type":"com.amazonaws.sqs#{code}","message":"a reason"}}"#)
}
