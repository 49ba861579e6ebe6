//! The handler of one queue: scores visits and counts how it went.

use std::sync::Arc;

use async_trait::async_trait;
use queue_core::{Context, Handler, Message, Verdict, json};

use crate::score::{Stage, score, visit_id};
use crate::tally::Tally;
use crate::visit::LINE;

/// Makes the handler: a typed one over JSON, whose verdicts are counted.
pub(crate) fn handler(stage: Stage, tally: Arc<Tally>) -> impl Handler<Message> {
    Counted { handler: json(score).with(stage), tally }
}

/// Counts the verdicts of another handler.
struct Counted<H> {
    handler: H,
    tally: Arc<Tally>,
}

#[async_trait]
impl<H: Handler<Message>> Handler<Message> for Counted<H> {
    async fn handle(&self, message: Message, context: Context) -> Verdict {
        let verdict = self.handler.handle(message, context.clone()).await;
        match (&verdict, visit_id(&context)) {
            (Verdict::Done, visit) => self.tally.handled(visit),
            (Verdict::Discard { .. }, Some(visit)) => self.tally.given_up(Some(visit)),
            (Verdict::Discard { reason }, None) => self.tally.discarded(line(&context), reason),
            (Verdict::Retry { .. }, _) => {}
        }
        verdict
    }
}

/// The number of the malformed line that it came from.
fn line(context: &Context) -> Option<u64> {
    context.message().attributes().text(LINE)?.parse().ok()
}
