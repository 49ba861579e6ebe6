//! The lease of one message: how long it is ours, and who may make a call for it.

use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use queue_core::{
    CancellationToken, Delivery, Hold, QueueError, QueueErrorKind, Receipt, ReceiveLimits, Settler,
};
use tokio::sync::{Mutex as CallLock, OwnedMutexGuard};
use tokio::time::{Instant, timeout};

use super::table::Table;

/// One message's hold on the queue.
#[derive(Debug)]
pub(crate) struct Lease {
    id: u64,
    receipt: Receipt,
    settler: Arc<dyn Settler>,
    ends_for_good: Instant,
    cancelled: CancellationToken,
    table: Arc<Table>,
    times: Mutex<Times>,
    /// Held by whoever makes a call for this message: the renewal, the handler, or the settlement (W6).
    call: Arc<CallLock<()>>,
}

#[derive(Clone, Copy, Debug)]
struct Times {
    visibility: Duration,
    hidden_until: Instant,
    lost: bool,
}

impl Times {
    fn soon(&self) -> Duration {
        (self.visibility / 8).max(Duration::from_millis(1))
    }
}

impl Lease {
    pub(super) fn new(delivery: &Delivery, limits: &ReceiveLimits, table: Arc<Table>) -> Self {
        Self {
            id: table.next_id(),
            receipt: delivery.receipt().clone(),
            settler: Arc::clone(delivery.settler()),
            ends_for_good: Instant::now() + limits.max_visibility,
            cancelled: CancellationToken::new(),
            table,
            times: Mutex::new(Times {
                visibility: delivery.visibility(),
                hidden_until: delivery.hidden_until(),
                lost: false,
            }),
            call: Arc::default(),
        }
    }

    pub(super) fn id(&self) -> u64 {
        self.id
    }

    pub(super) fn receipt(&self) -> &Receipt {
        &self.receipt
    }

    pub(super) fn settler(&self) -> &Arc<dyn Settler> {
        &self.settler
    }

    /// Fires when the handler's result will not be used.
    pub(crate) fn cancelled(&self) -> &CancellationToken {
        &self.cancelled
    }

    pub(super) fn visibility(&self) -> Duration {
        self.times().visibility
    }

    /// The time after which the queue lets nobody extend it.
    pub(super) fn ends_for_good(&self) -> Instant {
        self.ends_for_good
    }

    /// How long a change sent at `now` may take, so that another can follow.
    pub(super) fn patience(&self, now: Instant) -> Duration {
        let times = *self.times();
        (times.visibility / 4).min(times.hidden_until.saturating_duration_since(now))
    }

    /// How long it can be hidden from now on at most, a second less than the queue allows.
    pub(crate) fn longest(&self) -> Duration {
        let left = self.ends_for_good.saturating_duration_since(Instant::now());
        left.saturating_sub(Duration::from_secs(1))
    }

    /// When the message must be renewed: when half of its visibility timeout is left.
    pub(super) fn due(&self) -> Instant {
        let times = *self.times();
        times.hidden_until.checked_sub(times.visibility / 2).unwrap_or(times.hidden_until)
    }

    /// The right to make a call for this message, if nobody has it.
    pub(super) fn try_call(&self) -> Option<OwnedMutexGuard<()>> {
        Arc::clone(&self.call).try_lock_owned().ok()
    }

    /// Notes that it was extended by a call sent at `asked`.
    pub(super) fn extended(self: &Arc<Self>, asked: Instant, visibility: Duration) {
        {
            let mut times = self.times();
            times.visibility = visibility;
            times.hidden_until = asked + visibility;
        }
        self.table.schedule(self, self.due());
    }

    /// Believes the shorter of two timeouts while a change is under way, and for good if it is never answered: the
    /// other may be in force. Answers what was believed before.
    fn doubt(self: &Arc<Self>, asked: Instant, visibility: Duration) -> Times {
        let before = *self.times();
        let until = asked.checked_add(visibility).unwrap_or(before.hidden_until);
        self.believe(Times {
            visibility: visibility.min(before.visibility),
            hidden_until: until.min(before.hidden_until),
            ..before
        });
        before
    }

