//! Dead letters: what moves there, what it keeps, and how it comes back.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use queue_core::{
    AttributeValue, Consumer, Delivery, MessageId, Outgoing, PublisherExt, QueueErrorKind, ReceiveOptions,
    Rejected,
};
use queue_sql::{SqlQueue, SqlStore as Store};
use tokio::task::JoinSet;

use crate::database::Database;
use crate::support::{delete, depth, drain, give_back, secs, send, send_all, take, take_one, words};

crate::each::on_each_database! {
    // Q7, TQ11
    #[test] a_moved_message_keeps_its_id_its_age_and_all_that_it_carries;
    // Q7, Q8, TQ11
    #[test] in_an_ordered_queue_the_group_goes_on_and_the_order_is_kept;
    // Q4, Q7
    #[test] a_receipt_of_a_moved_message_is_lost;
    // Q7, P75: consumers that move while others publish, receive and delete
    #[test] moves_and_receives_at_once_lose_nothing;
    // Q7
    #[test] a_redrive_takes_all_back_in_order_while_consumers_run;
    // Q7
    #[test] a_redriven_message_is_as_it_was_sent_and_counts_anew;
    // Q7, Q8
    #[test] a_redrive_of_groups_keeps_their_order;
    // Q7
    #[test] a_redrive_to_where_it_can_not_go_is_refused;
}

type Pair<S> = (SqlQueue<S>, SqlQueue<S>);

/// A queue whose messages may be received so often, and its dead-letter queue.
async fn pair<D: Database>(database: &D, ordered: bool, most: u32) -> Pair<D::Store> {
    let handle = database.open();
    let of_kind = |name: &str| if ordered { handle.queue(name).ordered() } else { handle.queue(name) };
    let dead = of_kind("dead").build().await.unwrap();
    let queue = of_kind("jobs").dead_letter(&dead, most).build().await.unwrap();
    (queue, dead)
}

async fn a_moved_message_keeps_its_id_its_age_and_all_that_it_carries<D: Database>(database: &D) {
    let (queue, dead) = pair(database, false, 3).await;
    let id = queue.publish_one(poison()).await.map_err(Rejected::into_error).unwrap();
    let sent_at = receive_and_give_back(&queue, 3).await;
    assert!(take(&queue).await.is_empty(), "the fourth receive moves it");
    assert_is_poison(&take_one(&dead).await, &id, sent_at);
    assert_eq!((queue.counts().dead_lettered, depth(&queue).await.total()), (1, 0));
}

/// A message that carries all that a message can.
fn poison() -> Outgoing {
    Outgoing::new("poison\twith ünïcode 🦀")
        .with_group_key("tenant")
        .with_attribute("number", AttributeValue::number("-1.50").with_label("float"))
        .with_attribute("bytes", AttributeValue::binary([0_u8, 255, 10]))
}

/// It is that message, sent then, and this is its first receive from where it is.
fn assert_is_poison(delivery: &Delivery, id: &MessageId, sent_at: SystemTime) {
    let (found, sent) = (delivery.message(), poison());
    assert_eq!((found.id(), found.body(), found.receive_count()), (id, sent.body(), 1));
    assert_eq!((found.attributes(), found.sent_at()), (sent.attributes(), Some(sent_at)));
    assert_eq!(found.group_key(), sent.group_key());
}

/// Receives the one message and gives it back, so many times. Says when it was sent.
async fn receive_and_give_back<S: Store>(queue: &SqlQueue<S>, times: u32) -> SystemTime {
    let mut sent_at = None;
    for count in 1..=times {
        let held = take_one(queue).await;
        assert_eq!(held.message().receive_count(), count);
        sent_at = held.message().sent_at();
        held.release(Duration::ZERO).await.unwrap();
    }
    sent_at.unwrap()
}

async fn in_an_ordered_queue_the_group_goes_on_and_the_order_is_kept<D: Database>(database: &D) {
    let (queue, dead) = pair(database, true, 1).await;
    send(&queue, "a1 a2 b1 a3").await;
    let options = ReceiveOptions::new(2).with_wait(Duration::ZERO);
    let failed = queue.receive(options).await.unwrap();
    assert_eq!(words(&failed), ["a1", "a2"]);
    give_back(failed).await;
    let mut next = take(&queue).await;
    next.sort_by(|one, other| one.message().body().cmp(other.message().body()));
    assert_eq!(words(&next), ["a3", "b1"]);
    send(&dead, "a4").await;
    let moved = take(&dead).await;
    assert_eq!(words(&moved), ["a1", "a2", "a4"]);
    assert!(moved.iter().all(|delivery| delivery.message().group_key() == Some("a")));
    assert_eq!(queue.counts().dead_lettered, 2);
}

async fn a_receipt_of_a_moved_message_is_lost<D: Database>(database: &D) {
    for ordered in [false, true] {
        let database = D::fresh().await;
        let (queue, dead) = pair(&database, ordered, 1).await;
        send(&queue, "a1").await;
        let held = take_one(&queue).await;
        let (settler, receipt) = (Arc::clone(held.settler()), held.receipt().clone());
        held.release(Duration::ZERO).await.unwrap();
        assert!(take(&queue).await.is_empty());
        let error = settler.delete(vec![receipt.clone()]).await.remove(0).unwrap_err();
        assert_eq!(error.kind(), QueueErrorKind::Lost, "{error}");
        let error = settler.change_visibility(vec![(receipt, secs(5))]).await.remove(0).unwrap_err();
        assert_eq!(error.kind(), QueueErrorKind::Lost, "{error}");
        assert_eq!(depth(&dead).await.visible, 1, "it is in the dead-letter queue still");
        database.remove().await;
    }
    drop(database.open());
}

