//! The backends: where the semaphore is, how it is opened.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use harness::{Server, ServerKind};
use semaphore::sqlx::mysql::MySqlPoolOptions;
use semaphore::sqlx::postgres::PgPoolOptions;
use semaphore::{Holders, MySqlSemaphore, PgSemaphore, Semaphore, SqliteSemaphore};
use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::options::Backend;

/// How long a call may take. A call through a proxy that stalls is given up, and not for long.
const DEADLINE: Duration = Duration::from_millis(1500);
/// How many connections a holder has: one for its renewals, one for what it does itself.
const CONNECTIONS: u32 = 3;

/// A semaphore that can be watched.
pub(crate) trait Watched: Semaphore + Holders {}

impl<S: Semaphore + Holders> Watched for S {}

/// Where the semaphore is.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) enum Place {
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
}

impl Backend {
    /// The kind of server that it needs, if it needs one.
    pub(crate) fn server_kind(self) -> Option<ServerKind> {
        match self {
            Self::Postgres => Some(ServerKind::PostgreSql),
            Self::Mysql => Some(ServerKind::MariaDb),
            Self::Sqlite => None,
        }
    }
}

impl Place {
    /// A place that no other soak has: at our own server if there is one, else at the one that a variable names.
    pub(crate) fn choose(backend: Backend, server: Option<&Server>, folder: &Path) -> Result<Self, Failure> {
        let prefix = format!("soak_{:08x}_", fastrand::u32(..));
        let url = |variable: &str| match server {
            Some(server) => Ok(server.url()),
            None => {
                env::var(variable).map_err(|_| format!("{variable} is not set; `cargo xtask soak` sets it"))
            }
        };
        Ok(match backend {
            Backend::Sqlite => Self::Sqlite { file: folder.join("semaphore.sqlite") },
            Backend::Postgres => Self::Postgres { url: url("POSTGRES_URL")?, prefix },
            Backend::Mysql => Self::Mysql { url: url("MYSQL_URL")?, prefix },
        })
    }

    /// The URL of its server, if it has one.
    pub(crate) fn url(&self) -> Option<&str> {
        match self {
            Self::Sqlite { .. } => None,
            Self::Postgres { url, .. } | Self::Mysql { url, .. } => Some(url),
        }
    }

    /// The same place, reached by another URL.
    pub(crate) fn by(&self, other: String) -> Self {
        let mut place = self.clone();
        if let Self::Postgres { url, .. } | Self::Mysql { url, .. } = &mut place {
            *url = other;
        }
        place
    }

    /// Opens it. Connections are made when they are needed.
    pub(crate) async fn open(&self, lease: Duration) -> Result<Arc<dyn Watched>, Failure> {
        Ok(match self {
            Self::Sqlite { file } => Arc::new(SqliteSemaphore::open(file).await?.with_shortest_lease(lease)),
            Self::Postgres { .. } => {
                Arc::new(self.postgres()?.with_shortest_lease(lease).with_deadline(DEADLINE))
            }
            Self::Mysql { .. } => Arc::new(self.mysql()?.with_shortest_lease(lease).with_deadline(DEADLINE)),
        })
    }

    /// Makes the tables.
    pub(crate) async fn migrate(&self) -> Result<(), Failure> {
        match self {
            Self::Sqlite { file } => SqliteSemaphore::open(file).await?.migrate().await?,
            Self::Postgres { .. } => self.postgres()?.migrate().await?,
            Self::Mysql { .. } => self.mysql()?.migrate().await?,
        }
        Ok(())
    }

    fn postgres(&self) -> Result<PgSemaphore, Failure> {
        let Self::Postgres { url, prefix } = self else { return Err("it is no PostgreSQL".into()) };
        let pool = PgPoolOptions::new().max_connections(CONNECTIONS).connect_lazy(url)?;
        Ok(PgSemaphore::new(pool).with_prefix(prefix))
    }

    fn mysql(&self) -> Result<MySqlSemaphore, Failure> {
        let Self::Mysql { url, prefix } = self else { return Err("it is no MySQL".into()) };
        let pool = MySqlPoolOptions::new().max_connections(CONNECTIONS).connect_lazy(url)?;
        Ok(MySqlSemaphore::new(pool).with_prefix(prefix))
    }
}
