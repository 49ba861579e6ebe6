//! What an endpoint for Prometheus shows.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The text of an endpoint.
pub(crate) struct Page(pub(crate) String);

impl Page {
    /// Fetches it over HTTP.
    pub(crate) async fn fetch(address: SocketAddr) -> Self {
        let mut connection = TcpStream::connect(address).await.unwrap();
        connection.write_all(b"GET /metrics HTTP/1.0\r\nHost: localhost\r\n\r\n").await.unwrap();
        let mut answer = String::new();
        connection.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with("HTTP/1.0 200"), "{answer}");
        Self(answer)
    }

    /// The number of a metric with these labels among its own.
    pub(crate) fn count(&self, name: &str, labels: &[(&str, &str)]) -> u64 {
        self.text(name, labels).parse().unwrap()
    }

    /// The measure of a metric with these labels among its own.
    pub(crate) fn value(&self, name: &str, labels: &[(&str, &str)]) -> f64 {
        self.text(name, labels).parse().unwrap()
    }

    fn text(&self, name: &str, labels: &[(&str, &str)]) -> &str {
        let labels: Vec<_> = labels.iter().map(|(label, value)| format!("{label}=\"{value}\"")).collect();
        let line = self.0.lines().find(|line| {
            let series = line.strip_prefix(name).is_some_and(|rest| rest.starts_with('{'));
            series && labels.iter().all(|label| line.contains(label))
        });
        let line = line.unwrap_or_else(|| panic!("no {name} {labels:?} in\n{}", self.0));
        line.rsplit(' ').next().unwrap()
    }
}

/// A port that nobody has.
pub(crate) fn free_address() -> SocketAddr {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap()
}
