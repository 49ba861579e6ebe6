//! What a permit is asked for with.

use std::sync::Arc;
use std::time::Duration;

use crate::{SemaphoreError, SemaphoreKey};

/// The longest context, in bytes: what every backend stores beside a slot.
const LONGEST_CONTEXT: usize = 255;
/// The longest lease: a dead holder's slot is kept as long.
pub(crate) const LONGEST_LEASE: Duration = Duration::from_hours(24);

/// How many may hold a key at once; made by [`max`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Max(u32);

/// Says how many may hold a key at once: 1 to 65,535.
pub const fn max(permits: u32) -> Max {
    Max(permits)
}

/// How long a permit lasts unless it is renewed; made by [`lease`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lease(Duration);

/// Says how long a permit lasts unless it is renewed, and so how long a dead holder keeps its slot: 1 s to 24 h.
/// A semaphore can be told to take shorter ones, for tests.
pub const fn lease(duration: Duration) -> Lease {
    Lease(duration)
}

/// What a permit is asked for with: which key, how many may hold it, for how long.
///
/// # Examples
/// ```
/// use std::time::Duration;
/// use semaphore::{PermitRequest, lease, max};
///
/// let request = PermitRequest::new("search-index", max(8), lease(Duration::from_secs(60)))
///     .with_max_hold(Duration::from_secs(3600))
///     .with_context("host-7");
/// # drop(request);
/// ```
#[derive(Clone, Debug)]
pub struct PermitRequest {
    key: Arc<str>,
    max: Max,
    lease: Lease,
    max_hold: Option<Duration>,
    context: Option<Arc<str>>,
}

impl PermitRequest {
    /// Asks for one of `max` permits of `key`, lasting `lease` at a time. Nothing is checked yet: trying it does (S12).
    ///
    /// All callers of a key ought to name the same maximum. Each sees only the slots below its own: lowering it revokes
    /// nothing (S11).
    pub fn new(key: impl Into<Arc<str>>, max: Max, lease: Lease) -> Self {
        Self { key: key.into(), max, lease, max_hold: None, context: None }
    }

    /// Ends renewal so long after the grant, so that a hung worker does not hold its slot for ever (S9).
    #[must_use]
    pub fn with_max_hold(mut self, max_hold: Duration) -> Self {
        self.max_hold = Some(max_hold);
        self
    }

    /// Says beside the slot who holds it or what for: up to 255 bytes, for whoever lists the holders.
    #[must_use]
    pub fn with_context(mut self, context: impl Into<Arc<str>>) -> Self {
        self.context = Some(context.into());
        self
    }

    /// How many may hold the key at once.
    pub fn max(&self) -> u32 {
        self.max.0
    }

    /// How long a permit lasts unless it is renewed.
    pub fn lease(&self) -> Duration {
        self.lease.0
    }

    /// How long after the grant renewal ends; `None`: never.
    pub fn max_hold(&self) -> Option<Duration> {
        self.max_hold
    }

    /// What is written beside the slot.
    pub fn context(&self) -> Option<&Arc<str>> {
        self.context.as_ref()
    }

    /// Checks everything, before a backend sees it, and answers the key. For whoever writes a backend.
    ///
    /// # Errors
    /// *Permanent* (S12): says which setting, its value, and what is allowed.
    pub fn check(&self, shortest_lease: Duration) -> Result<SemaphoreKey, SemaphoreError> {
        let refuse = |why: String| Err(SemaphoreError::permanent(why));
        let key = SemaphoreKey::new(Arc::clone(&self.key))?;
        if self.max() == 0 || self.max() > u32::from(u16::MAX) {
            return refuse(format!("the maximum is {}; 1 to {} are allowed", self.max(), u16::MAX));
        }
        if self.lease() < shortest_lease || self.lease() > LONGEST_LEASE {
            let lease = self.lease();
            return refuse(format!(
                "the lease is {lease:?}; {shortest_lease:?} to {LONGEST_LEASE:?} are allowed"
            ));
        }
        if self.max_hold.is_some_and(|max_hold| max_hold.is_zero()) {
            return refuse("the maximum hold time is zero; leave it out to hold without an end".to_owned());
        }
        check_context(self.context.as_deref())?;
        Ok(key)
    }
}

/// Checks a context before a backend sees it.
pub(crate) fn check_context(context: Option<&str>) -> Result<(), SemaphoreError> {
    let length = context.map_or(0, str::len);
    if length > LONGEST_CONTEXT {
        let why = format!("the context has {length} bytes; {LONGEST_CONTEXT} are allowed");
        return Err(SemaphoreError::permanent(why));
    }
    if context.is_some_and(|context| context.contains('\0')) {
        return Err(SemaphoreError::permanent("the context has a NUL, which PostgreSQL can't store"));
    }
    Ok(())
}
