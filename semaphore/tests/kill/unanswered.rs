//! A client that is frozen while its call is on its way, there or back.

use std::time::Duration;

use harness::{Child, Program, Proxy};
use sqlx::{Connection, Database, Sqlite};
use tokio::time::sleep;

use crate::place::{ADDRESS, LEASE, Place, Shared, write};

/// Long enough for a call to be under way.
const UNDER_WAY: Duration = Duration::from_millis(500);

pub(crate) async fn a_client_frozen_before_its_call_arrives_holds_up_nobody<D: Shared>() {
    let place = Place::<D>::fresh().await;
    if D::NAME == Sqlite::NAME {
        freeze_behind_a_writer(&place).await;
    } else {
        freeze_behind_a_proxy(&place).await;
    }
    place.remove().await;
}

/// Freezes a client that waits for another's transaction to end.
async fn freeze_behind_a_writer<D: Shared>(place: &Place<D>) {
    let child = started(place.child("try"));
    let mut connection = place.semaphore.pool().acquire().await.unwrap();
    let writer = connection.begin_with("BEGIN IMMEDIATE").await.unwrap();
    child.go_on();
    sleep(UNDER_WAY).await;
    child.freeze().unwrap();
    writer.rollback().await.unwrap();
    drop(connection);
    take_before(child, place, || ()).await;
}

/// Freezes a client whose call did not reach the server, which hears it later.
async fn freeze_behind_a_proxy<D: Shared>(place: &Place<D>) {
    let proxy = Proxy::start(place.upstream()).await.unwrap();
    let child = started(place.child("try").with_env(ADDRESS, proxy.url(&place.address)));
    proxy.stall();
    child.go_on();
    sleep(UNDER_WAY).await;
    child.freeze().unwrap();
    take_before(child, place, || proxy.pass()).await;
}

/// Takes the permit for which the frozen client has asked.
async fn take_before<D: Shared>(child: Child, place: &Place<D>, arrive: impl FnOnce()) {
    let permit = place.try_now(1).await.expect("it is free");
    arrive();
    child.resume().unwrap();
    child.finish().unwrap().expect_success().unwrap();
    permit.release().await.unwrap();
}

/// Freezes a client to which a slot was given that does not know it yet.
pub(crate) async fn a_grant_that_arrives_after_its_lease_is_lost_from_the_start<D: Shared>() {
    let place = Place::<D>::fresh().await;
    place.try_now(1).await.expect("it is free").release().await.unwrap(); // the slot is made
    let proxy = Proxy::start(place.upstream()).await.unwrap();
    let child = started(place.child("try late").with_env(ADDRESS, proxy.url(&place.address)));
    proxy.delay(LEASE / 5);
    child.go_on();
    while place.holders().await.is_empty() {
        sleep(Duration::from_millis(5)).await;
    }
    child.freeze().unwrap();
    let second = place.try_now(2).await.expect("the second slot is free");
    let permit = place.take_over().await;
    assert!(write(&place.semaphore, &place.prefix, permit.fencing_token()).await);
    proxy.pass();
    child.resume().unwrap();
    child.finish().unwrap().expect_success().unwrap();
    assert_eq!(&place.holders().await.remove(0).token, permit.token());
    permit.release().await.unwrap();
    second.release().await.unwrap();
    place.remove().await;
}

fn started(program: Program) -> Child {
    let child = program.hold_at("ready").start().unwrap();
    child.wait_until_held().unwrap();
    child
}
