//! The options of the command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::RangedU64ValueParser;
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, ValueEnum};

use crate::backend::BackendKind;
use crate::ranges::{fail_rate, seconds, speed};

/// The backend unless another is named.
const DEFAULT_BACKEND: &str = if cfg!(feature = "sqlite") { "sqlite" } else { "memory" };

/// Counts page visits, one queue pair an account, and shows what the calls to the queue service cost.
///
/// A producer turns lines into visits and sends each to its account's main queue. Ten workers handle a main queue, five
/// a retry queue, where failed visits go; malformed lines end in quarantine. A poll gate in front of each queue's workers
/// lets one of them poll while the queue is quiet.
///
/// Warnings go to stderr; `RUST_LOG=info` or debug tells more.
#[derive(Clone, Debug, Parser)]
#[command(name = "visscore", version, max_term_width = 100)]
pub(crate) struct Options {
    /// Read JSON lines {"aid","sid","created"} from FILE, plain or gzip; - is stdin
    #[arg(long, value_name = "FILE", conflicts_with_all = ["visits", "accounts"])]
    pub(crate) input: Option<PathBuf>,

    /// Make up so many visits, when there is no input
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = RangedU64ValueParser::<u64>::new().range(1..=1_000_000_000_000))]
    pub(crate) visits: u64,

    /// Make up visits of so many accounts, one of them with half of the traffic
    #[arg(long, value_name = "N", default_value = "46", value_parser = RangedU64ValueParser::<usize>::new().range(1..=10_000))]
    pub(crate) accounts: usize,

    /// Replay by `created`, X times as fast as it happened; without it as fast as possible
    #[arg(long, value_name = "X", allow_negative_numbers = true, value_parser = speed)]
    pub(crate) speed: Option<f64>,

    /// Workers of each main queue
    #[arg(long, value_name = "N", default_value = "10", value_parser = RangedU64ValueParser::<usize>::new().range(1..=1_000))]
    pub(crate) main_workers: usize,

    /// Workers of each retry queue
    #[arg(long, value_name = "N", default_value = "5", value_parser = RangedU64ValueParser::<usize>::new().range(1..=1_000))]
    pub(crate) retry_workers: usize,

    /// Messages in one call, at most; 1 is what the original did
    #[arg(long, value_name = "N", default_value = "10", value_parser = RangedU64ValueParser::<usize>::new().range(1..=10))]
    pub(crate) batch: usize,

    /// Who may poll a quiet queue: one worker of this process (master), one of all processes that share the queues
    /// (cluster), or all of them (open)
    #[arg(long, value_enum, default_value_t = GateKind::Master)]
    pub(crate) gate: GateKind,

    /// Let this share of the visits fail, and of the retries: 0 to 1
    #[arg(long, value_name = "SHARE", default_value = "0", allow_negative_numbers = true, value_parser = fail_rate)]
    pub(crate) fail_rate: f64,

    /// How long the work of each visit takes
    #[arg(long, value_name = "MILLISECONDS", default_value = "0", value_parser = RangedU64ValueParser::<u64>::new().range(0..=60_000))]
    work: u64,

    /// How long a receive waits for a message
    #[arg(long, value_name = "SECONDS", default_value = "20", value_parser = RangedU64ValueParser::<u64>::new().range(1..=20))]
    wait: u64,

    /// What this process does. `consume` serves the queues of --accounts until Ctrl-C, or for --idle seconds
    #[arg(long, value_enum, default_value_t = Role::Both)]
    pub(crate) role: Role,

    /// Where the queues are: memory, sqlite (in a temporary directory), sqlite:PATH, postgres, mysql or sqs
    #[arg(long, value_name = "BACKEND", default_value = DEFAULT_BACKEND)]
    pub(crate) backend: BackendKind,

    /// The database of --backend postgres and mysql, as in `postgres://user:password@host/database`; with --backend sqs
    /// the one where processes that share queues see each other, and take turns with --gate cluster
    #[arg(long, value_name = "URL")]
    pub(crate) database_url: Option<String>,

    /// Speak to this server instead of AWS, with --backend sqs
    #[arg(long, value_name = "URL")]
    pub(crate) endpoint_url: Option<String>,

    /// The region of --backend sqs; otherwise that of the environment or of the AWS profile
    #[arg(long, value_name = "REGION")]
    pub(crate) region: Option<String>,

    /// After the work, stay idle for so long and count the receives
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds)]
    pub(crate) idle: Option<Duration>,

    /// Print one JSON object as the last line on stdout; the summary in words goes to stderr
    #[arg(long)]
    pub(crate) json: bool,
}

