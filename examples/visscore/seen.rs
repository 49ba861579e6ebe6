//! The set of visit ids that were handled, one bit each.

use std::collections::VecDeque;

/// A set of running numbers, filled roughly in order. What is filled without a gap takes no room.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// How many full words were dropped from the front.
    full: u64,
    words: VecDeque<u64>,
}

impl Seen {
    /// Adds `id`, and says whether it is new.
    pub(crate) fn insert(&mut self, id: u64) -> bool {
        let Some(word) = (id / 64).checked_sub(self.full) else { return false };
        let Ok(word) = usize::try_from(word) else { return false };
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        let bit = 1 << (id % 64);
        let new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        self.drop_full();
        new
    }

    fn drop_full(&mut self) {
        while self.words.front() == Some(&u64::MAX) {
            self.words.pop_front();
            self.full += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_id_is_new_once_in_any_order_and_a_full_set_is_small() {
        let mut ids: Vec<u64> = (0..10_000).collect();
        fastrand::Rng::with_seed(7).shuffle(&mut ids);
        let mut seen = Seen::default();
        assert!(ids.iter().all(|id| seen.insert(*id)));
        assert!(!ids.iter().any(|id| seen.insert(*id)));
        assert_eq!((seen.full, seen.words.len()), (156, 1));
    }
}
