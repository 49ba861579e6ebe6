//! Single calls gathered into batches over a queue whose calls fail.

use futures::future::join_all;
use queue_core::QueueErrorKind::{Indeterminate, Permanent};
use queue_core::{Coalesced, Consumer, Depth, Outgoing, PublisherExt, ReceiveOptions, SettleError};
use testkit::server::{Fault, FaultScript, Rule};

use crate::world::{depth, first, publish, queue, server};

fn each(count: usize) -> impl Iterator<Item = Outgoing> {
    (0..count).map(|number| Outgoing::new(number.to_string()))
}

// P34, Q6
#[tokio::test]
async fn a_call_that_fails_in_passing_is_made_again_for_its_own_entries_only() {
    let server = server().await;
    let main = queue(&server, "main", 30).await;
    let rule = Rule::new(Fault::throttled()).with_operation("SendMessageBatch").with_after(1).with_times(1);
    server.faults(FaultScript::new([rule]));
    let coalesced = Coalesced::new(main.clone());
    let answers = join_all(each(25).map(|message| coalesced.publish_one(message))).await;
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    let (stored, calls) = (depth(&main).await, server.calls().of("SendMessageBatch"));
    assert!(stored == Depth::new(25, 0, 0) && calls <= 5, "{stored:?} by {calls} calls");
}

// P34, Q6
#[tokio::test]
async fn entries_that_failed_in_passing_are_sent_again_and_a_senders_fault_is_handed_back() {
    let server = server().await;
    let main = queue(&server, "main", 30).await;
    let codes = [None, Some("InternalError"), Some("InvalidMessageContents"), Some("ServiceUnavailable")];
    server.faults(first("SendMessageBatch", 1, Fault::partial(codes)));
    let coalesced = Coalesced::new(main.clone());
    let answers = coalesced.publish_all(each(5).collect()).await;
    let failed: Vec<_> = answers.iter().filter_map(|answer| answer.as_ref().err()).collect();
    assert_eq!(failed.len(), 1, "{answers:?}");
    assert_eq!((failed[0].kind(), failed[0].message().body()), (Permanent, "2"));
    assert_eq!((depth(&main).await.visible, server.calls().of("SendMessageBatch")), (4, 2));
}

// Q6: sent again, they could be stored twice
#[tokio::test]
async fn publishes_whose_answer_was_lost_are_handed_back() {
    let server = server().await;
    let main = queue(&server, "main", 30).await;
    server.faults(first("SendMessageBatch", 1, Fault::cut(testkit::server::Cut::After)));
    let answers = Coalesced::new(main.clone()).publish_all(each(3).collect()).await;
    assert!(answers.iter().all(|a| a.as_ref().is_err_and(|r| r.kind() == Indeterminate)), "{answers:?}");
    assert_eq!((depth(&main).await.visible, server.calls().of("SendMessageBatch")), (3, 1));
}

// P33, P36, Q6
#[tokio::test]
async fn deletes_that_failed_in_passing_are_made_again_and_a_senders_fault_gives_the_delivery_back() {
    let server = server().await;
    let main = queue(&server, "main", 30).await;
    publish(&main, 10).await;
    let coalesced = Coalesced::new(main.clone());
    let deliveries = coalesced.receive(ReceiveOptions::default()).await.unwrap();
    assert_eq!(deliveries.len(), 10);
    let codes = [Some("InternalError"), None, Some("InvalidParameterValue"), Some("ServiceUnavailable")];
    server.faults(first("DeleteMessageBatch", 1, Fault::partial(codes)));
    let answers = join_all(deliveries.into_iter().map(queue_core::Delivery::ack)).await;
    let mut failed: Vec<_> = answers.into_iter().filter_map(Result::err).collect();
    assert_eq!(failed.iter().map(SettleError::kind).collect::<Vec<_>>(), [Permanent]);
    assert_eq!((depth(&main).await.in_flight, server.calls().of("DeleteMessageBatch")), (1, 2));
    let back = failed.remove(0).into_delivery();
    let (settler, receipt) = (std::sync::Arc::clone(back.settler()), back.receipt().clone());
    back.ack().await.unwrap();
    assert!(settler.delete(vec![receipt.clone(), receipt]).await.iter().all(Result::is_ok), "P36");
    assert_eq!(depth(&main).await, Depth::empty());
}

// P37, P38, B1, B2
#[tokio::test]
async fn a_hundred_messages_one_by_one_cost_ten_calls_of_each_kind() {
    let server = server().await;
    let main = queue(&server, "main", 30).await;
    let coalesced = Coalesced::new(main.clone());
    join_all(each(100).map(|message| coalesced.publish_one(message))).await;
    let mut deliveries = Vec::new();
    while deliveries.len() < 100 {
        deliveries.extend(coalesced.receive(ReceiveOptions::default()).await.unwrap());
    }
    join_all(deliveries.into_iter().map(queue_core::Delivery::ack)).await;
    let calls = server.calls();
    let counts = ["SendMessageBatch", "ReceiveMessage", "DeleteMessageBatch"].map(|name| calls.of(name));
    assert!(counts[0] <= 12 && counts[1..] == [10, 10], "{counts:?}");
    assert_eq!(depth(&main).await, Depth::empty());
}
