//! A letter: a line made ready to be sent to its account.

use std::sync::Arc;

use queue_core::{AttributeValue, Outgoing, QueueName, QueueType};

use crate::aid::readable_aid;
use crate::line::Line;
use crate::visit::{LINE, RUN, VISIT, Visit};

/// The first part of each queue's name.
pub(crate) const PREFIX: &str = "visscore";

/// A message and where it goes.
#[derive(Clone, Debug)]
pub(crate) struct Letter {
    /// The number of the line it came from.
    pub(crate) line: u64,
    /// The account it goes to.
    pub(crate) aid: String,
    /// When the visit happened, in seconds since 1970; `None` for a malformed line.
    pub(crate) created: Option<i64>,
    /// What is sent.
    pub(crate) outgoing: Outgoing,
}

/// A line that is not sent, and why.
#[derive(Clone, Debug)]
pub(crate) struct Refused {
    /// The line's number.
    pub(crate) line: u64,
    /// Why.
    pub(crate) reason: String,
}

/// Makes letters of lines, and numbers the visits of one run.
#[derive(Debug)]
pub(crate) struct Letters {
    run: Arc<str>,
    visits: u64,
}

impl Letters {
    pub(crate) fn new(run: Arc<str>) -> Self {
        Self { run, visits: 0 }
    }

    /// A visit gets its id. What has a readable account token but is otherwise malformed is sent as it is; the
    /// consumer will judge it.
    pub(crate) fn write(&mut self, line: Line) -> Result<Letter, Refused> {
        let number = line.number;
        self.letter(line).map_err(|reason| Refused { line: number, reason })
    }

    fn letter(&mut self, line: Line) -> Result<Letter, String> {
        let text = line.text?;
        let visit = serde_json::from_str::<Visit>(&text);
        let created = visit.as_ref().ok().map(|visit| visit.created);
        let aid = visit.ok().map(|visit| visit.aid).or_else(|| readable_aid(&text));
        let aid = aid.ok_or("it has no readable aid")?;
        for queue_type in [QueueType::Main, QueueType::Retry] {
            QueueName::new(PREFIX, queue_type, &aid).map_err(|error| error.to_string())?;
        }
        let outgoing = match created {
            Some(_) => Outgoing::new(text).with_attribute(VISIT, AttributeValue::number(self.visit_id())),
            None => Outgoing::new(text).with_attribute(LINE, AttributeValue::number(line.number)),
        };
        let outgoing = outgoing.with_attribute(RUN, AttributeValue::string(Arc::clone(&self.run)));
        Ok(Letter { line: line.number, aid, created, outgoing })
    }

    fn visit_id(&mut self) -> u64 {
        let id = self.visits;
        self.visits += 1;
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(letters: &mut Letters, text: &str) -> Result<Letter, String> {
        letters.write(Line { number: 7, text: Ok(text.to_owned()) }).map_err(|refused| refused.reason)
    }

    #[test]
    fn only_visits_are_numbered_and_identical_ones_are_different_visits() {
        let mut letters = Letters::new("r".into());
        let texts = [
            r#"{"aid":"a","sid":"s","created":1}"#,
            r#"{"aid":"a"}"#,
            r#"{"aid":"a","sid":"s","created":1}"#,
        ];
        let letters = texts.map(|text| write(&mut letters, text).unwrap());
        let ids = letters.each_ref().map(|letter| letter.outgoing.attributes().text(VISIT));
        assert_eq!(ids, [Some("0"), None, Some("1")]);
        assert_eq!(letters[1].outgoing.attributes().text(LINE), Some("7"));
        assert_eq!(letters[1].outgoing.body(), texts[1]);
    }

    #[test]
    fn a_token_that_names_no_queue_is_refused_with_the_reason() {
        let reason = |text: &str| write(&mut Letters::new("r".into()), text).unwrap_err();
        assert_eq!(reason("{}"), "it has no readable aid");
        assert!(reason(r#"{"aid":"a b","sid":"s","created":1}"#).contains("' '"));
        assert!(reason(&format!(r#"{{"aid":"{}"}}"#, "x".repeat(66))).contains("81 characters"));
    }
}
