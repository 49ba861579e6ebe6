//! The keeping of a permit: publishing beside it, and letting it go.

use std::sync::Arc;

use semaphore::{CancellationToken, Permit};
use tracing::{debug, warn};

use super::Standing;
use super::class::ClusterClass;
use super::shared::Shared;

impl Shared {
    /// Keeps a permit until it is lost, or given up, or its gate is gone. No poll ever waits for this task.
    pub(super) async fn keep(self: Arc<Self>, class: Arc<ClusterClass>, mut permit: Permit) {
        let lost: CancellationToken = permit.lost().clone();
        while class.standing() == Standing::Holder {
            tokio::select! {
                biased;
                () = class.stop.cancelled() => break,
                () = lost.cancelled() => return self.lose(&class),
                () = self.publish(&class, &mut permit) => {}
            }
        }
        self.release(&class, permit).await;
    }

    /// Waits until there is something to publish, and publishes it.
    async fn publish(&self, class: &ClusterClass, permit: &mut Permit) {
        let Some(notice) = class.due() else { return class.news.notified().await };
        let call = permit.set_context(notice.signed());
        match self.calls.call(&self.calls.publications, self.deadline(), call).await {
            Ok(()) => class.published(notice),
            Err(error) => {
                debug!(key = %class.key, %error, "not published: the next tick tries again");
                class.postpone(notice);
            }
        }
    }

    fn lose(&self, class: &ClusterClass) {
        warn!(key = %class.key, "the permit of this gate was lost");
        class.lose();
        self.asking.notify_one();
    }

    async fn release(&self, class: &ClusterClass, permit: Permit) {
        if class.stop.is_cancelled() {
            class.retire();
        }
        if let Err(error) = self.calls.call(&self.calls.releases, self.deadline(), permit.release()).await {
            debug!(key = %class.key, %error, "the permit of this gate is free when its lease ends");
        }
    }
}
