//! How far a redrive by the service is.

use std::fmt;
use std::time::{Duration, SystemTime};

use aws_sdk_sqs::types::ListMessageMoveTasksResultEntry;

/// What the service says of a redrive: see [`MoveTask::progress`](super::MoveTask::progress).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MoveProgress {
    /// Whether it still runs.
    pub state: MoveState,
    /// About how many messages were moved.
    pub moved: u64,
    /// About how many there were to move when it started; `None` before that.
    pub to_move: Option<u64>,
    /// When it was started, by the service's clock.
    pub started_at: SystemTime,
}

impl MoveProgress {
    pub(super) fn read(entry: &ListMessageMoveTasksResultEntry) -> Self {
        let count = |number: i64| u64::try_from(number).unwrap_or_default();
        Self {
            state: MoveState::read(entry.status(), entry.failure_reason()),
            moved: count(entry.approximate_number_of_messages_moved),
            to_move: entry.approximate_number_of_messages_to_move.map(count),
            started_at: SystemTime::UNIX_EPOCH + Duration::from_millis(count(entry.started_timestamp)),
        }
    }
}

/// Where a redrive is (`Status` of `ListMessageMoveTasks` in the Amazon SQS API reference).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MoveState {
    /// It moves messages.
    Running,
    /// It has moved what was there.
    Completed,
    /// It was told to end and has not yet.
    Cancelling,
    /// It was told to end. What was moved stays moved.
    Cancelled,
    /// It could not go on, for this reason. What was moved stays moved.
    Failed(String),
    /// Something that this version doesn't know.
    Other(String),
}

impl MoveState {
    fn read(status: Option<&str>, reason: Option<&str>) -> Self {
        match status.unwrap_or_default() {
            "RUNNING" => Self::Running,
            "COMPLETED" => Self::Completed,
            "CANCELLING" => Self::Cancelling,
            "CANCELLED" => Self::Cancelled,
            "FAILED" => Self::Failed(reason.unwrap_or("no reason was given").to_owned()),
            other => Self::Other(other.to_owned()),
        }
    }

    /// Whether it has ended, one way or the other.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        matches!(self, Self::Completed | Self::Cancelled | Self::Failed(_))
    }
}

impl fmt::Display for MoveState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Running => f.write_str("running"),
            Self::Completed => f.write_str("completed"),
            Self::Cancelling => f.write_str("cancelling"),
            Self::Cancelled => f.write_str("cancelled"),
            Self::Failed(reason) => write!(f, "failed: {reason}"),
            Self::Other(status) => f.write_str(status),
        }
    }
}
