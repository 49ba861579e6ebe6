//! A batch: which of its entries are sent, and which answer belongs to which.

use std::collections::HashMap;

use queue_core::QueueError;

/// The id of the entry at `index` of a batch, by which the service tells what became of it: distinct in the batch,
/// whatever the entries are. The same message twice in one batch is two entries.
pub(crate) fn id(index: usize) -> String {
    index.to_string()
}

/// What is to be sent of a batch that was checked entry by entry, each with the id of its entry.
pub(crate) fn sound<T, F>(checked: &[Result<T, F>]) -> impl Iterator<Item = (String, &T)> {
    let numbered = checked.iter().enumerate();
    numbered.filter_map(|(index, entry)| entry.as_ref().ok().map(|entry| (id(index), entry)))
}

/// What one call answered.
#[derive(Debug)]
pub(crate) enum Answer<T> {
    /// Something for each entry, by its id: HTTP 200 says nothing about entries (P33, P34).
    Entries(HashMap<String, Result<T, QueueError>>),
    /// The call failed, and with it every entry.
    Failed(QueueError),
}

impl<T> Answer<T> {
    /// Gathers both lists of an answer. An entry that is in both has failed.
    pub(crate) fn new(
        successful: impl Iterator<Item = (String, T)>,
        failed: impl Iterator<Item = (String, QueueError)>,
    ) -> Self {
        let successful = successful.map(|(id, value)| (id, Ok(value)));
        Self::Entries(successful.chain(failed.map(|(id, error)| (id, Err(error)))).collect())
    }

    /// Nothing was sent, as nothing was sound.
    pub(crate) fn of_nothing() -> Self {
        Self::Entries(HashMap::new())
    }

    /// The answer to the entry at `index`; *indeterminate* if the service forgot it.
    fn take(&mut self, index: usize) -> Result<T, QueueError> {
        match self {
            Self::Entries(entries) => entries.remove(&id(index)).unwrap_or_else(|| {
                Err(QueueError::indeterminate("the service's answer does not mention this entry"))
            }),
            Self::Failed(error) => Err(error.clone()),
        }
    }
}

/// Puts the answers to those entries that were sent, in the order of the batch (Q6); `fail` makes the error of one.
pub(crate) fn fill<E, T, F>(
    checked: Vec<Result<E, F>>,
    mut answer: Answer<T>,
    fail: impl Fn(E, QueueError) -> F,
) -> Vec<Result<T, F>> {
    let numbered = checked.into_iter().enumerate();
    numbered
        .map(|(index, entry)| entry.and_then(|entry| answer.take(index).map_err(|error| fail(entry, error))))
        .collect()
}

#[cfg(test)]
mod tests {
    use queue_core::QueueErrorKind::{Indeterminate, Permanent, Transient};

    use super::*;

    fn error(_entry: char, error: QueueError) -> QueueError {
        error
    }

    fn checked() -> Vec<Result<char, QueueError>> {
        vec![Ok('a'), Err(QueueError::permanent("too long")), Ok('c'), Ok('d')]
    }

    // Q6, P33, P34
    #[test]
    fn each_answer_finds_its_entry_in_whatever_order_they_come() {
        let answer = Answer::new(
            [("3".to_owned(), 'D')].into_iter(),
            [("0".to_owned(), QueueError::transient("busy"))].into_iter(),
        );
        let answers = fill(checked(), answer, error);
        let kinds: Vec<_> = answers.iter().map(|answer| answer.as_ref().map_err(QueueError::kind)).collect();
        assert_eq!(kinds, [Err(Transient), Err(Permanent), Err(Indeterminate), Ok(&'D')]);
    }

    // Q6
    #[test]
    fn an_entry_that_failed_is_never_reported_as_done_and_strangers_are_not_heeded() {
        let both = || ["0".to_owned(), "17".to_owned(), "1".to_owned()].into_iter();
        let answer =
            Answer::new(both().map(|id| (id, ())), both().map(|id| (id, QueueError::transient("x"))));
        let answers = fill(checked(), answer, error);
        assert!(answers.iter().all(Result::is_err) && answers.len() == 4, "{answers:?}");
        assert_eq!(answers[1].as_ref().unwrap_err().kind(), Permanent, "it was not sent");
    }

    // Q6
    #[test]
    fn a_call_that_failed_has_failed_for_what_it_covered_and_for_nothing_else() {
        let answers = fill(checked(), Answer::<()>::Failed(QueueError::indeterminate("no answer")), error);
        let kinds: Vec<_> = answers.iter().map(|answer| answer.as_ref().unwrap_err().kind()).collect();
        assert_eq!(kinds, [Indeterminate, Permanent, Indeterminate, Indeterminate]);
    }

    #[test]
    fn what_is_sent_keeps_the_numbers_of_its_places() {
        let sent: Vec<_> = sound(&checked()).map(|(id, entry)| format!("{id}{entry}")).collect();
        assert_eq!(sent, ["0a", "2c", "3d"]);
    }
}
