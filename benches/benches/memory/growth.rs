//! The growth of memory between the first sample and the last.

use benches::{Bar, Finding};

use crate::sample::Sample;
use crate::{END, WARM_UP};

/// How much more may be allocated at the end, in KiB: room for a collection that is just growing. A single byte that
/// each poll or message left behind would be 879.
const ALLOCATED: f64 = 64.0;
/// How much more may be resident at the end, in KiB: the allocator's own scatter. Two bytes that each poll or message
/// left behind would be more.
const RESIDENT: f64 = 1_024.0;

/// The samples of one run.
#[derive(Debug)]
pub(crate) struct Growth {
    what: &'static str,
    samples: Vec<Sample>,
}

impl Growth {
    pub(crate) fn new(what: &'static str) -> Self {
        // Room for all samples from the start: a measurement must not measure itself.
        Self { what, samples: Vec::with_capacity(64) }
    }

    /// How many polls or messages there must have been at each sample.
    pub(crate) fn stations() -> impl Iterator<Item = u64> {
        (1..=END / WARM_UP).map(|station| station * WARM_UP)
    }

    /// Takes a sample and says so.
    pub(crate) fn sample(&mut self, count: u64) {
        let sample = Sample::take();
        self.samples.push(sample);
        let resident = sample.resident.map_or_else(|| "unknown".to_owned(), |kib| format!("{kib:.0} KiB"));
        eprintln!("{count:>9} {}: {:.1} KiB allocated, {resident} resident", self.what, sample.allocated);
    }

    /// What was found: the last sample less the first.
    pub(crate) fn findings(&self) -> Vec<Finding> {
        let grown = |measure: fn(&Sample) -> Option<f64>| {
            Some(measure(self.samples.last()?)? - measure(self.samples.first()?)?)
        };
        let allocated = grown(|sample| Some(sample.allocated)).unwrap_or(f64::NAN);
        vec![self.flat("allocated", allocated, ALLOCATED), self.resident(grown(|sample| sample.resident))]
    }

    fn resident(&self, grown: Option<f64>) -> Finding {
        match grown {
            Some(kib) => self.flat("resident", kib, RESIDENT),
            None => Finding::unmeasured("B28", self.title("resident"), "flat; told on Linux only"),
        }
    }

    fn flat(&self, kind: &str, kib: f64, most: f64) -> Finding {
        Finding::new("B28", self.title(kind), kib, Bar::AtMost(most)).with_unit("KiB")
    }

    fn title(&self, kind: &str) -> String {
        format!("growth of {kind} memory, {WARM_UP} to {END} {}", self.what)
    }
}
