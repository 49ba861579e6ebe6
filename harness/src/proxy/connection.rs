//! A connection through a proxy.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::sleep;

use super::traffic::Way;
use super::{Rule, Wires};

/// A connection through a proxy.
pub(super) struct Connection {
    pub(super) rule: watch::Receiver<Rule>,
    pub(super) wires: Arc<Wires>,
}

/// One direction of it.
struct Lane<'a> {
    rule: watch::Receiver<Rule>,
    answers: watch::Receiver<Option<usize>>,
    /// How many bytes it may still carry, if that is bounded.
    left: Option<usize>,
    wires: &'a Wires,
    way: Way,
}

impl Connection {
    /// Carries bytes both ways until both ends are done, or one is gone.
    pub(super) async fn carry(self, mut client: TcpStream, upstream: SocketAddr) {
        let Ok(mut server) = TcpStream::connect(upstream).await else { return };
        // What is a packet on one side is one on the other.
        client.set_nodelay(true).and_then(|()| server.set_nodelay(true)).ok();
        let (from_client, to_client) = client.split();
        let (from_server, to_server) = server.split();
        let [ask, answer] = [Way::ToServer, Way::ToClient].map(|way| self.lane(way));
        tokio::try_join!(ask.carry(from_client, to_server), answer.carry(from_server, to_client)).ok();
    }

    fn lane(&self, way: Way) -> Lane<'_> {
        let mut answers = self.wires.answers();
        let left = *answers.borrow_and_update();
        Lane { rule: self.rule.clone(), answers, left, wires: &self.wires, way }
    }
}

impl Lane<'_> {
    async fn carry(
        mut self,
        mut from: impl AsyncRead + Unpin,
        mut to: impl AsyncWrite + Unpin,
    ) -> io::Result<()> {
        let mut buffer = vec![0; 16 * 1024];
        loop {
            let count = from.read(&mut buffer).await?;
            if count == 0 {
                return to.shutdown().await;
            }
            self.wait().await;
            let allowed = self.allowed(count);
            to.write_all(&buffer[..allowed]).await?;
            self.wires.counters.delivered(self.way, allowed);
            if allowed < count {
                return Err(io::ErrorKind::ConnectionAborted.into());
            }
        }
    }

    /// Waits as long as the rule asks for.
    async fn wait(&mut self) {
        let rule = self.rule.wait_for(|rule| *rule != Rule::Stall).await.map(|rule| *rule);
        if let Ok(Rule::Delay(time)) = rule {
            sleep(time).await;
        }
    }

    /// How many of these bytes may be delivered.
    fn allowed(&mut self, count: usize) -> usize {
        if self.way == Way::ToServer {
            return count;
        }
        if self.answers.has_changed().unwrap_or_default() {
            self.left = *self.answers.borrow_and_update();
        }
        let allowed = self.left.map_or(count, |left| left.min(count));
        self.left = self.left.map(|left| left - allowed);
        allowed
    }
}
