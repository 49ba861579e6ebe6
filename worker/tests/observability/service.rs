//! The service of README's example, with what it shows of itself.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use queue_core::{Consumer, Context, WorkerClass, json};
use serde::{Deserialize, Serialize};
use tracing::info_span;
use worker::{Backoff, Receiver, ReceiverBuilder, Running};

#[derive(Serialize, Deserialize)]
pub(crate) struct Visit {
    pub(crate) aid: String,
    pub(crate) sid: String,
    pub(crate) created: i64,
}

impl Visit {
    pub(crate) fn of(sid: &str) -> Self {
        Self { aid: "shop-1".into(), sid: sid.into(), created: 1_469_944_258 }
    }
}

/// How often each visit was scored.
#[derive(Debug, Default)]
pub(crate) struct Store(Mutex<HashMap<String, u32>>);

impl Store {
    fn score(&self, visit: &Visit) -> u32 {
        let mut scores = self.0.lock().unwrap();
        let score = scores.entry(visit.sid.clone()).or_default();
        *score += 1;
        *score
    }
}

/// The first try of a visit `fails-once` fails, and of `panics-once` panics.
async fn score(store: Arc<Store>, visit: Visit, _context: Context) -> Result<(), std::io::Error> {
    let span = info_span!("score", sid = visit.sid);
    let times = span.in_scope(|| store.score(&visit));
    match visit.sid.as_str() {
        "fails-once" if times == 1 => Err(std::io::Error::other("the database is busy")),
        "panics-once" if times == 1 => panic!("a bug"),
        _ => Ok(()),
    }
}

fn set_up(name: &str, queue: impl Consumer + 'static) -> ReceiverBuilder {
    Receiver::builder(queue)
        .name(name)
        .system("memory")
        .pollers(WorkerClass::MAIN, 10)
        .slots(32)
        .backoff(Backoff::linear(Duration::from_millis(10), Duration::from_millis(10)))
}

pub(crate) fn start(name: &str, queue: impl Consumer + 'static) -> Running {
    set_up(name, queue).handler(json(score).with(Arc::<Store>::default())).start()
}
