//! A holder, and a collector, that is frozen.

use std::time::Duration;

use harness::{Moments, Proxy};
use semaphore::Semaphore;
use tokio::time::{sleep, timeout};

use crate::place::{ADDRESS, Place, Shared, ask, write};

pub(crate) async fn a_frozen_holder_holds_up_nobody_and_can_do_nothing_when_it_goes_on<D: Shared>() {
    let place = Place::<D>::fresh().await;
    let child = place.child("hold").hold_at("held").start().unwrap();
    child.wait_until_held().unwrap();
    child.freeze().unwrap();
    let second = place.try_now(2).await.expect("the second slot is free");
    assert!(place.try_now(2).await.is_none(), "the first is held until its lease ends");
    let permit = place.take_over().await;
    assert!(write(&place.semaphore, &place.prefix, permit.fencing_token()).await);
    child.resume().unwrap();
    child.go_on();
    child.finish().unwrap().expect_success().unwrap();
    let holder = place.holders().await.remove(0);
    assert_eq!(&holder.token, permit.token(), "what the frozen one tried changed nothing");
    permit.release().await.unwrap();
    second.release().await.unwrap();
    place.remove().await;
}

/// How late what the collector says reaches the server, so that it is between two statements, mostly, when it is frozen.
const LATE: Duration = Duration::from_millis(15);

pub(crate) async fn a_collector_frozen_anywhere_holds_up_nobody<D: Shared>() {
    let place = Place::<D>::fresh().await;
    let proxy = Proxy::start(place.upstream()).await.unwrap();
    let child = place.child("collect").with_env(ADDRESS, proxy.url(&place.address)).start().unwrap();
    child.wait_until_passed("collected", 1).unwrap();
    proxy.delay(LATE);
    let moments = Moments::fresh(Duration::from_millis(1)..Duration::from_millis(150));
    let seed = moments.seed();
    for (round, moment) in moments.take(10).enumerate() {
        sleep(moment).await;
        child.freeze().unwrap();
        // The first of these makes a slot, for which it needs the floor that a collector raises.
        for key in [format!("new-{round}"), "k".to_owned()] {
            let trying = place.semaphore.try_acquire(ask(&key, 1));
            let permit = timeout(Duration::from_secs(5), trying).await;
            let permit = permit.unwrap_or_else(|_| unreachable!("{key} waits, HARNESS_SEED={seed}"));
            permit.unwrap().expect("it is free").release().await.unwrap();
        }
        child.resume().unwrap();
    }
    let passes = child.passes("collected");
    child.wait_until_passed("collected", passes + 2).unwrap();
    child.kill().unwrap();
    drop(proxy);
    place.remove().await;
}
