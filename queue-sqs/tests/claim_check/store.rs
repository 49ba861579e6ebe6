//! A store in memory whose calls go wrong as a script wants it.

use std::fmt;
use std::future::pending;
use std::ops::Range;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures::StreamExt;
use futures::stream::BoxStream;
use queue_core::async_trait;
use queue_sqs::object_store::memory::InMemory;
use queue_sqs::object_store::path::Path;
use queue_sqs::object_store::{
    CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore,
    ObjectStoreExt, PutMode, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};
use testkit::Run;
use tokio::time::sleep;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    Put,
    Get,
    Delete,
}

/// What becomes of one call.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fate {
    Well,
    /// It fails and is not done.
    Fails,
    /// It is done, and fails all the same.
    Lost,
    /// The store says that it never will.
    Unable,
    /// It is done so much later.
    Slow(Duration),
    /// It is done at once and answered so much later.
    Late(Duration),
    /// It is never done.
    Hangs,
    /// It is done and never answered.
    Unanswered,
}

type Script = Box<dyn FnMut(Op) -> Fate + Send>;

/// Clones are the same store.
#[derive(Clone)]
pub(crate) struct FaultyStore {
    pub(crate) inner: InMemory,
    state: Arc<Mutex<(Script, Vec<Op>)>>,
}

impl FaultyStore {
    pub(crate) fn new(script: impl FnMut(Op) -> Fate + Send + 'static) -> Self {
        Self { inner: InMemory::new(), state: Arc::new(Mutex::new((Box::new(script), Vec::new()))) }
    }

    pub(crate) fn sound() -> Self {
        Self::new(|_| Fate::Well)
    }

    /// The calls of `op` end as `fate` says, the others well.
    pub(crate) fn when(op: Op, fate: Fate) -> Self {
        Self::new(move |call| if call == op { fate } else { Fate::Well })
    }

    pub(crate) fn heal(&self) {
        self.becomes(|_| Fate::Well);
    }

    pub(crate) fn becomes(&self, script: impl FnMut(Op) -> Fate + Send + 'static) {
        self.state.lock().unwrap().0 = Box::new(script);
    }

    /// The objects, by key.
    pub(crate) async fn keys(&self) -> Vec<String> {
        let found: Vec<_> = self.inner.list(None).collect().await;
        found.into_iter().map(|meta| meta.unwrap().location.to_string()).collect()
    }

    pub(crate) async fn holds(&self, key: &str, body: impl Into<PutPayload>) {
        self.inner.put(&Path::from(key), body.into()).await.unwrap();
    }

    pub(crate) fn calls(&self, op: Op) -> usize {
        self.state.lock().unwrap().1.iter().filter(|&&call| call == op).count()
    }

    async fn play<T>(&self, op: Op, call: impl Future<Output = Result<T>>) -> Result<T> {
        let fate = {
            let (script, calls) = &mut *self.state.lock().unwrap();
            calls.push(op);
            script(op)
        };
        match fate {
            Fate::Well => call.await,
            Fate::Fails => Err(failed()),
            Fate::Lost => call.await.and_then(|_| Err(failed())),
            Fate::Unable => {
                Err(Error::NotImplemented { operation: format!("{op:?}"), implementer: self.to_string() })
            }
            Fate::Slow(delay) => {
                sleep(delay).await;
                call.await
            }
            Fate::Late(delay) => {
                let done = call.await;
                sleep(delay).await;
                done
            }
            Fate::Hangs => pending().await,
            Fate::Unanswered => {
                call.await.ok();
                pending().await
            }
        }
    }
}

/// Chooses what becomes of each call of `op`.
pub(crate) fn gates(run: &Run, op: Op) -> impl FnMut(Op) -> Fate + Send + 'static {
    let run = run.clone();
    move |call| {
        if call != op {
            return Fate::Well;
        }
        match run
            .choose("the store's call", &["is well", "fails", "is lost", "is late", "hangs", "is unanswered"])
        {
            0 => Fate::Well,
            1 => Fate::Fails,
            2 => Fate::Lost,
            3 => Fate::Late(Duration::from_millis(500)),
            4 => Fate::Hangs,
            _ => Fate::Unanswered,
        }
    }
}

fn failed() -> Error {
    Error::Generic { store: "faulty", source: "503 Slow Down".into() }
}

impl fmt::Display for FaultyStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FaultyStore")
    }
}

impl fmt::Debug for FaultyStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FaultyStore { secret: \"hunter2\" }")
    }
}

#[async_trait]
impl ObjectStore for FaultyStore {
    async fn put_opts(&self, path: &Path, body: PutPayload, options: PutOptions) -> Result<PutResult> {
        assert_eq!(options.mode, PutMode::Create, "a body never replaces another");
        self.play(Op::Put, self.inner.put_opts(path, body, options)).await
    }

    async fn put_multipart_opts(
        &self,
        path: &Path,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.inner.put_multipart_opts(path, options).await
    }

    async fn get_opts(&self, path: &Path, options: GetOptions) -> Result<GetResult> {
        self.play(Op::Get, self.inner.get_opts(path, options)).await
    }

    async fn get_ranges(&self, path: &Path, ranges: &[Range<u64>]) -> Result<Vec<Bytes>> {
        self.inner.get_ranges(path, ranges).await
    }

    fn delete_stream(&self, paths: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        let store = self.clone();
        let delete = move |path: Result<Path>| {
            let store = store.clone();
            async move {
                let path = path?;
                store.play(Op::Delete, store.inner.delete(&path)).await?;
                Ok(path)
            }
        };
        paths.then(delete).boxed()
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.inner.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.inner.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.inner.copy_opts(from, to, options).await
    }
}
