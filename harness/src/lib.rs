//! Kills, freezes and restarts real processes at named points, and keeps the ledger of what they did.
//!
//! A guarantee about crashes is tested with a real process and `kill -9`, at every step in turn. The process is a small
//! program in `harness/src/bin`, which says where it is by [`point()`] and what it did by a [`Pen`]; the test runs it by
//! a [`Program`], does to the [`Child`] what has to be survived, runs it again, and asks the [`Ledger`] for the
//! [`Balance`].
//!
//! # The program
//!
//! ```no_run
//! use harness::{Pen, point};
//!
//! # fn receive() -> Option<(String, u64)> { None }
//! # fn delete() {}
//! fn main() -> std::io::Result<()> {
//!     let pen = Pen::inherited();                  // writes nothing if no test started us
//!     while let Some((key, number)) = receive() {  // from a queue in a real database
//!         point("received");                       // costs a comparison if no test started us
//!         pen.started(&key, number)?;
//!         pen.finished(&key, number)?;             // the effect: a line in a file, which survives kill -9
//!         point("handled");
//!         delete();
//!         point("deleted");
//!     }
//!     Ok(())
//! }
//! ```
//!
//! In async code it is `point_async("handled").await`, which holds up no other task. A step inside a library is reached
//! by a decorator around the seam on which it works (a `Publisher` that calls [`point()`] before and after the real one)
//! or, for a single statement, by a proxy between the program and its server.
//!
//! # The test
//!
//! ```no_run
//! use harness::{Ledger, Program};
//!
//! # fn fill_the_queue(_: &Ledger) {}
//! # const WORKER: &str = "queue-worker";
//! fn a_message_survives_a_kill_at_each_step() -> Result<(), harness::HarnessError> {
//!     let program = Program::new(WORKER).with_env("DATABASE_URL", "…");  // env!("CARGO_BIN_EXE_queue-worker")
//!     for point in ["received", "handled", "deleted"] {
//!         let ledger = Ledger::create()?;
//!         fill_the_queue(&ledger);                 // and ledger.pen().sent(key, number) for each message
//!         let worker = program.clone().with_ledger(&ledger).hold_at(point).start()?;
//!         worker.wait_until_held()?;
//!         worker.kill()?;
//!         program.clone().with_ledger(&ledger).start()?.finish()?.expect_success()?;
//!         let balance = ledger.balance()?;
//!         assert!(balance.lost().is_empty() && balance.disorder().is_empty(), "{point}: {balance}");
//!         assert!(balance.duplicates() <= 1, "{point}: {balance}");
//!     }
//!     Ok(())
//! }
//! ```
//!
//! * *At a random time* is [`Child::kill_after`] with the next of some [`Moments`].
//! * *A pause past a lease*: hold the program where it has its claim, [`Child::freeze`] it, let another take over,
//!   [`Child::resume`] and [`Child::go_on`]; [`Balance::overlaps`] says whether both worked at once.
//! * *A semaphore*: [`Pen::started`] and [`Pen::finished`] around what a permit guards, the fencing number as the number;
//!   [`Balance::most_at_once`] is the most holders there ever were, and [`Balance::disorder`] is where a number fell.
//! * *An outbox*: [`Pen::sending`] before the commit and [`Pen::sent`] after it, `finished` at the subscriber; hold at
//!   the point between commit and publish, kill, let a relay run, and nothing is [lost](Balance::lost) and nothing
//!   comes that was [never sent](Balance::unsent).
//!
//! # Servers
//!
//! A [`Proxy`] stands between a program and its server and cuts, stalls, delays or refuses; a [`Server`] is a PostgreSQL
//! or a MariaDB of a test's own, to be killed and started again.
//!
//! # What is certain
//!
//! A child never outlives the test, even if the test is killed or the child is frozen; only processes that the
//! harness started are signalled; every wait has a deadline, and what was seen until then is in the error.

mod balance;
mod child;
mod clock;
mod ended;
mod entry;
mod error;
mod inherited;
mod journal;
mod keeper;
mod leash;
mod ledger;
mod moments;
mod output;
mod pen;
mod point;
mod process;
mod program;
mod proxy;
mod server;
mod watch;
mod wire;

pub use balance::{Balance, Disorder, Overlap};
pub use child::Child;
pub use clock::{monotonic, pause};
pub use ended::Ended;
pub use error::{HarnessError, HarnessErrorKind};
pub use journal::Journal;
pub use ledger::Ledger;
pub use moments::Moments;
pub use output::Output;
pub use pen::Pen;
pub use point::{point, point_async};
pub use program::Program;
pub use proxy::{Proxy, Traffic};
pub use server::{Server, ServerKind};
