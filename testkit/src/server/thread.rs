//! The thread that a server lives on, with a runtime of its own.

use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::thread::Builder;

use tokio::runtime::{self, Runtime};
use tokio::sync::oneshot;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::http;
use super::options::SqsServerOptions;
use super::wire::Wire;

/// A running server.
///
/// # Drop
/// Stops it, and doesn't wait for it.
pub(super) struct ServerThread {
    endpoint: String,
    stop: DropGuard,
    ready: Option<oneshot::Receiver<()>>,
    /// Closes when the runtime is gone, and with it every connection.
    ended: oneshot::Receiver<()>,
}

/// Listens, and starts to serve on a thread of its own.
pub(super) fn start(options: &SqsServerOptions) -> io::Result<(Arc<Wire>, ServerThread)> {
    options.check()?;
    let listener = TcpListener::bind(options.listen)?;
    listener.set_nonblocking(true)?;
    let endpoint = format!("http://{}", listener.local_addr()?);
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    let (wire, listener) = {
        // The server's clock and its socket belong to its own runtime, whatever the caller's does to time.
        let _within = runtime.enter();
        (Arc::new(Wire::new(options, endpoint.clone())), tokio::net::TcpListener::from_std(listener)?)
    };
    let stop = CancellationToken::new();
    let ((ready, is_ready), (ending, ended)) = (oneshot::channel(), oneshot::channel());
    let serving = {
        let (wire, stop) = (Arc::clone(&wire), stop.clone());
        async move {
            // Nobody who waits for it: then it is being stopped.
            let _ = ready.send(());
            stop.run_until_cancelled(http::serve(listener, wire)).await;
        }
    };
    Builder::new().name("sqs-server".to_owned()).spawn(move || run(runtime, serving, ending))?;
    Ok((wire, ServerThread { endpoint, stop: stop.drop_guard(), ready: Some(is_ready), ended }))
}

/// Runs until the server is stopped, then drops what is still going on.
fn run(runtime: Runtime, serving: impl Future<Output = ()>, ending: oneshot::Sender<()>) {
    runtime.block_on(serving);
    drop(runtime);
    drop(ending);
}

impl ServerThread {
    pub(super) fn endpoint(&self) -> &str {
        &self.endpoint
    }

    /// Waits until the server answers.
    pub(super) async fn ready(&mut self) -> io::Result<()> {
        match self.ready.take() {
            Some(ready) => ready.await.map_err(|_closed| io::Error::other("the server's thread ended")),
            None => Ok(()),
        }
    }

    /// Stops, and waits until the port is free.
    pub(super) async fn stop(self) {
        drop(self.stop);
        // Nothing is ever sent: it closes.
        let _ = self.ended.await;
    }
}
