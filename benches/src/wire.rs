//! The wire between a client and a database server: a relay on loopback that counts round trips.
//!
//! What is counted is what the bars count: not the start of a connection, not the preparation of a statement, not a
//! pool's ping.

mod mysql;
mod postgres;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt, copy};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

/// The protocol of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// PostgreSQL's, version 3.
    Postgres,
    /// MySQL's and MariaDB's.
    MySql,
}

/// A relay to one server.
///
/// # Drop
/// Cuts its connections.
#[derive(Debug)]
pub struct Wire {
    address: SocketAddr,
    trips: Arc<AtomicU64>,
    _relays: JoinSet<()>,
}

impl Wire {
    /// Listens on loopback for clients of the server at `server`, `host:port`.
    ///
    /// # Errors
    /// If no port is to be had.
    pub async fn to(server: String, protocol: Protocol) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let (address, trips) = (listener.local_addr()?, Arc::<AtomicU64>::default());
        let mut relays = JoinSet::new();
        relays.spawn(accept(listener, server, protocol, Arc::clone(&trips)));
        Ok(Self { address, trips, _relays: relays })
    }

    /// Where clients connect to.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// How many round trips there were so far.
    pub fn trips(&self) -> u64 {
        self.trips.load(Ordering::Acquire)
    }
}

async fn accept(listener: TcpListener, server: String, protocol: Protocol, trips: Arc<AtomicU64>) {
    let mut relays = JoinSet::new();
    while let Ok((client, _)) = listener.accept().await {
        relays.spawn(relay(client, server.clone(), protocol, Arc::clone(&trips)));
    }
}

async fn relay(client: TcpStream, server: String, protocol: Protocol, trips: Arc<AtomicU64>) {
    let Ok(server) = TcpStream::connect(server).await else { return };
    client.set_nodelay(true).ok();
    server.set_nodelay(true).ok();
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    let requests = async {
        let mut counter = Counter::of(protocol);
        let mut buffer = vec![0; 64 * 1024];
        loop {
            let read = from_client.read(&mut buffer).await?;
            if read == 0 {
                return to_server.shutdown().await;
            }
            trips.fetch_add(counter.feed(&buffer[..read]), Ordering::AcqRel);
            to_server.write_all(&buffer[..read]).await?;
        }
    };
    let answers = async { copy(&mut from_server, &mut to_client).await.map(drop) };
    // Either end may go first; a broken connection is the client's to notice.
    drop(tokio::try_join!(requests, answers));
}

/// Counts round trips in what a client sends.
enum Counter {
    Postgres(postgres::Requests),
    MySql(mysql::Requests),
}

impl Counter {
    fn of(protocol: Protocol) -> Self {
        match protocol {
            Protocol::Postgres => Self::Postgres(postgres::Requests::default()),
            Protocol::MySql => Self::MySql(mysql::Requests::default()),
        }
    }

    fn feed(&mut self, bytes: &[u8]) -> u64 {
        match self {
            Self::Postgres(requests) => requests.feed(bytes),
            Self::MySql(requests) => requests.feed(bytes),
        }
    }
}
