//! What a server can be told when it starts.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};

/// How a [`SqsServer`](super::SqsServer) is started.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SqsServerOptions {
    /// The address to listen at, a loopback one; `127.0.0.1:0` by default, where 0 is any free port.
    pub listen: SocketAddr,
    /// Whether calls without a header `Authorization` are refused, as by default. Any signature will do.
    pub auth: bool,
    /// Whether a topic needs a queue's leave, by its policy, to send to it, as by default.
    pub policies: bool,
}

impl SqsServerOptions {
    /// Sets the address to listen at.
    #[must_use]
    pub fn with_listen(mut self, listen: SocketAddr) -> Self {
        self.listen = listen;
        self
    }

    /// Sets whether calls need a header `Authorization`.
    #[must_use]
    pub fn with_auth(mut self, auth: bool) -> Self {
        self.auth = auth;
        self
    }

    /// Sets whether topics need the leave of queues.
    #[must_use]
    pub fn with_policies(mut self, policies: bool) -> Self {
        self.policies = policies;
        self
    }

    /// A server that takes any signature is no server for others.
    pub(super) fn check(&self) -> io::Result<()> {
        if self.listen.ip().is_loopback() {
            return Ok(());
        }
        let message = format!(
            "{} is no loopback address; this server is for tests and checks no signature",
            self.listen
        );
        Err(io::Error::new(io::ErrorKind::InvalidInput, message))
    }
}

impl Default for SqsServerOptions {
    fn default() -> Self {
        Self { listen: (Ipv4Addr::LOCALHOST, 0).into(), auth: true, policies: true }
    }
}
