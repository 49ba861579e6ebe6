//! The vault: the store of one claim check, where bodies are put, fetched and removed.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::future::join_all;
use object_store::path::Path;
use object_store::{Error, ObjectStore, ObjectStoreExt, PutMode};
use queue_core::QueueError;
use tokio::time::{Instant, timeout, timeout_at};
use tracing::warn;
use uuid::fmt::Hyphenated;
use uuid::{Uuid, Version};

use super::pointer::Pointer;

/// How long a removal may take: whoever settles waits for it.
const REMOVAL: Duration = Duration::from_secs(1);

#[derive(Clone)]
pub(super) struct Vault {
    store: Arc<dyn ObjectStore>,
    bucket: Arc<str>,
    pub(super) folder: Path,
    /// Whether what has any other name than a body may be read.
    pub(super) any_key: bool,
    /// Other buckets, which are read and never written.
    pub(super) others: Vec<(String, Arc<dyn ObjectStore>)>,
    /// How long all bodies of one call may take.
    pub(super) deadline: Duration,
    /// The largest body, in bytes, that is read into memory.
    pub(super) largest: usize,
}

/// Where a body lies.
#[derive(Clone, Debug)]
pub(super) struct Place {
    store: Arc<dyn ObjectStore>,
    path: Path,
    /// Right in our own folder and named as we name bodies, so that it is ours to remove.
    is_ours: bool,
}

impl Place {
    /// The path, if it is ours to remove.
    pub(super) fn into_ours(self) -> Option<Path> {
        self.is_ours.then_some(self.path)
    }
}

/// Why a body could not be fetched.
#[derive(Debug)]
pub(super) enum Unfetched {
    /// It never will be.
    Broken(String),
    /// It may be later.
    Failed(QueueError),
}

/// Lets a body go into a store without a copy of it.
struct Shared(Arc<str>);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl Vault {
    /// Unless it is set. With what a receive does besides it is less than the 5 s that a receiver grants a receive
    /// beyond its wait.
    const DEADLINE: Duration = Duration::from_secs(3);
    /// Unless it is set. A receive of ten messages holds ten of them in memory.
    const LARGEST: usize = 64 * 1024 * 1024;

    pub(super) fn new(store: Arc<dyn ObjectStore>, bucket: Arc<str>) -> Self {
        let (deadline, largest) = (Self::DEADLINE, Self::LARGEST);
        Self { store, bucket, folder: Path::ROOT, any_key: false, others: Vec::new(), deadline, largest }
    }

    /// A place that nothing was ever put in.
    pub(super) fn fresh(&self) -> Path {
        self.folder.clone().join(Uuid::new_v4().to_string())
    }

    /// What a message carries in place of the body at `path`.
    pub(super) fn pointer(&self, path: &Path) -> Pointer {
        Pointer { bucket: self.bucket.to_string(), key: path.to_string() }
    }

