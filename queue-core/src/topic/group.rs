//! The group in which a copy keeps its order at one subscriber.

use crate::Outgoing;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Group {
    /// Of an ordered subscriber: the messages with this key.
    Key(String),
    /// Of any other: that one message.
    Alone(usize),
}

impl Group {
    pub(super) fn of(message: &Outgoing, number: usize, ordered: bool) -> Self {
        match message.group_key().filter(|_| ordered) {
            Some(key) => Self::Key(key.to_owned()),
            None => Self::Alone(number),
        }
    }
}
