//! A page of a list.

use serde::Deserialize;
use serde_json::{Value, json};

use super::refusal;
use crate::server::error::ServiceError;

/// The most entries of a page (Amazon SQS API Reference, `ListQueues`).
const MOST: usize = 1_000;

/// Which part of a list a call asks for. The token is the number of entries before it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Page {
    max_results: Option<usize>,
    next_token: Option<String>,
}

impl Page {
    /// Cuts the page out of the whole list. Only who names a size gets a token for the next one.
    pub(super) fn cut(self, name: &str, list: Vec<String>) -> Result<Value, ServiceError> {
        let most = self.max_results.unwrap_or(MOST);
        if !(1..=MOST).contains(&most) {
            let reason = "MaxResults must be an integer between 1 and 1000.";
            return Err(refusal::invalid_value(most, "MaxResults", reason));
        }
        let begin = self.next_token.as_deref().map_or(Ok(0), str::parse);
        let begin: usize = begin.map_err(|_| refusal::invalid("Invalid or expired next token."))?;
        let more = self.max_results.is_some() && list.len() > begin + most;
        let page: Vec<_> = list.into_iter().skip(begin).take(most).collect();
        let mut answer = json!({});
        if !page.is_empty() {
            answer[name] = json!(page);
        }
        if more {
            answer["NextToken"] = json!((begin + most).to_string());
        }
        Ok(answer)
    }
}
