//! The signals that ask a service to stop.

/// Waits for Ctrl-C or, on Unix, SIGTERM.
///
/// # Cancel safety
/// Safe. A signal that comes while nobody waits ends the process only if nobody ever waited before.
///
/// # Panics
/// If the operating system refuses to install the signal handlers, as no stop could be clean then.
#[expect(clippy::expect_used, reason = "a service that can't hear its signals must not go on")]
pub async fn shutdown_signal() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate()).expect("installs a handler of SIGTERM");
        tokio::select! {
            answer = interrupt => answer.expect("installs a handler of SIGINT"),
            _ = terminate.recv() => {}
        }
    }
    #[cfg(not(unix))]
    interrupt.await.expect("installs a handler of Ctrl-C");
}
