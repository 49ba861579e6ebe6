//! Killed at each point in turn and at random times.

use std::time::Duration;

use harness::{HarnessError, HarnessErrorKind, Moments};

use crate::toy::{STEPS, Toy, is_alive};

#[test]
fn an_undisturbed_run_passes_every_point_and_its_ledger_balances() -> Result<(), HarnessError> {
    let toy = Toy::with_work(&["a", "b"], 3);
    let ended = toy.work_off()?;
    assert_eq!(ended.points()[0], "ready");
    assert_eq!(ended.points()[1..], STEPS);
    assert!(STEPS.iter().all(|step| ended.passes(step) == 6));
    let balance = toy.ledger.balance()?;
    assert_eq!(balance.to_string(), "6 sent, 6 finished, 0 again");
    assert_eq!(balance.most_at_once("a"), 1);
    Ok(())
}

#[test]
fn a_worker_killed_at_any_point_loses_nothing_and_repeats_one_piece_at_most() -> Result<(), HarnessError> {
    for (step, pass) in STEPS.iter().flat_map(|step| [1, 4, 6].map(|pass| (step, pass))) {
        let toy = Toy::with_work(&["a", "b"], 3);
        let child = toy.worker(100).hold_at_pass(step, pass).start()?;
        assert_eq!(child.wait_until_held()?, *step);
        let ended = child.kill()?;
        assert!(ended.was_killed() && ended.passes(step) == pass, "{step} {pass}: {ended:?}");
        toy.work_off()?;
        let balance = toy.ledger.balance()?;
        let finished_before = usize::from(*step == "finished");
        assert_eq!(
            balance.to_string(),
            format!("6 sent, 6 finished, {finished_before} again"),
            "{step} {pass}"
        );
    }
    Ok(())
}

#[test]
fn a_worker_killed_at_random_times_loses_nothing_and_keeps_the_order() -> Result<(), HarnessError> {
    let moments = Moments::fresh(Duration::ZERO..Duration::from_millis(15));
    let seed = moments.seed();
    let toy = Toy::with_work(&["a", "b", "c"], 100);
    let mut kills = 0;
    for moment in moments.take(25) {
        kills += usize::from(toy.worker(10).start()?.kill_after(moment)?.was_killed());
    }
    toy.work_off()?;
    assert!(kills >= 5, "HARNESS_SEED={seed}: the work is done after {kills} kills");
    let balance = toy.ledger.balance()?;
    let kept = balance.lost().is_empty() && balance.disorder().is_empty() && balance.unsent().is_empty();
    assert!(kept && balance.gaps().is_empty(), "HARNESS_SEED={seed}: {balance}");
    assert!(balance.duplicates() <= kills, "HARNESS_SEED={seed}: {balance}");
    Ok(())
}

#[test]
fn a_worker_that_deletes_before_the_effect_is_convicted() -> Result<(), HarnessError> {
    let toy = Toy::with_work(&["a"], 3);
    let child = toy.worker(100).with_arg("--delete-first").hold_at_pass("working", 2).start()?;
    child.wait_until_held()?;
    child.kill()?;
    toy.work_off()?;
    let balance = toy.ledger.balance()?;
    assert_eq!(balance.lost(), [("a", 2)], "{balance}");
    Ok(())
}

#[test]
fn a_child_goes_on_when_it_is_let_and_can_be_held_again() -> Result<(), HarnessError> {
    let toy = Toy::with_work(&["a"], 3);
    let child = toy.worker(10_000).hold_at("claimed").start()?;
    child.wait_until_held()?;
    assert_eq!((child.passes("claimed"), child.passes("started")), (1, 0));
    child.hold_at("finished");
    child.hold_at("claimed");
    assert_eq!(child.go_on(), 1);
    assert_eq!(child.wait_until_held()?, "finished");
    child.go_on();
    assert_eq!(child.wait_until_held()?, "claimed");
    assert_eq!((child.passes("claimed"), child.go_on()), (2, 1));
    child.wait_until_passed("deleted", 3)?;
    assert!(child.finish()?.expect_success()?.passes("deleted") == 3);
    Ok(())
}

#[test]
fn a_point_that_is_never_passed_is_awaited_in_vain_and_not_for_ever() -> Result<(), HarnessError> {
    let toy = Toy::with_work(&["a"], 1);
    let error = toy.worker(100).start()?.wait_until_passed("no-such-point", 1).unwrap_err();
    assert_eq!(error.kind(), HarnessErrorKind::Ended, "it ended without: {error}");
    assert!(error.to_string().contains("deleted ×1, the last was deleted"), "{error}");
    let impatient = toy.worker(100).with_patience(Duration::from_millis(50)).hold_at("ready");
    let error = impatient.start()?.wait_until_passed("no-such-point", 1).unwrap_err();
    assert_eq!(error.kind(), HarnessErrorKind::Deadline);
    assert!(
        error.to_string().contains("it is held at ready") && error.to_string().contains("50ms"),
        "{error}"
    );
    Ok(())
}

#[test]
fn a_child_that_is_dropped_is_dead() -> Result<(), HarnessError> {
    let toy = Toy::with_work(&["a"], 1);
    let child = toy.worker(10_000).hold_at("started").start()?;
    child.wait_until_held()?;
    let id = child.id();
    drop(child);
    assert!(!is_alive(id));
    Ok(())
}
