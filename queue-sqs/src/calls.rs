//! How calls are made: with whose client, how long each may take, and who repeats it.

use std::fmt;
use std::time::Duration;

use aws_sdk_sqs::Client;
use aws_sdk_sqs::config::Builder;
use aws_sdk_sqs::config::retry::RetryConfig;
use aws_sdk_sqs::config::timeout::{TimeoutConfig, TimeoutConfigBuilder};

/// How often a call of set-up may use up its time: as often as the SDK tries by itself (`RetryConfig::standard`).
const TRIES: u32 = 3;

/// How long calls may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// How much longer than its wait a receive may take.
    pub(crate) margin: Duration,
    /// How long any other call may take.
    pub(crate) timeout: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self { margin: Duration::from_secs(5), timeout: Duration::from_secs(10) }
    }
}

impl Pace {
    /// For a call that is made once.
    pub(crate) fn once(self) -> TimeoutConfig {
        bounded(self.timeout).build()
    }

    /// For a receive that waits so long. No other time-out may end it, least of all while it waits: the client's own
    /// may be shorter.
    pub(crate) fn waiting(self, wait: Duration) -> TimeoutConfig {
        bounded(wait.saturating_add(self.margin)).disable_read_timeout().build()
    }

    /// For a call that the SDK repeats: each of its attempts ends, and all together do, as far as the client's owner
    /// has not set otherwise.
    pub(crate) fn repeated(self, owners: Option<&TimeoutConfig>) -> TimeoutConfig {
        let owners = owners.map(TimeoutConfig::to_builder).unwrap_or_default();
        let ours = TimeoutConfig::builder()
            .operation_attempt_timeout(self.timeout)
            .operation_timeout(self.timeout.saturating_mul(TRIES));
        owners.take_unset_from(ours).build()
    }
}

fn bounded(time: Duration) -> TimeoutConfigBuilder {
    TimeoutConfig::builder().operation_timeout(time).disable_operation_attempt_timeout()
}

/// The owner's client, and what each call overrides of its settings. It stays one client, so that all queues of it
/// share its connections and its credentials.
#[derive(Clone)]
pub(crate) struct Calls {
    pub(crate) client: Client,
    pace: Pace,
}

impl Calls {
    pub(crate) fn new(client: Client, pace: Pace) -> Self {
        Self { client, pace }
    }

    /// What a call of a role is made with. The SDK repeats nothing: whoever calls does so, with a back-off that all
    /// callers share, and counts on one call being one request.
    pub(crate) fn once(&self) -> Builder {
        Builder::default().retry_config(RetryConfig::disabled()).timeout_config(self.pace.once())
    }

    /// What a receive that waits so long is made with.
    pub(crate) fn waiting(&self, wait: Duration) -> Builder {
        Builder::default().retry_config(RetryConfig::disabled()).timeout_config(self.pace.waiting(wait))
    }

    /// What is set up is called with: with the SDK's own retries, as the owner has set them.
    pub(crate) fn repeated(&self) -> Builder {
        Builder::default().timeout_config(self.pace.repeated(self.client.config().timeout_config()))
    }
}

/// Says nothing of the client: it knows credentials.
impl fmt::Debug for Calls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Calls").field("pace", &self.pace).finish_non_exhaustive()
    }
}
