//! B4: the receives of an idle hour. The server's clock is moved on by a wait whenever somebody waits, so that an hour
//! takes a second.

use std::time::Duration;

use benches::{Bar, Finding, per};
use queue_core::{Context, Message, WorkerClass};
use queue_sqs::SqsQueueSettings;
use testkit::server::SqsServer;
use tokio::time::sleep;
use worker::Receiver;

use crate::site;

const WAIT: Duration = Duration::from_secs(20);
const HOUR: Duration = Duration::from_hours(1);
/// How long it takes a receive at most to come to the server after the one before was answered; one that comes later
/// is counted in the next wait and would be missing at the end.
const PAUSE: Duration = Duration::from_millis(10);

pub(crate) async fn finding() -> Finding {
    let server = site::server().await;
    let queue = site::queue(&server, SqsQueueSettings::new()).await;
    let running = Receiver::builder(queue)
        .pollers(WorkerClass::MAIN, 10)
        .wait(WAIT)
        .handler(async |_message: Message, _context: Context| {})
        .start();
    let mut gone = Duration::ZERO;
    while gone < HOUR {
        let before = receives(&server);
        if gone.is_zero() {
            benches::until(Duration::from_millis(1), || receives(&server) > 0).await;
        }
        sleep(PAUSE).await;
        gone += WAIT;
        if gone < HOUR {
            server.advance(WAIT);
            benches::until(Duration::from_millis(1), || receives(&server) > before).await;
        }
    }
    let receives = receives(&server);
    server.advance(WAIT);
    running.stop(Duration::ZERO).await;
    let what = "receives of an idle hour and class, one process of 10 workers, counted by an SQS server";
    Finding::new("B4", what, per(receives, 1), Bar::Exactly(180.0))
}

fn receives(server: &SqsServer) -> u64 {
    server.calls().of("ReceiveMessage")
}
