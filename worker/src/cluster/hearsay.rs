//! The hearsay of a process that does not hold the permit: what it makes of the holder's notices.

use semaphore::FencingToken;

use super::notice::Notice;

/// One opening among all that a key's holders ever posted.
type Opening = (FencingToken, u64);

/// What a process has heard of the holder's gate, and what it found out about it itself.
#[derive(Debug, Default)]
pub(super) struct Hearsay {
    /// The opening that is posted, or was the last.
    opening: Option<Opening>,
    /// The opening after which a receive here found nothing.
    emptied: Option<Opening>,
}

impl Hearsay {
    /// Takes in what the holder posted, and says whether the gate here is to be open. An opening after which a receive
    /// here found nothing opens no more: the next one does, so that the gate does not flap.
    pub(super) fn hear(&mut self, holder: FencingToken, notice: Notice) -> bool {
        if notice.open {
            self.opening = Some((holder, notice.count));
        }
        notice.open && self.emptied != self.opening
    }

    /// Notes that a receive here found nothing.
    pub(super) fn found_nothing(&mut self) {
        self.emptied = self.opening;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(count: u64) -> Notice {
        Notice { open: true, count }
    }

    // G9
    #[test]
    fn an_opening_that_brought_nothing_opens_no_more_and_the_next_one_does() {
        let (mut hearsay, holder) = (Hearsay::default(), FencingToken::new(5));
        hearsay.found_nothing();
        assert!(hearsay.hear(holder, open(1)) && hearsay.hear(holder, open(1)));
        hearsay.found_nothing();
        assert!(!hearsay.hear(holder, open(1)) && !hearsay.hear(holder, Notice { open: false, count: 1 }));
        assert!(!hearsay.hear(holder, open(1)));
        assert!(hearsay.hear(holder, open(2)));
    }

    // G9
    #[test]
    fn an_opening_of_the_next_holder_is_another() {
        let mut hearsay = Hearsay::default();
        assert!(hearsay.hear(FencingToken::new(5), open(1)));
        hearsay.found_nothing();
        assert!(hearsay.hear(FencingToken::new(6), open(1)));
    }
}
