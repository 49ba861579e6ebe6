//! The wish to stop: Ctrl-C, a request to terminate, or a terminal that was closed.

use anyhow::{Result, ensure};
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    flag,
};
use std::sync::{
    Arc, LazyLock,
    atomic::{AtomicBool, Ordering},
};

static REQUESTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// From now on those signals don't end us, so that what we started can be stopped before we go.
///
/// # Errors
/// When the operating system refuses to tell us of them.
pub(crate) fn catch() -> Result<()> {
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        flag::register(signal, Arc::clone(&REQUESTED))?;
    }
    Ok(())
}

/// Whether one came since [`catch`].
pub(crate) fn requested() -> bool {
    REQUESTED.load(Ordering::SeqCst)
}

/// Goes on unless one came.
///
/// # Errors
/// When one came.
pub(crate) fn check() -> Result<()> {
    ensure!(!requested(), "interrupted");
    Ok(())
}
