//! Receivers: handlers at work on a queue of each database, from the first message to the stop.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex};

use queue_core::{Context, Message, Outgoing, Publisher, handler};
use queue_sql::{SqlQueue, SqlStore as Store};
use worker::{Backoff, Receiver, Running, WorkerClass};

use crate::database::Database;
use crate::support::{depth, millis, secs, send_all, until};

crate::each::on_each_database! {
    // Q3, W1, W2, W10
    #[test] a_thousand_messages_are_handled_though_some_fail_once;
    // Q8, W11
    #[test] an_ordered_queue_is_handled_in_order_though_some_fail_once;
    // W10
    #[test] a_stop_in_the_middle_loses_nothing;
}

const MESSAGES: usize = 1_000;

/// What the handlers have done.
#[derive(Clone, Default)]
struct Book(Arc<Mutex<Entries>>);

#[derive(Default)]
struct Entries {
    /// How often each message was tried.
    tries: BTreeMap<String, u32>,
    /// What was handled of each group, in order.
    handled: BTreeMap<String, Vec<usize>>,
}

impl Book {
    /// Handles a message; one in ten fails the first time.
    fn handle(&self, message: &Message) -> Result<(), io::Error> {
        let number: usize = message.body().parse().unwrap();
        let mut book = self.0.lock().unwrap();
        let tries = book.tries.entry(message.body().to_owned()).or_default();
        *tries += 1;
        if *tries == 1 && number.is_multiple_of(10) {
            return Err(io::Error::other("the first time it fails"));
        }
        book.handled.entry(message.group_key().unwrap().to_owned()).or_default().push(number);
        Ok(())
    }

    fn handled(&self) -> usize {
        self.0.lock().unwrap().handled.values().map(Vec::len).sum()
    }
}

fn letters() -> Vec<Outgoing> {
    let letter =
        |number: usize| Outgoing::new(number.to_string()).with_group_key(format!("g{}", number % 25));
    (0..MESSAGES).map(letter).collect()
}

async fn publish(queue: &impl Publisher) {
    let named = |letter: Outgoing| {
        if queue.limits().ordered {
            letter.clone().with_deduplication_id(letter.shared_body())
        } else {
            letter
        }
    };
    send_all(queue, letters().into_iter().map(named).collect()).await;
}

/// A receiver at work; its handler takes a moment.
fn start<S: Store>(queue: &SqlQueue<S>, book: &Book) -> Running {
    let book = book.clone();
    let work = handler(move |message: Message, _context: Context| {
        let book = book.clone();
        async move {
            tokio::time::sleep(millis(1)).await;
            book.handle(&message)
        }
    });
    let receiver = Receiver::builder(queue.clone()).pollers(WorkerClass::MAIN, 3).slots(20).wait(secs(1));
    receiver.backoff(Backoff::by(|_count| millis(200))).handler(work).start()
}

async fn a_thousand_messages_are_handled_though_some_fail_once<D: Database>(database: &D) {
    let queue = database.open().queue("jobs").build().await.unwrap();
    let book = Book::default();
    let running = start(&queue, &book);
    publish(&queue).await;
    until("all are handled", async || book.handled() >= MESSAGES).await;
    let account = running.stop(secs(30)).await;
    assert_eq!((account.handled, account.retried, account.lost), (1_000, 100, 0), "{account:?}");
    assert_eq!((account.orphaned, account.failed_receives), (0, 0), "{account:?}");
    assert_eq!((book.handled(), depth(&queue).await.total()), (MESSAGES, 0));
}

async fn an_ordered_queue_is_handled_in_order_though_some_fail_once<D: Database>(database: &D) {
    let queue = database.open().queue("jobs.fifo").ordered().build().await.unwrap();
    let book = Book::default();
    let receivers = [start(&queue, &book), start(&queue, &book)];
    publish(&queue).await;
    until("all are handled", async || book.handled() >= MESSAGES).await;
    for running in receivers {
        let account = running.stop(secs(30)).await;
        assert_eq!((account.lost, account.orphaned, account.failed_receives), (0, 0, 0), "{account:?}");
    }
    assert_eq!((book.handled(), depth(&queue).await.total()), (MESSAGES, 0));
    for (group, numbers) in &book.0.lock().unwrap().handled {
        assert!(numbers.is_sorted(), "{group}: {numbers:?}");
    }
}

async fn a_stop_in_the_middle_loses_nothing<D: Database>(database: &D) {
    for ordered in [false, true] {
        let builder = database.open().queue(format!("jobs-{ordered}"));
        let builder = if ordered { builder.ordered() } else { builder };
        let (queue, book) = (builder.build().await.unwrap(), Book::default());
        publish(&queue).await;
        let running = start(&queue, &book);
        until("some are handled", async || book.handled() >= 50).await;
        let account = running.stop(secs(30)).await;
        assert_eq!((account.orphaned, account.lost), (0, 0), "{account:?}");
        let left = depth(&queue).await;
        assert_eq!(left.total() + account.handled, MESSAGES as u64, "{account:?} {left:?}");
        let running = start(&queue, &book);
        until("the rest is handled", async || book.handled() >= MESSAGES).await;
        running.stop(secs(30)).await;
        assert_eq!((book.handled(), depth(&queue).await.total()), (MESSAGES, 0));
    }
}
