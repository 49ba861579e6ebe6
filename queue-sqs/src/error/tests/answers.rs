//! What the service answers to a whole call, as it is documented ("Amazon SQS API Reference", "Common Errors" and the
//! errors of each action; "AWS JSON 1.0 protocol" for the form).

use std::collections::BTreeSet;
use std::time::Duration;

use queue_core::QueueErrorKind::{self, Indeterminate, Lost, Permanent, Transient};

use super::replay::{Action, answer, outcome};
use crate::error::row::bare;
use crate::error::table::ROWS;
use Action::{
    Attributes, CancelMove, Change, ChangeBatch, Create, Delete, DeleteBatch, Move, Purge, Receive, Send,
};

/// An answer: to what, the HTTP status, `x-amzn-query-error`, `__type`, `message`; and what it means.
type Recorded = (Action, u16, &'static str, &'static str, &'static str, QueueErrorKind, Option<u64>);

#[rustfmt::skip]
const RECORDED: &[Recorded] = &[
    (Send, 400, "RequestThrottled;Sender", "com.amazonaws.sqs#RequestThrottled", "The request was denied due to request throttling.", Transient, Some(1)),
    (Receive, 403, "RequestThrottled;Sender", "com.amazonaws.sqs#RequestThrottled", "Request is throttled.", Transient, Some(1)),
    (ChangeBatch, 400, "ThrottlingException;Sender", "com.amazon.coral.service#ThrottlingException", "Rate exceeded", Transient, Some(1)),
    (Receive, 400, "Throttling;Sender", "com.amazon.coral.availability#ThrottlingException", "Rate exceeded", Transient, Some(1)),
    (Receive, 429, "", "TooManyRequestsException", "Too Many Requests", Transient, Some(1)),
    (Delete, 503, "", "RequestLimitExceeded", "Request limit exceeded.", Transient, Some(1)),
    (Delete, 503, "", "SlowDown", "Please reduce your request rate.", Transient, Some(1)),
    (Send, 400, "KMS.ThrottlingException;Sender", "com.amazonaws.sqs#KmsThrottled", "Amazon Web Services KMS throttles requests for the following conditions.", Transient, Some(1)),
    (Send, 400, "", "SomeNewThrottle", "A throttle of a name that nobody knew.", Transient, Some(1)),
    (Receive, 400, "OverLimit;Sender", "com.amazonaws.sqs#OverLimit", "Too many messages in flight.", Transient, None),
    (Receive, 403, "OverLimit;Sender", "com.amazonaws.sqs#OverLimit", "Too many messages in flight.", Transient, None),

    (Receive, 503, "ServiceUnavailable;Receiver", "com.amazon.coral.service#ServiceUnavailableException", "The request has failed due to a temporary failure of the server.", Transient, None),
    (Receive, 500, "InternalError;Receiver", "com.amazonaws.sqs#InternalError", "We encountered an internal error. Please try again.", Indeterminate, None),
    (Send, 500, "InternalFailure;Receiver", "com.amazon.coral.service#InternalFailure", "", Indeterminate, None),
    (DeleteBatch, 500, "", "InternalServerError", "", Indeterminate, None),
    (Receive, 500, "", "com.amazon.coral.service#InternalServiceException", "", Indeterminate, None),
    (Send, 400, "", "RequestTimeoutException", "Your socket connection was not read from or written to within the timeout period.", Indeterminate, None),

    (Receive, 400, "AWS.SimpleQueueService.NonExistentQueue;Sender", "com.amazonaws.sqs#QueueDoesNotExist", "The specified queue does not exist.", Transient, None),
    (DeleteBatch, 400, "AWS.SimpleQueueService.NonExistentQueue;Sender", "com.amazonaws.sqs#QueueDoesNotExist", "The specified queue does not exist for this wsdl version.", Transient, None),
    (Attributes, 400, "", "com.amazonaws.sqs#QueueDoesNotExist", "The specified queue does not exist.", Transient, None),
    (Send, 403, "AccessDenied;Sender", "com.amazonaws.sqs#AccessDeniedException", "User: arn:aws:iam::1:user/u is not authorized to perform: sqs:sendmessage", Transient, None),
    (Receive, 400, "", "com.amazon.coral.service#AccessDeniedException", "You do not have sufficient access to perform this action.", Transient, None),
    (Receive, 400, "", "NotAuthorized", "You do not have permission to perform this action.", Transient, None),
    (Receive, 403, "", "UnauthorizedOperation", "", Transient, None),
    (Send, 400, "InvalidSecurity;Sender", "com.amazonaws.sqs#InvalidSecurity", "The request was not made over HTTPS or did not use SigV4 for signing.", Transient, None),
    (Receive, 403, "InvalidClientTokenId;Sender", "com.amazon.coral.service#UnrecognizedClientException", "The security token included in the request is invalid.", Transient, None),
    (Receive, 403, "InvalidAccessKeyId;Sender", "com.amazonaws.sqs#InvalidAccessKeyId", "", Transient, None),
    (Receive, 403, "MissingAuthenticationToken;Sender", "com.amazon.coral.service#MissingAuthenticationTokenException", "Missing Authentication Token", Transient, None),
    (Receive, 403, "ExpiredToken;Sender", "com.amazon.coral.service#ExpiredTokenException", "The security token included in the request is expired", Transient, None),
    (Receive, 400, "", "TokenRefreshRequired", "The provided token must be refreshed.", Transient, None),
    (Send, 403, "SignatureDoesNotMatch;Sender", "com.amazon.coral.service#InvalidSignatureException", "The request signature we calculated does not match the signature you provided.", Transient, None),
    (Send, 403, "", "SignatureDoesNotMatch", "The request signature we calculated does not match the signature you provided.", Transient, None),
    (Send, 400, "IncompleteSignature;Sender", "com.amazon.coral.service#IncompleteSignatureException", "The request signature does not conform to AWS standards.", Transient, None),
    (Send, 400, "RequestExpired;Sender", "RequestExpired", "Request has expired.", Transient, None),
    (Send, 403, "", "RequestTimeTooSkewed", "", Transient, None),
    (Send, 403, "OptInRequired;Sender", "OptInRequired", "The AWS access key ID needs a subscription for the service.", Transient, None),
    (Send, 400, "KMS.OptInRequired;Sender", "com.amazonaws.sqs#KmsOptInRequired", "The request was rejected because the specified key policy isn't syntactically or semantically correct.", Transient, None),
    (Receive, 400, "KMS.AccessDeniedException;Sender", "com.amazonaws.sqs#KmsAccessDenied", "The caller doesn't have the required KMS access.", Transient, None),
    (Send, 400, "KMS.DisabledException;Sender", "com.amazonaws.sqs#KmsDisabled", "The request was denied due to request throttling.", Transient, None),
    (Receive, 400, "KMS.InvalidStateException;Sender", "com.amazonaws.sqs#KmsInvalidState", "The state of the specified resource is not valid for this request.", Transient, None),
    (Send, 400, "KMS.InvalidKeyUsageException;Sender", "com.amazonaws.sqs#KmsInvalidKeyUsage", "", Transient, None),
    (Send, 400, "KMS.NotFoundException;Sender", "com.amazonaws.sqs#KmsNotFound", "The specified entity or resource could not be found.", Transient, None),

    (Purge, 403, "AWS.SimpleQueueService.PurgeQueueInProgress;Sender", "com.amazonaws.sqs#PurgeQueueInProgress", "Only one PurgeQueue operation on visits is allowed every 60 seconds.", Transient, Some(60)),
    (Create, 400, "AWS.SimpleQueueService.QueueDeletedRecently;Sender", "com.amazonaws.sqs#QueueDeletedRecently", "You must wait 60 seconds after deleting a queue before you can create another with the same name.", Transient, Some(60)),

    (Delete, 404, "ReceiptHandleIsInvalid;Sender", "com.amazonaws.sqs#ReceiptHandleIsInvalid", "The input receipt handle is invalid.", Lost, None),
    (Delete, 400, "ReceiptHandleIsInvalid;Sender", "com.amazonaws.sqs#ReceiptHandleIsInvalid", "The input receipt handle \"garbage\" is not a valid receipt handle.", Permanent, None),
    (Delete, 400, "InvalidIdFormat;Sender", "com.amazonaws.sqs#InvalidIdFormat", "The specified receipt handle isn't valid for the specified version.", Permanent, None),
    (Delete, 400, "InvalidParameterValue;Sender", "com.amazonaws.sqs#InvalidParameterValueException", "Value AQEB for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired.", Lost, None),
    (Change, 400, "AWS.SimpleQueueService.MessageNotInflight;Sender", "com.amazonaws.sqs#MessageNotInflight", "The specified message isn't in flight.", Lost, None),
    (Change, 400, "ReceiptHandleIsInvalid;Sender", "com.amazonaws.sqs#ReceiptHandleIsInvalid", "The specified receipt handle isn't valid.", Lost, None),
    (Change, 400, "InvalidParameterValue;Sender", "com.amazonaws.sqs#InvalidParameterValueException", "Value AQEB for parameter ReceiptHandle is invalid. Reason: Message does not exist or is not available for visibility timeout change.", Lost, None),
    (Change, 400, "InvalidParameterValue;Sender", "com.amazonaws.sqs#InvalidParameterValueException", "Value 43200 for parameter VisibilityTimeout is invalid. Reason: Total VisibilityTimeout for the message is beyond the limit [43200 seconds].", Permanent, None),

    (Receive, 400, "InvalidParameterValue;Sender", "com.amazonaws.sqs#InvalidParameterValueException", "Value 11 for parameter MaxNumberOfMessages is invalid. Reason: Must be between 1 and 10, if provided.", Permanent, None),
    (Send, 400, "InvalidParameterCombination;Sender", "InvalidParameterCombination", "", Permanent, None),
    (Send, 400, "", "InvalidQueryParameter", "", Permanent, None),
    (Send, 404, "", "MalformedQueryString", "The query string contains a syntax error.", Permanent, None),
    (Send, 400, "", "MissingAction", "", Permanent, None),
    (Send, 400, "MissingParameter;Sender", "com.amazonaws.sqs#MissingRequiredParameterException", "The request must contain the parameter MessageGroupId.", Permanent, None),
    (Send, 400, "", "com.amazon.coral.service#SerializationException", "Start of structure or map found where not expected.", Permanent, None),
    (Send, 400, "", "ValidationException", "", Permanent, None),
    (Send, 400, "", "ValidationError", "The input fails to satisfy the constraints specified by an AWS service.", Permanent, None),
    (Send, 400, "InvalidMessageContents;Sender", "com.amazonaws.sqs#InvalidMessageContents", "Invalid characters found.", Permanent, None),
    (Send, 400, "AWS.SimpleQueueService.BatchRequestTooLong;Sender", "com.amazonaws.sqs#BatchRequestTooLong", "Batch requests cannot be longer than 1048576 bytes.", Permanent, None),
    (Send, 400, "AWS.SimpleQueueService.TooManyEntriesInBatchRequest;Sender", "com.amazonaws.sqs#TooManyEntriesInBatchRequest", "Maximum number of entries per request are 10. You have sent 11.", Permanent, None),
    (DeleteBatch, 400, "AWS.SimpleQueueService.EmptyBatchRequest;Sender", "com.amazonaws.sqs#EmptyBatchRequest", "There should be at least one DeleteMessageBatchRequestEntry in the request.", Permanent, None),
    (ChangeBatch, 400, "AWS.SimpleQueueService.BatchEntryIdsNotDistinct;Sender", "com.amazonaws.sqs#BatchEntryIdsNotDistinct", "Id 0 repeated.", Permanent, None),
    (ChangeBatch, 400, "AWS.SimpleQueueService.InvalidBatchEntryId;Sender", "com.amazonaws.sqs#InvalidBatchEntryId", "A batch entry id can only contain alphanumeric characters, hyphens and underscores.", Permanent, None),
    (Attributes, 400, "InvalidAttributeName;Sender", "com.amazonaws.sqs#InvalidAttributeName", "Unknown Attribute Foo.", Permanent, None),
    (Create, 400, "InvalidAttributeValue;Sender", "com.amazonaws.sqs#InvalidAttributeValue", "Invalid value for the parameter DelaySeconds.", Permanent, None),
    (Receive, 404, "InvalidAddress;Sender", "com.amazonaws.sqs#InvalidAddress", "The address https://sqs.us-east-1.amazonaws.com/ is not valid for this endpoint.", Permanent, None),
    (Create, 400, "QueueAlreadyExists;Sender", "com.amazonaws.sqs#QueueNameExists", "A queue already exists with the same name and a different value for attribute DelaySeconds", Permanent, None),
    (CancelMove, 404, "ResourceNotFoundException;Sender", "com.amazonaws.sqs#ResourceNotFoundException", "Task does not exist.", Permanent, None),
    (Move, 400, "AWS.SimpleQueueService.UnsupportedOperation;Sender", "com.amazonaws.sqs#UnsupportedOperation", "Unsupported operation.", Permanent, None),
    (Move, 400, "InvalidAction;Sender", "com.amazon.coral.service#UnknownOperationException", "", Permanent, None),

    (Send, 400, "SomethingNew;Sender", "com.amazonaws.sqs#SomethingNew", "It is wrong.", Permanent, None),
    (Send, 500, "SomethingNew;Receiver", "com.amazonaws.sqs#SomethingNew", "We are wrong.", Indeterminate, None),
    (Send, 418, "", "SomethingNew", "", Permanent, None),
    (Receive, 502, "", "SomethingNew", "", Indeterminate, None),
];

async fn check(recorded: Recorded, old_name: &str) {
    let (action, status, _, name, message, kind, pause) = recorded;
    let body = serde_json::json!({ "__type": name, "message": message }).to_string();
    let headers: &[_] = if old_name.is_empty() { &[] } else { &[("x-amzn-query-error", old_name)] };
    let error = outcome(action, answer(status, headers, &body)).await.expect("it failed");
    let context = format!("{recorded:?} as {old_name:?}: {error} {:?}", error.retry_after());
    assert_eq!((error.kind(), error.retry_after()), (kind, pause.map(Duration::from_secs)), "{context}");
}

// P25, P31, P32, W7
#[tokio::test]
async fn each_documented_answer_means_what_the_table_says() {
    for recorded in RECORDED {
        check(*recorded, recorded.2).await;
    }
}

/// The SDK models an error only by its old name, which proxies and stand-ins leave out.
// P25
#[tokio::test]
async fn an_answer_without_the_old_name_means_the_same() {
    for recorded in RECORDED {
        check(*recorded, "").await;
    }
}

// P25, P31
#[tokio::test]
async fn the_status_does_not_matter_where_there_is_a_code() {
    for recorded in RECORDED.iter().filter(|recorded| !recorded.3.ends_with("SomethingNew")) {
        for status in [400, 403, 404, 429, 500, 503] {
            let mut other = *recorded;
            other.1 = status;
            check(other, recorded.2).await;
        }
    }
}

/// The codes of the common table, as the answers above have them.
// P25
#[tokio::test]
async fn no_code_of_the_table_is_untried() {
    let names = RECORDED.iter().flat_map(|recorded| [recorded.2.split(';').next().unwrap(), recorded.3]);
    let code = |name: &str| bare(name.rsplit('#').next().unwrap()).into_owned();
    let tried: BTreeSet<String> = names.map(code).collect();
    let sns = ["Throttled", "AuthorizationError", "KmsThrottling"]; // tried in `topics`
    let codes = ROWS.iter().flat_map(|row| row.codes).filter(|code| !sns.contains(code));
    let untried: Vec<_> = codes.filter(|code| !tried.contains(**code)).collect();
    assert!(untried.is_empty(), "{untried:?}");
}

/// The words say what is wrong and what would be right; the chain has the service's own.
#[tokio::test]
async fn the_words_are_told_once() {
    let headers = [("x-amzn-query-error", "AWS.SimpleQueueService.NonExistentQueue;Sender")];
    let body = r#"{"__type":"com.amazonaws.sqs#QueueDoesNotExist","message":"No such thing."}"#;
    let error = outcome(Receive, answer(400, &headers, body)).await.unwrap();
    assert_eq!(
        error.to_string(),
        "transient: receive: the queue does not exist; create it, or mend the URL, region or account \
         (AWS.SimpleQueueService.NonExistentQueue)"
    );
    let chain: Vec<_> =
        std::iter::successors(std::error::Error::source(&error), |error| error.source()).collect();
    let telling = chain.iter().filter(|error| error.to_string().contains("No such thing.")).count();
    assert_eq!(telling, 1, "{chain:?}");
}

// P31
#[tokio::test]
async fn an_answer_says_how_long_to_stay_away_within_reason() {
    let body = r#"{"__type":"RequestThrottled"}"#;
    let pauses = [
        ("retry-after", "7", Some(7_000)),
        ("retry-after", " 7 ", Some(7_000)),
        ("x-amz-retry-after", "1500", Some(1_500)),
        ("retry-after", "999999999", Some(300_000)),
        ("retry-after", "-1", Some(1_000)),
        ("retry-after", "Fri, 31 Dec 1999 23:59:59 GMT", Some(1_000)),
    ];
    for (name, value, pause) in pauses {
        let error = outcome(Send, answer(503, &[(name, value)], body)).await.unwrap();
        assert_eq!(error.retry_after(), pause.map(Duration::from_millis), "{name}: {value}");
    }
    let refused = r#"{"__type":"InvalidMessageContents"}"#;
    let error = outcome(Send, answer(400, &[("retry-after", "7")], refused)).await.unwrap();
    assert_eq!((error.kind(), error.retry_after()), (Permanent, None), "never is not later");
}
