//! What happens to processes that write to one file.

use std::time::Duration;

use queue_core::{Depth, Inspect, Outgoing, PublisherExt};
use queue_sql::SqliteQueue;
use tempfile::TempDir;
use tokio_util::task::TaskTracker;

use crate::worker::{LONGEST, child, lock_file};

/// How many messages each process sends.
const MESSAGES: usize = 40;

fn place() -> (TempDir, std::path::PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("jobs.db");
    (directory, file)
}

/// Every commit waits for the disk, and no call is refused. The longest is printed.
pub(crate) async fn eight_write() {
    let (_directory, file) = place();
    let queue = SqliteQueue::open(&file).await.unwrap();
    let program = child(&file, MESSAGES).hold_at("ready");
    let children: Vec<_> = (0..8).map(|_| program.start().unwrap()).collect();
    for child in &children {
        child.wait_until_held().unwrap();
    }
    for child in &children {
        child.go_on();
    }
    let mut longest = 0;
    for child in children {
        let ended = child.finish().unwrap().expect_success().unwrap();
        let output = ended.output().stdout();
        let after = output.split(LONGEST).nth(1).unwrap();
        let time: u64 = after.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap();
        longest = longest.max(time);
    }
    println!("the longest call of 8 processes took {longest} ms");
    assert_eq!(queue.depth().await.unwrap(), Depth::empty());
}

/// It holds the lock file for ever, and SQLite's own lock not.
pub(crate) async fn one_is_frozen() {
    let (_directory, file) = place();
    let queue = SqliteQueue::open(&file).await.unwrap();
    let frozen = child(&file, 0).hold_at("locked").start().unwrap();
    frozen.wait_until_held().unwrap();
    frozen.freeze().unwrap();
    for number in 0..20 {
        queue.publish_one(Outgoing::new(number.to_string())).await.unwrap();
    }
    assert_eq!(queue.depth().await.unwrap().visible, 20);
    frozen.kill().unwrap();
}

/// The system frees its lock, and everybody takes turns again.
pub(crate) async fn one_is_killed() {
    let (_directory, file) = place();
    let queue = SqliteQueue::open(&file).await.unwrap();
    let holder = child(&file, 0).hold_at("locked").start().unwrap();
    holder.wait_until_held().unwrap();
    let waits = TaskTracker::new().spawn({
        let queue = queue.clone();
        async move { queue.publish_one(Outgoing::new("a")).await }
    });
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(!waits.is_finished(), "it waits for its turn");
    holder.kill().unwrap();
    waits.await.unwrap().unwrap();
    let lock = std::fs::File::open(lock_file(&file)).unwrap();
    lock.try_lock().unwrap();
}
