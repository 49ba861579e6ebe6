//! Keeping: what is past its retention goes, in steps, and nothing that was used once stays for ever.

use queue_core::{Consumer, Inspect, ReceiveOptions};

use crate::database::Database;
use crate::support::{
    depth, drain, message, millis, secs, send, send_all, take, take_for, take_one, until, words,
};

crate::each::on_each_database! {
    // Q10, TQ12
    #[test] what_is_past_its_retention_is_never_delivered_and_counts_no_more;
    // Q10, TQ12: more than one step, and by its age, not by its queue
    #[test] what_is_past_its_retention_is_removed_and_counted;
    // Q10, TQ12
    #[test] the_age_counts_from_the_first_queue;
    // Q8, Q9, P63
    #[test] groups_ids_and_attempts_that_were_used_once_do_not_stay;
    // Q12
    #[test] deliveries_that_were_dropped_are_counted;
    // "Counts the messages by state."
    #[test] the_depth_tells_states_and_age;
}

/// Makes messages older by an hour; answers how many.
async fn age<D: Database>(database: &D, condition: &str) -> u64 {
    let mut aged = 0;
    for table in ["q_message", "q_ordered_message"] {
        let earlier = D::an_hour_earlier("sent");
        aged += database.execute(&format!("UPDATE {table} SET {earlier} WHERE {condition}")).await;
    }
    aged
}

async fn what_is_past_its_retention_is_never_delivered_and_counts_no_more<D: Database>(database: &D) {
    for ordered in [false, true] {
        let name = format!("jobs-{ordered}");
        let builder = database.open().queue(&name).retention(secs(3_000));
        let builder = if ordered { builder.ordered() } else { builder };
        let queue = builder.build().await.unwrap();
        send(&queue, "a1 b1 c1 a2").await;
        assert_eq!(age(database, "body IN ('a1', 'c1')").await, 2);
        let kept = database.open().queue(&name).build().await.unwrap(); // one that has not swept yet
        assert_eq!(depth(&kept).await.total(), 2);
        let mut came = words(&take(&kept).await).into_iter().map(str::to_owned).collect::<Vec<_>>();
        came.sort_unstable();
        assert_eq!(came, ["a2", "b1"], "ordered: {ordered}");
        age(database, "1 = 1").await;
        assert_eq!(depth(&kept).await.total(), 0, "also what is in flight");
        kept.purge().await.unwrap();
    }
}

async fn what_is_past_its_retention_is_removed_and_counted<D: Database>(database: &D) {
    for ordered in [false, true] {
        let builder = database.open().queue(format!("jobs-{ordered}")).retention(secs(3_000));
        let builder = if ordered { builder.ordered() } else { builder };
        let queue = builder.build().await.unwrap();
        let letter = |number: usize| {
            let group = char::from(b'a' + u8::try_from(number % 7).unwrap());
            message(&queue, &format!("{group}{number}"))
        };
        send(&queue, "h1 h2 h3").await;
        let held = take_for(&queue, 10, secs(3_600)).await; // sweeps, and finds nothing to do
        assert_eq!(words(&held), ["h1", "h2", "h3"]);
        send_all(&queue, (0..1_300).map(letter).collect()).await;
        age(database, "1 = 1").await;
        send_all(&queue, vec![message(&queue, "zyoung")]).await;
        let mut handles = vec![database.open().queue(format!("jobs-{ordered}")).build().await.unwrap()];
        assert_eq!(words(&take(&handles[0]).await), ["zyoung"]);
        until(&format!("1,300 are removed, ordered: {ordered}"), async || {
            // A handle of its own each time, as each sweeps at its first receive.
            handles.push(database.open().queue(format!("jobs-{ordered}")).build().await.unwrap());
            assert!(take(&handles[handles.len() - 1]).await.is_empty());
            handles.iter().map(|handle| handle.counts().expired).sum::<u64>() >= 1_300
        })
        .await;
        let table = if ordered { "q_ordered_message" } else { "q_message" };
        let rows = database.number(&format!("SELECT count(*) FROM {table}")).await;
        assert!((1..=4).contains(&rows), "{rows} rows are left, of which three may be those in flight");
        held.into_iter().for_each(queue_core::Delivery::forget);
    }
}

