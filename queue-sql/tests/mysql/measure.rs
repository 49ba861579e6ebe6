//! temp
use std::time::{Duration, Instant};
use futures::future::join_all;
use queue_core::{Outgoing, PublisherExt};
use crate::support::{Tables, delete, take, grouped};
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "x"]
async fn measure() {
    let dead = || async { let r: (String, String) = sqlx::query_as("SHOW GLOBAL STATUS LIKE 'Innodb_deadlocks'").fetch_one(&crate::support::pool(1, None).await).await.unwrap(); r.1.parse::<u64>().unwrap() };
    for consumers in [1usize, 4, 16] {
        let tables = Tables::make(20).await;
        let queue = tables.queue("jobs").await;
        tables.fill("jobs", 100_000).await;
        take(&queue, 1).await;
        let d0 = dead().await;
        let begun = Instant::now();
        let counts = join_all((0..consumers).map(|_| { let queue = queue.clone(); async move {
            let mut n = 0; let mut worst = Duration::ZERO; let mut all = Duration::ZERO; let mut calls = 0u32; let mut empty = 0; let mut short = 0;
            while begun.elapsed() < Duration::from_secs(5) { let t = Instant::now(); let taken = take(&queue, 10).await; let e = t.elapsed(); all += e; calls += 1; worst = worst.max(e); if taken.is_empty() {empty += 1} else if taken.len() < 10 { short += 1 } n += taken.len(); delete(taken).await; }
            (n, worst, all / calls.max(1), empty, short)
        }})).await;
        let n: usize = counts.iter().map(|c| c.0).sum();
        eprintln!("standard {consumers} consumers: {:.0} msg/s receive avg {:?} worst {:?} empty {} short {} deadlocks {}", n as f64 / begun.elapsed().as_secs_f64(), counts[0].2, counts.iter().map(|c| c.1).max().unwrap(), counts.iter().map(|c| c.3).sum::<i32>(), counts.iter().map(|c| c.4).sum::<i32>(), dead().await - d0);
        tables.drop().await;
    }
    for consumers in [1usize, 4, 16] {
        let tables = Tables::make(20).await;
        let queue = tables.ordered("jobs.fifo").await;
        let t = Instant::now();
        let d0 = dead().await;
        join_all((0..16).map(|w| { let queue = queue.clone(); async move { for b in 0..60 { for a in queue.publish_all((0..10).map(|n| grouped(&format!("x{n}")).with_deduplication_id(format!("{w}-{b}-{n}")).with_group_key(format!("g{}", (w * 600 + b * 10 + n) % 1000))).collect()).await { a.unwrap(); } } } })).await;
        eprintln!("ordered publish 9600 by 16: {:.0} msg/s deadlocks {}", 9600.0 / t.elapsed().as_secs_f64(), dead().await - d0);
        let d0 = dead().await;
        let begun = Instant::now();
        let counts = join_all((0..consumers).map(|_| { let queue = queue.clone(); async move {
            let mut n = 0; let mut empty = 0;
            while begun.elapsed() < Duration::from_secs(5) && empty < 20 { let taken = take(&queue, 10).await; if taken.is_empty() { empty += 1; } n += taken.len(); delete(taken).await; }
            (n, empty)
        }})).await;
        let n: usize = counts.iter().map(|c| c.0).sum();
        eprintln!("ordered {consumers} consumers: {n} {:.0} msg/s empty {} deadlocks {}", n as f64 / begun.elapsed().as_secs_f64(), counts.iter().map(|c| c.1).sum::<i32>(), dead().await - d0);
        tables.drop().await;
    }
    let tables = Tables::make(20).await;
    let queue = tables.queue("jobs").await;
    let t = Instant::now();
    join_all((0..16).map(|_| { let queue = queue.clone(); async move { for _ in 0..100 { for a in queue.publish_all((0..10).map(|n| Outgoing::new(format!("x{n}"))).collect()).await { a.unwrap(); } } } })).await;
    eprintln!("publish 16000 by 16: {:.0} msg/s", 16000.0 / t.elapsed().as_secs_f64());
    tables.drop().await;
}
