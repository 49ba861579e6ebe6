//! The rules against a plain model of them, over random operations.

use std::time::SystemTime;

use proptest::prelude::*;
use proptest::sample::Index;

use super::super::engine::{Deleted, Engine, Rules, Wanted};
use super::*;
use crate::Receipt;

const RETENTION: u64 = 60;
const MAX_RECEIVE_COUNT: u32 = 3;
const MAX_IN_FLIGHT: usize = 4;

#[derive(Clone, Debug)]
enum Operation {
    Publish { delay: u64 },
    Receive { max: usize, visibility: u64 },
    Delete(Index),
    ChangeVisibility(Index, u64),
    Pass(u64),
    Purge,
}

fn operations() -> impl Strategy<Value = Vec<Operation>> {
    use Operation::{ChangeVisibility, Delete, Pass, Publish, Purge, Receive};
    let operation = prop_oneof![
        6 => prop_oneof![3 => Just(0), 1 => 1..20_u64].prop_map(|delay| Publish { delay }),
        8 => (1..5_usize, 0..20_u64).prop_map(|(max, visibility)| Receive { max, visibility }),
        4 => any::<Index>().prop_map(Delete),
        4 => (any::<Index>(), 0..30_u64).prop_map(|(receipt, visibility)| ChangeVisibility(receipt, visibility)),
        5 => (0..15_u64).prop_map(Pass),
        1 => Just(Purge),
    ];
    prop::collection::vec(operation, 1..120)
}

/// What became of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Stored,
    Deleted,
    Expired,
    DeadLettered,
    Purged,
}

/// A message as the model knows it, and all receipts that it ever had, the good one last.
#[derive(Debug)]
struct Known {
    id: MessageId,
    sent: u64,
    visible_at: u64,
    receipts: Vec<Receipt>,
    fate: Fate,
}

impl Known {
    fn is_visible(&self, now: u64) -> bool {
        self.fate == Fate::Stored && self.visible_at <= now
    }

    fn is_in_flight(&self, now: u64) -> bool {
        self.fate == Fate::Stored && self.visible_at > now && !self.receipts.is_empty()
    }
}

#[derive(Debug)]
struct Run {
    engine: Engine,
    start: Instant,
    now: u64,
    known: Vec<Known>,
}

impl Run {
    fn new() -> Self {
        let engine = Engine::new(Rules {
            delay: Duration::ZERO,
            retention: secs(RETENTION),
            max_in_flight: MAX_IN_FLIGHT,
            max_visibility: secs(43_200),
            max_receive_count: Some(MAX_RECEIVE_COUNT),
            ordered: false,
            content_deduplication: false,
        });
        Self { engine, start: Instant::now(), now: 0, known: Vec::new() }
    }

    fn instant(&self) -> Instant {
        self.start + secs(self.now)
    }

    fn apply(&mut self, operation: &Operation) {
        match *operation {
            Operation::Publish { delay } => self.publish(delay),
            Operation::Receive { max, visibility } => self.receive(max, visibility),
            Operation::Delete(receipt) => self.delete(receipt),
            Operation::ChangeVisibility(receipt, visibility) => self.change_visibility(receipt, visibility),
            Operation::Pass(seconds) => self.now += seconds,
            Operation::Purge => {
                drop(self.engine.purge());
                self.end(|_| true, Fate::Purged);
            }
        }
        let now = self.now;
        self.end(|known| known.sent + RETENTION <= now, Fate::Expired);
        self.compare();
    }

    fn end(&mut self, which: impl Fn(&Known) -> bool, fate: Fate) {
        let stored = self.known.iter_mut().filter(|known| known.fate == Fate::Stored);
        stored.filter(|known| which(known)).for_each(|known| known.fate = fate);
    }

    fn publish(&mut self, delay: u64) {
        let outgoing = Outgoing::new("x").with_delay(secs(delay));
        let id = self.engine.publish(&outgoing, SystemTime::UNIX_EPOCH, self.instant());
        let (sent, visible_at) = (self.now, self.now + delay);
        self.known.push(Known { id, sent, visible_at, receipts: Vec::new(), fate: Fate::Stored });
    }

