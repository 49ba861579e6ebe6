//! Where lines come from: a thread that reads or makes them, a bounded number ahead.

use std::thread;

use tokio::sync::mpsc;

use crate::generator::Generator;
use crate::input::Input;
use crate::line::Line;
use crate::options::Options;

/// How many lines are read ahead.
const AHEAD: usize = 64;

/// A stream of lines.
///
/// The thread behind it is not waited for: it may hang in a read of stdin, and ends with the process.
#[derive(Debug)]
pub(crate) struct Source {
    lines: mpsc::Receiver<anyhow::Result<Line>>,
}

impl Source {
    /// Opens what the options name.
    pub(crate) fn open(options: &Options) -> anyhow::Result<Self> {
        let Some(path) = &options.input else {
            let generator = Generator::new(options.visits, options.accounts);
            return Ok(Self::start(move || Ok(generator)));
        };
        let input = Input::open(path)?;
        Ok(Self::start(move || input.lines()))
    }

    /// The next line; `None` at the end. After an error there are no more.
    ///
    /// # Cancel safety
    /// Safe.
    pub(crate) async fn next(&mut self) -> Option<anyhow::Result<Line>> {
        self.lines.recv().await
    }

    fn start<I: Iterator<Item = anyhow::Result<Line>>>(
        open: impl FnOnce() -> anyhow::Result<I> + Send + 'static,
    ) -> Self {
        let (ahead, lines) = mpsc::channel(AHEAD);
        thread::spawn(move || {
            // A send fails when nobody reads on; then the thread is done.
            drop(match open() {
                Ok(mut all) => all.try_for_each(|line| ahead.blocking_send(line)),
                Err(error) => ahead.blocking_send(Err(error)),
            });
        });
        Self { lines }
    }
}
