//! Setting up a queue: where it is, and how it is called.

use std::time::Duration;

use aws_sdk_sqs::Client;
use queue_core::{QueueError, QueueName};

use crate::calls::{Calls, Pace};
use crate::record::Record;
use crate::{SqsQueue, SqsQueueSettings, create};

/// Sets up an [`SqsQueue`]: say where it is by [`url`](Self::url) or [`name`](Self::name).
#[derive(Debug)]
#[must_use = "a builder builds nothing until `build` is called"]
pub struct SqsQueueBuilder {
    client: Client,
    place: Place,
    create: Option<SqsQueueSettings>,
    assume: Option<SqsQueueSettings>,
    message_bytes: Option<usize>,
    attributes: Option<usize>,
    pace: Pace,
}

#[derive(Debug)]
enum Place {
    Unknown,
    Url(String),
    Name(String),
}

impl SqsQueueBuilder {
    pub(crate) fn new(client: Client) -> Self {
        Self {
            client,
            place: Place::Unknown,
            create: None,
            assume: None,
            message_bytes: None,
            attributes: None,
            pace: Pace::default(),
        }
    }

    /// Names the queue by its URL, which saves a call.
    pub fn url(mut self, url: impl Into<String>) -> Self {
        self.place = Place::Url(url.into());
        self
    }

    /// Names the queue, which is of the client's account and region: 1 to 80 letters, digits, `-` and `_`; that of a FIFO
    /// queue ends in `.fifo`.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.place = Place::Name(name.into());
        self
    }

    /// Names the queue by the family's scheme (Q1).
    pub fn queue_name(self, name: &QueueName) -> Self {
        self.name(name.as_str())
    }

    /// Makes the queue, set up like this, if there is none of its name. One that is there has to be set up like this
    /// already, as far as `settings` say; it is not changed.
    pub fn create(mut self, settings: SqsQueueSettings) -> Self {
        self.create = Some(settings);
        self
    }

    /// Takes the queue to be set up like this, instead of asking: for callers that may send and receive, but not call
    /// `GetQueueAttributes`. With a URL, building then makes no call at all.
    ///
    /// What matters is the visibility timeout, which tells when a delivery has to be extended, the largest message, and
    /// deduplication by content. Too short a visibility timeout costs calls; too long a one costs duplicates.
    pub fn assume(mut self, settings: SqsQueueSettings) -> Self {
        self.assume = Some(settings);
        self
    }

    /// Sets how many bytes a message has at most, if that is fewer than the queue allows (Q11).
    pub fn message_bytes(mut self, bytes: usize) -> Self {
        self.message_bytes = Some(bytes);
        self
    }

    /// Sets how many attributes a message has at most: 10 unless set, as at the service. With fewer, there is room left
    /// for what others add on the way, such as the context of a trace (Q11).
    pub fn attributes(mut self, attributes: usize) -> Self {
        self.attributes = Some(attributes);
        self
    }

    /// Sets how much longer than its wait a receive may take before it is given up (W8): 5 s unless set.
    pub fn receive_margin(mut self, margin: Duration) -> Self {
        self.pace.margin = margin;
        self
    }

    /// Sets how long any other call may take before it is given up, and is *indeterminate*: 10 s unless set. While the queue
    /// is built, each attempt of a call may take so long, and all together three times as long, unless the client is set
    /// up otherwise.
    pub fn call_timeout(mut self, timeout: Duration) -> Self {
        self.pace.timeout = timeout;
        self
    }

    /// Looks for the queue, makes it if that was asked for, and asks how it is set up: one call by URL, two by name,
    /// three if it is made. They are repeated as the client is set up to, and end in time (W8): see
    /// [`call_timeout`](Self::call_timeout).
    ///
    /// # Guarantees
    /// P8: the visibility timeout is this queue's own, as it is now. Whoever changes it has to build anew.
    ///
    /// # Cancel safety
    /// Safe: the queue may have been made.
    ///
    /// # Errors
    /// *Permanent*: a name, a URL or a setting that is not allowed; a queue that is set up otherwise than
    /// [`create`](Self::create) says. It says which, and what would be right. *Transient*: the queue is not there, or the
    /// caller may not ask: somebody can mend it. *Transient*, *indeterminate* otherwise: try again.
    pub async fn build(self) -> Result<SqsQueue, QueueError> {
        let calls = Calls::new(self.client.clone(), self.pace);
        let mut record = self.record(&calls).await?;
        let limits = &mut record.limits;
        limits.message_bytes = limits.message_bytes.min(self.message_bytes.unwrap_or(usize::MAX));
        limits.attributes = limits.attributes.min(self.attributes.unwrap_or(usize::MAX));
        Ok(SqsQueue::new(calls, record))
    }

    async fn record(&self, calls: &Calls) -> Result<Record, QueueError> {
        match (&self.place, &self.create) {
            (Place::Unknown, _) => {
                Err(QueueError::permanent("a queue needs a URL or a name; neither was given"))
            }
            (Place::Url(_), Some(_)) => {
                Err(QueueError::permanent("a queue is made by its name; its URL was given"))
            }
            (Place::Url(url), None) => self.describe(calls, url).await,
            (Place::Name(name), create) => {
                create::check_name(name)?;
                match (create::find(calls, name).await?, create) {
                    (Some(url), _) => self.describe(calls, &url).await,
                    (None, Some(settings)) => self.make(calls, name, settings).await,
                    (None, None) => Err(QueueError::transient(format!(
                        "there is no queue {name:?} in this account and region; make it, or build with `create`"
                    ))),
                }
            }
        }
    }

    async fn make(
        &self,
        calls: &Calls,
        name: &str,
        settings: &SqsQueueSettings,
    ) -> Result<Record, QueueError> {
        let url = create::make(calls, name, settings).await?;
        match &self.assume {
            Some(assumed) => Record::read(&url, &assumed.attributes(name)?),
            None => Record::read(&url, &create::ask_new(calls, &url).await?),
        }
    }

    /// What is known of the queue at `url`, which is there.
    async fn describe(&self, calls: &Calls, url: &str) -> Result<Record, QueueError> {
        let name = crate::record::name_of(url)?;
        if let Some(assumed) = &self.assume {
            return Record::read(url, &assumed.attributes(name)?);
        }
        let found = create::ask(calls, url).await?;
        let wished = self.create.as_ref().map(|wished| wished.conflict(name, &found)).transpose()?;
        match wished.flatten() {
            Some(conflict) => {
                Err(QueueError::permanent(format!("queue {name:?} is there already, and {conflict}")))
            }
            None => Record::read(url, &found),
        }
    }
}
