//! A member: one producer or consumer, a process or, on the memory backend, a thread.

use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};

use harness::{Child, Ledger, Pen};
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use crate::Failure;
use crate::backend::Queues;
use crate::job::{Job, Role, runtime};

/// One producer or consumer.
pub(crate) struct Member {
    pub(crate) job: Job,
    body: Body,
}

enum Body {
    Process(Child),
    Thread(Thread),
}

/// A thread with a runtime of its own.
struct Thread {
    stop: CancellationToken,
    runtime: Handle,
    /// While this is there, the runtime's only thread waits for its end.
    ice: Option<Sender<()>>,
    end: Option<JoinHandle<Result<(), String>>>,
}

impl Member {
    /// Starts it, with the queues that all members of this process share or, without, as a process.
    pub(crate) fn start(job: Job, shared: Option<&Queues>, ledger: &Ledger) -> Result<Self, Failure> {
        let body = match shared {
            None => Body::Process(job.program()?.with_ledger(ledger).start()?),
            Some(queues) => Body::Thread(Thread::start(job.clone(), queues.clone(), ledger.pen().clone())?),
        };
        Ok(Self { job, body })
    }

    /// Whether it is done.
    pub(crate) fn has_ended(&self) -> bool {
        match &self.body {
            Body::Process(child) => child.has_ended(),
            Body::Thread(thread) => thread.end.as_ref().is_none_or(JoinHandle::is_finished),
        }
    }

    /// Stops it in the middle of whatever it does.
    pub(crate) fn freeze(&mut self) {
        match &mut self.body {
            // One that has ended meanwhile needs no ice.
            Body::Process(child) => child.freeze().unwrap_or_default(),
            Body::Thread(thread) => thread.freeze(),
        }
    }

    /// Lets it go on.
    pub(crate) fn resume(&mut self) {
        match &mut self.body {
            Body::Process(child) => child.resume().unwrap_or_default(),
            Body::Thread(thread) => drop(thread.ice.take()),
        }
    }

    /// Ends it in the middle of whatever it does.
    ///
    /// # Errors
    /// When it ended by itself before, and not well.
    pub(crate) fn kill(self) -> Result<(), Failure> {
        match self.body {
            Body::Process(child) => {
                let ended = child.kill()?;
                if !ended.was_killed() {
                    ended.expect_success()?;
                }
                Ok(())
            }
            Body::Thread(thread) => thread.kill(),
        }
    }

    /// The number under which it sends, if it is a producer, and how much.
    pub(crate) fn producer(&self) -> Option<(u64, u64)> {
        match self.job.role {
            Role::Producer { id, count } => Some((id, count)),
            Role::Consumer { .. } => None,
        }
    }
}

impl Thread {
    fn start(job: Job, queues: Queues, pen: Pen) -> Result<Self, Failure> {
        let (stop, runtime) = (CancellationToken::new(), runtime()?);
        let (token, handle) = (stop.clone(), runtime.handle().clone());
        let work = move || {
            let done = runtime.block_on(job.work(&queues, &pen, token)).map_err(|error| error.to_string());
            // What it spawned goes with the runtime, in the middle of whatever it does.
            runtime.shutdown_background();
            done
        };
        Ok(Self { stop, runtime: handle, ice: None, end: Some(thread::Builder::new().spawn(work)?) })
    }

    fn freeze(&mut self) {
        let (ice, melted) = mpsc::channel::<()>();
        self.ice = Some(ice);
        drop(self.runtime.spawn(async move { melted.recv().unwrap_or_default() }));
    }

    fn kill(mut self) -> Result<(), Failure> {
        self.stop.cancel();
        drop(self.ice.take());
        let ended = self.end.take().map(JoinHandle::join);
        let ended = ended.unwrap_or(Ok(Ok(()))).map_err(|_| "a member panicked")?;
        Ok(ended?)
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}
