//! How many run at once, over several processes.

use semaphore::MemorySemaphore;
use tokio::time::sleep;
use worker::{RunningScheduler, Scheduler, SemaphoreGatedRunner, max, work};

use crate::support::{Gauge, KEY, holders, ms, runner, secondly, secs, take};

/// So many processes with a scheduler each, over one semaphore.
fn processes(count: u64, most: u32, gauge: &Gauge) -> (MemorySemaphore, Vec<RunningScheduler>) {
    let semaphore = MemorySemaphore::new();
    let start = |number| {
        let runner = SemaphoreGatedRunner::new(semaphore.clone(), KEY, max(most), secs(120));
        let trigger = secondly().start_delay(ms(number * 130)).through(runner);
        Scheduler::new().add(trigger, work(take).with((gauge.clone(), ms(1_700)))).start()
    };
    let running = (0..count).map(start).collect();
    (semaphore, running)
}

// W13, S1
#[tokio::test(start_paused = true)]
async fn two_processes_never_overlap() {
    let gauge = Gauge::default();
    let (_semaphore, running) = processes(2, 1, &gauge);
    sleep(secs(200)).await;
    let (level, declined) = (gauge.read(), running.iter().map(|one| one.account().declined).sum::<u64>());
    assert_eq!(level.most, 1);
    assert!(level.begun >= 90 && declined >= 50, "{level:?}, {declined} declined");
}

// W13, S1
#[tokio::test(start_paused = true)]
async fn three_of_five_processes_run_at_once_and_not_four() {
    let gauge = Gauge::default();
    let (_semaphore, running) = processes(5, 3, &gauge);
    sleep(secs(200)).await;
    assert_eq!(gauge.read().most, 3);
    let declined: u64 = running.iter().map(|one| one.account().declined).sum();
    assert!(gauge.read().begun >= 250 && declined >= 100, "{:?}, {declined} declined", gauge.read());
}

// W13, S2
#[tokio::test(start_paused = true)]
async fn a_miss_ends_the_run_at_once_and_the_work_does_not_begin() {
    let (semaphore, gauge) = (MemorySemaphore::new(), Gauge::default());
    let held = secondly().run(runner(&semaphore), work(take).with((Gauge::default(), secs(100))));
    sleep(ms(500)).await;
    let other = secondly().run(runner(&semaphore), work(take).with((gauge.clone(), ms(10))));
    sleep(ms(10_100)).await;
    let account = other.account();
    assert_eq!((account.declined, account.runs(), gauge.read().begun), (11, 0, 0));
    let status = other.handle().status();
    assert_eq!(status[0].last_duration.unwrap(), ms(0), "it waits for nobody");
    drop(held);
}

// W13
#[tokio::test(start_paused = true)]
async fn who_lists_the_holders_sees_host_process_and_trigger_or_what_was_said() {
    let semaphore = MemorySemaphore::new();
    let seen = async |runner: SemaphoreGatedRunner| {
        let running = secondly().run(runner, work(take).with((Gauge::default(), secs(100))));
        sleep(ms(100)).await;
        let context = holders(&semaphore).await[0].context.clone().unwrap();
        running.stop(ms(1)).await;
        context
    };
    let own = seen(runner(&semaphore)).await;
    assert!(own.ends_with(&format!("/{}/index", std::process::id())) && own.len() > 10, "{own}");
    assert_eq!(&*seen(runner(&semaphore).with_context("blue")).await, "blue");
}
