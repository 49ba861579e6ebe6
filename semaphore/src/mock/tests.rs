//! Mocks behind the roles.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use uuid::Uuid;

use crate::{
    FencingToken, Grant, Holders, MockHolders, MockLessor, MockSemaphore, Permit, PermitRequest, PermitToken,
    Semaphore, SemaphoreError, SemaphoreErrorKind, SemaphoreExt, SemaphoreKey, lease, max,
};

fn request() -> PermitRequest {
    PermitRequest::new("key", max(1), lease(Duration::from_mins(1)))
}

fn token() -> PermitToken {
    PermitToken::new(SemaphoreKey::new("key").unwrap(), 0, Uuid::new_v4())
}

fn granted(request: &PermitRequest) -> Permit {
    let mut lessor = MockLessor::new();
    lessor.expect_release().once().returning(|_| Ok(()));
    let grant = Grant { token: token(), fencing_token: FencingToken::new(7), asked: Instant::now() };
    Permit::new(request, grant, Arc::new(lessor))
}

#[tokio::test(start_paused = true)]
async fn a_mock_grants_permits_behind_a_dyn() {
    let mut mock = MockSemaphore::new();
    mock.expect_try_acquire().once().returning(|request| Ok(Some(granted(&request))));
    mock.expect_try_acquire().returning(|_| Ok(None));
    let semaphore: Arc<dyn Semaphore> = Arc::new(mock);
    let permit = semaphore.try_acquire(request()).await.unwrap().unwrap();
    assert_eq!(permit.fencing_token().get(), 7);
    permit.release().await.unwrap();
    assert!(semaphore.acquire(request(), Duration::from_secs(1)).await.unwrap().is_none());
}

#[tokio::test(start_paused = true)]
async fn a_mock_lists_holders_behind_a_dyn() {
    let mut mock = MockHolders::new();
    mock.expect_holders().returning(|_| Err(SemaphoreError::transient("busy")));
    mock.expect_force_release().returning(|_| Ok(true));
    let holders: Arc<dyn Holders> = Arc::new(mock);
    let error = holders.holders(SemaphoreKey::new("key").unwrap()).await.unwrap_err();
    assert_eq!(error.kind(), SemaphoreErrorKind::Transient);
    assert!(holders.force_release(token()).await.unwrap());
}
