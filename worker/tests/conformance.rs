//! The gate suite, for the cluster gate of a process that is alone in its cluster, or that can't reach it: it is as a
//! gate of one process.

use async_trait::async_trait;
use semaphore::{
    Holder, Holders, MemorySemaphore, Permit, PermitRequest, PermitToken, Semaphore, SemaphoreError,
    SemaphoreKey,
};
use testkit::Promises;
use worker::Cluster;

testkit::conformance! {
    cluster: gate(Promises::gated(), || Cluster::new(MemorySemaphore::new()).gate("orders")),
    cluster_without_semaphore: gate(Promises::gated(), || Cluster::new(Away).gate("orders")),
}

/// A semaphore that can't be reached.
#[derive(Debug)]
struct Away;

impl Away {
    fn error() -> SemaphoreError {
        SemaphoreError::transient("connection refused")
    }
}

#[async_trait]
impl Semaphore for Away {
    async fn try_acquire(&self, _request: PermitRequest) -> Result<Option<Permit>, SemaphoreError> {
        Err(Self::error())
    }
}

#[async_trait]
impl Holders for Away {
    async fn holders(&self, _key: SemaphoreKey) -> Result<Vec<Holder>, SemaphoreError> {
        Err(Self::error())
    }

    async fn force_release(&self, _token: PermitToken) -> Result<bool, SemaphoreError> {
        Err(Self::error())
    }

    async fn force_release_all(&self, _key: SemaphoreKey) -> Result<u64, SemaphoreError> {
        Err(Self::error())
    }
}
