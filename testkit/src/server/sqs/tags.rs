//! The tags of queues.

use std::collections::BTreeMap;
use std::sync::PoisonError;

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Sqs, input, refusal};
use crate::server::error::ServiceError;

/// The most tags of a queue (Amazon SQS Developer Guide, "Amazon SQS queue quotas").
const MOST: usize = 50;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Tagging {
    queue_url: Option<String>,
    #[serde(default)]
    tags: Option<BTreeMap<String, String>>,
    #[serde(default)]
    tag_keys: Option<Vec<String>>,
}

impl Sqs {
    pub(super) fn tag_queue(&self, input: Value) -> Result<Value, ServiceError> {
        let Tagging { queue_url, tags, .. } = input::read(input)?;
        let tags = tags.ok_or_else(|| refusal::missing("Tags"))?;
        self.tags(queue_url, |here| {
            let new = tags.keys().filter(|key| !here.contains_key(*key)).count();
            if here.len() + new > MOST {
                return Err(refusal::invalid(format!("Too many tags: a queue can have {MOST}.")));
            }
            here.extend(tags);
            Ok(json!({}))
        })
    }

    pub(super) fn untag_queue(&self, input: Value) -> Result<Value, ServiceError> {
        let Tagging { queue_url, tag_keys, .. } = input::read(input)?;
        let keys = tag_keys.ok_or_else(|| refusal::missing("TagKeys"))?;
        self.tags(queue_url, |here| {
            here.retain(|key, _| !keys.contains(key));
            Ok(json!({}))
        })
    }

    pub(super) fn list_queue_tags(&self, input: Value) -> Result<Value, ServiceError> {
        let Tagging { queue_url, .. } = input::read(input)?;
        self.tags(queue_url, |here| Ok(if here.is_empty() { json!({}) } else { json!({ "Tags": here }) }))
    }

    fn tags<T>(
        &self,
        queue_url: Option<String>,
        act: impl FnOnce(&mut BTreeMap<String, String>) -> Result<T, ServiceError>,
    ) -> Result<T, ServiceError> {
        let queue = self.queue(queue_url)?;
        act(&mut queue.tags.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
