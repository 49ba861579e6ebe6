//! Patience: looking again and again until there is something to see.

use crate::interrupt;
use std::{
    thread,
    time::{Duration, Instant},
};

/// How long to wait between two looks.
const PAUSE: Duration = Duration::from_millis(20);

/// Looks until there is something to see; `None` when the limit has passed. It looks at least once.
#[expect(
    clippy::disallowed_methods,
    reason = "another process is waited for; there is no runtime to pause or block"
)]
pub(crate) fn look<T>(limit: Duration, mut eye: impl FnMut() -> Option<T>) -> Option<T> {
    let start = Instant::now();
    loop {
        let seen = eye();
        if seen.is_some() || start.elapsed() >= limit {
            return seen;
        }
        thread::sleep(PAUSE);
    }
}

/// The same; `None` also as soon as somebody asks us to stop.
pub(crate) fn look_unless_interrupted<T>(limit: Duration, mut eye: impl FnMut() -> Option<T>) -> Option<T> {
    look(limit, || match eye() {
        None if interrupt::requested() => Some(None),
        seen => seen.map(Some),
    })?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_of_nothing_still_looks_once() {
        assert_eq!(look(Duration::ZERO, || Some(1)), Some(1));
        assert_eq!(look(Duration::ZERO, || None::<u8>), None);
        assert_eq!(look_unless_interrupted(Duration::ZERO, || None::<u8>), None);
    }

    #[test]
    fn it_looks_until_there_is_something_to_see() {
        let mut looks = 0;
        let third = look_unless_interrupted(Duration::from_secs(10), || {
            looks += 1;
            (looks == 3).then_some(looks)
        });
        assert_eq!(third, Some(3));
    }
}
