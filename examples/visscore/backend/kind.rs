//! Which queue service, as the command line names it.

use std::path::PathBuf;
use std::str::FromStr;

use super::Backend;
use super::memory::MemoryBackend;
use crate::options::Options;

/// The name of the quarantine, which belongs to no account.
pub(super) const QUARANTINE: &str = "visscore_quarantine";

/// Where the queues are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BackendKind {
    /// In this process; they end with it.
    Memory,
    /// In a file, or in a temporary directory that ends with the process.
    Sqlite(Option<PathBuf>),
    /// On a PostgreSQL server.
    Postgres,
    /// On a MySQL or MariaDB server.
    MySql,
    /// On Amazon SQS, or on a server that speaks as it does.
    Sqs,
}

impl BackendKind {
    /// As it stands on the command line.
    pub(crate) const fn as_str(&self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Sqlite(_) => "sqlite",
            Self::Postgres => "postgres",
            Self::MySql => "mysql",
            Self::Sqs => "sqs",
        }
    }

    /// The queues in words.
    pub(crate) const fn described(&self) -> &'static str {
        match self {
            Self::Memory => "queues in memory",
            Self::Sqlite(None) => "queues in SQLite, in a temporary directory",
            Self::Sqlite(Some(_)) => "queues in SQLite",
            Self::Postgres => "queues in PostgreSQL",
            Self::MySql => "queues in MySQL or MariaDB",
            Self::Sqs => "queues in SQS",
        }
    }

    /// Whether what is left is there after the process ended.
    pub(crate) const fn is_durable(&self) -> bool {
        !matches!(self, Self::Memory | Self::Sqlite(None))
    }

    /// Whether this is its URL, or none where it takes none.
    pub(crate) fn check_url(&self, url: Option<&str>) -> Result<(), String> {
        let schemes: &[&str] = match self {
            Self::Postgres => &["postgres://", "postgresql://"],
            Self::MySql => &["mysql://", "mariadb://"],
            Self::Sqs => &["postgres://", "postgresql://", "mysql://", "mariadb://"],
            Self::Memory | Self::Sqlite(_) => &[],
        };
        let (name, fits) = (self.as_str(), |url: &str| schemes.iter().any(|scheme| url.starts_with(scheme)));
        match url {
            None if schemes.is_empty() || *self == Self::Sqs => Ok(()),
            Some(url) if fits(url) => Ok(()),
            Some(_) if schemes.is_empty() => Err(format!("--backend {name} takes no --database-url")),
            _ => Err(format!(
                "--backend {name} needs a --database-url that begins with {}",
                schemes.join(" or ")
            )),
        }
    }

    /// Opens it.
    ///
    /// # Errors
    /// Why it can't be opened; a backend that was not built in is told with the feature that builds it.
    #[cfg_attr(
        not(any(feature = "postgres", feature = "mysql", feature = "sqs")),
        expect(unused_variables, reason = "only servers are reached by an option")
    )]
    #[cfg_attr(
        not(any(feature = "sqlite", feature = "postgres", feature = "mysql", feature = "sqs")),
        expect(clippy::unused_async, reason = "memory is there at once")
    )]
    pub(crate) async fn open(&self, options: &Options) -> anyhow::Result<Box<dyn Backend>> {
        match self {
            Self::Memory => Ok(Box::new(MemoryBackend::new())),
            #[cfg(feature = "sqlite")]
            Self::Sqlite(path) => super::sqlite::open(path.as_deref()).await,
            #[cfg(feature = "postgres")]
            Self::Postgres => super::postgres::open(options.url()).await,
            #[cfg(feature = "mysql")]
            Self::MySql => super::mysql::open(options.url()).await,
            #[cfg(feature = "sqs")]
            Self::Sqs => super::sqs::open(options).await,
            #[cfg(not(all(feature = "sqlite", feature = "postgres", feature = "mysql", feature = "sqs")))]
            other => {
                let name = other.as_str();
                anyhow::bail!(
                    "this program was built without --backend {name}: build it with --features {name}"
                )
            }
        }
    }
}

impl FromStr for BackendKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            None if text == "memory" => Ok(Self::Memory),
            None if text == "sqlite" => Ok(Self::Sqlite(None)),
            None if text == "postgres" => Ok(Self::Postgres),
            None if text == "mysql" => Ok(Self::MySql),
            None if text == "sqs" => Ok(Self::Sqs),
            Some(("sqlite", path)) if !path.is_empty() => Ok(Self::Sqlite(Some(path.into()))),
            _ => Err("it is none of memory, sqlite, sqlite:PATH, postgres, mysql, sqs".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backend_is_read_as_it_is_written() {
        for text in ["memory", "sqlite", "postgres", "mysql", "sqs"] {
            assert_eq!(text.parse::<BackendKind>().unwrap().as_str(), text);
        }
        assert_eq!("sqlite:a/b.db".parse(), Ok(BackendKind::Sqlite(Some("a/b.db".into()))));
        for text in ["", "sqlite:", "redis", "memory:x"] {
            assert!(text.parse::<BackendKind>().unwrap_err().contains("sqlite:PATH"), "{text}");
        }
    }
}
