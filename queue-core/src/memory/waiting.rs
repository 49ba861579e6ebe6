//! A receive that waits for messages.

use std::sync::Arc;

use tokio::sync::Notify;
use tokio::task::yield_now;
use tokio::time::Instant;

use super::engine::Wanted;
use super::line::Ticket;
use super::shared::{Shared, State};
use crate::{Message, QueueError, Receipt, ReceiveOptions};

type Taken = Vec<(Message, Receipt)>;

/// One receive at the queue.
///
/// Messages are taken in [`step`](Self::step), which is synchronous and comes after the last await, so that a
/// receive that is dropped while it waits has taken nothing.
///
/// # Drop
/// Leaves the line and passes a call on.
pub(super) struct Waiting<'a> {
    shared: &'a Shared,
    options: &'a ReceiveOptions,
    wanted: Wanted,
    deadline: Instant,
    woken: Arc<Notify>,
    ticket: Option<Ticket>,
    in_line: bool,
    gave_way: bool,
}

/// How a step ended.
enum Step {
    Answer(Result<Taken, QueueError>),
    /// A receive that came earlier was called and is on its way: let it come first.
    GiveWay,
    SleepUntil(Instant),
}

impl<'a> Waiting<'a> {
    pub(super) fn new(shared: &'a Shared, options: &'a ReceiveOptions) -> Self {
        let deadline = shared.clock.now() + options.wait;
        Self {
            shared,
            options,
            wanted: shared.settings().wanted(options),
            deadline,
            woken: Arc::default(),
            ticket: None,
            in_line: false,
            gave_way: false,
        }
    }

    /// Waits for messages; an empty answer when the wait or `options.stop` ends first.
    pub(super) async fn receive(mut self) -> Result<Taken, QueueError> {
        loop {
            match self.step() {
                Step::Answer(answer) => return answer,
                Step::GiveWay => yield_now().await,
                Step::SleepUntil(until) => self.sleep(until).await,
            }
        }
    }

    async fn sleep(&self, until: Instant) {
        tokio::select! {
            () = self.woken.notified() => {}
            () = self.options.stop.cancelled() => {}
            () = self.shared.clock.sleep_or_move(until) => {}
        }
    }

    fn step(&mut self) -> Step {
        let shared = self.shared;
        shared.act(|state, now| {
            if let Some(taken) = state.engine.repeat(&self.wanted, now) {
                return self.answer(state, taken);
            }
            if self.options.wait.is_zero() && state.engine.is_full() {
                return Step::Answer(Err(self.over_limit()));
            }
            let ticket = *self.ticket.get_or_insert_with(|| state.line.ticket());
            if !self.gave_way && !self.is_last(now) && state.line.has_called_before(ticket) {
                self.gave_way = true;
                return Step::GiveWay;
            }
            self.try_take(state, ticket, now)
        })
    }

    /// Takes if it is its turn; at the end of its wait also out of turn, so that it never answers with nothing while
    /// something is there.
    fn try_take(&mut self, state: &mut State, ticket: Ticket, now: Instant) -> Step {
        let last = self.is_last(now);
        if last || state.line.is_turn(ticket) {
            let taken = self.shared.take(&mut state.engine, &self.wanted, now);
            if last || !taken.is_empty() {
                return self.answer(state, taken);
            }
        }
        (self.in_line, self.gave_way) = (true, false);
        let outlook = state.outlook(now);
        Step::SleepUntil(state.line.sleep((ticket, &self.woken), self.deadline, outlook))
    }

    fn answer(&mut self, state: &mut State, taken: Taken) -> Step {
        if let Some(ticket) = self.ticket {
            state.line.leave(ticket);
        }
        self.in_line = false;
        Step::Answer(Ok(taken))
    }

    /// Whether the wait ends now.
    fn is_last(&self, now: Instant) -> bool {
        now >= self.deadline || self.options.stop.is_cancelled()
    }

    /// `OverLimit`, which the service answers to short polls only.
    fn over_limit(&self) -> QueueError {
        let most = self.shared.settings().max_in_flight;
        QueueError::transient(format!("{most} messages are in flight, the most that the queue allows"))
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if let (true, Some(ticket)) = (self.in_line, self.ticket) {
            self.shared.act(|state, _now| state.line.leave(ticket));
        }
    }
}
