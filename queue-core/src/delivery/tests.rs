//! How long a delivery is believed to be ours.

use async_trait::async_trait;
use futures::FutureExt;

use super::*;
use crate::MessageId;

/// Answers a visibility change with what it is told to, or never.
#[derive(Debug)]
struct Answers(Option<Result<(), QueueError>>);

#[async_trait]
impl Settler for Answers {
    async fn delete(&self, _batch: Vec<Receipt>) -> Vec<Result<(), QueueError>> {
        Vec::new()
    }

    async fn change_visibility(&self, _batch: Vec<(Receipt, Duration)>) -> Vec<Result<(), QueueError>> {
        match &self.0 {
            Some(answer) => vec![answer.clone()],
            None => std::future::pending().await,
        }
    }

    fn abandon(&self, _receipt: Receipt) {}
}

/// For how long a delivery of 30 s is believed to be ours after it was extended to `seconds`.
fn believed(seconds: u64, answer: Option<Result<(), QueueError>>) -> u64 {
    let message = Message::new(MessageId::new("1"), "x");
    let mut delivery = Delivery::new(message, Receipt::new("r"), Arc::new(Answers(answer)));
    let start = Instant::now();
    delivery.extend(Duration::from_secs(seconds)).now_or_never();
    (delivery.hidden_until() - start).as_secs()
}

// Q3
#[tokio::test(start_paused = true)]
async fn time_that_went_by_before_the_answer_came_is_not_ours() {
    let asked = Instant::now();
    tokio::time::advance(Duration::from_secs(4)).await;
    let delivery = || {
        let message = Message::new(MessageId::new("1"), "x");
        let delivery = Delivery::new(message, Receipt::new("r"), Arc::new(Answers(None)));
        delivery.with_visibility(Duration::from_secs(10))
    };
    let (now, late) = (Instant::now(), delivery().with_taken_at(asked));
    assert_eq!((late.visibility().as_secs(), (late.hidden_until() - now).as_secs()), (10, 6));
    let later = delivery().with_taken_at(now + Duration::from_secs(1));
    assert_eq!((later.hidden_until() - now).as_secs(), 10, "nothing is taken after its answer");
}

// Q3
#[tokio::test(start_paused = true)]
async fn of_two_timeouts_that_may_be_in_force_the_one_that_ends_first_is_believed() {
    let lost = || Some(Err(QueueError::indeterminate("no answer")));
    assert_eq!([believed(5, Some(Ok(()))), believed(60, Some(Ok(())))], [5, 60]);
    assert_eq!([believed(5, lost()), believed(60, lost())], [5, 30]);
    assert_eq!([believed(5, None), believed(60, None)], [5, 30]);
    assert_eq!(believed(5, Some(Err(QueueError::transient("busy")))), 30);
}
