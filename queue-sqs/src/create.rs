//! Finding a queue by its name, making it, and asking how it is set up.

use std::time::Duration;

use aws_sdk_sqs::types::QueueAttributeName;
use aws_smithy_types::error::metadata::ProvideErrorMetadata;
use queue_core::QueueError;
use tokio::time::sleep;

use crate::SqsQueueSettings;
use crate::calls::Calls;
use crate::error::of_call;
use crate::record::{FIFO, QueueAttributes};

/// The most characters of a queue's name (`CreateQueue` in the Amazon SQS API reference).
const LONGEST_NAME: usize = 80;
/// "You must wait at least one second after the queue is created to be able to use the queue" (`CreateQueue`).
const PAUSE: Duration = Duration::from_millis(500);
const LOOKS: usize = 10;

/// Checks a queue's name: 1 to 80 of `A-Z a-z 0-9 - _`, `.fifo` included.
pub(crate) fn check_name(name: &str) -> Result<(), QueueError> {
    let base = name.strip_suffix(FIFO).unwrap_or(name);
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if !base.is_empty() && name.len() <= LONGEST_NAME && base.chars().all(allowed) {
        return Ok(());
    }
    Err(QueueError::permanent(format!(
        "{name:?} can't be a queue's name: it needs 1 to {LONGEST_NAME} ASCII letters, digits, '-' and '_', \
         and a FIFO queue's {FIFO} at the end"
    )))
}

/// The URL of the queue of that name; `None` if there is none.
pub(crate) async fn find(calls: &Calls, name: &str) -> Result<Option<String>, QueueError> {
    let call = calls.client.get_queue_url().queue_name(name).customize();
    match call.config_override(calls.repeated()).send().await {
        Ok(found) => Ok(Some(found.queue_url.unwrap_or_default())),
        Err(error) if is_missing(&error) => Ok(None),
        Err(error) => Err(of_call("look-up of a queue", error)),
    }
}

/// Makes a queue, and answers its URL.
pub(crate) async fn make(
    calls: &Calls,
    name: &str,
    settings: &SqsQueueSettings,
) -> Result<String, QueueError> {
    let call = calls.client.create_queue().queue_name(name).set_attributes(Some(settings.attributes(name)?));
    let call = call.customize().config_override(calls.repeated());
    let made = call.send().await.map_err(|error| of_call("creation of a queue", error))?;
    Ok(made.queue_url.unwrap_or_default())
}

/// How the queue at `url` is set up.
///
/// It asks for all attributes: a standard queue refuses to be asked for those of FIFO queues by name.
pub(crate) async fn ask(calls: &Calls, url: &str) -> Result<QueueAttributes, QueueError> {
    try_ask(calls, url).await.flatten()
}

/// The same of a queue that was just made, which is not known everywhere at once.
pub(crate) async fn ask_new(calls: &Calls, url: &str) -> Result<QueueAttributes, QueueError> {
    let mut looks = 1;
    loop {
        match try_ask(calls, url).await? {
            Err(_missing) if looks < LOOKS => sleep(PAUSE).await,
            found => return found,
        }
        looks += 1;
    }
}

/// The inner error says that there is no such queue.
async fn try_ask(calls: &Calls, url: &str) -> Result<Result<QueueAttributes, QueueError>, QueueError> {
    let call = calls.client.get_queue_attributes().queue_url(url).attribute_names(QueueAttributeName::All);
    match call.customize().config_override(calls.repeated()).send().await {
        Ok(answer) => Ok(Ok(answer.attributes.unwrap_or_default())),
        Err(error) if is_missing(&error) => Ok(Err(of_call("look at a queue", error))),
        Err(error) => Err(of_call("look at a queue", error)),
    }
}

/// Whether it says that there is no such queue, by its present code or its old one.
fn is_missing(error: &impl ProvideErrorMetadata) -> bool {
    matches!(error.code(), Some("QueueDoesNotExist" | "AWS.SimpleQueueService.NonExistentQueue"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_the_service_would_refuse_is_refused() {
        let (longest, long) = ("x".repeat(80), "x".repeat(81));
        for name in ["a", "a_b-C9", "a.fifo", &longest] {
            assert!(check_name(name).is_ok(), "{name}");
        }
        for name in
            ["", ".fifo", "a.b", "a b", "ä", "a.fifo.fifo", "a.FIFO", &long, &format!("{longest}.fifo")]
        {
            assert!(check_name(name).is_err(), "{name}");
        }
    }
}
