//! The listener: hearing of new messages of other processes, by `LISTEN` on a connection of its own.

use std::sync::Weak;
use std::time::Duration;

use sqlx::postgres::PgListener;
use tokio::time::{sleep, timeout};

use super::notifier::{Running, Shared};
use crate::hub::Hub;
use crate::store::QueueId;

/// The first pause before the connection is made anew; it doubles each time.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// After how long without a word the connection is asked whether it lives.
const SILENCE: Duration = Duration::from_secs(30);
/// How long connecting, or an answer, may take.
const DEADLINE: Duration = Duration::from_secs(5);

/// Listens, for ever; the connection is made anew when it breaks. Waiting receives look by themselves meanwhile.
pub(super) async fn listen(running: Running, hub: Weak<Hub>) {
    let mut pause = FIRST_PAUSE;
    loop {
        if let Some(mut listener) = connect(&running.0).await {
            pause = FIRST_PAUSE;
            wake_all(&hub); // what was told before was not heard
            hear(&mut listener, &hub).await;
            tracing::warn!(
                "the connection that listens for messages broke; it is made anew, and polling goes on"
            );
        }
        if hub.strong_count() == 0 {
            return;
        }
        sleep(pause.mul_f64(0.5 + fastrand::f64() / 2.0)).await;
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

async fn connect(shared: &Shared) -> Option<PgListener> {
    let connecting = async {
        let mut listener = PgListener::connect_with(&shared.pool).await?;
        listener.eager_reconnect(false);
        listener.listen(&shared.channel).await?;
        Ok::<_, sqlx::Error>(listener)
    };
    match timeout(DEADLINE, connecting).await {
        Ok(Ok(listener)) => return Some(listener),
        Ok(Err(error)) => {
            tracing::warn!(%error, "can't listen for messages; it is tried again, and polling goes on");
        }
        Err(_) => tracing::warn!("can't listen for messages in time; it is tried again, and polling goes on"),
    }
    None
}

/// Wakes a receive for each queue that is told of, until the connection breaks.
async fn hear(listener: &mut PgListener, hub: &Weak<Hub>) {
    loop {
        match timeout(SILENCE, listener.try_recv()).await {
            Ok(Ok(Some(told))) => wake(hub, told.payload()),
            Ok(Ok(None) | Err(_)) => return,
            Err(_) if !lives(listener).await => return,
            Err(_) => {}
        }
    }
}

async fn lives(listener: &mut PgListener) -> bool {
    let ask = sqlx::query("SELECT 1").persistent(false);
    timeout(DEADLINE, ask.execute(listener)).await.is_ok_and(|answer| answer.is_ok())
}

fn wake(hub: &Weak<Hub>, queues: &str) {
    let Some(hub) = hub.upgrade() else { return };
    for queue in queues.split(',').filter_map(|queue| queue.parse::<QueueId>().ok()) {
        hub.wake(queue);
    }
}

fn wake_all(hub: &Weak<Hub>) {
    let Some(hub) = hub.upgrade() else { return };
    for queue in hub.queues() {
        hub.wake(queue);
    }
}
