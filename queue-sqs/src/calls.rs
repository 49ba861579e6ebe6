//! The clients that calls are made with: how long each may take, and who repeats it.

use std::fmt;
use std::time::Duration;

use aws_sdk_sqs::Client;
use aws_sdk_sqs::config::Builder;
use aws_sdk_sqs::config::retry::RetryConfig;
use aws_sdk_sqs::config::timeout::TimeoutConfig;

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

/// The owner's client, and another by the same means whose calls end in time and are made once.
#[derive(Clone)]
pub(crate) struct Calls {
    /// As the owner made it, with the SDK's own retries: for what is set up.
    #[cfg_attr(not(feature = "sns"), expect(dead_code, reason = "only topics set something up at a queue"))]
    pub(crate) setup: Client,
    /// For the roles. It repeats nothing: whoever calls does so, with a back-off that all callers share, and counts on
    /// one call being one request.
    pub(crate) work: Client,
    margin: Duration,
}

impl Calls {
    pub(crate) fn new(setup: Client, pace: Pace) -> Self {
        let owners = setup.config().timeout_config().map(TimeoutConfig::to_builder).unwrap_or_default();
        let timeouts = owners.operation_timeout(pace.timeout).disable_operation_attempt_timeout();
        let config = setup.config().to_builder();
        let config = config.retry_config(RetryConfig::disabled()).timeout_config(timeouts.build());
        Self { work: Client::from_conf(config.build()), setup, margin: pace.margin }
    }

    /// What a receive that waits so long is made with. No other time-out may end it, least of all while it waits: the
    /// client's own may be shorter.
    pub(crate) fn waiting(&self, wait: Duration) -> Builder {
        let timeouts = TimeoutConfig::builder()
            .operation_timeout(wait.saturating_add(self.margin))
            .disable_operation_attempt_timeout()
            .disable_read_timeout();
        Builder::default().timeout_config(timeouts.build())
    }
}

/// Says nothing of the clients: they know credentials.
impl fmt::Debug for Calls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Calls").finish_non_exhaustive()
    }
}
