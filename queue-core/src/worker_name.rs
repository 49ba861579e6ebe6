//! A worker's name: a prefix, its class and its number.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use crate::NameError;
use crate::name_error::check_part;

/// A class of workers, which share a poll gate. Classes do not influence each other (G1).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WorkerClass(Cow<'static, str>);

impl WorkerClass {
    /// Workers of main queues.
    pub const MAIN: Self = Self(Cow::Borrowed("main"));
    /// Workers of retry queues.
    pub const RETRY: Self = Self(Cow::Borrowed("retry"));
    /// Workers of tests.
    pub const TEST: Self = Self(Cow::Borrowed("test"));

    /// Makes a class of one's own.
    ///
    /// # Errors
    /// Q2: anything but one or more of `a-z 0-9 -`.
    pub fn new(class: &str) -> Result<Self, NameError> {
        check_part(class, |c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-', "of a-z 0-9 -")
            .map_err(|reason| NameError::new("worker class", class, reason))?;
        Ok(Self(Cow::Owned(class.to_owned())))
    }

    /// The class as it stands in a name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for WorkerClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A worker's name, `<prefix>.<class>.<number>`, such as `worker.main.0` (Q2).
///
/// # Examples
/// ```
/// use queue_core::{WorkerClass, WorkerName};
///
/// let name: WorkerName = "worker.main.0".parse()?;
/// assert_eq!((name.class(), name.number()), (&WorkerClass::MAIN, 0));
/// assert!("worker.main".parse::<WorkerName>().is_err());
/// # Ok::<(), queue_core::NameError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WorkerName {
    prefix: Cow<'static, str>,
    class: WorkerClass,
    number: u32,
}

impl WorkerName {
    /// Names worker `number` of `class` in the usual way, `worker.<class>.<number>`.
    pub fn new(class: WorkerClass, number: u32) -> Self {
        Self { prefix: Cow::Borrowed("worker"), class, number }
    }

    /// The class.
    pub fn class(&self) -> &WorkerClass {
        &self.class
    }

    /// The number; worker 0 is its class's master.
    pub fn number(&self) -> u32 {
        self.number
    }
}

impl FromStr for WorkerName {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let refuse = |reason: &str| NameError::new("worker name", text, reason);
        let mut parts = text.rsplitn(3, '.');
        let (Some(number), Some(class), Some(prefix)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(refuse("it does not end in .<class>.<number>, as in worker.main.0"));
        };
        let digits = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
        let canonical = digits && (number == "0" || !number.starts_with('0'));
        let number = number.parse().ok().filter(|_| canonical);
        let number = number.ok_or_else(|| refuse("its last part is not a number such as 0 or 12"))?;
        if prefix.is_empty() {
            return Err(refuse("it has nothing before .<class>.<number>"));
        }
        let class = WorkerClass::new(class).map_err(|error| refuse(&error.to_string()))?;
        Ok(Self { prefix: Cow::Owned(prefix.to_owned()), class, number })
    }
}

impl fmt::Display for WorkerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.prefix, self.class, self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Q2
    #[test]
    fn class_and_number_are_the_last_two_parts() {
        let name: WorkerName = "eu.host-7.worker.retry.12".parse().unwrap();
        assert_eq!((name.class(), name.number()), (&WorkerClass::RETRY, 12));
        assert_eq!(name.to_string(), "eu.host-7.worker.retry.12");
        assert_eq!(WorkerName::new(WorkerClass::MAIN, 0).to_string(), "worker.main.0");
    }

    // Q2
    #[test]
    fn anything_else_is_refused_by_name() {
        for text in ["", "main", "main.0", ".main.0", "worker.main.", "worker.main.x", "worker.main.-1"]
            .into_iter()
            .chain([
                "worker.main.01",
                "worker.main.+1",
                "worker.Main.0",
                "worker..0",
                "worker.main.4294967296",
            ])
        {
            let error = text.parse::<WorkerName>().unwrap_err();
            assert!(error.to_string().contains(&format!("{text:?}")), "{error}");
        }
    }
}
