//! Setting up a topic: which one it is, and how it is called.

use std::sync::Arc;
use std::time::Duration;

use aws_sdk_sns::Client;
use queue_core::QueueError;

use super::settings::{self, SnsTopicSettings, TopicAttributes};
use super::shared::{Calls, Shared};
use super::{SnsTopic, lookup};

/// How long a publish waits for its answer, unless set.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Sets up an [`SnsTopic`]: say which one by [`arn`](Self::arn) or [`name`](Self::name).
#[derive(Debug)]
#[must_use = "a builder builds nothing until `build` is called"]
pub struct SnsTopicBuilder {
    client: Client,
    place: Place,
    create: Option<SnsTopicSettings>,
    assume: Option<SnsTopicSettings>,
    message_bytes: Option<usize>,
    attributes: Option<usize>,
    timeout: Duration,
}

#[derive(Debug)]
enum Place {
    Unknown,
    Arn(String),
    Name(String),
}

impl SnsTopicBuilder {
    pub(super) fn new(client: Client) -> Self {
        Self {
            client,
            place: Place::Unknown,
            create: None,
            assume: None,
            message_bytes: None,
            attributes: None,
            timeout: TIMEOUT,
        }
    }

    /// Names the topic by its ARN.
    pub fn arn(mut self, arn: impl Into<String>) -> Self {
        self.place = Place::Arn(arn.into());
        self
    }

    /// Names the topic, which is of the client's account and region: 1 to 256 letters, digits, `-` and `_`; that of a FIFO
    /// topic ends in `.fifo`. The service knows no look-up by name, so it is searched for in the list of topics, a hundred
    /// a call, unless it is to be [made](Self::create).
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.place = Place::Name(name.into());
        self
    }

    /// Makes the topic, set up like this, if there is none of its name. One that is there has to be set up like this
    /// already, as far as `settings` say by methods of their own; it is not changed.
    pub fn create(mut self, settings: SnsTopicSettings) -> Self {
        self.create = Some(settings);
        self
    }

    /// Takes the topic to be set up like this, instead of asking: for callers that may publish, but not call
    /// `GetTopicAttributes`. With an ARN, building then makes no call at all.
    pub fn assume(mut self, settings: SnsTopicSettings) -> Self {
        self.assume = Some(settings);
        self
    }

    /// Sets how many bytes a message has at most, if that is fewer than the topic allows (Q11): such as what an envelope
    /// leaves of a queue's limit.
    pub fn message_bytes(mut self, bytes: usize) -> Self {
        self.message_bytes = Some(bytes);
        self
    }

    /// Sets how many attributes a message has at most: 10 unless set, and never more. With fewer, there is room left for
    /// what others add on the way, such as the context of a trace (Q11).
    pub fn attributes(mut self, attributes: usize) -> Self {
        self.attributes = Some(attributes);
        self
    }

    /// Sets how long a publish may take before it is given up, and is *indeterminate*: 10 s unless set. While something is
    /// set up, each attempt of a call may take so long, and all together three times as long, unless the client is set up
    /// otherwise.
    pub fn call_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Looks for the topic, makes it if that was asked for, and asks how it is set up: one call by ARN, two if it is to be
    /// made, otherwise one more for each hundred topics, also for one that is to be made and is there with other settings.
    /// They are repeated as the client is set up to.
    ///
    /// # Cancel safety
    /// Safe: the topic may have been made.
    ///
    /// # Errors
    /// *Permanent*: a name or a setting that is not allowed; a topic that is set up otherwise than
    /// [`create`](Self::create) says. It says which, and what would be right. *Transient*: the topic is not there, or the
    /// caller may not ask: somebody can mend it. *Transient*, *indeterminate* otherwise: try again.
    pub async fn build(self) -> Result<SnsTopic, QueueError> {
        let calls = Calls::new(self.client.clone(), self.timeout);
        let (arn, attributes) = self.look(&calls).await?;
        let mut limits = settings::limits(&arn, &attributes)?;
        limits.message_bytes = limits.message_bytes.min(self.message_bytes.unwrap_or(usize::MAX));
        limits.attributes = limits.attributes.min(self.attributes.unwrap_or(usize::MAX));
        let content_deduplication = settings::is_by_content(&attributes);
        Ok(SnsTopic { shared: Arc::new(Shared { calls, arn, limits, content_deduplication }) })
    }

    async fn look(&self, calls: &Calls) -> Result<(Arc<str>, TopicAttributes), QueueError> {
        let arn = self.find(calls).await?;
        let attributes = match &self.assume {
            Some(assumed) => assumed.attributes(&arn)?,
            None => lookup::attributes(calls, &arn).await?,
        };
        let wished = self.create.as_ref().map(|wished| wished.conflict(&arn, &attributes)).transpose()?;
        match wished.flatten() {
            Some(conflict) if self.assume.is_none() => {
                Err(QueueError::permanent(format!("topic {arn} is there already, and {conflict}")))
            }
            _ => Ok((arn, attributes)),
        }
    }

    async fn find(&self, calls: &Calls) -> Result<Arc<str>, QueueError> {
        match (&self.place, &self.create) {
            (Place::Unknown, _) => {
                Err(QueueError::permanent("a topic needs an ARN or a name; neither was given"))
            }
            (Place::Arn(_), Some(_)) => {
                Err(QueueError::permanent("a topic is made by its name; its ARN was given"))
            }
            (Place::Arn(arn), None) => Ok(arn.as_str().into()),
            (Place::Name(name), create) => {
                settings::check_name(name)?;
                match create {
                    Some(settings) => lookup::make(calls, name, settings).await,
                    None => lookup::find(calls, name).await,
                }
            }
        }
    }
}
