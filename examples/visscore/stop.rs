//! The signals that stop a run: the first one lets it drain, the second one ends it.

use indicatif::ProgressBar;
use queue_core::CancellationToken;
use worker::shutdown_signal;

/// What a shell says of a program that Ctrl-C ended: 128 and the signal's number.
const INTERRUPTED: i32 = 130;

/// Cancels `stop` at Ctrl-C or SIGTERM, and ends the process at the second.
pub(crate) async fn stop_on_signal(stop: CancellationToken, bar: ProgressBar) {
    shutdown_signal().await;
    stop.cancel();
    bar.println(
        "stopping: what is queued will be handled, for 20 seconds at most; Ctrl-C again ends it at once",
    );
    shutdown_signal().await;
    std::process::exit(INTERRUPTED);
}