    fn believe(self: &Arc<Self>, believed: Times) {
        {
            let mut times = self.times();
            *times = Times { lost: times.lost, ..believed };
        }
        self.table.schedule(self, self.due());
    }

    /// Renews it again soon, or finds at the end of its time that it is over.
    pub(super) fn try_again(self: &Arc<Self>, now: Instant) {
        let times = *self.times();
        self.table.schedule(self, (now + times.soon()).min(times.hidden_until.max(now)));
    }

    /// Looks again soon: a call for it is under way, which may well outlast its time and extend it all the same.
    pub(super) fn look_again(self: &Arc<Self>, now: Instant) {
        let soon = self.times().soon();
        self.table.schedule(self, now + soon);
    }

    /// Notes that it is no longer ours, and tells the handler (W5).
    pub(super) fn lose(&self) {
        self.times().lost = true;
        self.cancelled.cancel();
    }

    pub(crate) fn is_lost(&self) -> bool {
        let times = *self.times();
        times.lost || Instant::now() >= times.hidden_until
    }

    /// Ends the renewal, before a settle call is sent. Keep the guard until that call is over. `None`: it was lost.
    pub(crate) async fn end(&self) -> Option<OwnedMutexGuard<()>> {
        let call = Arc::clone(&self.call).lock_owned().await;
        self.table.remove(self.id);
        (!self.is_lost()).then_some(call)
    }

    pub(crate) fn hidden_until(&self) -> Instant {
        self.times().hidden_until
    }

    fn times(&self) -> MutexGuard<'_, Times> {
        self.times.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The handler's share in a lease.
#[derive(Debug)]
struct Share(Arc<Lease>);

#[async_trait]
impl Hold for Share {
    fn hidden_until(&self) -> Instant {
        self.0.hidden_until()
    }

    async fn set_visibility(&self, visibility: Duration) -> Result<(), QueueError> {
        if visibility.is_zero() {
            let right = "return Verdict::retry_after(Duration::ZERO, …) to make the message visible at once";
            return Err(QueueError::permanent(format!("set_visibility(0): {right}")));
        }
        let lease = &self.0;
        let _call = lease.call.lock().await;
        if lease.times().lost {
            return Err(QueueError::lost("the message is no longer ours"));
        }
        let asked = Instant::now();
        let before = lease.doubt(asked, visibility);
        let call = lease.settler.change_visibility(vec![(lease.receipt.clone(), visibility)]);
        let mut answer = timeout(lease.patience(asked), call).await.unwrap_or_default();
        let answer =
            answer.pop().unwrap_or_else(|| Err(QueueError::indeterminate("no answer for this entry")));
        match answer.as_ref().map_err(QueueError::kind) {
            Ok(()) => lease.extended(asked, visibility),
            Err(QueueErrorKind::Indeterminate | QueueErrorKind::Lost) => {}
            Err(_) => lease.believe(before), // it did not happen
        }
        answer
    }
}

/// A lease that is renewed.
///
/// # Drop
/// Ends the renewal; the message comes back when its time is over.
#[derive(Debug)]
pub(crate) struct Kept(Arc<Lease>);

impl Kept {
    pub(super) fn new(lease: Lease) -> Self {
        let lease = Arc::new(lease);
        lease.table.insert(lease.id);
        lease.table.schedule(&lease, lease.due());
        Self(lease)
    }

    /// What the handler may do with it.
    pub(crate) fn share(&self) -> Arc<dyn Hold> {
        Arc::new(Share(Arc::clone(&self.0)))
    }
}

impl Deref for Kept {
    type Target = Lease;

    fn deref(&self) -> &Lease {
        &self.0
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        self.0.table.remove(self.0.id);
    }
}
