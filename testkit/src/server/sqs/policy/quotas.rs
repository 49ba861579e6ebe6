//! The quotas of a queue's policy.

use serde_json::Value;

use super::list;
use crate::server::error::ServiceError;
use crate::server::sqs::refusal;

/// The most bytes and statements of a policy, and the most actions of a statement (Amazon SQS Developer Guide, "Amazon SQS
/// policy quotas"). The quotas of principals and conditions there are left out: the service takes more conditions than
/// the page says, so it is not known how it counts them.
const BYTES: usize = 8_192;
const STATEMENTS: usize = 20;
const ACTIONS: usize = 7;

/// Checks a policy, both as it was written and as it was read.
pub(in crate::server::sqs) fn check(text: &str, policy: &Value) -> Result<(), ServiceError> {
    let refuse = |message: String| Err(refusal::policy_over_limit(message));
    if text.len() > BYTES {
        return refuse("Submitted policy is over max allowed size.".to_owned());
    }
    let statements = list(&policy["Statement"]).count();
    if statements > STATEMENTS {
        return refuse(format!(
            "{statements} statements were found in the submitted policy, max allowed is {STATEMENTS}"
        ));
    }
    let actions = list(&policy["Statement"]).map(|statement| list(&statement["Action"]).count());
    match actions.max().filter(|actions| *actions > ACTIONS) {
        Some(actions) => refuse(format!(
            "{actions} actions were found in a statement from the submitted policy, max allowed is {ACTIONS}"
        )),
        None => Ok(()),
    }
}
