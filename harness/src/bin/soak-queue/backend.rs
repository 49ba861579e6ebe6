//! The backends: where the queues are, how they are made and opened.

mod sql;
mod sqs;

use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use harness::ServerKind;
use queue_core::{MemoryQueue, Queue};
use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::host::Host;
use crate::options::{Backend, ENDPOINT, Options};

/// Where the queues are.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) enum Place {
    Memory,
    Sqlite {
        file: PathBuf,
    },
    /// A database server, and how the names of the tables begin.
    Postgres {
        url: String,
        prefix: String,
    },
    Mysql {
        url: String,
        prefix: String,
    },
    /// A server that speaks as Amazon SQS does, and how the names of the queues begin.
    Sqs {
        endpoint: String,
        prefix: String,
    },
}

/// The two queues of a soak.
#[derive(Clone, Debug)]
pub(crate) struct Queues {
    standard: Arc<dyn Queue>,
    ordered: Arc<dyn Queue>,
}

impl Backend {
    /// The kind of server that it needs, if it needs one.
    pub(crate) fn server_kind(self) -> Option<ServerKind> {
        match self {
            Self::Postgres => Some(ServerKind::PostgreSql),
            Self::Mysql => Some(ServerKind::MariaDb),
            Self::Memory | Self::Sqlite | Self::Sqs => None,
        }
    }

    /// The unit in which it counts visibility timeouts.
    pub(crate) fn unit(self) -> Duration {
        if self == Self::Sqs { Duration::from_secs(1) } else { Duration::from_millis(1) }
    }
}

impl Place {
    /// A place that no other soak has: at our own server if there is one, else at the one that a variable names.
    pub(crate) fn choose(options: &Options, host: Option<&Host>, folder: &Path) -> Result<Self, Failure> {
        let prefix = format!("soak_{:08x}_", fastrand::u32(..));
        let url = |variable: &str| match host {
            Some(host) => Ok(host.url()),
            None => {
                env::var(variable).map_err(|_| format!("{variable} is not set; `cargo xtask soak` sets it"))
            }
        };
        Ok(match options.backend {
            Backend::Memory => Self::Memory,
            Backend::Sqlite => Self::Sqlite { file: folder.join("queues.sqlite") },
            Backend::Postgres => Self::Postgres { url: url("POSTGRES_URL")?, prefix },
            Backend::Mysql => Self::Mysql { url: url("MYSQL_URL")?, prefix },
            Backend::Sqs => {
                let named = options.endpoint()?;
                Self::Sqs { endpoint: named.map_or_else(|| url(ENDPOINT), Ok)?, prefix }
            }
        })
    }
}

impl Queues {
    /// Makes those in memory, and makes or opens the others; any number of processes may do it at once.
    pub(crate) async fn open(place: &Place, visibility: Duration) -> Result<Self, Failure> {
        match place {
            Place::Memory => Self::in_memory(visibility),
            Place::Sqs { endpoint, prefix } => Self::at_sqs(endpoint, prefix, visibility).await,
            _ => Self::in_sql(place, visibility).await,
        }
    }

    fn in_memory(visibility: Duration) -> Result<Self, Failure> {
        let queue = || MemoryQueue::builder().visibility(visibility);
        Ok(Self { standard: Arc::new(queue().build()?), ordered: Arc::new(queue().ordered().build()?) })
    }

    /// The one of this kind.
    pub(crate) fn of(&self, ordered: bool) -> Arc<dyn Queue> {
        Arc::clone(if ordered { &self.ordered } else { &self.standard })
    }
}
