//! The receives that wait, in the order in which they came.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tokio::sync::Notify;
use tokio::time::Instant;

/// A waiting receive's place in the line: the lower, the earlier it came.
pub(super) type Ticket = u64;

/// Who waits, who was called, and who watches the clock.
///
/// A message that arrives calls one receive, the first; what that one leaves calls the next. A call is kept until
/// it is answered, so none is lost. Only one receive, the keeper, sets a timer for the next message that becomes
/// visible by itself; it keeps the time for all, and when it leaves, another is called to take over.
#[derive(Debug, Default)]
pub(super) struct Line {
    tickets: Ticket,
    asleep: BTreeMap<Ticket, Arc<Notify>>,
    called: BTreeSet<Ticket>,
    keeper: Option<(Ticket, Instant)>,
}

/// The state of the queue, as far as it concerns the line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outlook {
    pub(super) now: Instant,
    /// A receive would bring something now.
    pub(super) deliverable: bool,
    /// When the next message becomes visible by itself.
    pub(super) next: Option<Instant>,
}

impl Line {
    /// Gives the next place.
    pub(super) fn ticket(&mut self) -> Ticket {
        self.tickets += 1;
        self.tickets
    }

    /// Whether nobody sleeps before `ticket`.
    pub(super) fn is_turn(&self, ticket: Ticket) -> bool {
        self.asleep.first_key_value().is_none_or(|(&first, _)| ticket <= first)
    }

    /// Whether someone who came before `ticket` was called and is still on its way.
    pub(super) fn has_called_before(&self, ticket: Ticket) -> bool {
        self.called.first().is_some_and(|&first| first < ticket)
    }

    /// Puts a receive to sleep, and answers until when: its own deadline, or earlier if it is the keeper.
    pub(super) fn sleep(
        &mut self,
        (ticket, woken): (Ticket, &Arc<Notify>),
        deadline: Instant,
        outlook: Outlook,
    ) -> Instant {
        self.leave(ticket);
        self.asleep.insert(ticket, Arc::clone(woken));
        match outlook.next {
            Some(next) if !self.is_kept(next, outlook.now) => {
                let until = deadline.min(next);
                self.keeper = Some((ticket, until));
                until
            }
            _ => deadline,
        }
    }

    /// Takes a receive out of the line.
    pub(super) fn leave(&mut self, ticket: Ticket) {
        self.asleep.remove(&ticket);
        self.called.remove(&ticket);
        self.keeper = self.keeper.filter(|&(keeper, _)| keeper != ticket);
    }

    /// Calls the first sleeper if there is something for it, or if nobody keeps the time. Every change of the
    /// queue or of the line ends with this.
    pub(super) fn rouse(&mut self, outlook: Outlook) {
        let unkept = outlook.next.is_some_and(|next| !self.is_kept(next, outlook.now));
        if (outlook.deliverable || unkept)
            && let Some((ticket, woken)) = self.asleep.pop_first()
        {
            self.called.insert(ticket);
            woken.notify_one();
        }
    }

    /// Whether a keeper comes by `next`. One whose time has passed does not count: it is not being polled.
    fn is_kept(&self, next: Instant, now: Instant) -> bool {
        self.keeper.is_some_and(|(_, until)| until > now && until <= next)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const DEADLINE: u64 = 20;

    struct Fixture(Line, Instant);

    impl Fixture {
        fn new() -> Self {
            Self(Line::default(), Instant::now())
        }

        fn outlook(&self, now: u64, deliverable: bool, next: Option<u64>) -> Outlook {
            let at = |seconds| self.1 + Duration::from_secs(seconds);
            Outlook { now: at(now), deliverable, next: next.map(at) }
        }

        /// Puts a newcomer to sleep, and answers with its ticket and until when it sleeps.
        fn join(&mut self, next: Option<u64>) -> (Ticket, u64) {
            let ticket = self.0.ticket();
            let outlook = self.outlook(0, false, next);
            let deadline = self.1 + Duration::from_secs(DEADLINE);
            let until = self.0.sleep((ticket, &Arc::default()), deadline, outlook);
            (ticket, (until - self.1).as_secs())
        }
    }

    #[test]
    fn only_the_keeper_sets_a_timer_and_its_leaving_calls_the_next() {
        let mut line = Fixture::new();
        let [first, second] = [line.join(Some(5)), line.join(Some(5))];
        assert_eq!([first.1, second.1], [5, DEADLINE]);
        line.0.leave(first.0);
        line.0.rouse(line.outlook(1, false, Some(5)));
        assert!(line.0.called.contains(&second.0));
    }

    #[test]
    fn an_earlier_time_or_a_keeper_that_did_not_come_calls_another() {
        for (now, next) in [(1, 4), (6, 7)] {
            let mut line = Fixture::new();
            let first = line.join(Some(5)).0;
            line.0.rouse(line.outlook(1, false, Some(5)));
            assert!(line.0.called.is_empty());
            line.0.rouse(line.outlook(now, false, Some(next)));
            assert!(line.0.called.contains(&first));
        }
    }

    #[test]
    fn a_receive_that_left_leaves_nothing_behind() {
        let mut line = Fixture::new();
        let tickets = [line.join(Some(5)).0, line.join(None).0];
        line.0.rouse(line.outlook(0, true, None));
        for ticket in tickets {
            line.0.leave(ticket);
        }
        assert!(line.0.asleep.is_empty() && line.0.called.is_empty() && line.0.keeper.is_none());
    }
}
