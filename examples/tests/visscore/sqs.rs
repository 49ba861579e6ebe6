//! Runs on queues at a server that speaks as Amazon SQS does, which counts the calls.

use std::io::BufRead;
use std::process::Child;

use testkit::server::{FaultScript, SqsServer};

use crate::program::{Ended, run, start};
use crate::signals::{at_work, signal};

/// A runtime for the server's own needs, and the server.
fn server() -> SqsServer {
    block_on(SqsServer::start()).unwrap()
}

fn block_on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

/// The options of a run at the server. Short waits, as a stop awaits the receives under way.
fn at<'a>(server: &'a SqsServer, options: &[&'a str]) -> Vec<&'a str> {
    [&["--backend", "sqs", "--endpoint-url", server.endpoint_url(), "--wait", "5", "--json"], options]
        .concat()
}

// B1, B2
#[test]
fn queues_at_sqs_handle_each_visit_once_for_a_third_of_a_call() {
    let server = server();
    let ended = run(&at(&server, &["--visits", "4000", "--accounts", "3"]));
    let numbers = ended.numbers(["sent", "unique", "duplicates", "left", "lost"]);
    assert_eq!((numbers, ended.code), ([4_000, 4_000, 0, 0, 0], Some(0)), "{}", ended.stderr);
    let calls = server.calls();
    let work = ["SendMessageBatch", "ReceiveMessage", "DeleteMessageBatch"].map(|call| calls.of(call));
    assert_eq!(work.iter().sum::<u64>(), calls.total(), "{calls:?}");
    assert!(work[0] <= 480 && calls.total() <= 1_400, "0.12 and 0.35 a visit: {calls:?}");
    assert!(calls.of("CreateQueue") >= 7 && calls.setup.len() >= 3, "{calls:?}");
}

// Q3, Q6, W2, W7
#[test]
fn a_fifth_of_the_calls_may_fail_in_five_ways_and_nothing_is_lost() {
    let server = server();
    server.faults(FaultScript::in_turn(5));
    let ended = run(&at(&server, &["--visits", "4000", "--accounts", "2"]));
    let numbers = ended.numbers(["sent", "unique", "lost"]);
    assert_eq!((numbers, ended.code), ([4_000, 4_000, 0], Some(0)), "{}", ended.stderr);
    // What is left was handled before: its delete failed, and it is still hidden.
    assert!(ended.numbers(["left"])[0] <= 40, "{}", ended.stdout);
    assert!(server.struck()[0] >= 200, "{:?}", server.struck());
    assert!(server.calls().total() <= 2_000, "half a call a visit: {:?}", server.calls());
}

// W10, Q3
#[cfg(unix)]
#[test]
fn what_a_stopped_run_leaves_at_sqs_the_next_one_handles() {
    let server = server();
    let mut child = start(&at(&server, &["--visits", "200000", "--accounts", "3", "--work", "5"]));
    let mut log = at_work(&mut child);
    (&mut log).lines().filter(|line| line.as_ref().unwrap().contains("received")).nth(20); // in the middle of it
    signal(&child, "-TERM");
    let first = ended(child, log);
    let [sent, unique, left, lost] = first.numbers(["sent", "unique", "left", "lost"]);
    assert!(sent > 0 && unique + left == sent && lost == 0, "{}", first.stdout);
    let next = run(&at(&server, &["--role", "consume", "--accounts", "3", "--idle", "12"]));
    assert_eq!(next.numbers(["unique", "left", "lost"]), [left, 0, 0], "{}", next.stdout);
}

#[test]
fn options_that_belong_to_sqs_are_checked() {
    for (options, why) in [
        (&["--backend", "sqs", "--endpoint-url", "127.0.0.1:9324"][..], "neither http:// nor https://"),
        (&["--backend", "memory", "--region", "eu-west-1"], "belong to --backend sqs"),
        (&["--backend", "sqs", "--gate", "cluster"], "needs a --database-url"),
        (&["--backend", "sqs", "--database-url", "redis://x"], "begins with"),
    ] {
        let ended = run(options);
        assert!(ended.code == Some(2) && ended.stderr.contains(why), "{options:?}: {}", ended.stderr);
    }
    let ended = run(&["--backend", "sqs", "--endpoint-url", "http://127.0.0.1:9", "--visits", "1"]);
    assert!(ended.code == Some(1) && ended.stderr.contains("looking for the queues"), "{}", ended.stderr);
}

/// The end of a run whose log is read on, so that it doesn't stand still.
fn ended(child: Child, mut log: impl std::io::Read + Send + 'static) -> Ended {
    let rest = std::thread::spawn(move || log.read_to_string(&mut String::new()));
    let ended = child.wait_with_output().unwrap().into();
    rest.join().unwrap().unwrap();
    ended
}
