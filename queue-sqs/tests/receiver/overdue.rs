//! What is not handled in time: after its visibility timeout, or after 12 hours.

use std::sync::Arc;
use std::time::Duration;

use queue_core::{Context, Depth, Message, Outgoing, PublisherExt, QueueErrorKind};
use testkit::server::SqsServer;
use worker::{Receiver, handler};

use crate::world::{Seen, depth, ms, publish, queue, server, until};

/// What a handler has at hand.
#[derive(Clone)]
struct Scene {
    server: Arc<SqsServer>,
    seen: Seen,
}

impl Scene {
    async fn new() -> Self {
        Self { server: Arc::new(server().await), seen: Seen::default() }
    }

    /// The service's clock goes ahead of ours, as when this process was frozen.
    fn advance(&self, seconds: u64) {
        self.server.advance(Duration::from_secs(seconds));
    }
}

// W5, P1
#[tokio::test]
async fn an_ordered_delete_that_comes_too_late_is_lost_and_its_group_goes_on_in_order() {
    let scene = Scene::new().await;
    let main = queue(&scene.server, "main.fifo", 30).await;
    for word in ["0", "1"] {
        let message = Outgoing::new(word).with_group_key("g").with_deduplication_id(word);
        main.publish_one(message).await.unwrap();
    }
    let late_at_first = async |scene: Scene, _: Message, context: Context| {
        scene.seen.note(&context);
        if scene.seen.count() == 1 {
            scene.advance(31);
        }
    };
    let builder = Receiver::builder(main.clone()).wait(ms(1_000));
    let running = builder.handler(handler(late_at_first).with(scene.clone())).start();
    until("both were handled", || running.account().handled == 2).await;
    let account = running.stop(ms(1_000)).await;
    assert!(account.lost >= 1 && account.orphaned == 0, "{account:?}");
    assert_eq!(
        (scene.seen.bodies(), depth(&main).await),
        (["0", "0", "1"].map(str::to_owned).into(), Depth::empty())
    );
}

// W4, P2: the handler asks for more than the 12 hours, and has what is left of them
#[tokio::test]
async fn a_handler_that_asks_for_more_than_twelve_hours_in_all_is_refused_and_keeps_its_message() {
    let scene = Scene::new().await;
    let main = queue(&scene.server, "main", 30).await;
    publish(&main, 1).await;
    let asks = async |scene: Scene, _: Message, context: Context| {
        let ask = async |seconds| context.set_visibility(Duration::from_secs(seconds)).await;
        ask(43_000).await.unwrap();
        scene.advance(42_000);
        let refused = ask(1_300).await.unwrap_err();
        assert!(refused.kind() == QueueErrorKind::Permanent && refused.to_string().contains("12 hours"));
        ask(1_100).await.unwrap();
        scene.advance(1_050);
        scene.seen.note(&context);
    };
    let builder = Receiver::builder(main.clone()).wait(ms(1_000));
    let running = builder.handler(handler(asks).with(scene.clone())).start();
    until("it was handled", || running.account().handled == 1).await;
    let account = running.stop(ms(1_000)).await;
    assert_eq!((account.lost, scene.seen.count(), depth(&main).await), (0, 1, Depth::empty()));
}

// W5, P2: by our own clock there would be hours left
#[tokio::test]
async fn a_message_that_the_service_keeps_no_longer_is_told_lost_and_comes_again() {
    let scene = Scene::new().await;
    let main = queue(&scene.server, "main", 30).await;
    publish(&main, 1).await;
    let long = async |scene: Scene, _: Message, context: Context| {
        if context.receive_count() == 1 {
            context.set_visibility(Duration::from_secs(43_199)).await.unwrap();
            scene.advance(43_192);
            context.set_visibility(Duration::from_secs(4)).await.unwrap();
            context.cancelled().cancelled().await;
        }
        scene.seen.note(&context);
    };
    let builder = Receiver::builder(main.clone()).slots(2).wait(ms(1_000));
    let running = builder.handler(handler(long).with(scene.clone())).start();
    until("it came again", || running.account().handled == 1).await;
    let account = running.stop(ms(1_000)).await;
    assert_eq!((account.lost, account.renewals_lost, scene.seen.count()), (1, 1, 2), "{account:?}");
    assert!(account.renewals >= 2, "it was kept as long as could be: {account:?}");
    assert_eq!(depth(&main).await, Depth::empty());
}
