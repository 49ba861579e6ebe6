//! The advice that a count of calls gives to those who pay for them.

use super::Calls;

/// Fewer receives than this say nothing.
const ENOUGH_RECEIVES: u64 = 100;

impl Calls {
    /// Says in words what to change when most receives were empty; `None` while they are fewer than 100, or when
    /// most of them brought something (G10). Ask it of the difference of two snapshots, such as a busy hour's.
    pub fn advice(&self) -> Option<String> {
        if self.receive < ENOUGH_RECEIVES || self.empty_receive * 2 <= self.receive {
            return None;
        }
        let (empty, all) = (self.empty_receive, self.receive);
        let percent = empty * 100 / all;
        Some(format!("{empty} of {all} receives ({percent} %) brought nothing: {}", self.remedy()))
    }

    fn remedy(&self) -> &'static str {
        if self.received == 0 {
            "the queue is quiet; wait the longest time in each receive, and let one poller ask for all through a gate"
        } else {
            "too many processes poll this queue, or it is quiet; run fewer of them, or let them share one poller \
             through a gate"
        }
    }
}