const MESSAGES: usize = 1_000;

/// Deletes every other message, by its number, and gives back the rest, until nothing is left.
async fn consume<S: Store>(queue: SqlQueue<S>) -> Vec<String> {
    let mut handled = Vec::new();
    loop {
        let taken = queue.receive(ReceiveOptions::new(10).with_wait(secs(1))).await.unwrap();
        if taken.is_empty() {
            return handled;
        }
        let is_good = |body: &str| body[1..].parse::<usize>().unwrap().is_multiple_of(2);
        let (good, bad): (Vec<_>, Vec<_>) = taken.into_iter().partition(|it| is_good(it.message().body()));
        handled.extend(words(&good).into_iter().map(str::to_owned));
        delete(good).await;
        give_back(bad).await;
    }
}

async fn moves_and_receives_at_once_lose_nothing<D: Database>(_database: &D) {
    for ordered in [false, true] {
        let database = D::fresh().await;
        let (queue, dead) = pair(&database, ordered, 2).await;
        let letters = (0..MESSAGES).map(|number| {
            let letter = char::from(b'a' + u8::try_from(number % 20).unwrap());
            crate::support::message(&queue, &format!("{letter}{number}"))
        });
        let letters = letters.collect();
        let mut tasks = JoinSet::new();
        for _consumer in 0..8 {
            tasks.spawn(consume(queue.clone()));
        }
        send_all(&queue, letters).await;
        let mut handled: Vec<_> = tasks.join_all().await.into_iter().flatten().collect();
        handled.sort_unstable();
        handled.dedup();
        assert_eq!(handled.len(), MESSAGES / 2);
        assert_eq!((depth(&queue).await.total(), depth(&dead).await.visible), (0, MESSAGES as u64 / 2));
        assert_eq!(queue.counts().dead_lettered, MESSAGES as u64 / 2);
        database.remove().await;
    }
}

/// Messages that were received too often, in the dead-letter queue.
async fn fail_all<S: Store>((queue, dead): &Pair<S>, bodies: Vec<String>) {
    let count = bodies.len() as u64;
    let letters = bodies.iter().map(|body| crate::support::message(queue, body)).collect();
    send_all(queue, letters).await;
    while depth(dead).await.visible < count {
        give_back(take(queue).await).await;
    }
}

async fn a_redrive_takes_all_back_in_order_while_consumers_run<D: Database>(database: &D) {
    let pair = pair(database, false, 1).await;
    fail_all(&pair, (0..1_200).map(|number| format!("a{:05}", number * 2)).collect()).await;
    let (queue, dead) = pair;
    let target = elsewhere(database).await;
    assert_eq!(dead.redrive_to(&target, 5).await.unwrap_err().kind(), QueueErrorKind::Permanent);
    let mut consumers = JoinSet::new();
    for _consumer in 0..4 {
        consumers.spawn(consume(queue.clone()));
    }
    assert_eq!(dead.redrive_to(&queue, 100).await.unwrap(), 100, "as many as were asked for");
    assert_eq!(dead.redrive_to(&queue, u64::MAX).await.unwrap(), 1_100);
    let handled: usize = consumers.join_all().await.iter().map(Vec::len).sum();
    let left = drain(&queue).await.len();
    assert_eq!((handled + left, depth(&dead).await.total()), (1_200, 0));
}

/// The same queue by another handle.
async fn elsewhere<D: Database>(database: &D) -> SqlQueue<D::Store> {
    database.open().queue("jobs").build().await.unwrap()
}

async fn a_redriven_message_is_as_it_was_sent_and_counts_anew<D: Database>(database: &D) {
    for ordered in [false, true] {
        let database = D::fresh().await;
        let (queue, dead) = pair(&database, ordered, 3).await;
        let message = if ordered { poison().with_deduplication_id("once") } else { poison() };
        let id = queue.publish_one(message).await.map_err(Rejected::into_error).unwrap();
        let sent_at = receive_and_give_back(&queue, 3).await;
        assert!(take(&queue).await.is_empty(), "the fourth receive moves it");
        receive_and_give_back(&dead, 2).await;
        assert_eq!(dead.redrive_to(&queue, 10).await.unwrap(), 1);
        assert_is_poison(&take_one(&queue).await, &id, sent_at);
        database.remove().await;
    }
    drop(database.open());
}

async fn a_redrive_of_groups_keeps_their_order<D: Database>(database: &D) {
    let pair = pair(database, true, 1).await;
    fail_all(&pair, ["a1", "b1", "a2", "a3", "b2"].map(str::to_owned).to_vec()).await;
    let (queue, dead) = pair;
    send(&queue, "a4").await;
    assert_eq!(dead.redrive_to(&queue, 100).await.unwrap(), 5);
    let came = drain(&queue).await;
    let of = |group: char| came.iter().filter(|body| body.starts_with(group)).cloned().collect::<Vec<_>>();
    assert_eq!(of('a'), ["a4", "a1", "a2", "a3"], "behind what was there");
    assert_eq!(of('b'), ["b1", "b2"]);
}

async fn a_redrive_to_where_it_can_not_go_is_refused<D: Database>(database: &D) {
    let handle = database.open();
    let [standard, other] =
        [handle.queue("a").build().await.unwrap(), handle.queue("b").build().await.unwrap()];
    let ordered = handle.queue("c").ordered().build().await.unwrap();
    for target in [&standard, &ordered] {
        assert_eq!(standard.redrive_to(target, 1).await.unwrap_err().kind(), QueueErrorKind::Permanent);
    }
    send(&standard, "x y").await;
    assert_eq!(standard.redrive_to(&other, 1).await.unwrap(), 1);
    assert_eq!(words(&take(&other).await), ["x"], "oldest first");
}
