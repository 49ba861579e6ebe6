//! Spans in the memory of a test.

use std::sync::Once;
use std::time::Duration;

use opentelemetry::trace::{SpanId, TracerProvider};
use opentelemetry_sdk::trace::{InMemorySpanExporter, SdkTracerProvider, SpanData};
use tokio::time::sleep;
use tracing::subscriber::DefaultGuard;
use tracing_subscriber::layer::SubscriberExt;

/// Collects the spans of this thread for as long as it lives.
pub(crate) struct Spans {
    exporter: InMemorySpanExporter,
    _guard: DefaultGuard,
}

impl Spans {
    pub(crate) fn collect() -> Self {
        // Somebody always listens, so that no callsite is switched off for all by a test that listens to nothing.
        static LISTENER: Once = Once::new();
        LISTENER
            .call_once(|| tracing::subscriber::set_global_default(tracing_subscriber::registry()).unwrap());
        let exporter = InMemorySpanExporter::default();
        let provider = SdkTracerProvider::builder().with_simple_exporter(exporter.clone()).build();
        let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("test"));
        let guard = tracing::subscriber::set_default(tracing_subscriber::registry().with(layer));
        Self { exporter, _guard: guard }
    }

    pub(crate) fn named(&self, name: &str) -> Vec<SpanData> {
        let spans = self.exporter.get_finished_spans().unwrap();
        spans.into_iter().filter(|span| span.name == name).collect()
    }

    /// The one span of that name, once it is there.
    pub(crate) async fn one(&self, name: &str) -> SpanData {
        for _ in 0..500 {
            if let [span] = &self.named(name)[..] {
                return span.clone();
            }
            sleep(Duration::from_millis(10)).await;
        }
        panic!("{} spans {name:?} among {:?}", self.named(name).len(), self.exporter.get_finished_spans());
    }
}

pub(crate) fn attribute(span: &SpanData, key: &str) -> Option<String> {
    let value = span.attributes.iter().find(|entry| entry.key.as_str() == key)?;
    Some(value.value.to_string())
}

pub(crate) fn is_root(span: &SpanData) -> bool {
    span.parent_span_id == SpanId::INVALID
}
