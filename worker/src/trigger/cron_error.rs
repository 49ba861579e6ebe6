//! Why a cron pattern was refused.

use std::error::Error;
use std::fmt;

/// A cron pattern or its time zone that was not understood.
#[derive(Debug)]
pub struct CronError {
    given: String,
    source: Box<dyn Error + Send + Sync>,
}

impl CronError {
    pub(super) fn new(given: &str, source: impl Error + Send + Sync + 'static) -> Self {
        Self { given: given.to_owned(), source: Box::new(source) }
    }

    /// The pattern or the zone as it was given.
    pub fn given(&self) -> &str {
        &self.given
    }
}

impl fmt::Display for CronError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cron: {:?} is not understood", self.given)
    }
}

impl Error for CronError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.source)
    }
}
