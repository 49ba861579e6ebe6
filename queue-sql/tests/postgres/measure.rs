//! scratch
use std::time::Duration;
use futures::future::join_all;
use queue_core::{Consumer, Outgoing, Publisher};
use tokio::time::Instant;
use crate::server::*;

async fn drain(queue: &queue_sql::PgQueue) -> usize {
    let (mut n, mut empty) = (0, 0);
    while empty < 3 {
        let d = receive(queue, 10).await;
        if d.is_empty() { empty += 1; continue; }
        n += d.len();
        delete(d).await;
    }
    n
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "scratch"]
async fn throughput() {
    for sync in ["on", "off"] {
        let server = Server::with(&[("synchronous_commit", sync)]).await;
        let database = server.database().await;
        let standard = database.queue("standard").build().await.unwrap();
        let ordered = ordered(&database).await;
        let body = "x".repeat(300);
        for queue in [&standard, &ordered] {
            for tasks in [1, 4, 16] {
                let per = if sync == "on" { 6_000 } else { 12_000 };
                let started = Instant::now();
                join_all((0..16).map(|t| { let body = &body; async move {
                    for b in 0..per / 160 {
                        let batch = (0..10).map(|i| {
                            let m = Outgoing::new(format!("{t} {b} {i} {tasks} {body}"));
                            if queue.name() == "ordered" { m.with_group_key(format!("g{t}x{}", b % 30)) } else { m }
                        }).collect();
                        for a in queue.publish(batch).await { a.unwrap(); }
                    }
                }})).await;
                let published = started.elapsed();
                let started = Instant::now();
                let n: usize = join_all((0..tasks).map(|_| drain(queue))).await.iter().sum();
                let took = started.elapsed();
                println!("sync={sync} {} consumers={tasks} n={n}: publish16 {:.0} msg/s, receive+delete {:.0} msg/s", queue.name(),
                    n as f64 / published.as_secs_f64(), n as f64 / took.as_secs_f64());
            }
        }
        drop((standard, ordered, database));
        server.clean().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "scratch"]
async fn b24() {
    let server = Server::with(&[("synchronous_commit", "off")]).await;
    let queue = server.database().await.queue("standard").build().await.unwrap();
    let seconds: u64 = std::env::var("B24").unwrap().parse().unwrap();
    for open in [false, true] {
        let mut reader = server.pool.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ").await.unwrap();
        if open {
            sqlx::raw_sql("SELECT count(*) FROM pg_class").execute(&mut *reader).await.unwrap();
        } else {
            reader.rollback().await.unwrap();
            reader = server.pool.begin().await.unwrap();
        }
        let end = Instant::now() + Duration::from_secs(if open { seconds } else { 10 });
        let publishing = async {
            let mut tick = tokio::time::interval(Duration::from_millis(20));
            while Instant::now() < end {
                tick.tick().await;
                fill(&queue, None, 10).await;
            }
        };
        let consuming = async {
            let mut times: Vec<Duration> = Vec::new();
            let mut next = Instant::now() + Duration::from_secs(10);
            let mut n = 0;
            while Instant::now() < end {
                let started = Instant::now();
                let d = queue.receive(now(10)).await.unwrap();
                times.push(started.elapsed());
                n += d.len();
                if d.is_empty() { tokio::time::sleep(Duration::from_millis(5)).await; } else { delete(d).await; }
                if Instant::now() >= next || Instant::now() >= end {
                    times.sort();
                    let p = |q: f64| times[((times.len() - 1) as f64 * q) as usize];
                    println!("open={open} n={n} receives={} p50 {:?} p99 {:?} max {:?}", times.len(), p(0.5), p(0.99), p(1.0));
                    times.clear();
                    n = 0;
                    next += Duration::from_secs(10);
                }
            }
        };
        tokio::join!(publishing, consuming);
        reader.rollback().await.unwrap();
    }
    server.clean().await;
}
