//! The receipt: what a consumer shows to settle one delivery.

use std::fmt;
use std::sync::Arc;

/// The receipt handle of one delivery, good for that delivery only (Q4). Opaque to all but its backend.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Receipt(Arc<str>);

impl Receipt {
    /// Takes over a handle as the backend wrote it.
    pub fn new(handle: impl Into<Arc<str>>) -> Self {
        Self(handle.into())
    }

    /// The handle's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Receipt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Receipt({})", self.0)
    }
}
