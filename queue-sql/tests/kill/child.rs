//! The child: a consumer or a publisher, which says where it is.

use std::env;
use std::time::Duration;

use harness::{Pen, point_async};
use queue_core::{Consumer, ReceiveOptions};
use queue_sql::SqlQueue;

use crate::killable::{ADDRESS, KIND, Killable, ORDERED, PREFIX, jobs, letter};

/// How long a child hides what it receives.
pub(crate) const VISIBILITY: Duration = Duration::from_secs(2);

/// Plays a role to its end.
pub(crate) fn play(role: &str) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    runtime.block_on(async {
        match env::var(KIND).unwrap().as_str() {
            #[cfg(feature = "sqlite")]
            "sqlite" => act::<crate::database::sqlite::Sqlite>(role).await,
            #[cfg(feature = "postgres")]
            "postgres" => act::<crate::database::postgres::Postgres>(role).await,
            #[cfg(feature = "mysql")]
            "mysql" => act::<crate::database::mysql::MySql>(role).await,
            _ => {}
        }
    });
}

async fn act<D: Killable>(role: &str) {
    let pool = D::at(&env::var(ADDRESS).unwrap()).await;
    let database = D::over(pool.clone(), &env::var(PREFIX).unwrap());
    let queue = jobs::<D>(&database, env::var(ORDERED).unwrap() == "true").await;
    point_async("ready").await;
    match role {
        "consume" => consume::<D>(&queue).await,
        "publish" => publish::<D>(&queue, &pool).await,
        _ => work::<D>(&queue).await,
    }
}

/// Receives a message and deletes it.
async fn consume<D: Killable>(queue: &SqlQueue<D::Store>) {
    let options = ReceiveOptions::new(1).with_wait(Duration::ZERO).with_visibility(VISIBILITY);
    for delivery in queue.receive(options).await.unwrap() {
        point_async("received").await;
        delivery.ack().await.unwrap();
        point_async("deleted").await;
    }
}

/// Publishes a message in a transaction.
async fn publish<D: Killable>(queue: &SqlQueue<D::Store>, pool: &sqlx::Pool<D::Sqlx>) {
    let mut transaction = pool.begin().await.unwrap();
    for answer in queue.publish_in(&mut transaction, vec![letter(queue, "a", 1)]).await {
        answer.unwrap();
    }
    point_async("stored").await;
    transaction.commit().await.unwrap();
    point_async("committed").await;
}

/// Works off what is there, and ends when nothing has come for a while.
async fn work<D: Killable>(queue: &SqlQueue<D::Store>) {
    let pen = Pen::inherited();
    loop {
        let options = ReceiveOptions::new(5).with_wait(VISIBILITY * 2).with_visibility(VISIBILITY);
        let taken = queue.receive(options).await.unwrap();
        if taken.is_empty() {
            return;
        }
        for delivery in taken {
            let (key, number) =
                (delivery.message().group_key().unwrap(), delivery.message().body().parse().unwrap());
            if tokio::time::Instant::now() + VISIBILITY / 2 > delivery.hidden_until() {
                continue; // too late to begin; it comes back
            }
            pen.started(key, number).unwrap();
            tokio::time::sleep(Duration::from_millis(3)).await;
            pen.finished(key, number).unwrap();
            point_async("handled").await;
            if delivery.ack().await.is_err() {
                break; // its time ran out, and that of those behind it
            }
        }
    }
}