async fn the_age_counts_from_the_first_queue<D: Database>(database: &D) {
    let handle = database.open();
    let dead = handle.queue("dead").retention(secs(3_000)).build().await.unwrap();
    let queue = handle.queue("jobs").dead_letter(&dead, 1).build().await.unwrap();
    send(&queue, "a").await;
    age(database, "1 = 1").await;
    let held = take_one(&queue).await;
    held.release(std::time::Duration::ZERO).await.unwrap();
    assert!(take(&queue).await.is_empty());
    assert!(take(&dead).await.is_empty(), "it was sent an hour ago, and is kept for fifty minutes");
    assert_eq!(depth(&dead).await.total(), 0);
}

async fn groups_ids_and_attempts_that_were_used_once_do_not_stay<D: Database>(database: &D) {
    let queue = database.open().queue("jobs.fifo").ordered().build().await.unwrap();
    let letters = (0..1_200).map(|number| {
        let id = format!("x{number}");
        queue_core::Outgoing::new("body").with_group_key(format!("g{number}")).with_deduplication_id(id)
    });
    send_all(&queue, letters.collect()).await;
    let options = ReceiveOptions::new(1).with_attempt_id("once").with_wait(millis(100));
    queue.receive(options).await.unwrap().remove(0).ack().await.unwrap();
    assert_eq!(drain(&queue).await.len(), 1_199);
    for table in ["q_attempt", "q_deduplication"] {
        let earlier = D::an_hour_earlier("expires");
        database.execute(&format!("UPDATE {table} SET {earlier}")).await;
    }
    let other = database.open().queue("jobs.fifo").build().await.unwrap();
    until("all that was used once is removed", async || {
        // A handle of its own each time, as each sweeps at its first receive.
        let another = database.open().queue("jobs.fifo").build().await.unwrap();
        assert!(take(&another).await.is_empty());
        let mut rows = 0;
        for table in ["q_attempt", "q_deduplication", "q_group"] {
            rows += database.number(&format!("SELECT count(*) FROM {table}")).await;
        }
        rows == 0
    })
    .await;
    send(&other, "a1").await;
    assert_eq!(words(&take(&other).await), ["a1"]);
}

async fn deliveries_that_were_dropped_are_counted<D: Database>(database: &D) {
    let queue = database.open().queue("jobs").build().await.unwrap();
    send(&queue, "a b c").await;
    let mut taken = take(&queue).await;
    taken.remove(0).ack().await.unwrap();
    drop(taken);
    assert_eq!((queue.counts().unsettled_drops, queue.counts().expired), (2, 0));
    assert_eq!(depth(&queue).await.in_flight, 2);
}

async fn the_depth_tells_states_and_age<D: Database>(database: &D) {
    for ordered in [false, true] {
        let builder = database.open().queue(format!("jobs-{ordered}"));
        let builder = if ordered { builder.ordered() } else { builder };
        let queue = builder.build().await.unwrap();
        assert_eq!(queue.depth().await.unwrap(), queue_core::Depth::empty());
        send(&queue, "a1 a2 b1").await;
        age(database, "body = 'a2'").await;
        let held = take_for(&queue, 2, secs(60)).await;
        assert_eq!(words(&held), ["a1", "a2"]);
        let found = queue.depth().await.unwrap();
        assert_eq!((found.visible, found.in_flight, found.delayed), (1, 2, 0), "ordered: {ordered}");
        let oldest = found.oldest.unwrap();
        assert!((secs(3_600)..secs(3_700)).contains(&oldest), "{oldest:?}");
        queue.purge().await.unwrap();
        assert_eq!(queue.depth().await.unwrap(), queue_core::Depth::empty());
    }
}
