//! A holder that is killed.

use tokio::time::sleep;

use crate::place::{LEASE, Place, Shared};

pub(crate) async fn a_killed_holders_slot_is_free_when_its_lease_ends_and_not_before<D: Shared>() {
    let place = Place::<D>::fresh().await;
    let child = place.child("hold").hold_at("held").start().unwrap();
    child.wait_until_held().unwrap();
    sleep(LEASE).await;
    assert!(place.try_now(1).await.is_none(), "it renews its lease");
    assert!(child.kill().unwrap().was_killed());
    sleep(LEASE / 10).await; // a renewal that was on its way has arrived
    let dead = place.holders().await.remove(0);
    assert!(dead.remaining <= LEASE);
    let permit = place.take_over().await;
    let ours = place.holders().await.remove(0);
    assert!(ours.since >= dead.until, "by the database's clock: {:?} and {:?}", dead.until, ours.since);
    assert!(ours.since <= dead.until + LEASE, "and no later: {:?} and {:?}", dead.until, ours.since);
    assert_eq!(permit.fencing_token().get(), dead.fencing_token.get() + 1);
    permit.release().await.unwrap();
    place.remove().await;
}
