//! The house of a run: the queues behind their faults, and the receiver before them.

use std::collections::BTreeSet;
use std::time::Duration;

use queue_core::{
    Consumer, Inspect, MemoryQueue, Outgoing, PublisherExt, ReceiveOptions, WorkerClass, handler,
};
use testkit::Faulty;
use tokio::time::{sleep, timeout};
use worker::{Account, Receiver, Running};

use crate::labour::Labour;
use crate::plan::{GROUPS, Plan, body};

pub(crate) struct House {
    plan: Plan,
    main: Faulty<MemoryQueue>,
    retry: Faulty<MemoryQueue>,
    dead: Faulty<MemoryQueue>,
    labour: Labour,
}

fn queue(plan: &Plan) -> MemoryQueue {
    let builder = MemoryQueue::builder().visibility(plan.visibility);
    if plan.ordered { builder.ordered().content_deduplication() } else { builder }.build().unwrap()
}

impl House {
    /// Sets the queues up, with the messages in the main one: their bodies are their numbers.
    pub(crate) async fn build(plan: Plan) -> Self {
        let main = queue(&plan);
        for number in 0..plan.messages {
            let message = Outgoing::new(body(number)).with_group_key((number % GROUPS).to_string());
            main.publish_one(message).await.unwrap();
        }
        let faulty = |queue, salt| Faulty::random(queue, plan.seed ^ salt, plan.rate);
        let (main, retry, dead) =
            (faulty(main, 0), faulty(MemoryQueue::new(), 1 << 32), faulty(MemoryQueue::new(), 2 << 32));
        Self { labour: Labour::new(plan.seed), plan, main, retry, dead }
    }

    /// Lets the receiver live and stop, and looks at what is left.
    pub(crate) async fn live(self) {
        let running = self.start();
        sleep(self.plan.lifetime).await;
        let stopping = timeout(Duration::from_mins(5), running.stop(self.plan.grace)).await;
        let account = stopping.expect("it stops");
        self.check_account(&account);
        self.labour.check(self.plan.ordered);
        self.check_messages().await;
    }

    fn start(&self) -> Running {
        let plan = &self.plan;
        let mut builder = Receiver::builder(self.main.clone())
            .pollers(WorkerClass::MAIN, plan.pollers)
            .slots(plan.slots)
            .batch(plan.batch);
        if let Some(deadline) = plan.deadline {
            builder = builder.deadline(deadline);
        }
        if plan.retry_queue {
            builder = builder.retry_queue(self.retry.clone());
        }
        if plan.dead_letter {
            builder = builder.dead_letter(self.dead.clone());
        }
        builder.handler(handler(Labour::work).with(self.labour.clone())).start()
    }

    /// Every delivery has become something. On an ordered queue one may have failed several times in place.
    fn check_account(&self, account: &Account) {
        let kept = account.retried + account.lost + account.released + account.orphaned;
        let ended = kept + account.handled + account.moved + account.discarded;
        assert!(account.received == ended || (self.plan.ordered && account.received < ended), "{account:?}");
        assert_eq!((account.in_flight, account.buffered), (0, 0), "{account:?}");
    }

    /// What is in no queue was handled, or given up where there is no dead-letter queue.
    async fn check_messages(&self) {
        let mut known = if self.plan.dead_letter { self.labour.handled() } else { self.labour.ended() };
        for queue in [&self.main, &self.retry, &self.dead] {
            known.extend(left_in(queue.queue()).await);
        }
        let lost: Vec<_> = (0..self.plan.messages).map(body).filter(|body| !known.contains(body)).collect();
        assert!(lost.is_empty(), "lost: {lost:?}; {:?}; {:?}", self.plan, self.main.calls());
    }
}

/// The bodies of all that comes back once every timeout has ended.
async fn left_in(queue: &MemoryQueue) -> BTreeSet<String> {
    sleep(Duration::from_mins(10)).await;
    let mut left = BTreeSet::new();
    while queue.depth().await.unwrap().total() > 0 {
        let taken = queue.receive(ReceiveOptions::default().with_wait(Duration::ZERO)).await.unwrap();
        assert!(!taken.is_empty(), "nothing is hidden for longer");
        for delivery in taken {
            left.insert(delivery.message().body().to_owned());
            delivery.ack().await.unwrap();
        }
    }
    left
}
