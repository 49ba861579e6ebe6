//! A meter's counts as metrics.

use std::time::Duration;

use metrics_exporter_prometheus::PrometheusBuilder;
use queue_core::{Consumer, MemoryQueue, Metered, Outgoing, PublisherExt, ReceiveOptions};
use worker::metrics::MeterExport;

use crate::prometheus::Page;

// G10, Q12
#[tokio::test(start_paused = true)]
async fn a_meters_counts_are_shown_by_operation() {
    let recorder = PrometheusBuilder::new().with_recommended_naming(true).build_recorder();
    let queue = Metered::new(MemoryQueue::new());
    let export = ::metrics::with_local_recorder(&recorder, || MeterExport::new("visits", queue.meter()));
    queue.publish_one(Outgoing::new("x")).await.unwrap();
    drop(queue.receive(ReceiveOptions::new(10)).await.unwrap());
    let empty = ReceiveOptions::new(10).with_wait(Duration::ZERO);
    assert!(queue.receive(empty).await.unwrap().is_empty());
    queue.receive(ReceiveOptions::new(11)).await.unwrap_err();
    for _ in 0..2 {
        export.publish(); // a count is told, not added
    }
    let page = Page(recorder.handle().render());
    let of = |name: &str, operation| page.count(name, &[("queue", "visits"), ("operation", operation)]);
    assert_eq!((of("queue_calls_total", "publish"), of("queue_calls_total", "receive")), (1, 3));
    assert_eq!(of("queue_calls_failed_total", "receive"), 1);
    let value = |name| page.count(name, &[("queue", "visits")]);
    assert_eq!((value("queue_receives_empty_total"), value("queue_deliveries_abandoned_total")), (1, 1));
    assert_eq!((value("messaging_client_sent_messages_total"), value("queue_requests_billed_total")), (1, 4));
}
