//! How well a receiver is, for a service's probe.

use std::fmt;
use std::time::SystemTime;

use queue_core::{QueueError, WorkerName};

/// How well a receiver is: see [`Running::health`](crate::Running::health).
///
/// `Display` gives the reason in one line; with `{:#}`, a line for each poller as well.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Health {
    /// Whether it does its work.
    pub healthy: bool,
    /// Why it is healthy or not, in words.
    pub reason: String,
    /// Each poller, by name.
    pub pollers: Vec<PollerHealth>,
}

/// How one poller is.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PollerHealth {
    /// Its name.
    pub name: WorkerName,
    /// Whether a receive is under way. If not, it waits: at the gate, for room, or for the end of a back-off.
    pub polling: bool,
    /// When a receive last succeeded, also one that brought nothing; `None` before the first.
    pub last_success: Option<SystemTime>,
    /// How many receives have failed since.
    pub consecutive_errors: u32,
    /// The last error, also if receives have succeeded since.
    pub last_error: Option<QueueError>,
}

impl fmt::Display for Health {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", if self.healthy { "healthy" } else { "unhealthy" }, self.reason)?;
        if f.alternate() {
            self.pollers.iter().try_for_each(|poller| write!(f, "\n{poller}"))?;
        }
        Ok(())
    }
}

impl fmt::Display for PollerHealth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, if self.polling { "polling" } else { "waiting" })?;
        match &self.last_error {
            Some(error) if self.consecutive_errors > 0 => {
                write!(f, ", {} failed in a row, the last with {error}", self.consecutive_errors)
            }
            _ => Ok(()),
        }
    }
}
