//! HTTP connections.

use std::sync::Arc;
use std::time::Duration;

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::task::TaskTracker;

use super::wire::Wire;

/// An answer.
pub(super) type Response = hyper::Response<Full<Bytes>>;

/// A pause after a connection that couldn't be taken, for instance as there are too many files.
const PAUSE: Duration = Duration::from_millis(10);

/// A call that gets no answer: its connection is cut.
#[derive(Debug)]
pub(super) struct NoAnswer;

impl std::fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the fault script cuts this connection")
    }
}

impl std::error::Error for NoAnswer {}

/// Takes connections for ever.
pub(super) async fn serve(listener: TcpListener, wire: Arc<Wire>) {
    let connections = TaskTracker::new();
    loop {
        match listener.accept().await {
            Ok((stream, _from)) => {
                connections.spawn(connection(stream, Arc::clone(&wire)));
            }
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
    }
}

/// Answers the calls of a connection, one after the other. When the client hangs up, a call that waits is dropped; when
/// a call shall have no answer, the connection is reset.
async fn connection(stream: TcpStream, wire: Arc<Wire>) {
    // Without it, an answer waits for the client's acknowledgement of the one before.
    stream.set_nodelay(true).ok();
    let answer = service_fn(|request| {
        let wire = Arc::clone(&wire);
        async move { wire.answer(request).await }
    });
    let mut connection = http1::Builder::new().serve_connection(TokioIo::new(stream), answer);
    if (&mut connection).await.is_err() {
        // A plain end would leave it to the client whether it waits for more.
        connection.into_parts().io.into_inner().set_zero_linger().ok();
    }
}
