//! Children that do what no child should.

use std::time::Duration;
use std::{fs, thread};

use harness::{Child, HarnessError, HarnessErrorKind, Moments, Program};

fn misfit(what: &str) -> Program {
    Program::new(env!("CARGO_BIN_EXE_toy-misfit")).with_arg(what).with_patience(Duration::from_secs(20))
}

fn is_alive(process: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", process.trim())).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with(['Z', 'X']))
}

/// Waits until a process is gone: what the harness doesn't wait for itself.
fn is_soon_dead(process: &str) -> bool {
    is_soon(|| !is_alive(process))
}

fn is_soon(done: impl Fn() -> bool) -> bool {
    (0..500).any(|_| {
        nap();
        done()
    })
}

#[expect(clippy::disallowed_methods, reason = "another process is waited for, in real time")]
fn nap() {
    thread::sleep(Duration::from_millis(10));
}

/// The first line that a child prints, once it is there.
fn first_line(child: &Child) -> String {
    while !child.output().stdout().contains('\n') {
        nap();
    }
    child.output().stdout().lines().next().unwrap_or_default().to_owned()
}

#[test]
fn a_child_that_exits_early_is_told_from_one_that_hangs() -> Result<(), HarnessError> {
    let error = misfit("exits-early").hold_at("never").start()?.wait_until_held().unwrap_err();
    assert_eq!(error.kind(), HarnessErrorKind::Ended);
    for seen in ["is not held at any point", "ready ×1", "exit status: 3", "no disk"] {
        assert!(error.to_string().contains(seen), "{seen} is missing: {error}");
    }
    let ended = misfit("exits-early").start()?.finish()?;
    assert_eq!(ended.status().code(), Some(3));
    assert_eq!(ended.expect_success().unwrap_err().kind(), HarnessErrorKind::Failed);
    Ok(())
}

#[test]
fn a_child_that_hangs_is_given_up_and_killed() -> Result<(), HarnessError> {
    let child = misfit("hangs").with_patience(Duration::from_millis(300)).start()?;
    let id = child.id().to_string();
    let error = child.finish().unwrap_err();
    assert_eq!(error.kind(), HarnessErrorKind::Deadline);
    for seen in ["has not ended within 300ms", "ready ×1", "waiting for Godot"] {
        assert!(error.to_string().contains(seen), "{seen} is missing: {error}");
    }
    assert!(!is_alive(&id));
    Ok(())
}

#[test]
fn what_a_child_prints_is_never_taken_for_a_point() -> Result<(), HarnessError> {
    let ended = misfit("prints-garbage").start()?.finish()?.expect_success()?;
    assert_eq!(ended.points(), ["ready"]);
    assert!(ended.output().stdout().contains("at 1 point"), "{}", ended.output());
    Ok(())
}

