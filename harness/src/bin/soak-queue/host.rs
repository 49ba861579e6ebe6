//! The host: a server that a soak has for itself.

use std::time::Duration;

use harness::{Server, pause};
use testkit::server::SqsServer;

use crate::options::{Backend, Options};
use crate::{Failure, job};

/// How long a database is away when it is restarted.
const AWAY: Duration = Duration::from_millis(300);

/// A server that a soak has for itself: it ends with it.
pub(crate) enum Host {
    /// A database server, which can be restarted.
    Database(Server),
    /// The test server for Amazon SQS, which keeps nothing.
    Sqs(SqsServer),
}

impl Host {
    /// The one that a soak with these options needs, if it needs one.
    pub(crate) fn of(options: &Options) -> Result<Option<Self>, Failure> {
        let named = options.endpoint()?;
        match options.backend.server_kind() {
            Some(kind) if options.restarts > 0 => Ok(Some(Self::Database(Server::start_new(kind)?))),
            None if options.restarts > 0 => {
                Err("only a database server can be restarted: --backend postgres or mysql".into())
            }
            None if options.backend == Backend::Sqs && named.is_none() => {
                Ok(Some(Self::Sqs(job::runtime()?.block_on(SqsServer::start())?)))
            }
            _ => Ok(None),
        }
    }

    /// Where it is.
    pub(crate) fn url(&self) -> String {
        match self {
            Self::Database(server) => server.url(),
            Self::Sqs(server) => server.endpoint_url().to_owned(),
        }
    }

    /// Kills it and starts it again, if it is one that keeps what it has.
    pub(crate) fn restart(&mut self) -> Result<(), Failure> {
        let Self::Database(server) = self else { return Ok(()) };
        server.kill();
        pause(AWAY);
        Ok(server.start()?)
    }
}
