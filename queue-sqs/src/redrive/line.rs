//! Received messages in line: a line for each group, or for each message where there is no order.

use std::collections::VecDeque;

use queue_core::Delivery;

/// The lines of one receive, in the order of their heads.
#[derive(Debug, Default)]
pub(super) struct Lines(Vec<VecDeque<Delivery>>);

impl Lines {
    pub(super) fn new(received: Vec<Delivery>, ordered: bool) -> Self {
        let mut lines: Vec<VecDeque<Delivery>> = Vec::new();
        for delivery in received {
            let group = |line: &&mut VecDeque<Delivery>| {
                ordered && line.front().is_some_and(|head| is_of_one_group(head, &delivery))
            };
            match lines.iter_mut().find(group) {
                Some(line) => line.push_back(delivery),
                None => lines.push(VecDeque::from([delivery])),
            }
        }
        Self(lines)
    }

    /// The first of each line.
    pub(super) fn heads(&self) -> impl Iterator<Item = &Delivery> {
        self.0.iter().filter_map(VecDeque::front)
    }

    /// Takes the lines out, to put back what remains of each.
    pub(super) fn take(&mut self) -> Vec<VecDeque<Delivery>> {
        std::mem::take(&mut self.0)
    }

    /// Puts a line back, behind the others; not if it is empty.
    pub(super) fn put(&mut self, line: VecDeque<Delivery>) {
        if !line.is_empty() {
            self.0.push(line);
        }
    }

    /// All that is left.
    pub(super) fn into_deliveries(self) -> Vec<Delivery> {
        self.0.into_iter().flatten().collect()
    }
}

fn is_of_one_group(one: &Delivery, other: &Delivery) -> bool {
    one.message().group_key() == other.message().group_key()
}
