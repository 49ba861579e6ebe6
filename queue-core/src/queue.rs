//! A queue: what can both be published to and received from.

use crate::{Consumer, Publisher};

/// Both roles in one. Implement [`Publisher`] and [`Consumer`], and it is there.
pub trait Queue: Publisher + Consumer {}

impl<Q: Publisher + Consumer + ?Sized> Queue for Q {}
