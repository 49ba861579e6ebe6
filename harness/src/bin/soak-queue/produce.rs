//! A producer: sends messages until so many are stored for certain.

use std::sync::Arc;
use std::time::Duration;

use harness::Pen;
use queue_core::{MessageId, Outgoing, PublisherExt, Queue, Rejected};
use tokio::time::sleep;

use crate::Failure;
use crate::job::Job;
use crate::sabotage::Publishing;

/// How many groups a producer sends to at a time.
const GROUPS: usize = 20;
/// How many messages go in one batch.
const BATCH: usize = 10;

/// A group: its key, and the number of its last message.
struct Group {
    key: String,
    number: u64,
}

/// Sends until `count` messages are stored for certain.
///
/// What failed is not sent again: whether it was stored may be unknown, and the queue would be blamed for a disorder that
/// the second attempt has made. Its group ends there, and a new one begins.
pub(crate) async fn run(
    job: &Job,
    queue: Arc<dyn Queue>,
    pen: &Pen,
    (id, count): (u64, u64),
) -> Result<(), Failure> {
    let queue = Publishing::new(queue, job.plant);
    let mut random = fastrand::Rng::with_seed(job.seed);
    let mut names = 0..;
    let mut name = || key(job.ordered, id, names.next().unwrap_or(u64::MAX));
    let mut groups: Vec<_> = (0..GROUPS).map(|_| Group { key: name(), number: 0 }).collect();
    let mut sent = 0;
    while sent < count {
        let batch = draw(&mut groups, &mut random, count - sent);
        batch.iter().try_for_each(|(_, key, number)| pen.sending(key, *number))?;
        let messages = batch.iter().map(|(_, key, number)| message(job.ordered, key, *number));
        let answers: Vec<Result<MessageId, Rejected>> = queue.publish_all(messages.collect()).await;
        let failed = answers.iter().any(Result::is_err);
        for ((group, key, number), answer) in batch.iter().zip(answers) {
            match answer {
                Ok(_) => {
                    sent += 1;
                    pen.sent(key, *number)?;
                }
                Err(rejected) if !rejected.kind().is_passing() => return Err(rejected.into_error().into()),
                Err(_) if groups[*group].key == *key => groups[*group] = Group { key: name(), number: 0 },
                Err(_) => {}
            }
        }
        if failed {
            sleep(Duration::from_millis(50)).await;
        }
    }
    Ok(())
}

/// The key of a group; its first letter says whether it is ordered, and then comes who sends it.
pub(crate) fn key(ordered: bool, producer: u64, name: u64) -> String {
    format!("{}-{producer}-{name}", if ordered { 'o' } else { 's' })
}

/// A batch: for each message its group's place, its key and its number. Several may be of one group.
fn draw(groups: &mut [Group], random: &mut fastrand::Rng, most: u64) -> Vec<(usize, String, u64)> {
    let count = BATCH.min(usize::try_from(most).unwrap_or(BATCH));
    let draw = |_| {
        let at = random.usize(..groups.len());
        groups[at].number += 1;
        (at, groups[at].key.clone(), groups[at].number)
    };
    (0..count).map(draw).collect()
}

fn message(ordered: bool, key: &str, number: u64) -> Outgoing {
    let body = format!("{key} {number}");
    let message = Outgoing::new(body.clone()).with_group_key(key);
    if ordered { message.with_deduplication_id(body.replace(' ', "-")) } else { message }
}
