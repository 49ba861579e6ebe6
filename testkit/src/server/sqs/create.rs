//! Creating, finding, listing, emptying and deleting queues.

use std::collections::BTreeMap;

use queue_core::Inspect;
use serde::Deserialize;
use serde_json::{Value, json};

use super::name::{self, Name};
use super::page::Page;
use super::queue::Queue;
use super::redrive::Redrive;
use super::registry::Queues;
use super::settings::Settings;
use super::{Sqs, input, refusal};
use crate::server::error::ServiceError;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Create {
    queue_name: Option<String>,
    #[serde(default)]
    attributes: Option<BTreeMap<String, String>>,
    #[serde(default, rename = "tags", alias = "Tags")]
    tags: Option<BTreeMap<String, String>>,
}

#[derive(Debug, Deserialize)]
struct Find {
    #[serde(rename = "QueueName")]
    name: Option<String>,
    #[serde(rename = "QueueOwnerAWSAccountId")]
    owner: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct List {
    queue_name_prefix: Option<String>,
    #[serde(flatten)]
    page: Page,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct One {
    queue_url: Option<String>,
}

impl Sqs {
    pub(super) fn create_queue(&self, input: Value) -> Result<Value, ServiceError> {
        let Create { queue_name, attributes, tags } = input::read(input)?;
        let (name, attributes) = (input::required(queue_name, "QueueName")?, attributes.unwrap_or_default());
        let fifo = match attributes.get("FifoQueue").map(String::as_str) {
            None => false,
            Some("true") => true,
            Some(_) => return Err(refusal::unknown_attribute("FifoQueue")),
        };
        let name = Name::new(&name, fifo, &self.endpoint)?;
        let settings = Settings::new(fifo).with(&attributes)?;
        let arn = name.arn.clone();
        let url = self.queues.change(|queues| self.create(queues, (name, attributes, settings), tags))?;
        self.link_sources(&arn)?;
        Ok(json!({ "QueueUrl": url }))
    }

    fn create(
        &self,
        queues: &mut Queues,
        (name, attributes, settings): (Name, BTreeMap<String, String>, Settings),
        tags: Option<BTreeMap<String, String>>,
    ) -> Result<String, ServiceError> {
        if let Some(queue) = queues.get(&name.text) {
            let difference = queue.settings().first_difference(&attributes);
            return difference.map_or(Ok(queue.name.url.clone()), |name| Err(refusal::queue_exists(&name)));
        }
        if queues.was_deleted_lately(&name.text, self.clock.now()) {
            return Err(refusal::deleted_recently());
        }
        let redrive = settings.redrive();
        let target = redrive.as_ref().and_then(|to| queues.by_arn(&to.target_arn));
        if let Some(policy) = attributes.get("RedrivePolicy") {
            Redrive::check(policy, (&name.arn, settings.fifo), target.map(AsRef::as_ref))?;
        }
        let dead_letter = target.zip(redrive).map(|(to, redrive)| (&to.memory, redrive.max_receive_count));
        let queue = Queue::new((name, &self.clock), settings, dead_letter);
        let queue = queue.map_err(|error| refusal::invalid(error.to_string()))?;
        Ok(queues.insert(queue.with_tags(tags.unwrap_or_default())).name.url.clone())
    }

    pub(super) fn get_queue_url(&self, input: Value) -> Result<Value, ServiceError> {
        let Find { name, owner } = input::read(input)?;
        let name = input::required(name, "QueueName")?;
        let ours = owner.is_none_or(|owner| owner == name::ACCOUNT);
        let queue = self.queues.get(&name).filter(|_| ours).ok_or_else(refusal::no_queue)?;
        Ok(json!({ "QueueUrl": queue.name.url }))
    }

    pub(super) fn list_queues(&self, input: Value) -> Result<Value, ServiceError> {
        let List { queue_name_prefix, page } = input::read(input)?;
        let prefix = queue_name_prefix.unwrap_or_default();
        let queues = self.queues.all().into_iter().filter(|queue| queue.name.text.starts_with(&prefix));
        page.cut("QueueUrls", queues.map(|queue| queue.name.url.clone()).collect())
    }

    /// The queues that gave up their messages to it keep them from now on.
    pub(super) fn delete_queue(&self, input: Value) -> Result<Value, ServiceError> {
        let One { queue_url } = input::read(input)?;
        let queue = self.queue(queue_url)?;
        self.queues.change(|queues| queues.remove(&queue.name.text, self.clock.now()));
        self.link_sources(&queue.name.arn)?;
        Ok(json!({}))
    }

    /// Tells the queues whose policies name this dead-letter queue that it is there, or that it is there no longer.
    fn link_sources(&self, arn: &str) -> Result<(), ServiceError> {
        let target = self.queues.by_arn(arn);
        for source in self.queues.sources_of(arn) {
            let settings = source.settings();
            let to = target.as_ref().zip(settings.redrive());
            let to = to.map(|(target, redrive)| (&target.memory, redrive.max_receive_count));
            let linked = source.set((*settings).clone(), &self.clock, to);
            linked.map_err(|error| refusal::invalid(error.to_string()))?;
        }
        Ok(())
    }

    pub(super) async fn purge_queue(&self, input: Value) -> Result<Value, ServiceError> {
        let One { queue_url } = input::read(input)?;
        let queue = self.queue(queue_url)?;
        if !queue.may_purge(self.clock.now()) {
            return Err(refusal::purge_in_progress(&queue.name.text));
        }
        queue.memory.purge().await.map_err(|error| refusal::invalid(error.to_string()))?;
        queue.firsts.clear();
        Ok(json!({}))
    }
}
