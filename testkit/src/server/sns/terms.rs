//! Terms: the attributes of a subscription that can be set.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::super::error::ServiceError;
use super::arn;
use super::filter::{Filter, Scope};
use super::refusal::invalid;

/// What a subscription was agreed on, checked.
#[derive(Clone, Debug, Default)]
pub(super) struct Terms {
    values: BTreeMap<String, String>,
    filter: Option<Filter>,
    dead_letter: Option<String>,
}

/// Why terms are refused: `None` if there is no attribute of that name.
type Reason = Option<String>;

impl Terms {
    /// Checks the attributes of a new subscription; `fifo` if both queue and topic are.
    pub(super) fn new(attributes: BTreeMap<String, String>, fifo: bool) -> Result<Self, ServiceError> {
        Self::parse(attributes, fifo).map_err(|reason| {
            let reason = reason.unwrap_or_else(|| "AttributeName".to_owned());
            invalid(format!("Attributes Reason: {reason}"))
        })
    }

    /// The same with another value for one attribute. An empty one takes a policy away.
    pub(super) fn with(&self, name: &str, value: &str, fifo: bool) -> Result<Self, ServiceError> {
        let mut values = self.values.clone();
        values.insert(name.to_owned(), value.to_owned());
        Self::parse(values, fifo)
            .map_err(|reason| invalid(reason.unwrap_or_else(|| "AttributeName".to_owned())))
    }

    /// Those that are shown: as at the service the scope of a filter only with a filter.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let shown = |name: &str| name != "RawMessageDelivery" && name != "FilterPolicyScope";
        let values = self.values.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let scope = self.filter.as_ref().map(|filter| ("FilterPolicyScope", filter.scope().name()));
        values.filter(move |(name, _)| shown(name)).chain(scope)
    }

    /// Whether these ask for the same as `others`.
    pub(super) fn is_same(&self, others: &Self) -> bool {
        self.is_raw() == others.is_raw() && self.iter().eq(others.iter())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    pub(super) fn is_raw(&self) -> bool {
        self.value("RawMessageDelivery").is_some_and(|value| value.eq_ignore_ascii_case("true"))
    }

    pub(super) fn filter(&self) -> Option<&Filter> {
        self.filter.as_ref()
    }

    /// The ARN of the subscription's own dead-letter queue.
    pub(super) fn dead_letter(&self) -> Option<&str> {
        self.dead_letter.as_deref()
    }

    fn parse(mut values: BTreeMap<String, String>, fifo: bool) -> Result<Self, Reason> {
        let is_policy = |name: &str| name.ends_with("Policy");
        values.retain(|name, value| !(is_policy(name) && value.is_empty()));
        for (name, value) in &values {
            check(name, value)?;
        }
        let scope = scope(values.get("FilterPolicyScope"))?;
        let filter = values.get("FilterPolicy").map(|policy| Filter::parse(policy, scope)).transpose()?;
        let redrive = values.get("RedrivePolicy").map(|policy| dead_letter(policy, fifo)).transpose()?;
        Ok(Self { filter, dead_letter: redrive, values })
    }

    fn value(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }
}

fn check(name: &str, value: &str) -> Result<(), Reason> {
    match name {
        "RawMessageDelivery" => {
            let allowed = ["true", "false"].iter().any(|word| value.eq_ignore_ascii_case(word));
            let reason =
                || Some(format!("RawMessageDelivery: Invalid value [{value}]. Must be true or false."));
            allowed.then_some(()).ok_or_else(reason)
        }
        "DeliveryPolicy" | "FilterPolicy" | "FilterPolicyScope" | "RedrivePolicy" => Ok(()),
        _ => Err(None),
    }
}

fn scope(value: Option<&String>) -> Result<Scope, Reason> {
    let scopes = [Scope::Attributes, Scope::Body];
    let Some(value) = value else { return Ok(Scope::Attributes) };
    scopes.into_iter().find(|scope| scope.name() == value).ok_or_else(|| {
        let choice = "Please use either MessageBody or MessageAttributes";
        Some(format!("FilterPolicyScope: Invalid value [{value}]. {choice}"))
    })
}

/// Reads a redrive policy. A FIFO queue's dead-letter queue has to be FIFO (Amazon SNS Developer Guide, "Amazon SNS
/// dead-letter queues").
fn dead_letter(policy: &str, fifo: bool) -> Result<String, Reason> {
    let refuse = |reason: &str| Some(format!("RedrivePolicy: {reason}"));
    let policy: Map<String, Value> =
        serde_json::from_str(policy).map_err(|error| refuse(&format!("failed to parse JSON. {error}")))?;
    let target = policy.get("deadLetterTargetArn").and_then(Value::as_str).unwrap_or_default();
    if !arn::is_queue(target) {
        return Err(refuse("deadLetterTargetArn is an invalid arn"));
    }
    if fifo && !arn::is_fifo(target) {
        return Err(refuse("must use a FIFO queue as DLQ for a FIFO Subscription to a FIFO Topic."));
    }
    Ok(target.to_owned())
}
