//! A consumer: a plain loop around `Consumer::receive`, or the `Receiver` of `worker`.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use harness::{Journal, Pen};
use queue_core::{Consumer, Context, Delivery, Message, Queue, ReceiveOptions, handler};
use serde::{Deserialize, Serialize};
use tokio::time::{Instant, sleep};
use worker::{Receiver, WorkerClass};

use crate::Failure;
use crate::handling::{chance, handle, seed};
use crate::job::Job;
use crate::plant::Plant;
use crate::recorded::Recorded;
use crate::sabotage::Receiving;

/// How long a receive waits. It is short, as what a consumer holds for certain is counted from before it asked.
const WAIT: Duration = Duration::from_millis(300);

/// Which kind of consumer.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub(crate) enum Style {
    Plain,
    Receiver,
}

/// Consumes until it is killed.
pub(crate) async fn run(
    job: &Job,
    queue: Arc<dyn Queue>,
    (pen, journal): (&Pen, Journal),
    style: Style,
) -> Result<(), Failure> {
    seed(job.seed);
    let queue: Arc<dyn Consumer> = match job.plant {
        Some(plant) => Arc::new(Receiving::new(queue, plant, job.ordered)),
        None => queue,
    };
    let queue = Recorded::new(queue, journal, job.visibility);
    match style {
        Style::Plain => Plain { queue, pen: pen.clone(), job }.run().await,
        Style::Receiver => receive(job, queue, pen.clone()).await,
    }
}

/// Consumes through a receiver.
async fn receive(job: &Job, queue: Recorded, pen: Pen) -> Result<(), Failure> {
    let work = move |message: Message, _: Context| {
        let pen = pen.clone();
        async move {
            match handle(&pen, &message).await {
                Ok(true) => Ok(()),
                Ok(false) => Err("failed by chance".to_owned()),
                Err(error) => Err(error.to_string()),
            }
        }
    };
    let receiver = Receiver::builder(queue).pollers(WorkerClass::MAIN, 2).slots(8).wait(WAIT);
    let running = receiver.visibility(job.visibility).handler(handler(work)).start();
    std::future::pending::<()>().await;
    drop(running);
    Ok(())
}

/// The plain loop.
struct Plain<'a> {
    queue: Recorded,
    pen: Pen,
    job: &'a Job,
}

impl Plain<'_> {
    async fn run(&self) -> Result<(), Failure> {
        loop {
            let options = ReceiveOptions::new(10).with_wait(WAIT).with_visibility(self.job.visibility);
            match self.queue.receive(options).await {
                Ok(batch) => {
                    self.dawdle().await;
                    self.work_off(batch).await?;
                }
                Err(_) => sleep(Duration::from_millis(50)).await,
            }
        }
    }

    /// Holds what came beyond a lease that was cut short: without, only who is frozen holds anything for so long.
    async fn dawdle(&self) {
        if self.job.plant == Some(Plant::ShortLease) && chance(5) == 0 {
            sleep(self.job.visibility * 3 / 4).await;
        }
    }

    /// Handles a batch in its order and settles it. Where a message of an ordered queue fails, those of its group that
    /// came with it are given back before it, the last first, so that none overtakes it.
    async fn work_off(&self, batch: Vec<Delivery>) -> Result<(), Failure> {
        let (mut done, mut failed, mut stuck) = (Vec::new(), Vec::new(), HashSet::new());
        for mut delivery in batch {
            let group = delivery.message().group_key().unwrap_or_default().to_owned();
            if (self.job.ordered && stuck.contains(&group)) || !self.is_ours(&mut delivery).await {
                stuck.insert(group);
                failed.push(delivery);
            } else if handle(&self.pen, delivery.message()).await? {
                done.push(delivery);
            } else {
                stuck.insert(group);
                failed.push(delivery);
            }
        }
        settle(done).await;
        for delivery in failed.into_iter().rev() {
            delivery.release(Duration::ZERO).await.ok();
        }
        Ok(())
    }

    /// Whether it may be handled: its time has not run out. Now and then it is extended first.
    async fn is_ours(&self, delivery: &mut Delivery) -> bool {
        if chance(50) == 0 && delivery.extend(self.job.visibility).await.is_err() {
            return false;
        }
        delivery.hidden_until() > Instant::now()
    }
}

/// Deletes what was handled: mostly in one call, sometimes one by one.
async fn settle(done: Vec<Delivery>) {
    if chance(8) == 0 {
        for delivery in done {
            delivery.ack().await.ok();
        }
        return;
    }
    let Some(settler) = done.first().map(|delivery| Arc::clone(delivery.settler())) else { return };
    let receipts = done.iter().map(|delivery| delivery.receipt().clone()).collect();
    settler.delete(receipts).await;
    done.into_iter().for_each(Delivery::forget);
}
