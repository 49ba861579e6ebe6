//! The weather: what a proxy does to those whose connections go through it.

use std::net::SocketAddr;
use std::time::Duration;

use fastrand::Rng;
use harness::{Proxy, monotonic};
use tokio::runtime::Runtime;

use crate::Failure;

/// How long bad weather lasts at most. What a proxy has taken it may deliver that much later.
pub(crate) const SPELL: Duration = Duration::from_millis(600);

/// A proxy whose behaviour changes all the time.
pub(crate) struct Weather {
    proxy: Proxy,
    random: Rng,
    next: Duration,
}

impl Weather {
    pub(crate) fn new(runtime: &Runtime, server: SocketAddr, random: Rng) -> Result<Self, Failure> {
        let proxy = runtime.block_on(Proxy::start(server))?;
        Ok(Self { proxy, random, next: monotonic() + SPELL })
    }

    /// A URL that leads through it.
    pub(crate) fn url(&self, url: &str) -> String {
        self.proxy.url(url)
    }

    /// Changes, if it is time to.
    pub(crate) fn change(&mut self) {
        if monotonic() < self.next {
            return;
        }
        self.next = monotonic() + SPELL.mul_f64(0.2 + 0.8 * self.random.f64());
        self.proxy.let_answers_be();
        self.proxy.pass();
        match self.random.u8(..8) {
            0 => self.proxy.cut(),
            1 => self.proxy.stall(),
            2 => self.proxy.refuse(),
            3 => self.proxy.delay(Duration::from_millis(20)),
            4 => self.proxy.cut_answers_after(self.random.usize(..300)),
            _ => {}
        }
    }

    /// Is fine from now on.
    pub(crate) fn clear(&self) {
        self.proxy.let_answers_be();
        self.proxy.pass();
    }
}
