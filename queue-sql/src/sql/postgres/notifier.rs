//! The notifier: telling other processes of new messages, by `NOTIFY` on a connection of its own.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sqlx::PgPool;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use tokio::runtime::Handle;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::listener;
use crate::hub::Hub;
use crate::store::QueueId;

/// The least time between two notifications: each one's commit takes a lock that the whole server shares.
const INTERVAL: Duration = Duration::from_millis(20);
/// How long a notification may take.
const DEADLINE: Duration = Duration::from_secs(5);
/// How many queues one notification names: it may have 8,000 bytes, a number at most 20 and a comma.
const MOST: usize = 300;

/// Tells others of new messages, and hears of theirs.
///
/// # Drop
/// Ends both.
#[derive(Debug)]
pub(super) struct Notifier {
    shared: Arc<Shared>,
    tasks: TaskTracker,
    stop: CancellationToken,
}

impl Drop for Notifier {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// What the tasks need.
#[derive(Debug)]
pub(super) struct Shared {
    /// Two connections, one to listen, one to notify, that nothing else uses.
    pub(super) pool: PgPool,
    pub(super) channel: String,
    news: Mutex<BTreeSet<QueueId>>,
    telling: AtomicBool,
    listening: AtomicBool,
}

impl Notifier {
    pub(super) fn new(options: PgConnectOptions, prefix: &str) -> Self {
        let pool = PgPoolOptions::new().min_connections(0).max_connections(2).max_lifetime(None);
        let shared = Shared {
            pool: pool.connect_lazy_with(options),
            channel: format!("{prefix}queue"),
            news: Mutex::default(),
            telling: AtomicBool::new(false),
            listening: AtomicBool::new(false),
        };
        Self { shared: Arc::new(shared), tasks: TaskTracker::new(), stop: CancellationToken::new() }
    }

    /// Tells of a queue soon.
    pub(super) fn tell(&self, queue: QueueId) {
        self.shared.news().insert(queue);
        if Handle::try_current().is_err() || self.shared.telling.swap(true, Ordering::AcqRel) {
            return;
        }
        let running = Running(Arc::clone(&self.shared), |shared| &shared.telling);
        let stop = self.stop.clone();
        self.tasks.spawn(async move {
            let _ended = stop.run_until_cancelled(tell_all(running)).await;
        });
    }

    /// Listens from now on.
    pub(super) fn listen(&self, hub: &Arc<Hub>) {
        if self.shared.listening.swap(true, Ordering::AcqRel) {
            return;
        }
        let running = Running(Arc::clone(&self.shared), |shared| &shared.listening);
        let (stop, hub) = (self.stop.clone(), Arc::downgrade(hub));
        self.tasks.spawn(async move {
            let _ended = stop.run_until_cancelled(listener::listen(running, hub)).await;
        });
    }
}

/// Says that a task runs, until it is dropped, however that comes.
pub(super) struct Running(pub(super) Arc<Shared>, fn(&Shared) -> &AtomicBool);

impl Drop for Running {
    fn drop(&mut self) {
        (self.1)(&self.0).store(false, Ordering::Release);
    }
}

impl Shared {
    fn news(&self) -> MutexGuard<'_, BTreeSet<QueueId>> {
        self.news.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The queues of the next notification, as it names them; the rest is left for the one after it.
    fn take(&self) -> Option<String> {
        let mut news = self.news();
        let next: Vec<_> = news.iter().take(MOST).copied().collect();
        for queue in &next {
            news.remove(queue);
        }
        let names: Vec<_> = next.iter().map(QueueId::to_string).collect();
        (!names.is_empty()).then(|| names.join(","))
    }
}

/// Tells until there is nothing left to tell.
async fn tell_all(running: Running) {
    loop {
        while let Some(queues) = running.0.take() {
            notify(&running.0, queues).await;
            sleep(INTERVAL).await;
        }
        running.0.telling.store(false, Ordering::Release);
        // What came between the last look and the end is this task's, unless another one runs by now.
        if running.0.news().is_empty() || running.0.telling.swap(true, Ordering::AcqRel) {
            return;
        }
    }
}

async fn notify(shared: &Shared, queues: String) {
    let notify = sqlx::query("SELECT pg_notify($1, $2)").bind(&shared.channel).bind(queues);
    match timeout(DEADLINE, notify.persistent(false).execute(&shared.pool)).await {
        Ok(Ok(_)) => {}
        Ok(Err(error)) => {
            tracing::debug!(%error, "a notification failed; others find the messages at their next look");
        }
        Err(_) => {
            tracing::debug!("a notification took too long; others find the messages at their next look");
        }
    }
}
