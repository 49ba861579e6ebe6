//! What became of single entries of a batch.

use std::time::Duration;

use aws_sdk_sqs::Client;
use aws_sdk_sqs::types::BatchResultErrorEntry;
use queue_core::QueueError;
use queue_core::QueueErrorKind::{self, Lost, Permanent, Transient};

use super::replay::{answer, config, replay};
use crate::error::{Call, of_entry};

/// A failed entry: of what, `Code`, `SenderFault`, `Message`; and what it means.
type Recorded = (Call, &'static str, bool, &'static str, QueueErrorKind);

#[rustfmt::skip]
const RECORDED: &[Recorded] = &[
    (Call::Send, "InternalError", false, "We encountered an internal error. Please try again.", Transient),
    (Call::Send, "InternalFailure", false, "", Transient),
    (Call::Send, "ServiceUnavailable", false, "", Transient),
    (Call::Send, "RequestThrottled", true, "The request was denied due to request throttling.", Transient),
    (Call::Send, "ThrottlingException", true, "Rate exceeded", Transient),
    (Call::Send, "KMS.ThrottlingException", true, "", Transient),
    (Call::Send, "KMS.AccessDeniedException", true, "", Transient),
    (Call::Send, "OverLimit", true, "", Transient),
    (Call::Send, "AccessDenied", true, "", Transient),
    (Call::Send, "InvalidMessageContents", true, "Invalid characters found.", Permanent),
    (Call::Send, "InvalidParameterValue", true, "One or more parameters are invalid. Reason: Message must be shorter than 1048576 bytes.", Permanent),
    (Call::Send, "InvalidParameterValue", false, "Value 901 for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= 900.", Permanent),
    (Call::Send, "MissingParameter", true, "The request must contain the parameter MessageGroupId.", Permanent),
    (Call::Send, "AWS.SimpleQueueService.UnsupportedOperation", true, "", Permanent),
    (Call::Send, "SomethingNew", true, "", Permanent),
    (Call::Send, "SomethingNew", false, "", Transient),
    (Call::Delete, "ReceiptHandleIsInvalid", true, "The receipt handle has expired", Lost),
    (Call::Delete, "ReceiptHandleIsInvalid", true, "The input receipt handle is invalid.", Lost),
    (Call::Delete, "ReceiptHandleIsInvalid", true, "The input receipt handle \"x\" is not a valid receipt handle.", Permanent),
    (Call::Delete, "InvalidParameterValue", true, "Value AQEB for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired.", Lost),
    (Call::Delete, "InternalError", false, "", Transient),
    (Call::ChangeVisibility, "AWS.SimpleQueueService.MessageNotInflight", true, "", Lost),
    (Call::ChangeVisibility, "MessageNotInflight", false, "", Lost),
    (Call::ChangeVisibility, "ReceiptHandleIsInvalid", true, "The receipt handle has expired", Lost),
    (Call::ChangeVisibility, "InvalidParameterValue", true, "Value AQEB for parameter ReceiptHandle is invalid. Reason: Message does not exist or is not available for visibility timeout change.", Lost),
    (Call::ChangeVisibility, "InvalidParameterValue", true, "Value 43200 for parameter VisibilityTimeout is invalid. Reason: Total VisibilityTimeout for the message is beyond the limit [43200 seconds].", Permanent),
    (Call::ChangeVisibility, "InternalError", false, "", Transient),
    (Call::Publish, "Throttled", true, "Rate exceeded", Transient),
    (Call::Publish, "KMSThrottling", true, "", Transient),
    (Call::Publish, "AuthorizationError", true, "", Transient),
    (Call::Publish, "InternalError", false, "", Transient),
    (Call::Publish, "InvalidParameter", true, "Invalid parameter: Message too long", Permanent),
];

/// The failed entry, by way of a recorded answer and the SDK's parsing.
async fn parsed(call: Call, entry: &serde_json::Value) -> BatchResultErrorEntry {
    let body = serde_json::json!({ "Successful": [], "Failed": [entry] }).to_string();
    let client = Client::from_conf(config().http_client(replay(answer(200, &[], &body))).build());
    macro_rules! failed {
        ($call:ident) => {
            client.$call().queue_url("https://x/1/q").send().await.unwrap().failed
        };
    }
    let mut failed = match call {
        Call::Send | Call::Publish => failed!(send_message_batch),
        Call::Delete => failed!(delete_message_batch),
        Call::ChangeVisibility => failed!(change_message_visibility_batch),
    };
    failed.remove(0)
}

async fn judge(call: Call, entry: serde_json::Value) -> QueueError {
    let failed = parsed(call, &entry).await;
    of_entry(call, failed.code(), failed.sender_fault(), failed.message())
}

// Q6, P33, P34, P36
#[tokio::test]
async fn each_failed_entry_means_what_the_table_says() {
    for recorded in RECORDED {
        let (call, code, sender_fault, message, kind) = *recorded;
        let entry = serde_json::json!({
            "Id": "0", "Code": code, "SenderFault": sender_fault, "Message": message,
        });
        let error = judge(call, entry).await;
        assert_eq!(error.kind(), kind, "{recorded:?}: {error}");
        assert!(error.message().contains(code) && error.message().contains(message), "{error}");
    }
}

// Q6
#[tokio::test]
async fn an_entry_without_a_message_has_its_code() {
    let entry = serde_json::json!({ "Id": "0", "Code": "RequestThrottled", "SenderFault": true });
    let error = judge(Call::Send, entry).await;
    assert_eq!(error.to_string(), "transient: send: too many requests (RequestThrottled)");
    assert_eq!(error.retry_after(), Some(Duration::from_secs(1)));
}

/// An entry that the service lists as failed did not happen, whatever is said of whole calls.
// Q6
#[tokio::test]
async fn no_failed_entry_is_indeterminate() {
    for row in crate::error::row::rows() {
        for code in row.codes {
            for sender_fault in [true, false] {
                let error = of_entry(Call::Send, code, sender_fault, Some(row.words));
                assert_ne!(error.kind(), QueueErrorKind::Indeterminate, "{code}");
            }
        }
    }
}
