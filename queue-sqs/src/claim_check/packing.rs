//! Packing: which bodies of a batch go into the store.

use queue_core::{Limits, Outgoing};

use super::settings::{Settings, claim_size, is_claim};

/// Chooses the messages of a batch that leave their body in the store: those that are too large, and the largest of the
/// others until the batch fits into one call of the queue. `pointer` is how many bytes a pointer has.
pub(super) fn choose(
    messages: &[&Outgoing],
    settings: &Settings,
    (inner, pointer): (&Limits, usize),
) -> Vec<bool> {
    let mut chosen: Vec<_> = messages.iter().map(|message| settings.is_large(message, inner)).collect();
    let size = |(message, chosen): (&&Outgoing, &bool)| {
        if *chosen { claim_size(message, pointer) } else { message.size() }
    };
    let mut bytes: usize = messages.iter().zip(&chosen).map(size).sum();
    while bytes > inner.batch_bytes {
        let worth = |index: &usize| saving(messages[*index], settings, (inner, pointer));
        let rest = (0..messages.len()).filter(|&index| !chosen[index] && worth(&index) > 0);
        let Some(next) = rest.max_by_key(worth) else { break };
        chosen[next] = true;
        bytes -= worth(&next);
    }
    chosen
}

/// How many bytes of a call are saved when a message that can be sent whole leaves its body in the store; none if it
/// may not.
fn saving(message: &Outgoing, settings: &Settings, (inner, pointer): (&Limits, usize)) -> usize {
    let unnamed = inner.ordered && message.deduplication_id().is_none() && !settings.content_deduplication;
    if unnamed || is_claim(message) {
        return 0;
    }
    message.size().saturating_sub(claim_size(message, pointer))
}

#[cfg(test)]
mod tests {
    use super::super::settings::Stored;
    use super::*;

    const POINTER: usize = 100;

    fn chosen(sizes: &[usize], settings: &Settings, limits: &Limits) -> Vec<usize> {
        let messages: Vec<_> = sizes.iter().map(|&size| Outgoing::new("x".repeat(size))).collect();
        let chosen = choose(&messages.iter().collect::<Vec<_>>(), settings, (limits, POINTER));
        (0..sizes.len()).filter(|&index| chosen[index]).collect()
    }

    // Q6
    #[test]
    fn the_largest_go_until_the_batch_fits_into_one_call() {
        let (settings, limits) = (Settings::default(), Limits::default().with_message_bytes(1_000));
        assert_eq!(chosen(&[300, 300, 400], &settings, &limits), Vec::<usize>::new());
        assert_eq!(chosen(&[300, 300, 401], &settings, &limits), [2]);
        assert_eq!(chosen(&[500, 900, 1, 500], &settings, &limits), [1, 3]);
        assert_eq!(chosen(&[1_001, 1, 1_000], &settings, &limits), [0, 2]);
    }

    #[test]
    fn what_would_not_shrink_stays() {
        let (settings, limits) = (Settings::default(), Limits::default().with_message_bytes(1_000));
        assert_eq!(chosen(&[100; 11], &settings, &limits), Vec::<usize>::new());
    }

    #[test]
    fn a_threshold_is_never_above_what_the_queue_takes() {
        let limits = Limits::default().with_message_bytes(1_000);
        let with = |stored| Settings { stored, ..Settings::default() };
        assert_eq!(chosen(&[200, 201], &with(Stored::Above(200)), &limits), [1]);
        assert_eq!(chosen(&[1_001], &with(Stored::Above(2_000)), &limits), [0]);
        assert_eq!(chosen(&[1, 2], &with(Stored::Every), &limits), [0, 1]);
    }
}
