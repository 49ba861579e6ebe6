//! A script as it is played.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use fastrand::Rng;

use super::{Cut, Fault, FaultScript, Rule};
use crate::server::effects::Effects;

/// A call, as far as a rule asks.
#[derive(Clone, Copy, Debug)]
pub(in crate::server) struct Called<'a> {
    pub(in crate::server) operation: &'a str,
    /// The name of the queue or topic.
    pub(in crate::server) target: Option<&'a str>,
    pub(in crate::server) is_setup: bool,
}

/// What becomes of a call.
#[derive(Debug, Default)]
pub(in crate::server) struct Plan {
    pub(in crate::server) delay: Duration,
    pub(in crate::server) effects: Effects,
    /// How it ends, unless by its own answer.
    pub(in crate::server) end: Option<End>,
}

/// An end other than the call's own answer.
#[derive(Debug)]
pub(in crate::server) enum End {
    Cut(Cut),
    Hang,
    /// A fault with an answer of its own.
    Answer(Fault),
}

/// The script that is played now.
#[derive(Debug, Default)]
pub(in crate::server) struct Faults(Mutex<Vec<Player>>);

impl Faults {
    /// Plays a script instead of the one before.
    pub(in crate::server) fn play(&self, script: FaultScript) {
        *self.lock() = Vec::from(script).into_iter().map(Player::new).collect();
    }

    pub(in crate::server) fn script(&self) -> Vec<Rule> {
        self.lock().iter().map(|player| player.rule.clone()).collect()
    }

    /// How often each rule struck.
    pub(in crate::server) fn struck(&self) -> Vec<u64> {
        self.lock().iter().map(|player| player.struck).collect()
    }

    pub(in crate::server) fn plan(&self, called: Called<'_>) -> Plan {
        let mut plan = Plan::default();
        for fault in self.lock().iter_mut().filter_map(|player| player.strike(called)) {
            plan.add(fault);
        }
        plan
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Player>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Plan {
    fn add(&mut self, fault: Fault) {
        self.delay += Duration::from_millis(fault.delay_ms.unwrap_or(0));
        self.effects.abandon |= fault.abandon;
        self.effects.in_flight_cap = self.effects.in_flight_cap.or(fault.in_flight_cap);
        if self.effects.partial.is_empty() {
            self.effects.partial.clone_from(&fault.partial);
        }
        self.end = self.end.take().or_else(|| End::of(fault));
    }
}

impl End {
    fn of(fault: Fault) -> Option<Self> {
        match fault.cut {
            Some(cut) => Some(Self::Cut(cut)),
            None if fault.hang => Some(Self::Hang),
            None if fault.throttled || fault.error.is_some() || fault.status.is_some() => {
                Some(Self::Answer(fault))
            }
            None => None,
        }
    }
}

/// A rule as it is played.
#[derive(Debug)]
struct Player {
    rule: Rule,
    /// Whose turn comes next is first.
    turns: VecDeque<Fault>,
    random: Rng,
    /// Which of so many calls the rule strikes, counted from 1.
    place: u64,
    seen: u64,
    struck: u64,
}

impl Player {
    fn new(rule: Rule) -> Self {
        let turns = rule.faults().cloned().collect();
        Self { turns, random: Rng::with_seed(rule.seed.unwrap_or(0)), place: 0, seen: 0, struck: 0, rule }
    }

    /// The fault that strikes a call, if one does.
    fn strike(&mut self, called: Called<'_>) -> Option<Fault> {
        if !self.is_about(called)
            || !self.is_next()
            || self.rule.times.is_some_and(|most| self.struck >= most)
        {
            return None;
        }
        let turn = self.turns.iter().position(|fault| fault.suits(called.operation))?;
        let fault = self.turns.remove(turn)?;
        self.turns.push_back(fault.clone());
        self.struck += 1;
        Some(fault)
    }

    fn is_about(&self, called: Called<'_>) -> bool {
        let operation = match &self.rule.operation {
            Some(operation) => operation == called.operation,
            None => !called.is_setup,
        };
        operation && self.rule.queue.as_deref().is_none_or(|queue| called.target == Some(queue))
    }

    /// Counts a call; whether it is one of those that a rule strikes.
    fn is_next(&mut self) -> bool {
        self.seen += 1;
        let Some(number) = self.seen.checked_sub(self.rule.after.unwrap_or(0)).filter(|&number| number > 0)
        else {
            return false;
        };
        match (self.rule.every, self.rule.share) {
            (Some(every), _) => self.is_place(number, every),
            (None, Some(share)) => self.random.f64() < share,
            (None, None) => true,
        }
    }

    /// Whether a call is the one of so many.
    fn is_place(&mut self, number: u64, every: u64) -> bool {
        let at = (number - 1) % every + 1;
        if at == 1 {
            self.place = if self.rule.seed.is_some() { self.random.u64(1..=every) } else { every };
        }
        at == self.place
    }
}
