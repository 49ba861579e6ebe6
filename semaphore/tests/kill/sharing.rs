//! Many processes that share one file.

use harness::{Child, Ledger};

use crate::child::PERMITS;
use crate::place::{Place, Shared};

const PROCESSES: usize = 16;

pub(crate) async fn sixteen_processes_share_one_file_and_none_hears_that_it_is_busy<D: Shared>() {
    let (place, ledger) = (Place::<D>::fresh().await, Ledger::create().unwrap());
    let program = place.child("share").with_ledger(&ledger).hold_at("ready");
    let children: Vec<Child> = (0..PROCESSES).map(|_| program.start().unwrap()).collect();
    for child in &children {
        child.wait_until_held().unwrap();
    }
    for child in &children {
        child.go_on();
    }
    for child in children {
        child.finish().unwrap().expect_success().unwrap();
    }
    let balance = ledger.balance().unwrap();
    assert!(balance.gaps().is_empty(), "{balance}");
    assert!(balance.finished() > PROCESSES, "they took turns: {balance}");
    assert!(balance.most_at_once("k") <= PERMITS as usize, "{balance}");
    for slot in 0..PERMITS {
        assert!(balance.most_at_once(&format!("slot-{slot}")) <= 1, "{balance}");
    }
    let mut of_slots = balance.disorder().iter().filter(|disorder| disorder.key != "k");
    assert!(of_slots.next().is_none(), "a slot's numbers grow: {balance}");
    assert!(place.holders().await.is_empty(), "and all gave their permits back");
    place.remove().await;
}
