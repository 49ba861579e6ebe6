//! Trouble: when who is killed, frozen, cut off or restarted.

use std::fs;
use std::path::Path;
use std::time::Duration;

use fastrand::Rng;
use harness::{Server, monotonic, pause};

use crate::crew::Crew;
use crate::options::Options;
use crate::weather::Weather;
use crate::{Failure, tell};

/// Trouble comes in waves, as in its midst nothing can be said for certain of what was free: how long a wave and the
/// calm after it last, and for how much of that there is trouble.
const WAVE: Duration = Duration::from_secs(4);
const TROUBLED: Duration = Duration::from_millis(2500);

/// When who is killed, frozen, cut off or restarted.
pub(crate) struct Trouble<'a> {
    options: &'a Options,
    server: Option<&'a mut Server>,
    weather: Option<&'a mut Weather>,
    log: &'a Path,
    random: Rng,
    begun: Duration,
    next: Duration,
    told: Duration,
    kills: u32,
    freezes: u32,
    restarts: u32,
}

impl<'a> Trouble<'a> {
    pub(crate) fn new(
        options: &'a Options,
        server: Option<&'a mut Server>,
        weather: Option<&'a mut Weather>,
        log: &'a Path,
    ) -> Self {
        let (random, begun) = (Rng::with_seed(options.seed ^ 1), monotonic());
        let (next, told) = (begun, begun);
        Self { options, server, weather, log, random, begun, next, told, kills: 0, freezes: 0, restarts: 0 }
    }

    /// Makes it until the time is over.
    pub(crate) fn make(mut self, crew: &mut Crew) -> Result<(), Failure> {
        while self.time() < self.whole() {
            crew.look_after()?;
            self.restart()?;
            let is_calm = self.time().as_millis() % WAVE.as_millis() >= TROUBLED.as_millis();
            match self.weather.as_mut() {
                Some(weather) if is_calm => weather.clear(),
                Some(weather) => weather.change(),
                None => {}
            }
            if !is_calm && monotonic() >= self.next {
                self.harm_one(crew)?;
            }
            self.report();
            pause(Duration::from_millis(5));
        }
        Ok(())
    }

    fn time(&self) -> Duration {
        monotonic().saturating_sub(self.begun)
    }

    fn whole(&self) -> Duration {
        Duration::from_secs(self.options.seconds.into())
    }

    /// Restarts the database, if it is time to.
    fn restart(&mut self) -> Result<(), Failure> {
        let (whole, time) = (self.whole(), self.time());
        let all = self.options.restarts();
        let due = whole * (self.restarts + 1) / (all + 1);
        if let Some(server) = self.server.as_mut().filter(|_| self.restarts < all && time >= due) {
            server.kill();
            pause(Duration::from_millis(200));
            server.start()?;
            self.restarts += 1;
        }
        Ok(())
    }

    fn harm_one(&mut self, crew: &mut Crew) -> Result<(), Failure> {
        self.next = monotonic() + Duration::from_millis(self.random.u64(50..400));
        if self.random.u8(..5) < 3 {
            self.kills += 1;
            return crew.kill_one();
        }
        self.freezes += 1;
        crew.freeze_one(self.options.lease().mul_f64(1.1 + 2.0 * self.random.f64()))
    }

    fn report(&mut self) {
        let now = monotonic();
        if now < self.told + Duration::from_secs(2) {
            return;
        }
        self.told = now;
        let log = fs::metadata(self.log).map(|file| file.len() / 1024).unwrap_or_default();
        let Self { kills, freezes, restarts, .. } = self;
        let seconds = self.begun.abs_diff(now).as_secs();
        tell(&format!(
            "{seconds:>4} s: {kills} kills, {freezes} freezes, {restarts} restarts, {log} KiB of log"
        ));
    }
}
