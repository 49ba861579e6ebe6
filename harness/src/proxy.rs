//! A proxy between a program and its server, which a test lets pass, cut, stall, delay or refuse.

mod connection;
mod traffic;

use std::fmt;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use connection::Connection;
use traffic::Counters;

pub use traffic::Traffic;

/// A TCP proxy on a free port of the loopback interface, in front of one server.
///
/// It lets everything pass until it is told otherwise; what it is told holds for connections that are there as well as
/// for new ones. Its tasks run on the runtime on which it was started, whose clock must not be paused.
///
/// # Drop
/// It ends every connection and listens no more.
///
/// # Examples
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> std::io::Result<()> {
/// # let server = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
/// let proxy = harness::Proxy::start(server.local_addr()?).await?;
/// let client = tokio::net::TcpStream::connect(proxy.address()).await?;
/// server.accept().await?;
/// assert_eq!(proxy.traffic().connections, 1);
/// proxy.cut();
/// # drop(client); Ok(()) }
/// ```
pub struct Proxy {
    address: SocketAddr,
    rule: watch::Sender<Rule>,
    wires: Arc<Wires>,
    stop: CancellationToken,
}

/// What becomes of what comes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Rule {
    #[default]
    Pass,
    Refuse,
    Stall,
    Delay(Duration),
}

/// What all connections share.
#[derive(Debug)]
pub(crate) struct Wires {
    pub(crate) counters: Counters,
    /// Ends the connections that are there; each cut puts a new one in its place.
    cut: Mutex<CancellationToken>,
    /// How many bytes of answers each connection may still carry, and how often that was said.
    answers: watch::Sender<Option<usize>>,
}

impl Proxy {
    /// Listens, in front of the server at `upstream`.
    ///
    /// # Errors
    /// When there is no port to listen on.
    pub async fn start(upstream: SocketAddr) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let wires = Arc::new(Wires {
            counters: Counters::default(),
            cut: Mutex::default(),
            answers: watch::Sender::new(None),
        });
        let (rule, stop) = (watch::Sender::new(Rule::default()), CancellationToken::new());
        let listening = Listening { upstream, rule: rule.subscribe(), wires: Arc::clone(&wires) };
        let tasks = TaskTracker::new();
        let token = stop.clone();
        tasks.spawn(async move { token.run_until_cancelled(listening.accept(listener)).await });
        Ok(Self { address, rule, wires, stop })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// A URL of the server, with the proxy's host and port in place of its own.
    pub fn url(&self, url: &str) -> String {
        let start = url.find("://").map_or(0, |at| at + 3);
        let end = url[start..].find(['/', '?']).map_or(url.len(), |at| start + at);
        let account = url[start..end].rfind('@').map_or(start, |at| start + at + 1);
        format!("{}{}{}", &url[..account], self.address, &url[end..])
    }

    /// Lets everything pass, also what was held back.
    pub fn pass(&self) {
        self.rule.send_replace(Rule::Pass);
    }

    /// Ends new connections before they carry a byte; those that are there go on.
    pub fn refuse(&self) {
        self.rule.send_replace(Rule::Refuse);
    }

    /// Takes connections and bytes and delivers nothing, in either direction.
    pub fn stall(&self) {
        self.rule.send_replace(Rule::Stall);
    }

    /// Delivers everything so much later, in either direction.
    pub fn delay(&self, time: Duration) {
        self.rule.send_replace(Rule::Delay(time));
    }

    /// Ends the connections that are there; new ones are welcome.
    pub fn cut(&self) {
        self.wires.cut();
    }

    /// Lets each connection carry so many bytes of answers from now on, and then ends it: an answer in parts, and not
    /// all of them.
    pub fn cut_answers_after(&self, bytes: usize) {
        self.wires.answers.send_replace(Some(bytes));
    }

    /// Lets answers be as long as they are again.
    pub fn let_answers_be(&self) {
        self.wires.answers.send_replace(None);
    }

    /// What it has carried until now.
    pub fn traffic(&self) -> Traffic {
        self.wires.counters.read()
    }
}

impl Wires {
    fn cut(&self) {
        let mut cut = self.cut.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *cut).cancel();
    }

    fn token(&self) -> CancellationToken {
        self.cut.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Hears what becomes of answers.
    pub(crate) fn answers(&self) -> watch::Receiver<Option<usize>> {
        self.answers.subscribe()
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.stop.cancel();
        self.cut();
    }
}

impl fmt::Debug for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Proxy");
        shown.field("address", &self.address).field("rule", &*self.rule.borrow());
        shown.field("traffic", &self.traffic()).finish_non_exhaustive()
    }
}

/// The proxy's ear.
struct Listening {
    upstream: SocketAddr,
    rule: watch::Receiver<Rule>,
    wires: Arc<Wires>,
}

impl Listening {
    async fn accept(self, listener: TcpListener) {
        let tasks = TaskTracker::new();
        loop {
            // A connection that ended before it was taken is no reason to listen no more.
            let Ok((client, _)) = listener.accept().await else { continue };
            self.wires.counters.opened();
            if *self.rule.borrow() != Rule::Refuse {
                tasks.spawn(self.carry(client));
            }
        }
    }

    fn carry(&self, client: TcpStream) -> impl Future<Output = ()> + use<> {
        let connection = Connection { rule: self.rule.clone(), wires: Arc::clone(&self.wires) };
        let (upstream, cut) = (self.upstream, self.wires.token());
        async move {
            cut.run_until_cancelled(connection.carry(client, upstream)).await;
        }
    }
}

#[cfg(test)]
mod tests;
