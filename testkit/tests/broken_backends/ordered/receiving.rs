//! Ordered queues that receive wrongly.

use std::cmp::Reverse;
use std::sync::Arc;
use std::time::Duration;

use queue_core::{Consumer, Delivery, QueueError, Receipt, ReceiveOptions};
use tokio::time::{Instant, sleep};

use super::broken::{Broken, Brought};
use super::fault::{Fault, Receiving};

type Answer = Result<Vec<Delivery>, QueueError>;

pub(crate) async fn receive(queue: &Broken, mut options: ReceiveOptions) -> Answer {
    let fault = match queue.fault {
        Fault::Receive(fault) => fault,
        Fault::DeadLastFirst => return first_by(queue, options, |body| Reverse(body.to_owned())).await,
        _ => return take(queue, options).await,
    };
    match fault {
        Receiving::OneOfAGroup => options.max_messages = 1,
        Receiving::IgnoresAttempts => options.attempt_id = None,
        Receiving::OneAttempt => options.attempt_id = options.attempt_id.map(|_| Arc::from("one")),
        Receiving::SleepsThroughTheWait => sleep(std::mem::take(&mut options.wait)).await,
        Receiving::Starves => return first_by(queue, options, group_of).await,
        Receiving::Backwards => return take(queue, options).await.map(|got| got.into_iter().rev().collect()),
        Receiving::NoGroup => {}
        _ => return attempt(fault, queue, options).await,
    }
    take(queue, options).await
}

/// The group of a message, by its body.
fn group_of(body: &str) -> Option<char> {
    body.chars().next().map(|first| first.to_ascii_lowercase())
}

/// Receives as it should be.
async fn take(queue: &Broken, options: ReceiveOptions) -> Answer {
    let brought = bring(queue, &options).await?;
    Ok(brought.into_iter().map(|one| queue.hand(one, &options)).collect())
}

async fn bring(queue: &Broken, options: &ReceiveOptions) -> Result<Vec<Brought>, QueueError> {
    let got = queue.inner.receive(options.clone()).await?;
    let apart = |delivery: Delivery| {
        let (message, receipt) = (delivery.message().clone(), delivery.receipt().clone());
        let settler = Arc::clone(delivery.settler());
        delivery.forget();
        (message, receipt, settler)
    };
    Ok(got.into_iter().map(apart).collect())
}

/// Takes ten, keeps those that come first by their bodies, and gives back the rest.
async fn first_by<K: Ord>(queue: &Broken, options: ReceiveOptions, key: impl Fn(&str) -> K) -> Answer {
    let mut ten = options.clone();
    ten.max_messages = 10;
    let mut brought = bring(queue, &ten).await?;
    brought.sort_by_key(|(message, ..)| key(message.body()));
    let rest = brought.split_off(options.max_messages.min(brought.len()));
    for (_, receipt, settler) in rest.into_iter().rev() {
        settler.change_visibility(vec![(receipt, Duration::ZERO)]).await.swap_remove(0)?;
    }
    Ok(brought.into_iter().map(|one| queue.hand(one, &options)).collect())
}

/// Receives under an attempt's id, wrongly.
async fn attempt(fault: Receiving, queue: &Broken, mut options: ReceiveOptions) -> Answer {
    let Some(id) = options.attempt_id.clone() else { return take(queue, options).await };
    let before = queue.book().attempts.get(&id).cloned();
    match (fault, before) {
        (Receiving::RepeatsTouched, Some(before)) if !before.is_empty() => {
            return Ok(before.into_iter().map(|one| queue.hand(one, &options)).collect());
        }
        (Receiving::RemembersEmpty, Some(before)) if before.is_empty() => return Ok(Vec::new()),
        (Receiving::HidesOnce, Some(before)) if !before.is_empty() => {
            options.visibility = Some(left(queue));
        }
        _ => {}
    }
    let mut brought = bring(queue, &options).await?;
    let repeated = queue.book().attempts.insert(id, brought.clone());
    let is_repeat = repeated.is_some_and(|before| {
        before.first().map(|(_, receipt, _)| receipt) == brought.first().map(|(_, receipt, _)| receipt)
    });
    if is_repeat {
        brought = brought.into_iter().map(|one| spoilt(fault, one)).collect();
    }
    let got: Vec<_> = brought.into_iter().map(|one| queue.hand(one, &options)).collect();
    if !is_repeat {
        let until = got.first().map(Delivery::hidden_until);
        queue.book().hidden_until = until;
    }
    Ok(got)
}

/// How long what an attempt brought first is hidden still.
fn left(queue: &Broken) -> Duration {
    let until = queue.book().hidden_until;
    until.map_or(Duration::ZERO, |until| until.saturating_duration_since(Instant::now()))
}

/// What a repeated attempt makes of a delivery.
fn spoilt(fault: Receiving, (message, receipt, settler): Brought) -> Brought {
    let count = message.receive_count();
    match fault {
        Receiving::NewReceipts => (message, Receipt::new(format!("{}#", receipt.as_str())), settler),
        Receiving::CountsRepeats => (message.with_receive_count(count + 1), receipt, settler),
        _ => (message, receipt, settler),
    }
}
