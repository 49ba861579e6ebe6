//! The standing of a process: who may poll while a queue is quiet, as seen from here.

/// What a process is to one class of a queue in its cluster.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Standing {
    /// It has just come, or has just lost the permit, and asks. None of its workers is acting master.
    #[default]
    Asking,
    /// It holds the permit: the acting master is among its workers.
    Holder,
    /// Another process holds the permit. Its workers poll while the holder's gate is open.
    Follower,
    /// The semaphore does not answer, or the cluster was stopped here: it polls as if there were no others. That costs
    /// calls and nothing else.
    Alone,
}
