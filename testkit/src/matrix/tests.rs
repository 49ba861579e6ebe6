use std::cell::RefCell;

use tokio::task::yield_now;

use super::*;

#[test]
fn every_combination_is_run_once() {
    let seen = RefCell::new(Vec::new());
    let runs = matrix(async |run: Run| {
        let first = run.choose("the first", &["a", "b"]);
        let second = if first == 0 { run.choose("the second", &["a", "b", "c"]) } else { 9 };
        seen.borrow_mut().push((first, second));
    });
    assert_eq!((runs, seen.into_inner()), (4, vec![(0, 0), (0, 1), (0, 2), (1, 9)]));
}

#[test]
fn a_future_is_dropped_before_its_first_poll_and_twice_at_each_await_point() {
    let steps = RefCell::new(Vec::new());
    let runs = matrix(async |run: Run| {
        let done = RefCell::new(0);
        let future = async {
            for _ in 0..2 {
                *done.borrow_mut() += 1;
                yield_now().await;
            }
            *done.borrow_mut() += 1;
        };
        let ended = run.cut(future).await.is_some();
        steps.borrow_mut().push((done.take(), ended));
    });
    let expected = [(3, true), (2, false), (2, false), (1, false), (1, false), (0, false)];
    assert_eq!((runs, steps.into_inner()), (6, expected.to_vec()));
}

#[test]
fn a_future_that_is_dropped_awake_was_woken() {
    let woken = RefCell::new(0);
    matrix(async |run: Run| {
        let start = tokio::time::Instant::now();
        run.cut(sleep(Duration::from_secs(9))).await;
        *woken.borrow_mut() += start.elapsed().as_secs();
    });
    assert_eq!(woken.into_inner(), 18, "once to its end, once up to its last poll");
}

#[test]
fn a_future_that_is_never_woken_is_given_up() {
    assert_eq!(matrix(async |run: Run| assert!(run.cut(std::future::pending::<()>()).await.is_none())), 4);
}

#[test]
#[should_panic(expected = "in run 2, where the weather is bad: it rains")]
fn a_panic_tells_what_was_chosen() {
    matrix(async |run: Run| assert!(run.choose("the weather is", &["good", "bad"]) == 0, "it rains"));
}

#[test]
#[should_panic(expected = "tasks are left")]
#[expect(clippy::disallowed_methods, reason = "it is what is to be found")]
fn a_task_that_is_left_is_found() {
    matrix(async |_: Run| drop(tokio::spawn(std::future::pending::<()>())));
}

#[test]
#[should_panic(expected = "another course each time")]
fn a_scenario_that_differs_from_run_to_run_is_found() {
    let runs = RefCell::new(0);
    matrix(async |run: Run| {
        *runs.borrow_mut() += 1;
        let what = format!("in run {}", runs.borrow());
        run.choose(&what, &["a", "b"]);
        run.choose("then", &["a", "b"]);
    });
}
