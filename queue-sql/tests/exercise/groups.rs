//! Ordered queues: the order of each group, whatever fails, and whoever races.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use queue_core::{Consumer, Delivery, Outgoing, QueueErrorKind, ReceiveOptions};
use queue_sql::{SqlQueue, SqlStore as Store};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use crate::database::Database;
use crate::support::{
    delete, depth, give_back, grouped, millis, secs, send, send_all, take, take_for, words,
};

crate::each::on_each_database! {
    // Q8, TQ7: 1,000 groups, 16 consumers on 4 handles, of which some fail and some let go
    #[test] a_thousand_groups_keep_their_order_whatever_fails;
    // Q8, TQ8
    #[test] a_blocked_group_with_a_long_backlog_holds_up_nobody;
    // Q8
    #[test] a_receive_goes_on_with_the_next_group_and_groups_take_turns;
    // Q8, P1
    #[test] a_late_settlement_is_lost_and_changes_nothing;
    // Q8
    #[test] a_visibility_of_zero_blocks_no_group;
}

/// An ordered queue, opened by a handle of its own.
pub(crate) async fn ordered<D: Database>(database: &D) -> SqlQueue<D::Store> {
    database.open().queue("jobs.fifo").ordered().build().await.unwrap()
}

const GROUPS: usize = 1_000;
const EACH: usize = 5;

/// The number of a group's next message, and until when somebody holds some of it.
type State = (usize, Option<Instant>);

/// What the consumers have seen of each group.
#[derive(Clone, Default)]
struct Witness(Arc<Mutex<HashMap<String, State>>>);

impl Witness {
    /// Notes a batch: its groups are nobody else's, and each begins with its oldest undeleted message.
    fn received(&self, batch: &[Delivery], until: Instant) {
        let (mut groups, mut places) = (self.0.lock().unwrap(), HashMap::new());
        for delivery in batch {
            let group = delivery.message().group_key().unwrap();
            let (next, held) = groups.entry(group.to_owned()).or_default();
            let place = places.entry(group).or_insert_with(|| {
                let free = held.is_none_or(|until| until <= Instant::now());
                assert!(free, "group {group} went to two consumers at once");
                *next
            });
            assert_eq!(delivery.message().body(), place.to_string(), "group {group} is out of order");
            *place += 1;
            *held = Some(until);
        }
    }

    /// Notes that a batch is about to be let go, of which the first `deleted` are to be deleted.
    fn letting_go(&self, batch: &[Delivery], deleted: usize) {
        let mut groups = self.0.lock().unwrap();
        for (at, delivery) in batch.iter().enumerate() {
            let (next, held) = groups.get_mut(delivery.message().group_key().unwrap()).unwrap();
            *next += usize::from(at < deleted);
            *held = None;
        }
    }

    fn is_complete(&self) -> bool {
        let groups = self.0.lock().unwrap();
        groups.len() == GROUPS && groups.values().all(|(next, _)| *next == EACH)
    }
}

/// The messages of a sender: all firsts, then all seconds.
fn letters(sender: usize) -> Vec<Outgoing> {
    let numbers = (0..EACH).flat_map(|number| (sender..GROUPS).step_by(4).map(move |group| (group, number)));
    let letter = |(group, number)| {
        let id = format!("{group}-{number}");
        Outgoing::new(format!("{number}")).with_group_key(format!("g{group}")).with_deduplication_id(id)
    };
    numbers.map(letter).collect()
}

async fn a_thousand_groups_keep_their_order_whatever_fails<D: Database>(database: &D) {
    let queue = ordered(database).await;
    let (witness, mut tasks) = (Witness::default(), JoinSet::new());
    for sender in 0..4 {
        let queue = queue.clone();
        tasks.spawn(async move { send_all(&queue, letters(sender)).await });
    }
    for _handle in 0..4 {
        let queue = ordered(database).await;
        for _consumer in 0..4 {
            tasks.spawn(consume(queue.clone(), witness.clone()));
        }
    }
    while let Some(ended) = tasks.join_next().await {
        ended.unwrap();
    }
    assert!(witness.is_complete(), "each of each group");
    assert_eq!(depth(&queue).await.total(), 0);
}

