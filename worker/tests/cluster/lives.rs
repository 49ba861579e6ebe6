//! Random lives of three processes: one master, no class that stops, no burst that anybody misses.

use std::time::Duration;

use proptest::collection::vec;
use proptest::prelude::*;
use queue_core::{Inspect, WorkerClass};
use tokio::time::{Instant, sleep};
use worker::Standing;

use crate::process::{House, Process, ms, secs};
use crate::wire::State;

/// How long a process may believe that it holds what was taken from it: while it can't renew, for a lease.
const BELIEF: Duration = Duration::from_secs(30);
/// The lease, two intervals of 2 s, the longest poll, and a second to spare.
const LONGEST_SILENCE: Duration = Duration::from_secs(55);
const STEP: Duration = Duration::from_millis(250);

/// What may happen to a process, or to all.
#[derive(Clone, Debug)]
enum Event {
    Publish(usize),
    /// The permit is taken by force.
    Take,
    Wire(usize, State),
    Kill(usize),
    Stop(usize),
    /// A process takes the place of one that was stopped or killed.
    Start(usize),
    /// Nothing, for so many seconds.
    Pass(u64),
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let state = prop_oneof![
        2 => Just(State::Up),
        1 => Just(State::Broken),
        1 => Just(State::Hung),
        1 => Just(State::Panics),
        1 => Just(State::Slow(ms(700))),
    ];
    let event = prop_oneof![
        2 => (1..300_usize).prop_map(Event::Publish),
        1 => Just(Event::Take),
        2 => (0..3_usize, state).prop_map(|(who, state)| Event::Wire(who, state)),
        1 => (0..3_usize).prop_map(Event::Kill),
        1 => (0..3_usize).prop_map(Event::Stop),
        2 => (0..3_usize).prop_map(Event::Start),
        5 => (1..40_u64).prop_map(Event::Pass),
    ];
    vec(event, 1..30)
}

/// Three places for processes, and what has been seen of them.
struct World {
    house: House,
    alive: [bool; 3],
    taken: Option<Instant>,
    /// When a poll last began, or an event happened that may hold one up.
    stirred: Instant,
    seen: Instant,
}

impl World {
    fn new() -> Self {
        let house = House::handling(3, ms(300));
        Self { house, alive: [true; 3], taken: None, stirred: Instant::now(), seen: Instant::now() }
    }

    async fn happens(&mut self, event: &Event) {
        self.stirred = Instant::now();
        match *event {
            Event::Publish(count) => self.house.publish(count).await,
            Event::Take => {
                self.house.store.force_release();
                self.taken = Some(Instant::now());
            }
            Event::Wire(who, state) if self.alive[who] => self.house.processes[who].wire.is_now(state),
            Event::Kill(who) if self.alive[who] => self.house.processes[who].kill(),
            Event::Stop(who) if self.alive[who] => self.house.processes[who].stop().await,
            Event::Start(who) if !self.alive[who] => {
                self.house.processes[who] = Process::start(&self.house.store, &self.house.queue, ms(300));
            }
            Event::Pass(seconds) => self.pass(secs(seconds)).await,
            Event::Wire(..) | Event::Kill(_) | Event::Stop(_) | Event::Start(_) => {}
        }
        match *event {
            Event::Kill(who) | Event::Stop(who) => self.alive[who] = false,
            Event::Start(who) => self.alive[who] = true,
            _ => {}
        }
    }

    /// Lets time pass and looks at it, step by step.
    async fn pass(&mut self, time: Duration) {
        let end = Instant::now() + time;
        while Instant::now() < end {
            let (closed, since) = (self.closed_followers(), Instant::now());
            sleep(STEP).await;
            self.check(&closed, since);
        }
    }

    fn alive(&self) -> impl Iterator<Item = (usize, &Process)> {
        self.house.processes.iter().enumerate().filter(|(number, _)| self.alive[*number])
    }

    fn count(&self, standing: Standing) -> usize {
        self.alive().filter(|(_, process)| process.standing() == standing).count()
    }

    fn closed_followers(&self) -> Vec<usize> {
        let closed = |process: &Process| {
            process.standing() == Standing::Follower && !process.gate.is_open(&WorkerClass::MAIN)
        };
        self.alive().filter(|(_, process)| closed(process)).map(|(number, _)| number).collect()
    }

    fn check(&mut self, closed: &[usize], since: Instant) {
        let believes = self.taken.is_some_and(|taken| taken.elapsed() < BELIEF);
        assert!(self.count(Standing::Holder) <= 1 || believes, "two hold it: {:?}", self.house.standings());
        for number in self.closed_followers().iter().filter(|number| closed.contains(number)) {
            let turns = self.house.processes[*number].turns_since(since);
            assert_eq!(turns, 0, "a follower's worker got a turn while its gate was closed");
        }
        let turns = self.alive().filter_map(|(_, process)| process.last_turn()).max();
        self.seen = turns.map_or(self.seen, |turn| turn.max(self.seen));
        if self.alive.contains(&true) {
            let silent = self.seen.max(self.stirred).elapsed();
            assert!(silent <= LONGEST_SILENCE, "nobody polls: {silent:?}, {:?}", self.house.standings());
        }
    }

    /// All wires are well again and somebody is there: one master in the end, whom all hear.
    async fn comes_to_rest(&mut self) {
        self.happens(&Event::Start(0)).await;
        self.alive().for_each(|(_, process)| process.wire.is_now(State::Up));
        self.pass(secs(300)).await;
        assert_eq!(self.house.queue.depth().await.unwrap().total(), 0, "all is handled");
        let expected = (1, self.alive().count() - 1);
        assert_eq!((self.count(Standing::Holder), self.count(Standing::Follower)), expected);
        self.hears_of_a_burst().await;
        self.pass(secs(100)).await;
        let since = Instant::now();
        sleep(secs(200)).await;
        assert_eq!(self.house.receives_since(since), 10, "one poll every 20 s: {:?}", self.house.standings());
    }

    async fn hears_of_a_burst(&self) {
        let since = Instant::now();
        self.house.publish(1_000).await;
        sleep(secs(2) + ms(10)).await;
        assert!(self.alive().all(|(_, process)| process.receives_since(since) > 0), "all hear of it");
    }
}

async fn check(events: Vec<Event>) {
    let mut world = World::new();
    for event in &events {
        world.happens(event).await;
    }
    world.comes_to_rest().await;
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    // G3, G4, G8, G9
    #[test]
    fn random_lives_of_three_processes_keep_every_promise(events in events()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(check(events));
    }
}
