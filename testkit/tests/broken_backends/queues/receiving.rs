//! Queues that receive wrongly.

mod expected;

use std::time::Duration;

use queue_core::{CancellationToken, Consumer, Delivery, Inspect, MemoryQueue, QueueError, ReceiveOptions};
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::fault::Fault;

pub(crate) use expected::EXPECTED;

/// What is wrong with receiving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Receiving {
    /// What is received stays visible.
    HidesNothing,
    /// The visibility timeout of the receive is ignored.
    KeepsItsTimeout,
    /// The delivery believes to be hidden for twice as long as it is.
    TellsTooLong,
    /// The delivery believes to be hidden for half as long as it is.
    TellsTooShort,
    /// Nothing is received while a message is in flight.
    OneAtATime,
    /// An empty queue is an error.
    EmptyIsAnError,
    /// The answer comes at once.
    NeverWaits,
    /// The answer takes a second at least.
    AlwaysWaits,
    /// The answer comes when the wait is over.
    SleepsThroughTheWait,
    /// The stop token is not looked at.
    IgnoresStop,
    /// One message more than was asked for.
    OneMore,
    /// One message less than was asked for, if that was more than one.
    OneLess,
    /// Too much is cut to what is allowed.
    Clamps,
    /// Ten are hidden, however few are brought.
    HidesTen,
    /// The first of a batch stays visible.
    DeliversTwice,
    /// A receive that is dropped goes on, and hides what it gets.
    GoesOnWhenDropped,
    /// A receive that is dropped goes on, and loses what it gets.
    LosesWhenDropped,
}

type Answer = Result<Vec<Delivery>, QueueError>;

/// The visibility timeout that a delivery is told.
pub(crate) fn told(fault: Fault, visibility: Duration) -> Duration {
    match fault {
        Fault::Receive(Receiving::TellsTooLong) => visibility * 2,
        Fault::Receive(Receiving::TellsTooShort) => visibility / 2,
        _ => visibility,
    }
}

pub(crate) async fn receive(fault: Receiving, inner: &MemoryQueue, mut options: ReceiveOptions) -> Answer {
    match fault {
        Receiving::HidesNothing => options.visibility = Some(Duration::ZERO),
        Receiving::KeepsItsTimeout => options.visibility = None,
        Receiving::NeverWaits => options.wait = Duration::ZERO,
        Receiving::AlwaysWaits => options.wait = options.wait.max(Duration::from_secs(1)),
        Receiving::IgnoresStop => options.stop = CancellationToken::new(),
        Receiving::OneMore => options.max_messages += usize::from(options.max_messages < 10),
        Receiving::OneLess => options.max_messages -= usize::from((2..=10).contains(&options.max_messages)),
        Receiving::Clamps => {
            options.max_messages = options.max_messages.min(10);
            options.wait = options.wait.min(Duration::from_secs(20));
        }
        _ => return receive_in_a_way_of_its_own(fault, inner, options).await,
    }
    inner.receive(options).await
}

async fn receive_in_a_way_of_its_own(
    fault: Receiving,
    inner: &MemoryQueue,
    mut options: ReceiveOptions,
) -> Answer {
    match fault {
        Receiving::OneAtATime if inner.depth().await?.in_flight > 0 => {
            sleep(options.wait).await;
            Ok(Vec::new())
        }
        Receiving::EmptyIsAnError => {
            let got = inner.receive(options).await?;
            if got.is_empty() { Err(QueueError::transient("there is nothing")) } else { Ok(got) }
        }
        Receiving::SleepsThroughTheWait if options.wait <= inner.receive_limits().max_wait => {
            sleep(std::mem::take(&mut options.wait)).await;
            inner.receive(options).await
        }
        Receiving::HidesTen => hides_ten(inner, options).await,
        Receiving::DeliversTwice => delivers_twice(inner, options).await,
        Receiving::GoesOnWhenDropped => goes_on(inner.clone(), options, false).await,
        Receiving::LosesWhenDropped => goes_on(inner.clone(), options, true).await,
        _ => inner.receive(options).await,
    }
}

async fn hides_ten(inner: &MemoryQueue, mut options: ReceiveOptions) -> Answer {
    let wanted = std::mem::replace(&mut options.max_messages, 10);
    let mut got = inner.receive(options).await?;
    got.drain(wanted.min(got.len())..).for_each(Delivery::forget);
    Ok(got)
}

async fn delivers_twice(inner: &MemoryQueue, options: ReceiveOptions) -> Answer {
    let got = inner.receive(options).await?;
    if got.len() > 1 {
        let first = (got[0].receipt().clone(), Duration::ZERO);
        got[0].settler().change_visibility(vec![first]).await.swap_remove(0)?;
    }
    Ok(got)
}

async fn goes_on(inner: MemoryQueue, options: ReceiveOptions, loses: bool) -> Answer {
    let (answer, receiver) = oneshot::channel();
    let mut task = JoinSet::new();
    task.spawn(async move {
        if let Err(Ok(unheard)) = answer.send(inner.receive(options).await) {
            for delivery in unheard {
                if loses {
                    delivery.ack().await.unwrap();
                } else {
                    delivery.forget();
                }
            }
        }
    });
    task.detach_all();
    receiver.await.unwrap()
}
