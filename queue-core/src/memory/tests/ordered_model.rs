//! The rules of an ordered queue against a plain model of them, over random operations.

mod known;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::SystemTime;

use proptest::prelude::*;
use proptest::sample::Index;

use super::super::engine::{Deleted, Engine, Rules, Wanted};
use super::*;
use crate::Receipt;
use known::{Fate, Known, Model};

const RETENTION: u64 = 900;
const MAX_RECEIVE_COUNT: usize = 3;
const MAX_IN_FLIGHT: usize = 6;
const WINDOW: u64 = 300;

#[derive(Clone, Debug)]
enum Operation {
    Publish { group: usize, id: u8 },
    Receive { max: usize, visibility: u64, attempt: u8 },
    Delete(Index),
    ChangeVisibility(Index, u64),
    Pass(u64),
    Purge,
}

fn operations() -> impl Strategy<Value = Vec<Operation>> {
    use Operation::{ChangeVisibility, Delete, Pass, Publish, Purge, Receive};
    let visibility = || prop_oneof![1 => Just(0), 6 => 1..40_u64];
    let operation = prop_oneof![
        12 => (0..3_usize, 0..60_u8).prop_map(|(group, id)| Publish { group, id }),
        10 => (1..6_usize, visibility(), 0..4_u8)
            .prop_map(|(max, visibility, attempt)| Receive { max, visibility, attempt }),
        6 => any::<Index>().prop_map(Delete),
        5 => (any::<Index>(), visibility()).prop_map(|(receipt, visibility)| ChangeVisibility(receipt, visibility)),
        6 => prop_oneof![20 => 0..15_u64, 1 => Just(WINDOW)].prop_map(Pass),
        1 => Just(Purge),
    ];
    prop::collection::vec(operation, 1..150)
}

/// The first message of a deduplication id, and when it was published.
type First = (u64, MessageId);

/// What an attempt brought, and when.
type Brought = (u64, Vec<(usize, Receipt)>);

struct Run {
    engine: Engine,
    start: Instant,
    model: Model,
    firsts: HashMap<u8, First>,
    attempts: HashMap<u8, Brought>,
}

impl Run {
    fn new() -> Self {
        let engine = Engine::new(Rules {
            delay: Duration::ZERO,
            retention: secs(RETENTION),
            max_in_flight: MAX_IN_FLIGHT,
            max_visibility: secs(43_200),
            max_receive_count: u32::try_from(MAX_RECEIVE_COUNT).ok(),
            ordered: true,
            content_deduplication: false,
        });
        let (firsts, attempts) = (HashMap::new(), HashMap::new());
        Self { engine, start: Instant::now(), model: Model::default(), firsts, attempts }
    }

    fn instant(&self) -> Instant {
        self.start + secs(self.model.now)
    }

    fn apply(&mut self, operation: &Operation) {
        match *operation {
            Operation::Publish { group, id } => self.publish(group, id),
            Operation::Receive { max, visibility, attempt } => self.receive(max, visibility, attempt),
            Operation::Delete(receipt) => self.delete(receipt),
            Operation::ChangeVisibility(receipt, visibility) => self.change_visibility(receipt, visibility),
            Operation::Pass(seconds) => self.pass(seconds),
            Operation::Purge => {
                drop(self.engine.purge());
                self.model.end(|_| true, Fate::Purged);
            }
        }
        self.model.settle();
        let depth = self.engine.depth(self.instant()).with_oldest(None);
        assert_eq!(depth, self.model.depth());
        assert_eq!(self.engine.is_deliverable(), self.model.is_deliverable(MAX_IN_FLIGHT));
    }

    /// Second by second, so that both see groups become free one after the other.
    fn pass(&mut self, seconds: u64) {
        for _ in 0..seconds {
            self.model.tick(RETENTION);
            self.model.settle();
            self.engine.advance(self.instant());
        }
    }

    fn publish(&mut self, group: usize, id: u8) {
        let now = self.model.now;
        let outgoing =
            Outgoing::new("x").with_group_key(group.to_string()).with_deduplication_id(id.to_string());
        let answer = self.engine.publish(&outgoing, SystemTime::UNIX_EPOCH, self.instant());
        if let Some((_, first)) = self.firsts.get(&id).filter(|(at, _)| at + WINDOW > now) {
            assert_eq!(&answer, first);
            return;
        }
        assert!(self.model.known.iter().all(|known| known.id != answer));
        self.firsts.insert(id, (now, answer.clone()));
        self.model.known.push(Known::new(answer, group, now));
        self.model.events.push(self.model.known.len() - 1);
    }

