//! A receive.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use aws_sdk_sqs::operation::receive_message::builders::ReceiveMessageFluentBuilder;
use aws_sdk_sqs::types::{Message as WireMessage, MessageSystemAttributeName as Name};
use queue_core::{Delivery, Message, MessageId, QueueError, Receipt, ReceiveOptions, Settler};
use tokio::time::Instant;

use crate::convert::{self, rounded, seconds};
use crate::error::of_call;
use crate::queue::Shared;

/// What the family has a place for. Whoever needs more of the service's own calls it by the SDK.
const WANTED: [Name; 3] = [Name::ApproximateReceiveCount, Name::SentTimestamp, Name::MessageGroupId];

impl Shared {
    /// Receives: see [`queue_core::Consumer::receive`].
    pub(crate) async fn receive(
        self: &Arc<Self>,
        options: ReceiveOptions,
    ) -> Result<Vec<Delivery>, QueueError> {
        self.record.receive_limits.check(&options)?;
        let wait = if options.stop.is_cancelled() { Duration::ZERO } else { rounded(options.wait) };
        let call = self.call(&options).wait_time_seconds(seconds(wait));
        let start = Instant::now();
        let answer = call.customize().config_override(self.calls.waiting(wait)).send().await;
        let answer = answer.map_err(|error| of_call("receive", error))?;
        let visibility = options.visibility.map_or(self.record.receive_limits.visibility, rounded);
        // When in its wait the service took them is not told; it was not after the wait.
        let taken = start + wait;
        let deliver = |message| Some(self.deliver(message)?.with_visibility(visibility).with_taken_at(taken));
        Ok(answer.messages.unwrap_or_default().into_iter().filter_map(deliver).collect())
    }

    /// The request, without its wait. A visibility timeout is in it only if one was asked for (P9).
    fn call(&self, options: &ReceiveOptions) -> ReceiveMessageFluentBuilder {
        let attempt = options.attempt_id.as_deref().filter(|_| self.record.ordered());
        let call = self.calls.client.receive_message().queue_url(&*self.record.url);
        call.set_message_system_attribute_names(Some(WANTED.to_vec()))
            .message_attribute_names("All")
            .max_number_of_messages(i32::try_from(options.max_messages).unwrap_or(i32::MAX))
            .set_visibility_timeout(options.visibility.map(seconds))
            .set_receive_request_attempt_id(attempt.map(str::to_owned))
    }

    /// A message that came without what names it can't be settled: it is left to come again.
    fn deliver(self: &Arc<Self>, wire: WireMessage) -> Option<Delivery> {
        let (Some(id), Some(handle)) = (wire.message_id, wire.receipt_handle) else {
            tracing::warn!(queue = %self.record.name, "the service gave out a message without an id or a receipt");
            return None;
        };
        let known = Known(wire.attributes.unwrap_or_default());
        let mut message = Message::new(MessageId::new(id), wire.body.unwrap_or_default())
            .with_attributes(convert::read(wire.message_attributes))
            .with_receive_count(known.number(&Name::ApproximateReceiveCount).unwrap_or(1));
        if let Some(sent) = known.number(&Name::SentTimestamp) {
            message = message.with_sent_at(SystemTime::UNIX_EPOCH + Duration::from_millis(sent));
        }
        if let Some(group) = known.0.get(&Name::MessageGroupId) {
            message = message.with_group_key(group.as_str());
        }
        let settler: Arc<dyn Settler> = Arc::<Self>::clone(self);
        Some(Delivery::new(message, Receipt::new(handle), settler))
    }
}

/// What the service says of a message.
struct Known(HashMap<Name, String>);

impl Known {
    fn number<T: std::str::FromStr>(&self, name: &Name) -> Option<T> {
        self.0.get(name)?.parse().ok()
    }
}
