//! The bulletin of a permit's holder: what it is to tell the other processes, and what they can read already.

use super::notice::Notice;

/// What a holder tells the others: each kind of news once between two ticks at most, and openings as soon as that
/// allows. Levels, not events: what was true for a moment between two publications is left out.
#[derive(Debug)]
pub(super) struct Bulletin {
    now: Notice,
    published: Notice,
    /// An opening has been published since the last tick.
    opened: bool,
    /// A closing has been published since the last tick.
    closed: bool,
}

impl Bulletin {
    /// Begins with what was posted when the permit was asked for.
    pub(super) fn new(posted: Notice) -> Self {
        Self { now: posted, published: posted, opened: posted.open, closed: !posted.open }
    }

    /// Takes in how the gate stands after a receive. One that was `full` while the gate is open is news too: a process
    /// that found nothing since the last opening comes back.
    pub(super) fn see(&mut self, open: bool, full: bool) {
        if open && (full || !self.now.open) {
            self.now.count += 1;
        }
        self.now.open = open;
    }

    /// What is to be published now.
    pub(super) fn due(&self) -> Option<Notice> {
        let spent = if self.now.open { self.opened } else { self.closed };
        (self.now != self.published && !spent).then_some(self.now)
    }

    /// Notes that the others can read `notice`.
    pub(super) fn published(&mut self, notice: Notice) {
        self.published = notice;
        self.spend(notice);
    }

    /// Lets no more of its kind go out before the next tick: for one that could not be published, too.
    pub(super) fn spend(&mut self, notice: Notice) {
        self.opened |= notice.open;
        self.closed |= !notice.open;
    }

    pub(super) fn tick(&mut self) {
        (self.opened, self.closed) = (false, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn publish(bulletin: &mut Bulletin) -> Option<String> {
        let notice = bulletin.due()?;
        bulletin.published(notice);
        Some(notice.to_string())
    }

    fn fresh() -> Bulletin {
        let mut bulletin = Bulletin::new(Notice { open: false, count: 0 });
        bulletin.tick();
        bulletin
    }

    // G9
    #[test]
    fn an_opening_is_published_at_once_and_the_next_after_a_tick() {
        let mut bulletin = fresh();
        assert_eq!(publish(&mut bulletin), None);
        bulletin.see(true, true);
        assert_eq!(publish(&mut bulletin).as_deref(), Some("open 1"));
        bulletin.see(true, true);
        bulletin.see(true, true);
        assert_eq!(publish(&mut bulletin), None);
        bulletin.tick();
        assert_eq!(publish(&mut bulletin).as_deref(), Some("open 3"));
    }

    // G9
    #[test]
    fn a_gate_that_flaps_is_published_twice_a_tick() {
        let (mut bulletin, mut count) = (fresh(), 0);
        for _tick in 0..10 {
            for _flap in 0..100 {
                bulletin.see(true, true);
                count += u32::from(publish(&mut bulletin).is_some());
                bulletin.see(false, false);
                count += u32::from(publish(&mut bulletin).is_some());
            }
            bulletin.tick();
        }
        assert_eq!(count, 20);
    }

    // G9
    #[test]
    fn a_small_receive_is_no_news() {
        let mut bulletin = fresh();
        bulletin.see(false, false);
        assert_eq!(publish(&mut bulletin), None);
        bulletin.see(true, false);
        assert_eq!(publish(&mut bulletin).as_deref(), Some("open 1"));
        bulletin.tick();
        bulletin.see(true, false);
        assert_eq!(publish(&mut bulletin), None);
    }
}