/// Mostly deletes what it gets. Sometimes it gives back the end of a batch, and sometimes it lets a batch run out.
async fn consume<S: Store>(queue: SqlQueue<S>, witness: Witness) {
    while !witness.is_complete() {
        let fate = fastrand::u32(..100);
        let (asked, visibility) = (Instant::now(), if fate == 0 { secs(1) } else { secs(60) });
        let options = ReceiveOptions::new(10).with_wait(millis(200)).with_visibility(visibility);
        let mut batch = queue.receive(options).await.unwrap();
        witness.received(&batch, asked + visibility);
        if fate == 0 {
            sleep(visibility).await;
            continue;
        }
        let deleted = if fate <= 10 { fastrand::usize(0..=batch.len()) } else { batch.len() };
        witness.letting_go(&batch, deleted);
        let rest = batch.split_off(deleted);
        delete(batch).await;
        give_back(rest).await;
    }
}

async fn a_blocked_group_with_a_long_backlog_holds_up_nobody<D: Database>(database: &D) {
    let queue = ordered(database).await;
    send_all(&queue, (0..20_000).map(|number| grouped(&format!("a{number}"))).collect()).await;
    let head = take_for(&queue, 1, secs(60)).await;
    assert_eq!(words(&head), ["a0"]);
    send(&queue, "b1 c1 b2").await;
    assert_eq!(words(&take(&queue).await), ["b1", "b2", "c1"]);
    assert!(take(&queue).await.is_empty());
    delete(head).await;
    assert_eq!(words(&take_for(&queue, 2, secs(60)).await), ["a1", "a2"]);
}

async fn a_receive_goes_on_with_the_next_group_and_groups_take_turns<D: Database>(database: &D) {
    let queue = ordered(database).await;
    send(&queue, "a1 b1 a2 c1 b2 a3").await;
    let first = take_for(&queue, 4, secs(60)).await;
    assert_eq!(words(&first), ["a1", "a2", "a3", "b1"]);
    assert_eq!(words(&take(&queue).await), ["c1"]);
    send(&queue, "a4 d1").await;
    delete(first).await;
    sleep(millis(5)).await;
    assert_eq!(words(&take_for(&queue, 1, secs(60)).await), ["d1"], "it is ready longest");
    let mut next = take(&queue).await;
    next.sort_by(|one, other| one.message().body().cmp(other.message().body()));
    assert_eq!(words(&next), ["a4", "b2"]);
}

async fn a_late_settlement_is_lost_and_changes_nothing<D: Database>(database: &D) {
    let queue = ordered(database).await;
    send(&queue, "a1 a2").await;
    let late = take_for(&queue, 1, secs(1)).await.remove(0);
    sleep(millis(1200)).await;
    let change = vec![(late.receipt().clone(), secs(30))];
    let error = late.settler().change_visibility(change).await.remove(0).unwrap_err();
    assert_eq!(error.kind(), QueueErrorKind::Lost, "{error}");
    let receipt = late.receipt().clone();
    let error = late.settler().delete(vec![receipt.clone()]).await.remove(0).unwrap_err();
    assert_eq!(error.kind(), QueueErrorKind::Lost, "{error}");
    let again = take_for(&queue, 1, secs(60)).await.remove(0);
    assert_eq!((again.message().body(), again.message().receive_count()), ("a1", 2));
    let error = late.settler().delete(vec![receipt.clone()]).await.remove(0).unwrap_err();
    assert_eq!(error.kind(), QueueErrorKind::Lost, "{error}");
    again.ack().await.unwrap();
    late.settler().delete(vec![receipt]).await.remove(0).unwrap(); // what is deleted is deleted (P36)
    assert_eq!(words(&take(&queue).await), ["a2"]);
}

async fn a_visibility_of_zero_blocks_no_group<D: Database>(database: &D) {
    let queue = ordered(database).await;
    send(&queue, "a1 a2 b1").await;
    for count in 1..=2 {
        let peeked = take_for(&queue, 10, Duration::ZERO).await;
        let mut seen = words(&peeked);
        seen.sort_unstable();
        assert_eq!(seen, ["a1", "a2", "b1"]);
        assert!(peeked.iter().all(|delivery| delivery.message().receive_count() == count));
        let error =
            peeked[0].settler().delete(vec![peeked[0].receipt().clone()]).await.remove(0).unwrap_err();
        assert_eq!(error.kind(), QueueErrorKind::Lost, "{error}");
    }
}
