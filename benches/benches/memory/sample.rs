//! A sample of how much memory is in use.

use std::fs;

use crate::ALLOCATOR;

/// How much memory is in use, in KiB.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// What is allocated and not freed.
    pub(crate) allocated: f64,
    /// What the operating system keeps resident; `None` where it doesn't tell.
    pub(crate) resident: Option<f64>,
}

impl Sample {
    pub(crate) fn take() -> Self {
        let stats = ALLOCATOR.stats();
        let bytes = stats.bytes_allocated - stats.bytes_deallocated;
        #[expect(clippy::cast_precision_loss, reason = "memory is far below 2^53 bytes")]
        let allocated = bytes as f64 / 1_024.0;
        Self { allocated, resident: resident() }
    }
}

/// `VmRSS` of `/proc/self/status`, which is in KiB whatever the size of a page is; `statm` has the same in pages.
fn resident() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}
