//! Runs handlers on a queue: gated pollers, handler slots, renewal, back-off, and a shutdown that loses nothing.

mod account;
mod backoff;
mod clock;
mod cluster;
mod health;
mod identity;
#[cfg(feature = "metrics")]
pub mod metrics;
#[cfg(not(feature = "metrics"))]
#[path = "metrics_off.rs"]
mod metrics;
mod receiver;
mod scheduler;
mod semaphore_gated_runner;
mod shutdown_signal;
#[cfg(feature = "tower")]
pub mod tower;
#[cfg(feature = "trace-context")]
pub mod trace_context;
#[cfg(not(feature = "trace-context"))]
#[path = "trace_context_off.rs"]
mod trace_context;
mod trigger;

pub use account::Account;
pub use backoff::Backoff;
pub use cluster::{Cluster, ClusterCalls, ClusterGate, ClusterOptions, Standing};
pub use health::{Health, PollerHealth};
pub use receiver::{Probe, Receiver, ReceiverBuilder, Running};
pub use scheduler::{
    RunAccount, RunningScheduler, Scheduler, SchedulerHandle, TriggerHandle, TriggerState, TriggerStatus,
};
pub use semaphore_gated_runner::SemaphoreGatedRunner;
pub use shutdown_signal::shutdown_signal;
#[cfg(feature = "cron")]
pub use trigger::CronError;
pub use trigger::{
    DirectRunner, IntoOutcome, Run, RunContext, RunOutcome, Runner, Trigger, Work, WorkFunction,
    WorkFunctionWith, work,
};

pub use queue_core::{BatchHandler, Context, Handler, Verdict, WorkerClass, handler, json};
pub use semaphore::{FencingToken, Holders, Lease, Max, Semaphore, lease, max};

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
mod readme {}
