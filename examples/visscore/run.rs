//! One run: opens everything, works, settles, idles, stops, and says what it came to.

use std::sync::Arc;
use std::time::Duration;

use queue_core::{CancellationToken, Meter};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use crate::accounts::Accounts;
use crate::company::Company;
use crate::consumer::Consumer;
use crate::generator::account;
use crate::idle_hour::IdleHour;
use crate::options::{Options, Role};
use crate::outcome::{Idle, Measured, Outcome};
use crate::producer::Producer;
use crate::progress::{Progress, bar};
use crate::service::Service;
use crate::source::Source;
use crate::spared::Spared;
use crate::stop::stop_on_signal;
use crate::tally::Tally;

/// How long it drains after a signal, and how long handlers may take to end.
const GRACE: Duration = Duration::from_secs(20);
/// How often it looks whether visits have disappeared.
const LOOK: Duration = Duration::from_secs(1);

/// A run under way.
#[derive(Debug)]
pub(crate) struct Run {
    options: Options,
    tally: Arc<Tally>,
    meter: Meter,
    spared: Spared,
    accounts: Arc<Accounts>,
    /// Who else handles visits; `None` if this process does not.
    company: Option<Company>,
    stop: CancellationToken,
    started: Instant,
}

impl Run {
    /// Opens the queue service; nothing is sent or received yet.
    ///
    /// # Errors
    /// Why it can't be opened.
    pub(crate) async fn open(options: Options) -> anyhow::Result<Self> {
        let tally = Arc::new(Tally::new(options.role.produces()));
        let (meter, spared) = (Meter::new(), Spared::new(options.wait()));
        let service = Service::open(&options, meter.clone()).await?;
        let consumer = options
            .role
            .consumes()
            .then(|| Consumer::new(&options, Arc::clone(&tally), spared.clone(), &service));
        let company =
            if options.role.consumes() { Some(Company::join(service.registry()).await?) } else { None };
        let accounts = Arc::new(Accounts::open(service, consumer).await?);
        let (stop, started) = (CancellationToken::new(), Instant::now());
        Ok(Self { options, tally, meter, spared, accounts, company, stop, started })
    }

    /// Runs until all is settled, or until a signal.
    ///
    /// # Errors
    /// What kept it from starting: an input that can't be opened.
    pub(crate) async fn finish(self) -> anyhow::Result<Outcome> {
        let source = self.options.role.produces().then(|| Source::open(&self.options)).transpose()?;
        let bar = bar(&self.options);
        let mut tasks = JoinSet::new();
        tasks.spawn(stop_on_signal(self.stop.clone(), bar.clone()));
        tasks.spawn(self.progress().show(bar.clone()));
        let outcome = self.work(source).await;
        bar.finish_and_clear();
        outcome
    }

    async fn work(mut self, source: Option<Source>) -> anyhow::Result<Outcome> {
        let failure = match source {
            Some(source) => self.produce(source).await.err(),
            None => self.open_all().await.err(),
        };
        let (measured, idle) = self.settle_and_idle().await;
        let retried = self.accounts.stop(GRACE).await;
        let shared = match self.company.take() {
            Some(company) => company.leave().await,
            None => false,
        };
        Ok(Outcome {
            role: self.options.role,
            shared,
            semaphore_calls: self.accounts.semaphore_calls(),
            counts: self.tally.counts(),
            retried,
            left: self.left().await?,
            quarantine: self.tally.shown(),
            accounts: self.accounts.count(),
            measured,
            idle,
            hour: IdleHour::live(&self.options)?,
            stopped: self.stop.is_cancelled(),
            failure,
        })
    }

    async fn produce(&self, source: Source) -> anyhow::Result<()> {
        let (accounts, tally) = (Arc::clone(&self.accounts), Arc::clone(&self.tally));
        Producer::new(&self.options, accounts, tally, self.stop.clone()).run(source).await
    }

    /// A consumer alone serves the accounts that the generator would make up.
    async fn open_all(&self) -> anyhow::Result<()> {
        for index in 0..self.options.accounts {
            self.accounts.publisher(&account(index)).await?;
        }
        Ok(())
    }

    /// The work of a consumer alone is to be idle; others are it after their work.
    async fn settle_and_idle(&self) -> (Measured, Option<Idle>) {
        if self.options.role == Role::Consume {
            let idle = self.idle(self.options.idle.unwrap_or(Duration::MAX)).await;
            return (self.measured(), Some(idle));
        }
        if self.options.role == Role::Both {
            self.settle().await;
        }
        let measured = self.measured();
        let idle = match self.options.idle {
            Some(time) => Some(self.idle(time).await),
            None => None,
        };
        (measured, idle)
    }

    /// Waits until all that was sent is settled. After a signal that may take no longer than the grace time, as queues
    /// in memory end with the process.
    async fn settle(&self) {
        let settled = async {
            self.tally.settled().await;
            self.accounts.settled().await;
        };
        tokio::select! {
            () = settled => {}
            () = self.vanished() => {}
            () = async { self.stop.cancelled().await; sleep(GRACE).await } => {}
        }
    }

    /// Waits until nothing is queued any more though something is unsettled: it was lost.
    async fn vanished(&self) {
        let mut before = (None, Instant::now());
        loop {
            sleep(LOOK).await;
            if let Some(company) = &self.company {
                drop(company.look().await); // it is looked for again
            }
            let now = self.tally.counts();
            if before.0 != Some(now) {
                before = (Some(now), Instant::now());
            } else if before.1.elapsed() >= self.accounts.patience() {
                if matches!(self.accounts.queued().await, Ok(0)) {
                    return;
                }
                before.1 = Instant::now();
            }
        }
    }

    async fn idle(&self, time: Duration) -> Idle {
        let (start, before) = (Instant::now(), self.meter.calls());
        tokio::select! {
            () = sleep(time) => {}
            () = self.stop.cancelled() => {}
        }
        Idle { time: start.elapsed(), receives: (self.meter.calls() - before).receive }
    }

    /// What is queued, in quarantine too, but for malformed lines: those are either still queued or in quarantine. Of a
    /// process that sends, without what was there before.
    async fn left(&self) -> anyhow::Result<u64> {
        let queued = self.accounts.queued().await? + self.accounts.quarantined().await?;
        let counts = self.tally.counts();
        let before = if self.options.role.produces() { self.accounts.before() } else { 0 };
        Ok(queued.saturating_sub(counts.forwarded + before.saturating_sub(counts.earlier)))
    }

    fn measured(&self) -> Measured {
        Measured { calls: self.meter.calls(), spared: self.spared.polls(), elapsed: self.started.elapsed() }
    }

    fn progress(&self) -> Progress {
        Progress {
            tally: Arc::clone(&self.tally),
            accounts: Arc::clone(&self.accounts),
            meter: self.meter.clone(),
            spared: self.spared.clone(),
        }
    }
}
