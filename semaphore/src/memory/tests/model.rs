//! Any moves of several clients: who may hold what is what a plain list of grants says.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use proptest::collection::vec;
use proptest::prelude::*;
use tokio::runtime::Builder;
use tokio::time::{Instant, advance};

use super::super::MemorySemaphore;
use crate::{FencingToken, Lessor, PermitRequest, PermitToken, Renewal, Semaphore, lease, max};

const LEASE: Duration = Duration::from_secs(10);

/// A move of one client; grants are named by how long ago they were given.
#[derive(Clone, Debug)]
enum Move {
    Try { key: u8, max: u32 },
    Renew(usize),
    Release(usize),
    Wait(u64),
    Collect { idle: u64, limit: usize },
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let one = prop_oneof![
        4 => (0_u8..3, 1_u32..4).prop_map(|(key, max)| Move::Try { key, max }),
        3 => (0_usize..6).prop_map(Move::Renew),
        3 => (0_usize..6).prop_map(Move::Release),
        3 => (0_u64..12).prop_map(Move::Wait),
        1 => (0_u64..20, 0_usize..4).prop_map(|(idle, limit)| Move::Collect { idle, limit }),
    ];
    vec(one, 0..60)
}

/// A grant, as its client knows it.
struct Given {
    token: PermitToken,
    lessor: Arc<dyn Lessor>,
    /// When its lease ends; `None`: it was released.
    until: Option<Instant>,
}

impl Given {
    fn is_held(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() < until)
    }
}

#[derive(Default)]
struct Clients {
    semaphore: MemorySemaphore,
    given: Vec<Given>,
    fences: BTreeMap<(String, u16), FencingToken>,
}

impl Clients {
    async fn play(&mut self, one: Move) {
        match one {
            Move::Try { key, max } => self.try_one(&format!("key-{key}"), max).await,
            Move::Renew(ago) => self.renew(ago).await,
            Move::Release(ago) => self.release(ago).await,
            Move::Wait(seconds) => advance(Duration::from_secs(seconds)).await,
            Move::Collect { idle, limit } => {
                let collected = self.semaphore.collect(Duration::from_secs(idle), limit).await.unwrap();
                assert!(collected <= limit as u64);
            }
        }
    }

    /// S1, S2: it is given the lowest slot that nobody holds, if there is one. S3: under a higher number.
    async fn try_one(&mut self, key: &str, permits: u32) {
        let free = (0..u16::try_from(permits).unwrap()).find(|slot| !self.holds(key, *slot));
        let request = PermitRequest::new(key, max(permits), lease(LEASE));
        let permit = self.semaphore.try_acquire(request).await.unwrap();
        assert_eq!(permit.as_ref().map(|permit| permit.token().slot()), free);
        let Some(permit) = permit else { return };
        let last = self.fences.insert((key.to_owned(), permit.token().slot()), permit.fencing_token());
        assert!(last < Some(permit.fencing_token()), "{last:?}, then {}", permit.fencing_token());
        let (token, lessor) = (permit.token().clone(), Arc::clone(permit.lessor()));
        self.given.push(Given { token, lessor, until: Some(Instant::now() + LEASE) });
    }

    fn holds(&self, key: &str, slot: u16) -> bool {
        let of_slot = |given: &&Given| given.token.key().as_str() == key && given.token.slot() == slot;
        self.given.iter().filter(of_slot).any(Given::is_held)
    }

    /// S5, S6: only who holds it renews it.
    async fn renew(&mut self, ago: usize) {
        let Some(given) = self.given.iter_mut().rev().nth(ago) else { return };
        let renewed = given.lessor.renew(given.token.clone(), Renewal::new(LEASE)).await;
        assert_eq!(renewed.is_ok(), given.is_held());
        if renewed.is_ok() {
            given.until = Some(Instant::now() + LEASE);
        }
    }

    /// S5: only who holds it frees it.
    async fn release(&mut self, ago: usize) {
        let Some(given) = self.given.iter_mut().rev().nth(ago) else { return };
        let released = given.lessor.release(given.token.clone()).await;
        assert_eq!(released.is_ok(), given.is_held());
        given.until = None;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    // S1, S2, S3, S5, S6, S13
    #[test]
    fn any_moves_leave_every_slot_with_one_holder_at_most(moves in moves()) {
        let runtime = Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let mut clients = Clients::default();
            for one in moves {
                clients.play(one).await;
            }
        });
    }
}
