//! A lessor that answers as it is told to, and keeps the lease as a database would.

use std::collections::VecDeque;
use std::future::pending;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::{Instant, sleep};
use uuid::Uuid;

use super::request;
use crate::{
    FencingToken, Grant, Lessor, Permit, PermitRequest, PermitToken, Renewal, SemaphoreError, SemaphoreKey,
};

/// What becomes of a call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Step {
    Well,
    /// It is done, and takes so long before and after that.
    Slow(Duration, Duration),
    Transient,
    /// It says so, done or not.
    Indeterminate(bool),
    Lost,
    Permanent,
    Closed,
    /// No answer ever, done or not.
    Hangs(bool),
    Panics,
}

/// A call that was made.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Call {
    Renew(Option<Arc<str>>),
    Release,
}

#[derive(Debug)]
pub(super) struct Scripted {
    start: Instant,
    steps: Mutex<VecDeque<Step>>,
    /// What comes after the steps.
    then: Step,
    calls: Mutex<Vec<(u128, Call)>>,
    leased_until: Mutex<Option<Instant>>,
    busy: AtomicBool,
    pub(super) abandoned: AtomicU32,
}

impl Scripted {
    pub(super) fn new(steps: &[Step], then: Step) -> Arc<Self> {
        let start = Instant::now();
        Arc::new(Self {
            start,
            steps: Mutex::new(steps.iter().copied().collect()),
            then,
            calls: Mutex::default(),
            leased_until: Mutex::new(Some(start + super::LEASE)),
            busy: AtomicBool::new(false),
            abandoned: AtomicU32::new(0),
        })
    }

    /// A permit that was granted at its start.
    pub(super) fn permit(self: &Arc<Self>) -> Permit {
        self.permit_for(&request())
    }

    pub(super) fn permit_for(self: &Arc<Self>, request: &PermitRequest) -> Permit {
        Permit::new(request, self.grant(), Arc::clone(self) as Arc<dyn Lessor>)
    }

    pub(super) fn grant(&self) -> Grant {
        let token = PermitToken::new(SemaphoreKey::new("key").unwrap(), 0, Uuid::from_u128(7));
        Grant { token, fencing_token: FencingToken::new(1), asked: self.start }
    }

    pub(super) fn start(&self) -> Instant {
        self.start
    }

    /// The calls so far.
    pub(super) fn calls(&self) -> Vec<Call> {
        self.calls.lock().unwrap().iter().map(|(_, call)| call.clone()).collect()
    }

    /// When they were made, in seconds after the start, rounded down.
    pub(super) fn seconds(&self) -> Vec<u128> {
        self.calls.lock().unwrap().iter().map(|(at, _)| at / 1_000).collect()
    }

    /// When the lease ends in truth; `None`: it was freed.
    pub(super) fn leased_until(&self) -> Option<Instant> {
        *self.leased_until.lock().unwrap()
    }

    fn next(&self, call: Call) -> Step {
        self.calls.lock().unwrap().push((self.start.elapsed().as_millis(), call));
        self.steps.lock().unwrap().pop_front().unwrap_or(self.then)
    }

    /// Goes through a step; `change` is what the call does if it is done.
    async fn play(
        &self,
        step: Step,
        change: impl Fn(&mut Option<Instant>) + Send + Sync,
    ) -> Result<(), SemaphoreError> {
        let done = || change(&mut self.leased_until.lock().unwrap());
        match step {
            Step::Well => done(),
            Step::Slow(before, after) => {
                sleep(before).await;
                done();
                sleep(after).await;
            }
            Step::Transient => return Err(SemaphoreError::transient("busy")),
            Step::Indeterminate(true) => {
                done();
                return Err(SemaphoreError::indeterminate("no answer"));
            }
            Step::Indeterminate(false) => return Err(SemaphoreError::indeterminate("no answer")),
            Step::Lost => return Err(SemaphoreError::lost("another's")),
            Step::Permanent => return Err(SemaphoreError::permanent("no such table")),
            Step::Closed => return Err(SemaphoreError::closed("no pool")),
            Step::Hangs(is_done) => {
                if is_done {
                    done();
                }
                return pending().await;
            }
            Step::Panics => panic!("the backend panics"),
        }
        Ok(())
    }
}

/// Sees that two calls never overlap.
struct Busy<'a>(&'a AtomicBool);

impl<'a> Busy<'a> {
    fn new(busy: &'a AtomicBool) -> Self {
        assert!(!busy.swap(true, Ordering::SeqCst), "two calls at a time");
        Self(busy)
    }
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::SeqCst);
    }
}

#[async_trait]
impl Lessor for Scripted {
    async fn renew(&self, _token: PermitToken, renewal: Renewal) -> Result<(), SemaphoreError> {
        let _busy = Busy::new(&self.busy);
        let step = self.next(Call::Renew(renewal.context));
        let now_is_late = || self.leased_until().is_none_or(|until| until <= Instant::now());
        if now_is_late() {
            return Err(SemaphoreError::lost("run out"));
        }
        self.play(step, |until| *until = Some(Instant::now() + renewal.lease)).await
    }

    async fn release(&self, _token: PermitToken) -> Result<(), SemaphoreError> {
        let _busy = Busy::new(&self.busy);
        let step = self.next(Call::Release);
        if self.leased_until().is_none() {
            return Err(SemaphoreError::lost("freed already"));
        }
        self.play(step, |until| *until = None).await
    }

    fn abandon(&self, _token: PermitToken) {
        self.abandoned.fetch_add(1, Ordering::SeqCst);
    }
}
