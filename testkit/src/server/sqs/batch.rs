//! A batch: its rules, and the answer that tells of each entry.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::refusal;
use crate::server::effects::Effects;
use crate::server::error::ServiceError;

/// The most entries of a batch, and the most characters of their ids (Amazon SQS API Reference, `SendMessageBatch`).
const MOST: usize = 10;
const LONGEST_ID: usize = 80;

/// Codes of failures that are not the sender's fault.
const OF_THE_SERVICE: [&str; 8] = [
    "InternalError",
    "InternalFailure",
    "KmsThrottled",
    "OverLimit",
    "RequestThrottled",
    "ServiceUnavailable",
    "Throttling",
    "ThrottlingException",
];

/// Checks what a batch is refused for as a whole. `kind` is the name of its entries in messages.
pub(super) fn check(ids: &[Option<&str>], kind: &str) -> Result<(), ServiceError> {
    if ids.is_empty() {
        return Err(refusal::empty_batch(kind));
    }
    if ids.len() > MOST {
        return Err(refusal::too_many_entries(ids.len()));
    }
    let mut seen = HashSet::new();
    for id in ids {
        let id = id.unwrap_or_default();
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if id.is_empty() || id.len() > LONGEST_ID || !id.chars().all(fits) {
            return Err(refusal::batch_id());
        }
        if !seen.insert(id) {
            return Err(refusal::batch_ids(id));
        }
    }
    Ok(())
}

/// What became of a batch's entries.
#[derive(Debug, Default)]
pub(super) struct Answer {
    successful: Vec<Value>,
    failed: Vec<Value>,
}

impl Answer {
    /// Notes one entry. `answer` is what is told of it besides its id.
    pub(super) fn note(&mut self, id: &str, answer: Result<Map<String, Value>, ServiceError>) {
        match answer {
            Ok(mut told) => {
                told.insert("Id".to_owned(), id.into());
                self.successful.push(Value::Object(told));
            }
            Err(error) => self.fail(id, refusal::entry_code(&error), (error.sender, &error.message)),
        }
    }

    /// Fails an entry if the fault script says so.
    pub(super) fn play(&mut self, id: &str, number: usize, effects: &Effects) -> bool {
        let Some(code) = effects.partial.get(number).and_then(Option::as_deref) else { return false };
        let sender = !OF_THE_SERVICE.contains(&code);
        self.fail(id, code, (sender, "The fault script fails this entry."));
        true
    }

    /// The answer as the service writes it: what is empty is left out.
    pub(super) fn write(self) -> Value {
        let lists = [("Successful", self.successful), ("Failed", self.failed)];
        let lists = lists.into_iter().filter(|(_, list)| !list.is_empty());
        Value::Object(lists.map(|(name, list)| (name.to_owned(), Value::Array(list))).collect())
    }

    fn fail(&mut self, id: &str, code: &str, (sender, message): (bool, &str)) {
        self.failed.push(json!({ "Id": id, "Code": code, "Message": message, "SenderFault": sender }));
    }
}