#[test]
fn garbage_on_the_line_for_points_ends_the_wait_and_is_shown() -> Result<(), HarnessError> {
    let error = misfit("says-garbage").start()?.wait_until_passed("never", 1).unwrap_err();
    assert_eq!(error.kind(), HarnessErrorKind::Garbled);
    assert!(error.to_string().contains(r#"it said "what is this line for?\n""#), "{error}");
    let error = misfit("floods-the-line").start()?.wait_until_held().unwrap_err();
    assert_eq!(error.kind(), HarnessErrorKind::Garbled);
    assert!(error.to_string().len() < 2000, "{error}");
    let child = misfit("says-garbage").start()?;
    child.wait_until_passed("ready", 1).ok();
    assert!(child.kill()?.was_killed(), "whatever it says, it can be killed");
    Ok(())
}

#[test]
fn a_flood_of_output_blocks_nobody_and_its_end_is_kept() -> Result<(), HarnessError> {
    let ended = misfit("floods").start()?.finish()?.expect_success()?;
    assert_eq!(ended.points(), ["flooded"]);
    assert_eq!(ended.output().total(), 100_000_000 + 9);
    assert!(ended.output().stdout().ends_with("x\nthe end\n"));
    assert!(ended.output().stdout().len() <= 16 * 1024);
    Ok(())
}

#[test]
fn sigterm_ends_a_child_unless_that_ignores_it() -> Result<(), HarnessError> {
    let child = misfit("hangs").start()?;
    child.wait_until_passed("ready", 1)?;
    child.terminate()?;
    assert!(child.finish()?.was_killed());
    let child = misfit("ignores-sigterm").with_patience(Duration::from_millis(500)).start()?;
    child.wait_until_passed("ready", 1)?;
    child.terminate()?;
    assert_eq!(child.finish().unwrap_err().kind(), HarnessErrorKind::Deadline);
    Ok(())
}

#[test]
fn what_a_child_started_ends_with_it() -> Result<(), HarnessError> {
    let child = misfit("has-a-child").start()?;
    child.wait_until_passed("ready", 1)?;
    let grandchild = first_line(&child);
    assert!(is_alive(&grandchild));
    child.kill()?;
    assert!(is_soon_dead(&grandchild));
    Ok(())
}

#[test]
fn a_daemon_that_holds_the_output_open_does_not_hold_up_the_test() -> Result<(), HarnessError> {
    let ended = misfit("leaves-a-daemon").start()?.finish()?.expect_success()?;
    let daemon = ended.output().stdout();
    assert!(is_alive(&daemon), "it left the process group, so that it is not ours to end; it ends by itself");
    Ok(())
}

#[test]
fn async_tasks_are_held_one_by_one() -> Result<(), HarnessError> {
    let child = misfit("passes-two-at-once").hold_at("one").start()?;
    assert_eq!(child.wait_until_held()?, "one");
    child.wait_until_passed("other-goes-on", 1)?;
    assert_eq!(child.passes("one-goes-on"), 0);
    child.go_on();
    assert_eq!(child.finish()?.expect_success()?.points().len(), 4);
    Ok(())
}

#[test]
fn children_do_not_outlive_a_test_that_is_killed_not_even_frozen_ones() -> Result<(), HarnessError> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("children");
    let test = misfit("is-a-test").with_arg(&file).start()?;
    test.wait_until_passed("ready", 1)?;
    let children = fs::read_to_string(&file).unwrap();
    let children: Vec<_> = children.split(' ').collect();
    assert!(children.iter().all(|child| is_alive(child)), "{children:?}");
    test.kill()?;
    assert!(children.iter().all(|child| is_soon_dead(child)), "{children:?}");
    Ok(())
}

#[test]
fn a_test_that_is_killed_while_it_starts_children_leaves_none_behind() -> Result<(), HarnessError> {
    let mark = format!("mark-{:016x}", fastrand::u64(..));
    let moments = Moments::fresh(Duration::ZERO..Duration::from_millis(30));
    let seed = moments.seed();
    let mut started = 0;
    for moment in moments.take(20) {
        let test = misfit("is-a-test-in-a-hurry").with_arg(&mark).start()?;
        nap();
        started += marked(&mark).len();
        assert!(test.kill_after(moment)?.was_killed());
    }
    assert!(started > 0, "no child was ever started");
    assert!(is_soon(|| marked(&mark).is_empty()), "HARNESS_SEED={seed} {:?}", marked(&mark));
    Ok(())
}

/// The living processes with this word on their command lines.
fn marked(mark: &str) -> Vec<String> {
    let numbers = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = numbers.filter_map(|entry| entry.file_name().into_string().ok());
    let line = |number: &String| fs::read_to_string(format!("/proc/{number}/cmdline")).unwrap_or_default();
    numbers.filter(|number| line(number).contains(mark) && is_alive(number)).collect()
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let error = Program::new("/no/such/program").start().unwrap_err();
    assert_eq!(error.kind(), HarnessErrorKind::System);
    assert_eq!(error.to_string(), "/no/such/program can't be started");
}
