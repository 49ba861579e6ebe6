//! Traffic: what a proxy has carried.

use std::sync::atomic::{AtomicU64, Ordering};

/// What a proxy has carried since it was started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Traffic {
    /// How many connections it took, those that it refused included.
    pub connections: u64,
    /// How many bytes it delivered to the server.
    pub to_server: u64,
    /// How many bytes it delivered to clients.
    pub to_client: u64,
}

/// Counts traffic.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    connections: AtomicU64,
    to_server: AtomicU64,
    to_client: AtomicU64,
}

/// Which way bytes go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    ToServer,
    ToClient,
}

impl Counters {
    pub(crate) fn opened(&self) {
        self.connections.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn delivered(&self, way: Way, bytes: usize) {
        let counter = match way {
            Way::ToServer => &self.to_server,
            Way::ToClient => &self.to_client,
        };
        counter.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    pub(crate) fn read(&self) -> Traffic {
        let [connections, to_server, to_client] =
            [&self.connections, &self.to_server, &self.to_client].map(|count| count.load(Ordering::Relaxed));
        Traffic { connections, to_server, to_client }
    }
}
