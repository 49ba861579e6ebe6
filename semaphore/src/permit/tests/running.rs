//! Work under a permit.

use std::future::pending;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::scripted::{Call, Scripted, Step};
use super::{TRUST, seconds};
use crate::SemaphoreErrorKind::Lost;

/// Notes that it was dropped.
struct Dropped(Arc<AtomicBool>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

// S5
#[tokio::test(start_paused = true)]
async fn work_is_renewed_and_the_permit_released_when_it_is_done() {
    let lessor = Scripted::new(&[], Step::Well);
    let done = lessor.permit().run(async {
        sleep(seconds(50)).await;
        7
    });
    assert_eq!(done.await.unwrap(), 7);
    assert_eq!(lessor.calls(), [Call::Renew(None), Call::Renew(None), Call::Release]);
    assert_eq!(lessor.leased_until(), None);
}

// S8, P65: before the slot is freed
#[tokio::test(start_paused = true)]
async fn work_is_dropped_when_the_permit_is_lost() {
    let lessor = Scripted::new(&[], Step::Transient);
    let dropped = Arc::new(AtomicBool::new(false));
    let guard = Dropped(Arc::clone(&dropped));
    let work = async move {
        let _guard = guard;
        pending::<()>().await;
    };
    assert_eq!(lessor.permit().run(work).await.unwrap_err().kind(), Lost);
    assert!(dropped.load(Ordering::SeqCst));
    assert_eq!(lessor.start().elapsed(), TRUST);
    assert_eq!(lessor.calls().last(), Some(&Call::Release));
}

// S5, S8: somebody else may have had the slot while it worked
#[tokio::test(start_paused = true)]
async fn work_that_ends_when_the_slot_is_no_longer_ours_is_not_answered_for() {
    let lessor = Scripted::new(&[Step::Lost], Step::Well);
    assert_eq!(lessor.permit().run(async {}).await.unwrap_err().kind(), Lost);
}

// S10: the slot expires
#[tokio::test(start_paused = true)]
async fn work_that_is_done_is_answered_for_though_the_release_failed() {
    let lessor = Scripted::new(&[], Step::Transient);
    assert_eq!(lessor.permit().run(async { 7 }).await.unwrap(), 7);
    assert_eq!(lessor.abandoned.load(Ordering::SeqCst), 1);
}

// S10: a panic releases, and goes on
#[tokio::test(start_paused = true)]
async fn work_that_panics_frees_the_slot_and_panics() {
    let lessor = Scripted::new(&[], Step::Well);
    let permit = lessor.permit();
    let mut tasks = JoinSet::new();
    tasks.spawn(permit.run(async {
        sleep(seconds(1)).await;
        std::panic::resume_unwind(Box::new("the work panics"))
    }));
    let ended: Option<Result<Result<(), _>, _>> = tasks.join_next().await;
    let panic = ended.unwrap().unwrap_err().into_panic();
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"the work panics"));
    assert_eq!(lessor.calls(), [Call::Release]);
    assert_eq!(lessor.abandoned.load(Ordering::SeqCst), 0);
}

// S10: the slot is free when its lease ends
#[tokio::test(start_paused = true)]
async fn dropping_it_drops_the_work_and_the_permit() {
    let lessor = Scripted::new(&[], Step::Well);
    let dropped = Arc::new(AtomicBool::new(false));
    let guard = Dropped(Arc::clone(&dropped));
    let work = AssertUnwindSafe(async move {
        let _guard = guard;
        pending::<()>().await;
    });
    assert!(timeout(seconds(30), lessor.permit().run(work.0)).await.is_err());
    assert!(dropped.load(Ordering::SeqCst));
    assert_eq!((lessor.calls().len(), lessor.abandoned.load(Ordering::SeqCst)), (1, 1));
}
