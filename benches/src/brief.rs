//! The settings of criterion that keep all benchmarks together under three minutes.

use std::time::Duration;

use criterion::Criterion;

/// Takes 20 samples in two seconds, after half a second to warm up, and draws no plots. The options on the command
/// line, such as `--measurement-time 10` or `--save-baseline main`, come before.
pub fn brief() -> Criterion {
    Criterion::default()
        .without_plots()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
}