    fn receive(&mut self, max: usize, visibility: u64, attempt: u8) {
        let wanted =
            Wanted { max, visibility: secs(visibility), attempt: Some(Arc::from(attempt.to_string())) };
        let repeated = self.engine.repeat(&wanted, self.instant());
        let expected = self.repeatable(attempt);
        assert_eq!(repeated.is_some(), expected.is_some());
        if let (Some(again), Some((made, before))) = (repeated, expected) {
            return self.compare_repeat(&again, (made, before), (max, visibility, attempt));
        }
        let received = self.engine.receive(&wanted, self.instant());
        let expected = self.model.receive(max, MAX_IN_FLIGHT, MAX_RECEIVE_COUNT);
        assert_eq!(received.deliveries.len(), expected.len());
        let mut brought = Vec::new();
        for (n, (message, receipt)) in expected.into_iter().zip(received.deliveries) {
            let known = &mut self.model.known[n];
            known.receipts.push(receipt.clone());
            known.visible_at = self.model.now + visibility;
            self.model.events.push(n);
            brought.push((n, receipt));
            assert_eq!((message.id(), message.receive_count() as usize), (&known.id, known.receipts.len()));
        }
        let worth_noting = !brought.is_empty() && visibility > 0;
        self.attempts.remove(&attempt);
        self.attempts.extend(worth_noting.then_some((attempt, (self.model.now, brought))));
    }

    /// What an attempt brought, if it is young and nothing happened to any of its messages.
    fn repeatable(&self, attempt: u8) -> Option<Brought> {
        let (made, brought) = self.attempts.get(&attempt)?;
        let untouched = |(n, receipt): &(usize, Receipt)| {
            let known = &self.model.known[*n];
            known.is_in_flight(self.model.now) && known.receipts.last() == Some(receipt)
        };
        let good = made + WINDOW > self.model.now && brought.iter().all(untouched);
        good.then(|| (*made, brought.clone()))
    }

    fn compare_repeat(
        &mut self,
        again: &[(crate::Message, Receipt)],
        (made, mut before): Brought,
        (max, visibility, attempt): (usize, u64, u8),
    ) {
        let now = self.model.now;
        for (n, _) in before.split_off(max.min(before.len())) {
            self.model.known[n].visible_at = now;
            self.model.events.push(n);
        }
        let receipts: Vec<_> = again.iter().map(|(_, receipt)| receipt.clone()).collect();
        assert_eq!(receipts, before.iter().map(|(_, receipt)| receipt.clone()).collect::<Vec<_>>());
        for (&(n, _), (message, _)) in before.iter().zip(again) {
            let known = &mut self.model.known[n];
            known.visible_at = now + visibility;
            self.model.events.push(n);
            assert_eq!(message.receive_count() as usize, known.receipts.len());
        }
        self.attempts.insert(attempt, (made, before));
    }

    fn delete(&mut self, index: Index) {
        let Some((n, receipt)) = self.model.pick(index) else { return };
        let answer = self.engine.delete(&receipt, self.instant());
        let known = &mut self.model.known[n];
        if known.fate != Fate::Stored {
            assert!(matches!(answer.unwrap(), Deleted::Before(_)));
        } else if known.is_in_flight(self.model.now) && known.receipts.last() == Some(&receipt) {
            assert_eq!(answer.unwrap(), Deleted::Now);
            known.fate = Fate::Deleted;
        } else {
            assert_eq!(answer.unwrap_err().kind(), QueueErrorKind::Lost);
        }
    }

    fn change_visibility(&mut self, index: Index, visibility: u64) {
        let Some((n, receipt)) = self.model.pick(index) else { return };
        let answer = self.engine.change_visibility((&receipt, secs(visibility)), self.instant());
        let known = &mut self.model.known[n];
        if known.is_in_flight(self.model.now) && known.receipts.last() == Some(&receipt) {
            answer.unwrap();
            known.visible_at = self.model.now + visibility;
            self.attempts.retain(|_, (_, brought)| brought.iter().all(|(_, theirs)| *theirs != receipt));
        } else {
            assert_eq!(answer.unwrap_err().kind(), QueueErrorKind::Lost);
        }
    }
}

proptest! {
    // Q3, Q4, Q7, Q8, Q9, Q10
    #[test]
    fn the_rules_of_groups_hold_over_any_operations(operations in operations()) {
        let mut run = Run::new();
        for operation in &operations {
            run.apply(operation);
        }
    }
}
