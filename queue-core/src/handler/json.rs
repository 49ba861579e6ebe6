//! Handlers over a typed body.

use std::fmt;
use std::marker::PhantomData;

use async_trait::async_trait;
use serde::de::DeserializeOwned;

use super::Handler;
use crate::{Context, IntoVerdict, Message, Verdict};

/// Makes a handler of a function over a body of JSON.
///
/// # Guarantees
/// W14: a body that is not the JSON of a `T` is discarded, with what is wrong and where; the function isn't called.
///
/// # Examples
/// ```
/// use queue_core::{Context, Handler, Message, MessageId, Verdict, json};
///
/// #[derive(serde::Deserialize)]
/// struct Visit { sid: String }
///
/// async fn score(visit: Visit, _context: Context) -> Result<(), std::io::Error> {
///     assert_eq!(visit.sid, "7f");
///     Ok(())
/// }
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let message = Message::new(MessageId::new("1"), r#"{"sid":"7f"}"#);
/// let context = Context::detached(message.clone());
/// assert_eq!(json(score).handle(message, context).await, Verdict::Done);
/// # }
/// ```
pub fn json<F, T>(function: F) -> Json<F, T> {
    Json { function, body: PhantomData }
}

/// A function over a typed body; see [`json`].
pub struct Json<F, T> {
    function: F,
    body: PhantomData<fn(T)>,
}

impl<F, T> Json<F, T> {
    /// Passes `state` to each call, before the body: usually an `Arc`.
    pub fn with<S: Clone>(self, state: S) -> JsonWith<F, S, T> {
        JsonWith { function: self.function, state, body: PhantomData }
    }
}

/// A function over a typed body that is called with a clone of a shared state first.
pub struct JsonWith<F, S, T> {
    function: F,
    state: S,
    body: PhantomData<fn(T)>,
}

#[async_trait]
impl<F, T, R> Handler<Message> for Json<F, T>
where
    T: DeserializeOwned + Send + 'static,
    F: Fn(T, Context) -> R + Send + Sync,
    R: Future<Output: IntoVerdict> + Send,
{
    async fn handle(&self, message: Message, context: Context) -> Verdict {
        match message.json() {
            Ok(body) => (self.function)(body, context).await.into_verdict(),
            Err(error) => malformed::<T>(&error),
        }
    }
}

#[async_trait]
impl<F, S, T, R> Handler<Message> for JsonWith<F, S, T>
where
    S: Clone + Send + Sync,
    T: DeserializeOwned + Send + 'static,
    F: Fn(S, T, Context) -> R + Send + Sync,
    R: Future<Output: IntoVerdict> + Send,
{
    async fn handle(&self, message: Message, context: Context) -> Verdict {
        match message.json() {
            Ok(body) => (self.function)(self.state.clone(), body, context).await.into_verdict(),
            Err(error) => malformed::<T>(&error),
        }
    }
}

fn malformed<T>(error: &serde_json::Error) -> Verdict {
    let expected = std::any::type_name::<T>();
    let expected = expected.rsplit("::").next().unwrap_or(expected);
    Verdict::discard(format!("the body is not the JSON of a {expected}: {error}"))
}

impl<F, T> fmt::Debug for Json<F, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Json").field(&std::any::type_name::<F>()).finish()
    }
}

impl<F, S, T> fmt::Debug for JsonWith<F, S, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("JsonWith").field(&std::any::type_name::<F>()).finish()
    }
}
