//! Mocks of the roles, by mockall.

pub use crate::holders::MockHolders;
pub use crate::lessor::MockLessor;
pub use crate::semaphore::MockSemaphore;

#[cfg(test)]
mod tests;
