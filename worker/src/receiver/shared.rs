//! What a receiver's tasks share, and how they are started and stopped.

use std::sync::Arc;
use std::time::Duration;

use queue_core::{CancellationToken, Coalesced, Consumer, ReceiveLimits};
use tokio::sync::Semaphore;
use tokio_util::task::TaskTracker;

use super::outage::Outage;
use super::renewal::Renewals;
use super::room::{Room, Size};
use super::unanswered::Unanswered;
use super::vitals::Vitals;
use super::{Settings, Work};
use crate::Account;
use crate::account::Ledger;
use crate::metrics::Instruments;

/// On an ordered queue the next of a group waits for its head's delete, so that waits for others no longer than this.
const ORDERED_LINGER: Duration = Duration::from_millis(5);

/// What the tasks of one receiver share.
///
/// The tasks: its pollers, its slots, one for each settlement under way, one renewal task, and one that winds up when
/// the receiver stops.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) consumer: Arc<dyn Consumer>,
    pub(crate) limits: ReceiveLimits,
    pub(crate) settings: Settings,
    pub(crate) work: Work,
    pub(crate) room: Room,
    pub(crate) outage: Outage,
    /// The seed of the pauses before a settlement is tried again: the same for all messages, so that those which failed in
    /// one call go into one call again.
    pub(crate) jitter: u64,
    pub(crate) unanswered: Unanswered,
    pub(crate) renewals: Arc<Renewals>,
    pub(crate) ledger: Ledger,
    pub(crate) instruments: Instruments,
    pub(crate) vitals: Arc<Vitals>,
    /// Bounds the settlements under way, so that slots wait when the queue is slow to settle.
    pub(crate) settling: Arc<Semaphore>,
    pub(crate) stop: CancellationToken,
    pub(crate) abort: CancellationToken,
    /// Slots and settlements.
    pub(crate) handling: TaskTracker,
    /// Everything else.
    pub(crate) tasks: TaskTracker,
}

impl Shared {
    pub(crate) fn new(consumer: Arc<dyn Consumer>, settings: Settings, work: Work) -> Self {
        let settings = settings.gather();
        let limits = consumer.receive_limits();
        // Settlements that fail are tried again here, for as long as their message is ours.
        let consumer = Coalesced::new(consumer)
            .with_settle_linger(settings.linger.min(if limits.ordered {
                ORDERED_LINGER
            } else {
                Duration::MAX
            }))
            .with_deadline(settings.call_margin)
            .with_retries(0);
        let size = Size::new(&settings, &limits, work.most);
        let instruments = Instruments::new(&settings.name);
        Self {
            renewals: Arc::new(Renewals::new(limits.clone(), settings.call_margin, &instruments)),
            settling: Arc::new(Semaphore::new(100 + 2 * size.slots * size.per_slot)),
            room: Room::new(size),
            outage: Outage::new(),
            jitter: fastrand::u64(..),
            unanswered: Unanswered::default(),
            ledger: Ledger::new(&instruments),
            vitals: Arc::new(Vitals::new(&settings, &instruments)),
            instruments,
            stop: settings.stop.clone(),
            abort: CancellationToken::new(),
            handling: TaskTracker::new(),
            tasks: TaskTracker::new(),
            consumer: Arc::new(consumer),
            limits,
            settings,
            work,
        }
    }

    pub(crate) fn start(self: &Arc<Self>) {
        for number in 0..self.settings.slots() {
            let slot = Arc::clone(self).run_slot();
            self.handling.spawn(self.vitals.watch(format!("slot {number}"), slot));
        }
        for name in self.settings.names() {
            let poller = Arc::clone(self).run_poller(name.clone());
            self.tasks.spawn(self.vitals.watch(name, poller));
        }
        self.tasks.spawn(self.vitals.watch("the renewal", Arc::clone(&self.renewals).run()));
        self.tasks.spawn(self.vitals.watch("the winding up", Arc::clone(self).wind_up()));
    }

    pub(crate) fn account(&self) -> Account {
        Account {
            in_flight: self.renewals.len() as u64,
            buffered: self.room.buffered() as u64,
            renewals: self.renewals.calls(),
            renewals_lost: self.renewals.lost(),
            ..self.ledger.account()
        }
    }

    /// Tells the metrics how many messages are where.
    pub(crate) fn observe(&self) {
        self.instruments.observe(|| self.account());
    }

    /// W10: once the receiver stops, gives back what waits for a slot, and ends the renewal when nothing is left to
    /// renew.
    async fn wind_up(self: Arc<Self>) {
        self.stop.cancelled().await;
        self.handling.close();
        self.tasks.close();
        self.give_back(self.room.close()).await;
        self.handling.wait().await;
        self.renewals.stop();
        self.observe();
    }
}
