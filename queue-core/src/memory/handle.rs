//! What a memory queue's receipt says: which delivery of which message.

use super::key::Key;
use crate::Receipt;

/// A receipt, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Handle {
    pub(super) message: Key,
    pub(super) delivery: Key,
}

impl Handle {
    pub(super) fn write(self) -> Receipt {
        Receipt::new(format!("{}/{}", self.message, self.delivery))
    }

    /// Takes `receipt` apart; `None` if it has another form.
    pub(super) fn read(receipt: &Receipt) -> Option<Self> {
        let (message, delivery) = receipt.as_str().split_once('/')?;
        Some(Self { message: Key::read(message)?, delivery: Key::read(delivery)? })
    }
}

#[cfg(test)]
mod tests {
    use super::super::key::Counter;
    use super::*;

    #[test]
    fn a_receipt_can_be_read_as_it_was_written() {
        let mut counter = Counter::new();
        let handle = Handle { message: counter.next(), delivery: counter.next() };
        assert_eq!(Handle::read(&handle.write()), Some(handle));
        for garbage in ["", "/", "1/2", "no receipt", &handle.message.to_string()] {
            assert_eq!(Handle::read(&Receipt::new(garbage)), None, "{garbage}");
        }
    }
}
