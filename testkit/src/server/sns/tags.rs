//! The tags of topics.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::error::ServiceError;
use super::form::Form;
use super::refusal::{invalid, no_resource};
use super::registry::Registry;
use super::topic::Topic;
use super::xml::Xml;

/// The most tags of a topic (Amazon SNS Developer Guide, "Amazon SNS topic tagging").
const MOST: usize = 50;

/// `ListTagsForResource`, `TagResource` and `UntagResource`.
pub(super) fn call(registry: &Registry, operation: &str, form: &Form) -> Result<Xml, ServiceError> {
    let topic = registry.find(form.required("ResourceArn")?).ok_or_else(no_resource)?;
    match operation {
        "TagResource" => add(&topic, form),
        "UntagResource" => Ok(remove(&topic, form)),
        _ => Ok(list(&topic)),
    }
}

/// The tags that a call brings.
pub(super) fn read(form: &Form) -> Result<BTreeMap<String, String>, ServiceError> {
    let mut tags = BTreeMap::new();
    for tag in form.members("Tags") {
        let (key, value) = (tag.required("Key")?.to_owned(), tag.required("Value")?.to_owned());
        if tags.insert(key, value).is_some() {
            return Err(invalid("Duplicated keys are not allowed."));
        }
    }
    Ok(tags)
}

fn add(topic: &Arc<Topic>, form: &Form) -> Result<Xml, ServiceError> {
    let mut tags = topic.tags();
    tags.extend(read(form)?);
    if tags.len() > MOST {
        return Err(ServiceError::sender(
            "TagLimitExceeded",
            "Could not complete request: tag quota of per resource exceeded",
        ));
    }
    topic.set_tags(tags);
    Ok(Xml::new())
}

fn remove(topic: &Arc<Topic>, form: &Form) -> Xml {
    let keys = form.texts("TagKeys");
    let mut tags = topic.tags();
    tags.retain(|key, _| !keys.contains(&key.as_str()));
    topic.set_tags(tags);
    Xml::new()
}

fn list(topic: &Arc<Topic>) -> Xml {
    let tag = |(key, value): (&String, &String)| Xml::new().text("Key", key).text("Value", value);
    Xml::new().list("Tags", topic.tags().iter().map(tag))
}
