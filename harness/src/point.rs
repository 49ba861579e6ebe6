//! A named point in a child: it says that it is there and goes on when the test lets it.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, mpsc};
use std::thread;

use futures::channel::oneshot;

use crate::inherited::Inherited;
use crate::wire::{At, Go, is_name};

/// Says that this process is at the point, and waits until the test lets it go on: at once, unless the test holds it
/// there. Nothing happens in a process that no test started.
///
/// It blocks its thread; in async code use [`point_async`].
///
/// # Panics
/// In a process that a test started: when the name is not 1 to 64 printable ASCII characters without spaces, or its
/// standard input is not what the test gave it.
pub fn point(name: &str) {
    let Some(line) = Line::to_the_test() else { return };
    let (leave, wait) = mpsc::channel();
    line.announce(name, Box::new(move || leave.send(()).unwrap_or_default()));
    // The sender is never dropped unused: where nobody gives leave, the process is held until it is killed.
    wait.recv().ok();
}

/// As [`point()`], without blocking the thread, on any runtime.
///
/// # Cancel safety
/// Safe: dropped while it is held, the point has been passed for this process; the test still sees it held there.
///
/// # Panics
/// As [`point()`].
pub async fn point_async(name: &str) {
    let Some(line) = Line::to_the_test() else { return };
    let (leave, wait) = oneshot::channel();
    line.announce(name, Box::new(move || leave.send(()).unwrap_or_default()));
    wait.await.ok();
}

type Leave = Box<dyn FnOnce() + Send>;

/// The child's end of the line.
struct Line {
    state: Arc<Mutex<State>>,
    socket: UnixStream,
}

#[derive(Default)]
struct State {
    announced: u64,
    waiting: HashMap<u64, Leave>,
}

impl Line {
    fn to_the_test() -> Option<&'static Self> {
        static LINE: OnceLock<Option<Line>> = OnceLock::new();
        LINE.get_or_init(|| Inherited::here().map(|_| Self::open())).as_ref()
    }

    #[expect(
        clippy::expect_used,
        reason = "without its line a child would run on where the test wants to hold it"
    )]
    fn open() -> Self {
        let socket =
            UnixStream::from(io::stdin().as_fd().try_clone_to_owned().expect("standard input is open"));
        let state = Arc::<Mutex<State>>::default();
        let answers = BufReader::new(socket.try_clone().expect("a socket can be used twice"));
        let waiting = Arc::clone(&state);
        thread::spawn(move || give_leave(answers, &waiting));
        Self { state, socket }
    }

    fn announce(&self, name: &str, leave: Leave) {
        assert!(is_name(name), "a point can't be called {name:?}");
        let mut state = lock(&self.state);
        state.announced += 1;
        let at = At { id: state.announced, point: name.to_owned() };
        state.waiting.insert(at.id, leave);
        // One write for each line, under the lock. If it fails, the test is gone and we soon are too.
        (&self.socket).write_all(at.to_string().as_bytes()).ok();
    }
}

fn give_leave(answers: BufReader<UnixStream>, state: &Mutex<State>) {
    for go in answers.lines().map_while(Result::ok).filter_map(|line| Go::read(&line)) {
        let leave = lock(state).waiting.remove(&go.0);
        if let Some(leave) = leave {
            leave();
        }
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_test_that_started_us_nothing_happens_not_even_for_a_bad_name() {
        point("no test started this process");
        futures::executor::block_on(point_async(""));
    }
}
