//! Frozen past a deadline, and resumed.

use harness::{HarnessError, HarnessErrorKind};

use crate::toy::{Toy, is_frozen};

/// How long a claim lasts in these tests.
const LEASE_MS: u64 = 60;

#[test]
fn a_worker_frozen_past_its_lease_is_replaced_and_the_overlap_shows() -> Result<(), HarnessError> {
    let toy = Toy::with_work(&["a"], 2);
    let first = toy.worker(LEASE_MS).hold_at("working").start()?;
    first.wait_until_held()?;
    first.freeze()?;
    let second = toy.work_off()?;
    assert_eq!(second.passes("deleted"), 2, "the second took over what the first had claimed");
    first.resume()?;
    first.go_on();
    let first = first.finish()?.expect_success()?;
    assert!(first.output().stdout().contains("is lost"), "{}", first.output());
    let balance = toy.ledger.balance()?;
    assert!(balance.lost().is_empty() && balance.disorder().is_empty(), "{balance}");
    assert_eq!(balance.duplicates(), 1, "{balance}");
    assert_eq!(balance.overlaps().len(), 2, "piece 1 again, and piece 2 of its key meanwhile: {balance}");
    Ok(())
}

#[test]
fn a_frozen_child_stands_still_until_it_is_resumed() -> Result<(), HarnessError> {
    let toy = Toy::with_work(&["a"], 1);
    let child = toy.worker(10_000).hold_at("started").start()?;
    child.wait_until_held()?;
    for _ in 0..3 {
        child.freeze()?;
        assert!(is_frozen(child.id()));
        child.resume()?;
        assert!(!is_frozen(child.id()));
    }
    child.freeze()?;
    child.go_on();
    assert_eq!(child.passes("working"), 0, "it was let go on, but stands still");
    child.resume()?;
    assert_eq!(child.finish()?.expect_success()?.passes("deleted"), 1);
    Ok(())
}

#[test]
fn a_frozen_child_can_be_killed() -> Result<(), HarnessError> {
    let toy = Toy::with_work(&["a"], 1);
    let child = toy.worker(10_000).hold_at("started").start()?;
    child.wait_until_held()?;
    child.freeze()?;
    assert!(child.kill()?.was_killed());
    Ok(())
}

#[test]
fn what_has_ended_can_be_neither_frozen_nor_resumed_nor_terminated() -> Result<(), HarnessError> {
    let toy = Toy::with_work(&[], 0);
    let child = toy.worker(100).start()?;
    child.wait_until_passed("never", 1).unwrap_err();
    for told in [child.freeze(), child.resume(), child.terminate()] {
        assert_eq!(told.unwrap_err().kind(), HarnessErrorKind::Ended);
    }
    assert!(child.kill()?.status().success(), "killing it changes nothing");
    Ok(())
}
