//! The order of each group, with random failures of handlers and of the queue, and several receivers at one queue.

use std::collections::BTreeMap;

use proptest::prelude::*;
use queue_core::{Context, Inspect, Message, QueueError, Verdict, WorkerClass};
use tokio::time::sleep;
use worker::{Receiver, ReceiverBuilder, Running, handler};

use crate::journal::{Event, Journal};
use crate::support::{backoff, fifo, millis, seconds, send};
use testkit::{CallKind, Fault, Faulty};

const GROUPS: [&str; 4] = ["a", "b", "c", "d"];
const EACH: usize = 12;

/// What random choices are made from.
#[derive(Clone, Debug)]
struct World {
    seed: u64,
    receivers: usize,
    slots: usize,
    pollers: usize,
    /// Of a hundred handlers so many fail, and of a hundred calls.
    failing: u8,
    faulty: u8,
}

fn worlds() -> impl Strategy<Value = World> {
    (any::<u64>(), 1..4_usize, 1..5_usize, 1..4_usize, 0..40_u8, 0..15_u8).prop_map(
        |(seed, receivers, slots, pollers, failing, faulty)| World {
            seed,
            receivers,
            slots,
            pollers,
            failing,
            faulty,
        },
    )
}

/// A handler that fails, panics and takes its time at random.
async fn at_random(
    (journal, dice, failing): (Journal, Dice, u8),
    message: Message,
    context: Context,
) -> Result<(), Verdict> {
    let (body, count) = (message.body(), context.message().receive_count());
    journal.note(body, count, Event::Started);
    sleep(millis(u64::from(dice.throw()) * 3)).await;
    if dice.throw() < failing {
        journal.note(body, count, Event::Failed);
        assert!(dice.throw() > 20, "a handler panics");
        return Err(Verdict::retry("at random"));
    }
    journal.note(body, count, Event::Done);
    Ok(())
}

/// Throws 0 to 99, the same each time for one seed.
#[derive(Clone, Debug)]
struct Dice(std::sync::Arc<std::sync::Mutex<u64>>);

impl Dice {
    fn new(seed: u64) -> Self {
        Self(std::sync::Arc::new(std::sync::Mutex::new(seed)))
    }

    fn throw(&self) -> u8 {
        let mut state = self.0.lock().unwrap();
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u8::try_from((*state >> 33) % 100).unwrap()
    }
}

fn fault(dice: &Dice, faulty: u8, call: CallKind) -> Fault {
    if call == CallKind::Publish || dice.throw() >= faulty {
        return Fault::Delay(millis(u64::from(dice.throw())));
    }
    match dice.throw() % 4 {
        0 => Fault::Error(QueueError::transient("throttled")),
        1 => Fault::Lost,
        2 => Fault::Error(QueueError::permanent("AccessDenied")),
        _ => Fault::Panic,
    }
}

fn start(world: &World, builder: ReceiverBuilder, state: (Journal, Dice, u8)) -> Running {
    builder
        .pollers(WorkerClass::MAIN, world.pollers)
        .slots(world.slots)
        .visibility(seconds(20))
        .backoff(backoff(millis(700)))
        .handler(handler(at_random).with(state))
        .start()
}

async fn run(world: World) {
    let (queue, journal, dice) = (fifo(), Journal::new(), Dice::new(world.seed));
    for number in 1..=EACH {
        let bodies = GROUPS.map(|group| format!("{group}{number}"));
        send(&queue, &bodies.join(" ")).await;
    }
    let (chance, faulty) = (dice.clone(), world.faulty);
    let flaky = Faulty::new(queue.clone(), move |call, _| fault(&chance, faulty, call));
    let mut running: Vec<_> = (0..world.receivers)
        .map(|_| {
            start(&world, Receiver::builder(flaky.clone()), (journal.clone(), dice.clone(), world.failing))
        })
        .collect();
    for _ in 0..20 {
        sleep(seconds(3)).await;
        let one = running.remove(0);
        one.stop(millis(u64::from(dice.throw()) * 5)).await;
        running.push(start(
            &world,
            Receiver::builder(flaky.clone()),
            (journal.clone(), dice.clone(), world.failing),
        ));
    }
    for _ in 0..100 {
        if queue.depth().await.unwrap().total() == 0 {
            break;
        }
        sleep(seconds(60)).await;
    }
    journal.assert_in_order(1);
    let mut done: BTreeMap<String, usize> = BTreeMap::new();
    for entry in journal.all(Event::Done) {
        *done.entry(entry.body).or_default() += 1;
    }
    assert_eq!(done.len(), GROUPS.len() * EACH, "each was handled");
    assert_eq!(queue.depth().await.unwrap().total(), 0);
    assert!(world.faulty > 0 || done.values().all(|&times| times == 1), "{done:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    // Q8, W11
    #[test]
    fn the_order_of_each_group_holds_over_failures_faults_and_competing_receivers(world in worlds()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(run(world));
    }
}
