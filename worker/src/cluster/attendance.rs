//! The attendance at a gate: how many workers of a class wait or poll, and whether their polls come to an end.

use std::time::Duration;

use tokio::time::Instant;

/// Who of a class waits at the gate and who polls, and when something last went on there.
#[derive(Debug)]
pub(super) struct Attendance {
    waiting: usize,
    polling: usize,
    /// When a turn was last given or ended.
    moved: Instant,
    /// The permit was let go because no poll came to an end. The end of one ends that.
    gave_up: bool,
}

impl Attendance {
    pub(super) fn new() -> Self {
        Self { waiting: 0, polling: 0, moved: Instant::now(), gave_up: false }
    }

    /// A worker came to the gate.
    pub(super) fn come(&mut self) {
        self.waiting += 1;
    }

    /// A worker that waited has left, with a turn or without one.
    pub(super) fn leave(&mut self) {
        self.waiting -= 1;
    }

    /// A worker got a turn.
    pub(super) fn given(&mut self) {
        self.polling += 1;
        self.moved = Instant::now();
    }

    /// A turn has ended.
    pub(super) fn ended(&mut self) {
        self.polling -= 1;
        self.moved = Instant::now();
        self.gave_up = false;
    }

    /// It has the permit from now on.
    pub(super) fn begin(&mut self) {
        self.moved = Instant::now();
    }

    /// Whether nothing has gone on for so long that another process ought to have the permit.
    pub(super) fn is_stuck(&self, patience: Duration) -> bool {
        self.moved.elapsed() >= patience
    }

    pub(super) fn give_up(&mut self) {
        self.gave_up = true;
    }

    /// Whether there is anybody who could make use of the permit: not if all that can poll are stuck.
    pub(super) fn could_poll(&self) -> bool {
        if self.gave_up && self.polling > 0 { false } else { self.waiting + self.polling > 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_secs(30);

    // G8, G9
    #[tokio::test(start_paused = true)]
    async fn a_class_whose_polls_are_stuck_can_poll_again_when_one_ends() {
        let mut attendance = Attendance::new();
        assert!(!attendance.could_poll());
        attendance.come();
        assert!(attendance.could_poll());
        attendance.leave();
        attendance.given();
        attendance.come();
        tokio::time::advance(PATIENCE).await;
        assert!(attendance.is_stuck(PATIENCE));
        attendance.give_up();
        assert!(!attendance.could_poll());
        attendance.ended();
        assert!(attendance.could_poll() && !attendance.is_stuck(PATIENCE));
    }

    // G8: nobody was there, so nobody is stuck
    #[tokio::test(start_paused = true)]
    async fn a_worker_that_comes_to_a_gate_which_gave_up_for_want_of_one_can_poll() {
        let mut attendance = Attendance::new();
        attendance.give_up();
        attendance.come();
        assert!(attendance.could_poll());
    }
}
