//! W7: what goes wrong with receives ends nothing and costs little.

use queue_core::{Depth, Outgoing, Publisher, WorkerClass};
use testkit::server::{Cut, Fault, FaultScript, Rule};
use tokio::time::sleep;
use worker::{Receiver, handler};

use crate::world::{Seen, depth, first, ms, note, publish, queue, server, until};

/// Errors that the service names, and names that it does not know yet. Those that ask for a minute's pause are left out:
/// no receive is answered with them.
const CODES: [&str; 30] = [
    "QueueDoesNotExist",
    "AccessDenied",
    "AccessDeniedException",
    "InvalidSecurity",
    "InvalidAddress",
    "InvalidClientTokenId",
    "UnrecognizedClientException",
    "ExpiredToken",
    "ExpiredTokenException",
    "SignatureDoesNotMatch",
    "IncompleteSignature",
    "MissingAuthenticationToken",
    "RequestExpired",
    "OptInRequired",
    "OverLimit",
    "RequestThrottled",
    "ThrottlingException",
    "TooManyRequestsException",
    "ServiceUnavailable",
    "InternalError",
    "InternalFailure",
    "KmsAccessDenied",
    "KmsDisabled",
    "KmsInvalidState",
    "KmsNotFound",
    "KmsThrottled",
    "UnsupportedOperation",
    "InvalidParameterValue",
    "ValidationError",
    "SomethingNobodyHeardOf",
];

/// Answers that are none of the service's, and connections that end.
fn garbage() -> Vec<Fault> {
    vec![
        Fault::status(200, ""),
        Fault::status(200, "<html>maintenance</html>"),
        Fault::status(200, r#"{"Messages":"#),
        Fault::status(200, r#"{"Messages":7}"#),
        Fault::status(200, "\0\u{1}\u{feff}"),
        Fault::status(302, ""),
        Fault::status(403, "<Error><Code>AccessDenied</Code></Error>"),
        Fault::status(404, "404 page not found"),
        Fault::status(500, ""),
        Fault::status(502, "<html>bad gateway</html>"),
        Fault::status(418, r#"{"__type":7}"#),
        Fault::cut(Cut::Before),
        Fault::cut(Cut::After),
    ]
}

// W7, P25
#[tokio::test]
async fn no_answer_ends_polling() {
    let server = server().await;
    let faults = CODES.iter().map(|code| Fault::error(*code)).chain(garbage());
    let named = |number| format!("queue-{number}");
    let rules = faults.enumerate().map(|(number, fault)| {
        Rule::new(fault).with_operation("ReceiveMessage").with_queue(named(number)).with_times(1)
    });
    let rules: Vec<_> = rules.collect();
    let mut receivers = Vec::new();
    for number in 0..rules.len() {
        // What a lost answer took along comes back after three seconds.
        let queue = queue(&server, &named(number), 3).await;
        publish(&queue, 1).await;
        receivers.push((queue, Seen::default()));
    }
    let all = rules.len();
    server.faults(FaultScript::new(rules));
    let run = |(queue, seen): &(_, Seen)| {
        let builder = Receiver::builder(Clone::clone(queue)).wait(ms(1_000));
        builder.handler(handler(note).with(seen.clone())).start()
    };
    let running: Vec<_> = receivers.iter().map(run).collect();
    until("all were handled", || running.iter().all(|running| running.account().handled >= 1)).await;
    assert_eq!(server.struck(), vec![1; all]);
    for (running, (queue, seen)) in running.into_iter().zip(&receivers) {
        let account = running.stop(ms(1_000)).await;
        assert!(account.failed_receives <= 1 && seen.count() >= 1, "{queue:?}: {account:?}");
    }
}

/// How many calls ten pollers of a failing queue make within two seconds.
async fn calls_while(code: &str) -> u64 {
    let server = server().await;
    let main = queue(&server, "main", 1).await;
    server.faults(FaultScript::new([Rule::new(Fault::error(code)).with_operation("ReceiveMessage")]));
    let builder = Receiver::builder(main).pollers(WorkerClass::MAIN, 10).pollers(WorkerClass::RETRY, 5);
    let running = builder.handler(handler(note).with(Seen::default())).start();
    sleep(ms(1_900)).await;
    let calls = server.calls().of("ReceiveMessage");
    running.stop(ms(100)).await;
    calls
}

// W7, B5, P31, P32: the pauses are 0.5, 1.5, 4.5, 13.5 and 30 s at least, so two calls in the first two seconds are
// six in the first minute at most. The SDK's own retries would make them six at once.
#[tokio::test]
async fn receives_that_fail_are_made_ever_more_rarely_and_by_nobody_behind_our_back() {
    let (missing, refused, expired, busy) = tokio::join!(
        calls_while("QueueDoesNotExist"),
        calls_while("InvalidClientTokenId"),
        calls_while("ExpiredToken"),
        calls_while("ServiceUnavailable"),
    );
    for calls in [missing, refused, expired, busy] {
        assert!((1..=2).contains(&calls), "{calls}");
    }
}

// W7: the breaker heeds what the service asks for
#[tokio::test]
async fn a_service_that_asks_for_a_pause_gets_it() {
    let (server, seen) = (server().await, Seen::default());
    let main = queue(&server, "main", 30).await;
    publish(&main, 1).await;
    let fault = Fault::throttled().with_retry_after(2);
    server.faults(FaultScript::new([Rule::new(fault).with_operation("ReceiveMessage").with_times(1)]));
    let running =
        Receiver::builder(main.clone()).wait(ms(1_000)).handler(handler(note).with(seen.clone())).start();
    sleep(ms(1_800)).await;
    assert_eq!((server.calls().of("ReceiveMessage"), seen.count()), (1, 0));
    until("it was handled", || seen.count() == 1).await;
    running.stop(ms(1_000)).await;
    assert_eq!(depth(&main).await, Depth::empty());
}

// W7: a queue that is removed and made again
#[tokio::test]
async fn polling_finds_a_queue_that_was_made_again() {
    let (server, seen) = (server().await, Seen::default());
    let main = queue(&server, "main", 30).await;
    let client = crate::client::client(server.endpoint_url());
    client.delete_queue().queue_url(main.url()).send().await.unwrap();
    let running =
        Receiver::builder(main.clone()).wait(ms(1_000)).handler(handler(note).with(seen.clone())).start();
    until("it failed", || running.account().failed_receives > 0).await;
    server.advance(std::time::Duration::from_mins(2)); // a name is taken for a minute after
    publish(&queue(&server, "main", 30).await, 1).await;
    until("it was handled", || seen.count() == 1).await;
    running.stop(ms(1_000)).await;
}

// Q8, W8: otherwise the group is blocked until the visibility timeout ends
#[tokio::test]
async fn a_fifo_receive_whose_answer_was_lost_is_repeated_under_its_attempt_id() {
    let (server, seen) = (server().await, Seen::default());
    let main = queue(&server, "main.fifo", 30).await;
    let words =
        ["1", "2", "3"].map(|word| Outgoing::new(word).with_group_key("g").with_deduplication_id(word));
    assert!(main.publish(words.into()).await.iter().all(Result::is_ok));
    server.faults(first("ReceiveMessage", 1, Fault::cut(Cut::After)));
    let running =
        Receiver::builder(main.clone()).wait(ms(1_000)).handler(handler(note).with(seen.clone())).start();
    until("all were handled", || running.account().handled == 3).await;
    let account = running.stop(ms(1_000)).await;
    assert_eq!((account.failed_receives, seen.count()), (1, 3));
    assert_eq!(depth(&main).await, Depth::empty());
}