    /// Puts a body where nothing is yet.
    ///
    /// Dropped, or failed, it may have been put all the same, and nothing points to it.
    pub(super) async fn put(
        &self,
        path: &Path,
        (body, until): (Arc<str>, Instant),
    ) -> Result<(), QueueError> {
        let body = Bytes::from_owner(Shared(body));
        let put = self.store.put_opts(path, body.into(), PutMode::Create.into());
        match timeout_at(until, put).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(unwritten(error)),
            Err(_) => Err(QueueError::transient("the body was not written to the store in time")),
        }
    }

    /// Finds what a pointer points to.
    ///
    /// A pointer is input: whoever can send to the queue writes it. It reaches no bucket that was not named, in our own
    /// nothing outside of our folder, and in each of them only what is named as bodies are.
    pub(super) fn locate(&self, pointer: &Pointer) -> Result<Place, Unfetched> {
        let path = self.path(&pointer.key)?;
        if *pointer.bucket != *self.bucket {
            let other = self.others.iter().find(|(bucket, _)| *bucket == pointer.bucket);
            return match other {
                Some((_, store)) => Ok(Place { store: Arc::clone(store), path, is_ours: false }),
                None => broken(format!("the bucket {:?} is not ours to read", pointer.bucket)),
            };
        }
        let Some(rest) = path.prefix_match(&self.folder).map(Iterator::collect::<Vec<_>>) else {
            let (key, folder) = (&pointer.key, self.folder.as_ref());
            return broken(format!("the key {key:?} is not in the folder {folder:?}"));
        };
        let is_ours = match &*rest {
            [] => return broken(format!("the key {:?} is the folder itself", pointer.key)),
            [name] => is_fresh(name.as_ref()),
            _ => false,
        };
        Ok(Place { store: Arc::clone(&self.store), path, is_ours })
    }

    fn path(&self, key: &str) -> Result<Path, Unfetched> {
        let path = match Path::parse(key) {
            Ok(path) if path.as_ref() == key && !path.is_root() => path,
            _ => return broken(format!("the key {key:?} is none that the store knows")),
        };
        if !self.any_key && !ends_in_uuid(key) {
            return broken(format!("the key {key:?} ends in no UUID, as those of bodies do"));
        }
        Ok(path)
    }

    /// Fetches a body.
    pub(super) async fn fetch(&self, place: &Place, until: Instant) -> Result<Arc<str>, Unfetched> {
        let bytes = match timeout_at(until, self.read(place)).await {
            Ok(answer) => answer?,
            Err(_) => {
                return Err(Unfetched::Failed(QueueError::transient("the store has not answered in time")));
            }
        };
        match str::from_utf8(&bytes) {
            Ok(body) => Ok(body.into()),
            Err(error) => Err(Unfetched::Broken(format!("the body is not UTF-8: {error}"))),
        }
    }

    async fn read(&self, place: &Place) -> Result<Bytes, Unfetched> {
        let found = place.store.get(&place.path).await.map_err(unread)?;
        let (size, largest) = (found.meta.size, self.largest);
        if size > largest as u64 {
            return Err(Unfetched::Broken(format!("the body has {size} bytes, {largest} are allowed")));
        }
        found.bytes().await.map_err(unread)
    }

    /// Removes bodies that no message needs any longer. What fails is left behind, and said.
    pub(super) async fn remove_all(&self, paths: Vec<Path>) {
        join_all(paths.iter().map(|path| self.remove(path))).await;
    }

    async fn remove(&self, path: &Path) {
        let bucket = &*self.bucket;
        match timeout(REMOVAL, self.store.delete(path)).await {
            Ok(Ok(()) | Err(Error::NotFound { .. })) => {}
            Ok(Err(error)) => {
                warn!(bucket, key = %path, %error, "a body that no message needs is left behind");
            }
            Err(_) => warn!(bucket, key = %path, "a body was not removed in time and may be left behind"),
        }
    }
}

fn broken<T>(reason: String) -> Result<T, Unfetched> {
    Err(Unfetched::Broken(reason))
}

/// Whether a name is one that [`Vault::fresh`] gives: a random UUID, spelled as we spell it.
fn is_fresh(name: &str) -> bool {
    let uuid = Uuid::try_parse(name);
    uuid.is_ok_and(|uuid| uuid.get_version() == Some(Version::Random) && uuid.to_string() == name)
}

/// Whether a key is one that extended clients choose by themselves: a prefix, or none, and a UUID with its hyphens.
fn ends_in_uuid(key: &str) -> bool {
    let start = key.len().checked_sub(Hyphenated::LENGTH);
    start.and_then(|start| key.get(start..)).is_some_and(|name| Uuid::try_parse(name).is_ok())
}

/// Permissions and credentials can be repaired; what the store can't do it never will.
fn unwritten(error: Error) -> QueueError {
    let message = "the body was not written to the store";
    let never = matches!(
        error,
        Error::NotSupported { .. } | Error::NotImplemented { .. } | Error::InvalidPath { .. }
    );
    let refused = if never { QueueError::permanent(message) } else { QueueError::transient(message) };
    refused.with_source(error)
}

fn unread(error: Error) -> Unfetched {
    if matches!(error, Error::NotFound { .. }) {
        return Unfetched::Broken("the body is not in the store".to_owned());
    }
    Unfetched::Failed(QueueError::transient("the body was not read from the store").with_source(error))
}

/// The store by its name only: its settings may hold credentials.
impl fmt::Debug for Vault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Vault")
            .field("store", &format_args!("{}", self.store))
            .field("bucket", &self.bucket)
            .field("folder", &self.folder.as_ref())
            .field("others", &self.others.iter().map(|(bucket, _)| bucket).collect::<Vec<_>>())
            .field("deadline", &self.deadline)
            .finish_non_exhaustive()
    }
}
