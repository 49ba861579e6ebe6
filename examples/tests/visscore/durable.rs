//! Runs on queues that outlive the process, and that processes share.

use crate::program::{Ended, run, start};

/// The options of a file of its own.
fn sqlite(name: &str) -> [String; 2] {
    let path = crate::program::path(name);
    ["--backend".to_owned(), format!("sqlite:{path}")]
}

/// The options of a server, by the variable that names it.
#[cfg(any(feature = "postgres", feature = "mysql"))]
fn server(backend: &str, variable: &str) -> [String; 4] {
    let url = std::env::var(variable).unwrap_or_else(|_| panic!("`cargo xtask test` sets {variable}"));
    ["--backend".to_owned(), backend.to_owned(), "--database-url".to_owned(), url]
}

fn run_on(place: &[String], options: &[&str]) -> Ended {
    let place: Vec<_> = place.iter().map(String::as_str).collect();
    run(&[&place, options, &["--json"]].concat())
}

/// Handles each of 2,000 visits once, in batches.
fn handles_all(place: &[String]) {
    let ended = run_on(place, &["--visits", "2000", "--accounts", "3"]);
    let numbers = ended.numbers(["sent", "unique", "duplicates", "left", "lost"]);
    assert_eq!((numbers, ended.code), ([2_000, 2_000, 0, 0, 0], Some(0)), "{}", ended.stdout);
    assert!(ended.report()["calls_per_visit"].as_f64().unwrap() <= 0.35, "{}", ended.stdout);
}

#[test]
fn queues_in_a_file_handle_each_visit_once() {
    handles_all(&sqlite("once.db"));
}

#[cfg(feature = "postgres")]
#[test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
fn queues_in_postgresql_handle_each_visit_once() {
    handles_all(&server("postgres", "POSTGRES_URL"));
}

#[cfg(feature = "mysql")]
#[test]
#[ignore = "needs MariaDB: cargo xtask test"]
fn queues_in_mariadb_handle_each_visit_once() {
    handles_all(&server("mysql", "MYSQL_URL"));
}

// Q3
#[test]
fn what_one_run_leaves_another_handles() {
    let place = sqlite("left.db");
    let sent = run_on(&place, &["--role", "produce", "--visits", "300", "--accounts", "2"]);
    assert_eq!(sent.numbers(["sent", "left", "lost"]), [300, 300, 0]);
    let both = run_on(&place, &["--visits", "100", "--accounts", "2"]);
    assert_eq!(both.numbers(["sent", "unique", "lost"]), [100, 100, 0]);
    let rest = run_on(&place, &["--role", "consume", "--accounts", "2", "--idle", "5", "--wait", "1"]);
    assert_eq!(both.numbers(["earlier"])[0] + rest.numbers(["unique"])[0], 300, "{}", both.stdout);
    assert_eq!(rest.numbers(["left"]), [0]);
}

// G9
#[test]
fn two_processes_of_a_cluster_poll_a_quiet_queue_as_one() {
    let place = sqlite("cluster.db");
    run_on(&place, &["--role", "produce", "--visits", "1", "--accounts", "1"]);
    let place: Vec<_> = place.iter().map(String::as_str).collect();
    let quiet =
        ["--role", "consume", "--accounts", "1", "--gate", "cluster", "--wait", "1", "--idle", "6", "--json"];
    let both = [(); 2].map(|()| start(&[&place[..], &quiet].concat()));
    let ended = both.map(|child| Ended::from(child.wait_with_output().unwrap()));
    let receives: u64 = ended.iter().map(|ended| ended.report()["idle"]["receives"].as_u64().unwrap()).sum();
    // Two classes, one receive a second: 12, and what begins and ends. Each by itself would make 24.
    assert!((6..=18).contains(&receives), "{} {}", ended[0].stdout, ended[1].stdout);
    let handled: u64 = ended.iter().map(|ended| ended.numbers(["unique"])[0]).sum();
    assert_eq!(handled, 1);
}

#[test]
fn two_processes_that_send_and_handle_call_nothing_lost() {
    let place = sqlite("two.db");
    let place: Vec<_> = place.iter().map(String::as_str).collect();
    let busy = ["--visits", "1500", "--accounts", "2", "--work", "5", "--json"];
    let both = [(); 2].map(|()| start(&[&place[..], &busy].concat()));
    let ended = both.map(|child| Ended::from(child.wait_with_output().unwrap()));
    for ended in &ended {
        assert_eq!((ended.numbers(["sent", "lost"]), ended.code), ([1_500, 0], Some(0)), "{}", ended.stdout);
    }
    let handled: u64 =
        ended.iter().map(|ended| ended.numbers(["unique", "earlier"]).iter().sum::<u64>()).sum();
    assert_eq!(handled, 3_000);
}

#[test]
fn a_url_of_another_kind_is_refused_at_once() {
    for (backend, url) in [("postgres", "mysql://x"), ("mysql", "postgres://x"), ("postgres", "http://foo")] {
        let ended = run(&["--backend", backend, "--database-url", url]);
        assert!(ended.code == Some(2) && ended.stderr.contains("begins with"), "{}", ended.stderr);
    }
}

#[test]
fn a_backend_that_was_not_built_in_is_told_with_its_feature() {
    let missing = [("postgres", cfg!(feature = "postgres")), ("mysql", cfg!(feature = "mysql"))];
    for (backend, _) in missing.iter().filter(|(_, built)| !built) {
        let ended = run(&["--backend", backend, "--database-url", "x"]);
        assert!(
            ended.code == Some(1) && ended.stderr.contains(&format!("--features {backend}")),
            "{}",
            ended.stderr
        );
    }
    let ended = run(&["--backend", "sqlite:/no/such/folder/x.db", "--visits", "1"]);
    assert!(ended.code == Some(1) && ended.stderr.contains("/no/such/folder/x.db"), "{}", ended.stderr);
}
