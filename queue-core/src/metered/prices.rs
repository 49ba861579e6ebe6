//! What calls cost.

use super::Calls;

/// The price of requests, in US dollars a million.
///
/// The presets are those of the Amazon SQS price list for US East, beyond the free tier and below the first volume
/// discount. They change; set your own with [`per_million`](Self::per_million).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prices {
    per_million: f64,
}

impl Prices {
    /// A standard queue: $0.40.
    pub const fn standard() -> Self {
        Self::per_million(0.40)
    }

    /// An ordered (FIFO) queue: $0.50.
    pub const fn fifo() -> Self {
        Self::per_million(0.50)
    }

    /// A million requests cost `dollars`.
    pub const fn per_million(dollars: f64) -> Self {
        Self { per_million: dollars }
    }

    /// What `calls` cost at most, in dollars, by their [`billed`](Calls::billed) requests.
    pub fn of(&self, calls: &Calls) -> f64 {
        self.of_requests(calls.billed)
    }

    /// What so many requests cost, in dollars: for calls that were not made.
    #[expect(
        clippy::cast_precision_loss,
        reason = "beyond 2^53 requests a dollar more or less does not matter"
    )]
    pub fn of_requests(&self, requests: u64) -> f64 {
        requests as f64 * self.per_million / 1e6
    }
}

impl Default for Prices {
    fn default() -> Self {
        Self::standard()
    }
}
