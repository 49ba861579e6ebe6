//! A test server for Amazon SQS and SNS: their wire protocols over queues in memory.

mod calls;
mod control;
mod effects;
mod error;
mod faults;
mod http;
mod options;
mod sns;
mod sqs;
mod thread;
mod wire;

use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use thread::ServerThread;
use wire::Wire;

pub use calls::Calls;
pub use faults::{Cut, Fault, FaultScript, FaultScriptError, Rule};
pub use options::SqsServerOptions;
pub use sns::Deliveries;

/// A server that speaks the wire protocols of Amazon SQS (AWS JSON 1.0) and SNS (the query protocol), **for tests
/// only**: it checks no signature and keeps nothing, and it listens on loopback addresses alone.
///
/// What [`MemoryQueue`](queue_core::MemoryQueue) specifies, the wire says, with the service's own error names, codes, digests and request ids;
/// the AWS CLI, boto3 and the AWS SDKs work against it. It lives on a thread and a runtime of its own, so that a test
/// may pause its clock or block its thread; time here is real, and moves forward by [`advance`](Self::advance).
/// `cargo run -p testkit --bin sqs-server` is the same as a program.
///
/// Beside the services it answers to, without authorization:
///
/// | | |
/// | --- | --- |
/// | `GET /_calls` | the [`Calls`] so far: `{"calls":{"SendMessage":1},"setup":{"CreateQueue":1}}`; `DELETE` forgets them |
/// | `GET /_deliveries` | the [`Deliveries`] so far: what became of the copies of published messages |
/// | `POST /_faults` | plays a [`FaultScript`]; `GET` shows it and how often each of its rules struck; `DELETE` ends it |
/// | `POST /_clock` | moves the clock forward, by `{"advance_ms":1000}`; `GET` shows it |
///
/// It imitates what the services document. It leaves out: signatures and permissions, but for the policy by which a
/// queue lets a topic send; encryption; quotas of calls, which a script of faults stands for; the query protocol of
/// SQS, which today's clients no longer speak; at-least-once in the sense that a message comes twice for no reason;
/// topics' subscribers other than queues; several accounts and regions (all is account 000000000000's in us-east-1,
/// whatever the client's region).
///
/// # Guarantees
/// None of the project's own; what its queues promise, it answers.
///
/// # Drop
/// Stops the server at once, also in the middle of calls, and doesn't wait for it: see [`stop`](Self::stop).
///
/// # Examples
/// ```
/// use testkit::server::{FaultScript, SqsServer};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let server = SqsServer::start().await?;
/// server.faults(FaultScript::in_turn(5)); // a fifth of the calls fail, in five ways
/// println!("the endpoint of a client: {}", server.endpoint_url());
/// assert_eq!(server.calls().of("SendMessage"), 0);
/// server.stop().await;
/// # Ok(()) }
/// ```
pub struct SqsServer {
    wire: Arc<Wire>,
    thread: ServerThread,
}

impl SqsServer {
    /// Starts a server on a free port of `127.0.0.1`.
    ///
    /// # Cancel safety
    /// Safe: dropped, the server stops.
    ///
    /// # Errors
    /// The system's, if it gives no port, no thread or no files.
    pub async fn start() -> io::Result<Self> {
        Self::start_with(SqsServerOptions::default()).await
    }

    /// Starts a server as the options say.
    ///
    /// # Cancel safety
    /// Safe: dropped, the server stops.
    ///
    /// # Errors
    /// `InvalidInput` for an address that isn't loopback; otherwise the system's.
    pub async fn start_with(options: SqsServerOptions) -> io::Result<Self> {
        let (wire, mut thread) = thread::start(&options)?;
        thread.ready().await?;
        Ok(Self { wire, thread })
    }

    /// The URL that a client takes for its endpoint, such as `http://127.0.0.1:9324`.
    pub fn endpoint_url(&self) -> &str {
        self.thread.endpoint()
    }

    /// The calls that came so far, also those that a fault struck.
    pub fn calls(&self) -> Calls {
        self.wire.ledger.calls()
    }

    /// Forgets the calls that came so far.
    pub fn reset_calls(&self) {
        self.wire.ledger.reset();
    }

    /// What became of the copies of what was published to topics so far.
    pub fn deliveries(&self) -> Deliveries {
        self.wire.sns.deliveries()
    }

    /// Plays a script of faults from now on, instead of the one before.
    pub fn faults(&self, script: FaultScript) {
        self.wire.faults.play(script);
    }

    /// Ends the script of faults. Calls that hang still hang.
    pub fn heal(&self) {
        self.faults(FaultScript::default());
    }

    /// How often each rule of the script struck, in the order of the rules.
    pub fn struck(&self) -> Vec<u64> {
        self.wire.faults.struck()
    }

    /// Moves the server's clock forward: visibility timeouts, delays, retention, waits and the rest that the services
    /// measure.
    pub fn advance(&self, by: Duration) {
        self.wire.clock.advance(by);
    }

    /// Stops the server and waits until its port is free.
    ///
    /// # Cancel safety
    /// Safe: the server stops all the same.
    pub async fn stop(self) {
        self.thread.stop().await;
    }
}

impl fmt::Debug for SqsServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqsServer").field("endpoint_url", &self.endpoint_url()).finish_non_exhaustive()
    }
}
