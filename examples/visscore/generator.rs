//! Made-up visits, for when there is no input.

use crate::line::Line;
use crate::visit::Visit;

/// When the first made-up visit happened, in seconds since 1970.
const START: i64 = 1_600_000_000;
const SEED: u64 = 46;

/// The name of account number `index`.
pub(crate) fn account(index: usize) -> String {
    format!("c-shop-{:02}-uk", index + 1)
}

/// Makes lines of visits, the same ones each time: as in real traffic, half of them go to one account, few to most
/// others, and they come in bursts.
#[derive(Clone, Debug)]
pub(crate) struct Generator {
    random: fastrand::Rng,
    accounts: usize,
    visits: u64,
    made: u64,
    now: i64,
}

impl Generator {
    pub(crate) fn new(visits: u64, accounts: usize) -> Self {
        Self { random: fastrand::Rng::with_seed(SEED), accounts, visits, made: 0, now: START }
    }

    /// Half of the time the first account; otherwise the lower the number, the likelier.
    fn pick(&mut self) -> usize {
        if self.accounts == 1 || self.random.bool() {
            return 0;
        }
        let others = self.accounts - 1;
        let skewed = self.random.f64() * self.random.f64() * others as f64;
        1 + (skewed as usize).min(others - 1)
    }

    /// Most visits share a second with the one before.
    fn tick(&mut self) -> i64 {
        if self.random.u8(..10) == 0 {
            self.now += self.random.i64(1..60);
        }
        self.now
    }
}

impl Iterator for Generator {
    type Item = anyhow::Result<Line>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.made == self.visits {
            return None;
        }
        self.made += 1;
        let aid = account(self.pick());
        let visit = Visit { aid, sid: format!("{:032x}", self.random.u128(..)), created: self.tick() };
        let line = serde_json::to_string(&visit).map(|text| Line { number: self.made, text: Ok(text) });
        Some(line.map_err(anyhow::Error::new))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn half_of_the_visits_go_to_one_account_and_every_account_has_some() {
        let mut counts: HashMap<String, u64> = HashMap::new();
        for line in Generator::new(20_000, 46) {
            let visit: Visit = serde_json::from_str(&line.unwrap().text.unwrap()).unwrap();
            *counts.entry(visit.aid).or_default() += 1;
        }
        assert_eq!(counts.len(), 46);
        assert!((9_500..10_500).contains(&counts[&account(0)]), "{counts:?}");
    }

    #[test]
    fn one_account_gets_everything() {
        assert!(Generator::new(50, 1).all(|line| line.unwrap().text.unwrap().contains("c-shop-01-uk")));
    }
}
