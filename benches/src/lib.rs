//! What the benchmarks share: findings held against their bars, and queues that take their time or give no answer.

mod backlog;
mod bar;
mod brief;
mod finding;
mod report;
mod runtimes;
mod settling;
mod slow;
mod unanswering;
mod until;

pub use backlog::fill;
pub use bar::Bar;
pub use brief::brief;
pub use finding::{Finding, per};
pub use report::Report;
pub use runtimes::{one_thread, paused, two_threads};
pub use settling::delete_all;
pub use slow::{Latency, Slow};
pub use unanswering::{Answer, Unanswering};
pub use until::until;
