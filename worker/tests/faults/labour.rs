//! The labour of a run: a handler that does anything that handlers do.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use fastrand::Rng;
use queue_core::{Context, Message, Verdict};
use tokio::time::sleep;

use crate::plan::{GROUPS, body};
use crate::watch::Watch;

/// The handler: succeeds, fails, panics, takes long, gives up, or changes its visibility, at random. Clones are the
/// same.
#[derive(Clone, Debug)]
pub(crate) struct Labour {
    watch: Watch,
    rng: Arc<Mutex<Rng>>,
    discarded: Arc<Mutex<BTreeSet<String>>>,
    disorder: Arc<Mutex<Vec<String>>>,
}

impl Labour {
    pub(crate) fn new(seed: u64) -> Self {
        let rng = Arc::new(Mutex::new(Rng::with_seed(!seed)));
        Self { watch: Watch::default(), rng, discarded: Arc::default(), disorder: Arc::default() }
    }

    /// Handles one message.
    pub(crate) async fn work(self, message: Message, context: Context) -> Verdict {
        let _shift = self.watch.begin(&context);
        self.note_order(message.body());
        sleep(Duration::from_millis(self.roll(2_000))).await;
        match self.roll(10) {
            0 => return Verdict::retry("at random"),
            1 => return Verdict::retry_after(Duration::from_millis(self.roll(9_000)), "at random"),
            2 => panic!("at random"),
            3 => sleep(Duration::from_millis(self.roll(40_000))).await,
            4 => drop(context.set_visibility(Duration::from_secs(1 + self.roll(40))).await),
            _ => {}
        }
        sleep(Duration::from_millis(self.roll(2_000))).await;
        if self.roll(8) == 0 {
            self.discarded.lock().unwrap().insert(message.body().to_owned());
            return Verdict::discard("at random");
        }
        self.watch.done(&context);
        Verdict::Done
    }

    fn roll(&self, sides: u64) -> u64 {
        self.rng.lock().unwrap().u64(0..sides)
    }

    /// Notes if one before it in its group has not ended.
    fn note_order(&self, started: &str) {
        let number: usize = started.parse().unwrap();
        let ended = self.ended();
        let before = (0..number).filter(|before| before % GROUPS == number % GROUPS).map(body);
        let overtaken: Vec<_> = before.filter(|before| !ended.contains(before)).collect();
        if !overtaken.is_empty() {
            self.disorder.lock().unwrap().push(format!("{started} before {overtaken:?}"));
        }
    }

    /// The bodies of the messages that were handled.
    pub(crate) fn handled(&self) -> BTreeSet<String> {
        self.watch.all_done()
    }

    /// Those, and those that were given up.
    pub(crate) fn ended(&self) -> BTreeSet<String> {
        let mut ended = self.handled();
        ended.extend(self.discarded.lock().unwrap().iter().cloned());
        ended
    }

    /// No message had two handlers at once; where there is an order, none overtook another of its group.
    pub(crate) fn check(&self, ordered: bool) {
        self.watch.assert_no_clash();
        let disorder = self.disorder.lock().unwrap();
        assert!(!ordered || disorder.is_empty(), "{disorder:?}");
    }
}