    /// Exactly the messages that the model expects, in its order; the others that were passed over are dead letters.
    fn receive(&mut self, max: usize, visibility: u64) {
        let now = self.now;
        let room = MAX_IN_FLIGHT - self.known.iter().filter(|known| known.is_in_flight(now)).count();
        let mut visible: Vec<usize> =
            (0..self.known.len()).filter(|&n| self.known[n].is_visible(now)).collect();
        visible.sort_by_key(|&n| (self.known[n].visible_at, n));
        let received =
            self.engine.receive(&Wanted { max, visibility: secs(visibility), attempt: None }, self.instant());
        let mut deliveries = received.deliveries.into_iter();
        let mut taken = 0;
        for n in visible {
            if taken == max.min(room) {
                break;
            }
            let known = &mut self.known[n];
            if known.receipts.len() == MAX_RECEIVE_COUNT as usize {
                known.fate = Fate::DeadLettered;
                continue;
            }
            let (message, receipt) = deliveries.next().unwrap();
            taken += 1;
            known.receipts.push(receipt);
            known.visible_at = now + visibility;
            assert_eq!(message.id(), &known.id);
            assert_eq!(message.receive_count() as usize, known.receipts.len());
        }
        assert!(deliveries.next().is_none());
    }

    /// Some receipt that was ever given: its message, and whether it is that one's good one.
    fn pick(&self, index: Index) -> Option<(usize, Receipt, bool)> {
        let numbered = self.known.iter().enumerate();
        let all: Vec<_> = numbered.flat_map(|(n, k)| k.receipts.iter().map(move |r| (n, r))).collect();
        let (n, receipt) = if all.is_empty() { None } else { Some(*index.get(&all)) }?;
        Some((n, receipt.clone(), self.known[n].receipts.last() == Some(receipt)))
    }

    fn delete(&mut self, index: Index) {
        let Some((n, receipt, good)) = self.pick(index) else { return };
        let answer = self.engine.delete(&receipt, self.instant());
        match (self.known[n].fate, good) {
            (Fate::Stored, true) => {
                assert_eq!(answer.unwrap(), Deleted::Now);
                self.known[n].fate = Fate::Deleted;
            }
            (Fate::Stored, false) => assert_eq!(answer.unwrap_err().kind(), QueueErrorKind::Lost),
            _ => assert!(matches!(answer.unwrap(), Deleted::Before(_))),
        }
    }

    fn change_visibility(&mut self, index: Index, visibility: u64) {
        let Some((n, receipt, good)) = self.pick(index) else { return };
        let answer = self.engine.change_visibility((&receipt, secs(visibility)), self.instant());
        if good && self.known[n].is_in_flight(self.now) {
            answer.unwrap();
            self.known[n].visible_at = self.now + visibility;
        } else {
            assert_eq!(answer.unwrap_err().kind(), QueueErrorKind::Lost);
        }
    }

    /// The states and the counts, which say together that nothing is lost and nothing comes back.
    fn compare(&mut self) {
        let (now, instant) = (self.now, self.instant());
        let count = |which: &dyn Fn(&Known) -> bool| self.known.iter().filter(|k| which(k)).count() as u64;
        let visible = count(&|k| k.is_visible(now));
        let in_flight = count(&|k| k.is_in_flight(now));
        let delayed = count(&|k| k.fate == Fate::Stored) - visible - in_flight;
        let stored = self.known.iter().filter(|k| k.fate == Fate::Stored);
        let oldest = stored.map(|k| secs(now - k.sent)).max();
        let dead = count(&|k| k.fate == Fate::DeadLettered);
        let expired = count(&|k| k.fate == Fate::Expired);
        let expected = Depth::new(visible, in_flight, delayed).with_oldest(oldest);
        assert_eq!(self.engine.depth(instant), expected);
        assert_eq!((self.engine.dead_lettered(), self.engine.expired()), (dead, expired));
    }
}

proptest! {
    // Q3, Q4, Q7, Q10
    #[test]
    fn the_rules_hold_over_any_operations(operations in operations()) {
        let mut run = Run::new();
        for operation in &operations {
            run.apply(operation);
        }
    }
}
