//! The test server for Amazon SQS and SNS as a program.

use std::future::pending;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::process::ExitCode;

use clap::Parser;
use testkit::server::{SqsServer, SqsServerOptions};

/// Speaks the wire protocols of Amazon SQS and SNS, for tests only: it checks no signature and keeps nothing. Once it
/// is ready it prints its URL, then it runs until it is killed.
#[derive(Debug, Parser)]
struct Args {
    /// The loopback address to listen at; port 0 is any free one.
    #[arg(long, default_value = "127.0.0.1:0")]
    listen: SocketAddr,
    /// Takes calls without a header `Authorization`, too.
    #[arg(long)]
    no_auth: bool,
    /// Lets topics send to queues whose policies don't let them.
    #[arg(long)]
    no_policies: bool,
}

#[tokio::main(flavor = "current_thread")]
#[expect(clippy::print_stderr, reason = "a program's answer")]
async fn main() -> ExitCode {
    match run(&Args::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("sqs-server: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(args: &Args) -> io::Result<()> {
    let options = SqsServerOptions::default()
        .with_listen(args.listen)
        .with_auth(!args.no_auth)
        .with_policies(!args.no_policies);
    let server = SqsServer::start_with(options).await?;
    // By one write, so that whoever reads a pipe gets all of it, and at once.
    let mut stdout = io::stdout();
    stdout.write_all(format!("listening on {}\n", server.endpoint_url()).as_bytes())?;
    stdout.flush()?;
    pending().await
}
