//! A check: one clause, ready to be run against one backend.

use std::fmt;

type Run = Box<dyn Fn() -> Result<(), String> + Send + Sync>;

/// One clause, ready to be run against one backend.
pub struct Check {
    name: String,
    unpromised: Option<String>,
    need: Option<String>,
    run: Run,
}

impl Check {
    pub(crate) fn new(name: &str, run: impl Fn() -> Result<(), String> + Send + Sync + 'static) -> Self {
        Self { name: name.to_owned(), unpromised: None, need: None, run: Box::new(run) }
    }

    pub(crate) fn unless(mut self, unpromised: Option<String>) -> Self {
        self.unpromised = unpromised;
        self
    }

    pub(crate) fn needing(mut self, need: Option<&str>) -> Self {
        self.need = need.map(str::to_owned);
        self
    }

    pub(crate) fn rename(&mut self, name: String) {
        self.name = name;
    }

    /// The clause's name, with the backend's before it if that has one.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Why it does not apply to this backend; `None` if it does.
    pub fn unpromised(&self) -> Option<&str> {
        self.unpromised.as_deref()
    }

    /// What has to be there for it to run.
    pub fn need(&self) -> Option<&str> {
        self.need.as_deref()
    }

    /// Runs it, on a runtime of its own: not from within another.
    ///
    /// # Errors
    /// What the clause has to say against the backend.
    pub fn run(&self) -> Result<(), String> {
        match self.unpromised() {
            Some(why) => Err(why.to_owned()),
            None => (self.run)(),
        }
    }
}

impl fmt::Debug for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Check({})", self.name)
    }
}
