//! A class of a queue as one process of a cluster sees it: its standing, and the local gate that follows from it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use queue_core::{CancellationToken, MasterGate, Outcome, WorkerClass};
use semaphore::{FencingToken, Holder, SemaphoreError, SemaphoreKey};
use tokio::sync::Notify;
use tokio::time::Instant;
use tracing::{info, warn};

use super::Standing;
use super::attendance::Attendance;
use super::bulletin::Bulletin;
use super::hearsay::Hearsay;
use super::notice::Notice;

/// A class of a queue. The local gate decides by the rules of [`MasterGate`] (G2 to G5, G7, G8); what is decided here is
/// whether it has an acting master, and what is heard from the others.
#[derive(Debug)]
pub(super) struct ClusterClass {
    pub(super) key: SemaphoreKey,
    class: WorkerClass,
    local: Arc<MasterGate>,
    state: Mutex<State>,
    /// There is something for the task that keeps the permit to do.
    pub(super) news: Notify,
    pub(super) stop: CancellationToken,
}

#[derive(Debug)]
struct State {
    standing: Standing,
    attendance: Attendance,
    /// When the semaphore last answered, while it is not the holder.
    answered: Option<Instant>,
    hearsay: Hearsay,
    bulletin: Bulletin,
}

impl ClusterClass {
    pub(super) fn new(
        key: SemaphoreKey,
        class: WorkerClass,
        local: Arc<MasterGate>,
        stop: CancellationToken,
    ) -> Self {
        local.suspend(&class);
        let state = State {
            standing: Standing::Asking,
            attendance: Attendance::new(),
            answered: None,
            hearsay: Hearsay::default(),
            bulletin: Bulletin::new(Notice { open: false, count: 0 }),
        };
        Self { key, class, local, state: Mutex::new(state), news: Notify::new(), stop }
    }

    pub(super) fn standing(&self) -> Standing {
        self.lock().standing
    }

    /// A worker came to the gate.
    pub(super) fn come(&self) {
        self.lock().attendance.come();
    }

    /// A worker that waited has left.
    pub(super) fn leave(&self) {
        self.lock().attendance.leave();
    }

    /// A worker got a turn.
    pub(super) fn given(&self) {
        self.lock().attendance.given();
    }

    /// A turn has ended, and the local gate has judged it.
    pub(super) fn ended(&self, outcome: Option<Outcome>) {
        let mut state = self.lock();
        state.attendance.ended();
        let full = match outcome {
            Some(Outcome::Received { got: 0, .. }) => {
                state.hearsay.found_nothing();
                false
            }
            Some(Outcome::Received { asked, got, .. }) => got * 2 >= asked,
            Some(Outcome::Failed) | None => false,
        };
        if state.standing == Standing::Holder {
            state.bulletin.see(self.local.is_open(&self.class), full);
            self.tell(&state);
        }
    }

    /// Whether the timer is to ask for it: somebody here could poll, and it does not hold the permit.
    pub(super) fn wants_to_know(&self) -> bool {
        let state = self.lock();
        state.standing != Standing::Holder && state.attendance.could_poll() && !self.stop.is_cancelled()
    }

    /// One tick of the timer for the holder: what was held back is published, and a class that is stuck gives up.
    pub(super) fn tick(&self, patience: Duration) {
        let mut state = self.lock();
        if state.standing != Standing::Holder {
            return;
        }
        state.bulletin.tick();
        if state.attendance.is_stuck(patience) {
            state.attendance.give_up();
            self.stand(&mut state, Standing::Asking);
            self.news.notify_one();
        }
        self.tell(&state);
    }

    /// Takes in who holds the permit; `false` if nobody does.
    pub(super) fn hear(&self, holders: &[Holder]) -> bool {
        let mut state = self.lock();
        state.answered = Some(Instant::now());
        let Some(holder) = holders.first() else { return false };
        self.stand(&mut state, Standing::Follower);
        if let Some(notice) = holder.context.as_deref().and_then(|text| text.parse().ok()) {
            self.follow(&mut state, holder.fencing_token, notice);
        }
        true
    }

    fn follow(&self, state: &mut State, holder: FencingToken, notice: Notice) {
        match (state.hearsay.hear(holder, notice), self.local.is_open(&self.class)) {
            (true, false) => self.local.open(&self.class),
            (false, true) => self.local.close(&self.class),
            _ => {}
        }
    }

    /// Somebody else was quicker to take the permit. What it says is heard at the next tick.
    pub(super) fn beaten(&self) {
        self.stand(&mut self.lock(), Standing::Follower);
    }

    /// The semaphore did not answer; `true` if that is why it polls by itself from now on (G8): at once if it knows of
    /// nobody that has the permit, else when that one's lease has passed, as it may be dead.
    pub(super) fn unanswered(&self, error: &SemaphoreError, lease: Duration) -> bool {
        let mut state = self.lock();
        if state.answered.is_some_and(|at| at.elapsed() < lease) || state.standing == Standing::Alone {
            return false;
        }
        warn!(key = %self.key, %error, "the semaphore does not answer: this process polls by itself");
        self.stand(&mut state, Standing::Alone);
        true
    }

    /// The notice to post with a try for the permit.
    pub(super) fn first_notice(&self) -> Notice {
        let open = self.local.is_open(&self.class);
        Notice { open, count: u64::from(open) }
    }

    /// It holds the permit, with that notice beside it.
    pub(super) fn take(&self, posted: Notice) {
        let mut state = self.lock();
        state.attendance.begin();
        state.bulletin = Bulletin::new(posted);
        self.stand(&mut state, Standing::Holder);
        state.bulletin.see(self.local.is_open(&self.class), false);
        self.tell(&state);
    }

    /// It has lost the permit.
    pub(super) fn lose(&self) {
        let mut state = self.lock();
        state.answered = None;
        self.stand(&mut state, Standing::Asking);
    }

    /// It is no longer of the cluster: it polls by itself.
    pub(super) fn retire(&self) {
        self.stand(&mut self.lock(), Standing::Alone);
    }

    /// What is to be published now.
    pub(super) fn due(&self) -> Option<Notice> {
        let state = self.lock();
        (state.standing == Standing::Holder).then(|| state.bulletin.due()).flatten()
    }

    pub(super) fn published(&self, notice: Notice) {
        self.lock().bulletin.published(notice);
    }

    /// It could not be published: the next tick tries again.
    pub(super) fn postpone(&self, notice: Notice) {
        self.lock().bulletin.spend(notice);
    }

    fn tell(&self, state: &State) {
        if state.bulletin.due().is_some() {
            self.news.notify_one();
        }
    }

    fn stand(&self, state: &mut State, standing: Standing) {
        if state.standing == standing {
            return;
        }
        info!(key = %self.key, from = ?state.standing, to = ?standing, "standing in the cluster");
        state.standing = standing;
        match standing {
            Standing::Holder | Standing::Alone => self.local.resume(&self.class),
            Standing::Asking | Standing::Follower => self.local.suspend(&self.class),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
