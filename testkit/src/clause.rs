//! One clause of a contract: a named test, and what it rests on.

use std::any::type_name;
use std::fmt;
use std::sync::Arc;

use futures::future::BoxFuture;

type Run<C> = Arc<dyn Fn(C) -> BoxFuture<'static, ()> + Send + Sync>;

/// A clause. `C` is what it gets to make what it tests, `P` what a backend may promise.
pub(crate) struct Clause<C, P> {
    pub(crate) name: &'static str,
    pub(crate) promised: Vec<P>,
    pub(crate) needs_setup: bool,
    pub(crate) run: Run<C>,
}

impl<C, P> Clause<C, P> {
    /// Makes a clause of a function, under the function's name; it fails by panicking.
    pub(crate) fn of<F, Fut>(run: F) -> Self
    where
        F: Fn(C) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = ()> + Send + 'static,
    {
        let path = type_name::<F>();
        let name = path.rsplit("::").next().unwrap_or(path);
        Self {
            name,
            promised: Vec::new(),
            needs_setup: false,
            run: Arc::new(move |case| Box::pin(run(case))),
        }
    }

    /// Says that it rests on a promise.
    pub(crate) fn when(mut self, promise: P) -> Self {
        self.promised.push(promise);
        self
    }

    /// Says that it asks the factory for a queue that is set up in a certain way.
    pub(crate) fn needs_setup(mut self) -> Self {
        self.needs_setup = true;
        self
    }
}

impl<C, P> fmt::Debug for Clause<C, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Clause({})", self.name)
    }
}
