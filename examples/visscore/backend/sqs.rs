//! Queues on Amazon SQS, or on a server that speaks as it does.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use async_trait::async_trait;
use aws_config::{BehaviorVersion, Region};
use aws_credential_types::Credentials;
use queue_core::QueueName;
use queue_sqs::aws_sdk_sqs::Client;
use queue_sqs::{SqsQueue, SqsQueueSettings};
use semaphore::MemorySemaphore;

use super::kind::QUARANTINE;
use super::{Backend, Place, RECEIVES, VISIBILITY};
use crate::company::Registry;
use crate::options::Options;

/// "The approximate metrics may not achieve consistency until at least 1 minute after the producers stop sending
/// messages" (`GetQueueAttributes` in the Amazon SQS API reference).
const PATIENCE: Duration = Duration::from_mins(1);

/// Makes queues that are missing, and finds the others.
#[derive(Debug)]
struct SqsBackend {
    client: Client,
    quarantine: SqsQueue,
    registry: Arc<dyn Registry>,
}

/// Finds the service by the environment and the options, and makes the quarantine.
pub(super) async fn open(options: &Options) -> anyhow::Result<Box<dyn Backend>> {
    let registry = registry(options.database_url.as_deref()).await?;
    let client = client(options).await?;
    let quarantine = SqsQueue::builder(client.clone()).name(QUARANTINE).create(SqsQueueSettings::new());
    let quarantine = quarantine.build().await.context("looking for the queues")?;
    Ok(Box::new(SqsBackend { client, quarantine, registry }))
}

/// A client as the environment and the AWS profile say. A server on this machine needs no region, and takes any
/// credentials.
async fn client(options: &Options) -> anyhow::Result<Client> {
    let mut loader = aws_config::defaults(BehaviorVersion::latest());
    if let Some(url) = &options.endpoint_url {
        loader = loader.endpoint_url(url);
        if is_local(url) {
            loader = loader.region(Region::new("us-east-1"));
            loader = loader.credentials_provider(Credentials::from_keys("test", "test", None));
        }
    }
    if let Some(region) = &options.region {
        loader = loader.region(Region::new(region.clone()));
    }
    let config = loader.load().await;
    if config.region().is_none() {
        bail!("--backend sqs needs a region: --region, the variable AWS_REGION, or one in the AWS profile");
    }
    Ok(Client::new(&config))
}

fn is_local(url: &str) -> bool {
    let host = url.split_once("://").map_or(url, |(_scheme, host)| host);
    ["127.", "localhost", "[::1]"].iter().any(|local| host.starts_with(local))
}

/// Where processes see each other. Without a database this one believes that it is alone.
async fn registry(database: Option<&str>) -> anyhow::Result<Arc<dyn Registry>> {
    match database.and_then(|url| Some((url, url.split_once(':')?.0))) {
        None => Ok(Arc::new(MemorySemaphore::new())),
        #[cfg(feature = "postgres")]
        Some((url, "postgres" | "postgresql")) => super::postgres::registry(url).await,
        #[cfg(feature = "mysql")]
        Some((url, "mysql" | "mariadb")) => super::mysql::registry(url).await,
        Some((_url, scheme)) => {
            let feature = if scheme.starts_with("postgres") { "postgres" } else { "mysql" };
            bail!("this program was built without {scheme} databases: build it with --features sqs,{feature}")
        }
    }
}

#[async_trait]
impl Backend for SqsBackend {
    async fn queue(&self, name: &QueueName) -> anyhow::Result<Place> {
        let settings = SqsQueueSettings::new().with_visibility(VISIBILITY);
        let settings = settings.with_dead_letter(&self.quarantine, RECEIVES);
        let queue = SqsQueue::builder(self.client.clone()).queue_name(name).create(settings);
        Ok(Place::new(name.to_string(), queue.build().await?))
    }

    fn quarantine(&self) -> Place {
        Place::new(QUARANTINE, self.quarantine.clone())
    }

    fn registry(&self) -> Arc<dyn Registry> {
        Arc::clone(&self.registry)
    }

    fn patience(&self) -> Duration {
        PATIENCE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_server_on_this_machine_is_local() {
        assert!(
            ["http://127.0.0.1:9324", "http://localhost:4566", "http://[::1]:1"]
                .map(is_local)
                .iter()
                .all(|is| *is)
        );
        assert!(!is_local("https://sqs.eu-west-1.amazonaws.com") && !is_local("http://10.0.0.1"));
    }
}
