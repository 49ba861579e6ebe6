//! Answers that are not the service's.

use queue_core::QueueErrorKind::Indeterminate;

use super::replay::{Action, answer, outcome};
use Action::{ChangeBatch, DeleteBatch, Receive, Send};

const HTML: &str = "<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>";
const XML: &str =
    "<?xml version=\"1.0\"?><ErrorResponse><Error><Code>Throttling</Code></Error></ErrorResponse>";

// P25, W7
#[tokio::test]
async fn what_is_no_answer_of_the_service_leaves_open_what_happened() {
    let bodies = [
        HTML,
        XML,
        "",
        " ",
        "{",
        "{}",
        "[]",
        "null",
        "\"QueueDoesNotExist\"",
        r#"{"__type":"com.amazonaws.sqs#Que"#,
        r#"{"__type":42}"#,
        r#"{"__type":null,"message":null}"#,
        r#"{"message":"no code"}"#,
        "\u{0}\u{1}\u{fffd}",
    ];
    for action in [Receive, Send, DeleteBatch, ChangeBatch] {
        for status in [301, 302, 400, 403, 404, 407, 408, 413, 429, 500, 502, 503, 504] {
            for body in bodies {
                let error = outcome(action, answer(status, &[], body)).await.expect("it is no success");
                assert_eq!(error.kind(), Indeterminate, "{action:?} {status} {body:?}: {error}");
            }
        }
    }
}

// P25, W7, Q8
#[tokio::test]
async fn a_success_that_cannot_be_read_leaves_open_what_happened() {
    let bodies = [HTML, XML, "{", "[]", "null", r#"{"Messages":[{"Body":"x""#, r#"{"Messages":42}"#, "{}{}"];
    for body in bodies {
        let error = outcome(Receive, answer(200, &[], body)).await.expect("it can't be read");
        assert_eq!(error.kind(), Indeterminate, "{body:?}: {error}");
        assert!(error.message().contains("HTTP 200"), "{error}");
    }
    for body in [HTML, "[]", r#"{"Successful":[{"Id":"0"}"#, r#"{"Failed":[{"Code":42}]}"#] {
        for action in [Send, DeleteBatch, ChangeBatch] {
            let error = outcome(action, answer(200, &[], body)).await.expect("it can't be read");
            assert_eq!(error.kind(), Indeterminate, "{action:?} {body:?}: {error}");
        }
    }
}
