//! The handler of one queue: scores visits and counts how it went.

use std::sync::Arc;

use async_trait::async_trait;
use queue_core::{Context, Handler, Message, Verdict, json};

use crate::origin::Origin;
use crate::score::{Stage, score};
use crate::tally::Tally;

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
        let visit = Origin::of_visit(&context);
        match &verdict {
            Verdict::Done => self.tally.handled(&visit),
            Verdict::Discard { .. } if visit.number.is_some() => self.tally.given_up(&visit),
            Verdict::Discard { reason } => self.tally.discarded(&Origin::of_line(&context), reason),
            Verdict::Retry { .. } => {}
        }
        verdict
    }
}
