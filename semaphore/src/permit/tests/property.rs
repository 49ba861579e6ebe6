//! Whatever becomes of the calls: the holder hears of the loss before another can have the slot.

use std::time::Duration;

use proptest::collection::vec;
use proptest::prelude::*;
use tokio::runtime::Builder;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

use super::scripted::{Scripted, Step};
use super::{LEASE, request};

fn step() -> impl Strategy<Value = Step> {
    let time = || (0_u64..30_000).prop_map(Duration::from_millis);
    prop_oneof![
        4 => Just(Step::Well),
        4 => (time(), time()).prop_map(|(before, after)| Step::Slow(before, after)),
        2 => Just(Step::Transient),
        2 => any::<bool>().prop_map(Step::Indeterminate),
        1 => Just(Step::Permanent),
        1 => Just(Step::Closed),
        2 => any::<bool>().prop_map(Step::Hangs),
    ]
}

/// What the holder does meanwhile: waits so long, then writes a context, which it may give up after a while.
fn moves() -> impl Strategy<Value = Vec<(Duration, Duration)>> {
    let time = |most| (0_u64..most).prop_map(Duration::from_millis);
    vec((time(60_000), time(15_000)), 0..5)
}

/// Looks every 100 ms whether the slot is trusted though it is free, while its holder writes contexts.
async fn is_never_trusted_when_it_is_free(steps: &[Step], moves: Vec<(Duration, Duration)>) {
    let lessor = Scripted::new(steps, Step::Transient);
    let mut permit = lessor.permit_for(&request().with_max_hold(LEASE * 7));
    let (lost, mut holder) = (permit.lost().clone(), JoinSet::new());
    holder.spawn(async move {
        for (wait, patience) in moves {
            sleep(wait).await;
            drop(timeout(patience, permit.set_context("working")).await);
        }
        permit.lost().cancelled().await;
    });
    while !lost.is_cancelled() {
        let until = lessor.leased_until().unwrap();
        assert!(Instant::now() < until, "trusted {:?} after its lease", until.elapsed());
        sleep(Duration::from_millis(100)).await;
    }
    assert!(lessor.start().elapsed() <= LEASE * 7 + Duration::from_millis(100));
    holder.join_all().await;
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    // S8
    #[test]
    fn a_slot_is_never_trusted_when_it_may_be_anothers(steps in vec(step(), 0..12), moves in moves()) {
        let runtime = Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
        runtime.block_on(async {
            is_never_trusted_when_it_is_free(&steps, moves).await;
        });
    }
}
