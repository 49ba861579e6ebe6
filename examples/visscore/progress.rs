//! Live progress on a terminal.

use std::sync::Arc;
use std::time::Duration;

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use queue_core::Meter;
use tokio::time::interval;

use crate::accounts::Accounts;
use crate::options::{Options, Role};
use crate::spared::Spared;
use crate::tally::Tally;

const REFRESH: Duration = Duration::from_millis(100);

/// What is shown.
#[derive(Debug)]
pub(crate) struct Progress {
    pub(crate) tally: Arc<Tally>,
    pub(crate) accounts: Arc<Accounts>,
    pub(crate) meter: Meter,
    pub(crate) spared: Spared,
}

/// A bar, if stderr is a terminal and the output is for people.
pub(crate) fn bar(options: &Options) -> ProgressBar {
    let made_up = options.input.is_none() && options.role == Role::Both;
    let (bar, template) = if made_up {
        (ProgressBar::new(options.visits), "{elapsed_precise} [{bar:16}] {wide_msg}")
    } else {
        (ProgressBar::no_length(), "{elapsed_precise} {spinner} {wide_msg}")
    };
    if options.json {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.progress_chars("=> "));
    }
    bar
}

impl Progress {
    /// Keeps the bar up to date until it is dropped.
    pub(crate) async fn show(self, bar: ProgressBar) {
        let mut refresh = interval(REFRESH);
        while !bar.is_hidden() {
            refresh.tick().await;
            let counts = self.tally.counts();
            bar.set_position(counts.unique);
            bar.set_message(format!(
                "handled {}, in flight {}, calls {}, saved {}{}",
                HumanCount(counts.unique),
                HumanCount(self.accounts.in_flight()),
                HumanCount(self.meter.calls().total()),
                HumanCount(self.spared.polls()),
                if self.accounts.are_stopping() { "; the last receives end their wait" } else { "" }
            ));
        }
    }
}