impl Options {
    /// Reads the command line; what makes no sense ends the process with what would be right.
    pub(crate) fn from_command_line() -> Self {
        let options = Self::parse();
        if options.role == Role::Consume && (options.input.is_some() || options.speed.is_some()) {
            let text = "--role consume sends nothing, so it takes neither --input nor --speed";
            Self::command().error(ErrorKind::ArgumentConflict, text).exit();
        }
        if let Err(text) = options.backend.check_url(options.database_url.as_deref()) {
            Self::command().error(ErrorKind::ArgumentConflict, text).exit();
        }
        if let Err(text) = options.check_sqs() {
            Self::command().error(ErrorKind::ArgumentConflict, text).exit();
        }
        if options.role != Role::Both
            && !options.backend.is_durable()
            && options.backend != BackendKind::Memory
        {
            let text = "queues in a temporary directory end with the process: --role produce and --role consume need \
                        --backend sqlite:PATH, postgres, mysql or sqs";
            Self::command().error(ErrorKind::ArgumentConflict, text).exit();
        }
        options
    }

    /// Whether the options fit together that --backend sqs takes.
    fn check_sqs(&self) -> Result<(), String> {
        if self.backend != BackendKind::Sqs {
            return match (&self.endpoint_url, &self.region) {
                (None, None) => Ok(()),
                _ => Err("--endpoint-url and --region belong to --backend sqs".to_owned()),
            };
        }
        let url = self.endpoint_url.as_deref().unwrap_or("http://");
        if !["http://", "https://"].iter().any(|scheme| url.starts_with(scheme)) {
            return Err(format!("--endpoint-url {url} begins with neither http:// nor https://"));
        }
        if self.gate == GateKind::Cluster && self.database_url.is_none() {
            return Err(
                "--backend sqs --gate cluster needs a --database-url, for the semaphore by which processes \
                        take turns"
                    .to_owned(),
            );
        }
        Ok(())
    }

    /// The URL of the database; empty if none is needed.
    #[cfg(any(feature = "postgres", feature = "mysql"))]
    pub(crate) fn url(&self) -> &str {
        self.database_url.as_deref().unwrap_or_default()
    }

    /// Whether it sees the processes that share its queues.
    pub(crate) fn knows_others(&self) -> bool {
        self.backend != BackendKind::Sqs || self.database_url.is_some()
    }

    /// How long the work of each visit takes.
    pub(crate) fn work(&self) -> Duration {
        Duration::from_millis(self.work)
    }

    /// How long a receive waits for a message.
    pub(crate) fn wait(&self) -> Duration {
        Duration::from_secs(self.wait)
    }
}

/// Which gate stands before the workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GateKind {
    /// One worker of a class polls while its queue is quiet.
    Master,
    /// One worker of a class polls while its queue is quiet, of all processes together.
    Cluster,
    /// All workers poll all the time.
    Open,
}

impl GateKind {
    /// As it stands on the command line.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Master => "master",
            Self::Cluster => "cluster",
            Self::Open => "open",
        }
    }
}

/// What the process does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Role {
    /// Send visits.
    Produce,
    /// Handle visits.
    Consume,
    /// Send and handle visits.
    Both,
}

impl Role {
    /// Whether it sends.
    pub(crate) fn produces(self) -> bool {
        self != Self::Consume
    }

    /// Whether it handles.
    pub(crate) fn consumes(self) -> bool {
        self != Self::Produce
    }
}
