//! The child: it publishes, receives and deletes as fast as it can.

use std::env;
use std::fs::OpenOptions;
use std::path::Path;
use std::time::Duration;

use harness::{Program, point};
use queue_core::{Consumer, Outgoing, PublisherExt, ReceiveOptions};
use queue_sql::SqliteQueue;
use tokio::time::Instant;

const FILE: &str = "SQLITE_FILE";
const MESSAGES: &str = "SQLITE_MESSAGES";

/// What is before the longest time of one call, in milliseconds, in what a child prints.
pub(crate) const LONGEST: &str = "longest call (ms): ";

/// This program as a child that sends so many messages; with none it takes its turn and holds it.
pub(crate) fn child(file: &Path, messages: usize) -> Program {
    Program::new(env::current_exe().unwrap())
        .with_env(FILE, file)
        .with_env(MESSAGES, messages.to_string())
        .with_patience(Duration::from_mins(1))
}

/// Where the lock file of a database is.
pub(crate) fn lock_file(database: &Path) -> std::path::PathBuf {
    let mut path = database.as_os_str().to_owned();
    path.push("-writer.lock");
    path.into()
}

/// Works, if this is the child.
pub(crate) fn work() -> bool {
    let Some(file) = env::var_os(FILE) else { return false };
    let messages: usize = env::var(MESSAGES).unwrap().parse().unwrap();
    if messages == 0 {
        let lock = OpenOptions::new().create(true).truncate(false).write(true).open(lock_file(file.as_ref()));
        lock.as_ref().unwrap().lock().unwrap();
        point("locked");
        return true;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let queue = SqliteQueue::open(&file).await.unwrap();
        point("ready");
        let mut longest = Duration::ZERO;
        for number in 0..messages {
            longest = longest.max(exchange(&queue, number).await);
        }
        println!("{LONGEST}{}", longest.as_millis());
    });
    true
}

/// Sends a message, receives one and deletes it; the longest time that one of the calls took.
async fn exchange(queue: &SqliteQueue, number: usize) -> Duration {
    let begun = Instant::now();
    queue.publish_one(Outgoing::new(number.to_string())).await.unwrap();
    let published = Instant::now();
    let deliveries = queue.receive(ReceiveOptions::new(1).with_wait(Duration::ZERO)).await.unwrap();
    let received = Instant::now();
    for delivery in deliveries {
        delivery.ack().await.unwrap();
    }
    (published - begun).max(received - published).max(received.elapsed())
}
