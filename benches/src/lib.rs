//! What the benchmarks share: findings held against their bars, and queues that take their time or give no answer.

mod backlog;
mod bar;
mod brief;
mod finding;
mod report;
mod rounds;
mod runtimes;
mod servers;
mod settling;
mod slow;
mod statements;
mod unanswering;
mod until;
mod wire;

pub use backlog::fill;
pub use bar::Bar;
pub use brief::brief;
pub use finding::{Finding, per};
pub use report::Report;
pub use rounds::{Rounds, in_turn, rate};
pub use runtimes::{one_thread, paused, two_threads};
pub use servers::{MYSQL, POSTGRES, mysql, postgres};
pub use settling::delete_all;
pub use slow::{Latency, Slow};
pub use statements::Statements;
pub use unanswering::{Answer, Unanswering};
pub use until::until;
pub use wire::{Protocol, Wire};
