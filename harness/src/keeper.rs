//! A keeper: listens to a child, awaits its end, and buries it.

use std::io::{self, Write};
use std::os::unix::net::UnixStream;
use std::process;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use rustix::process::Signal;

use crate::clock::Deadline;
use crate::entry::What;
use crate::leash::Leash;
use crate::ledger::Page;
use crate::output::Reading;
use crate::process::Process;
use crate::watch::Watch;

/// How long the last words of a child are waited for once it has ended: what it started and let out of its process
/// group may hold its streams open for ever.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// What listens to a child, awaits its end, and buries it, on threads of its own.
pub(crate) struct Keeper {
    child: process::Child,
    leash: Leash,
    watch: Arc<Watch>,
    /// Disconnected when a stream of the child's has come to its end.
    streams: Vec<Receiver<()>>,
    page: Option<Page>,
}

impl Keeper {
    /// Takes charge of a child that has just been started; if that fails, the child is killed.
    pub(crate) fn of(mut child: process::Child, watch: Arc<Watch>, page: Option<Page>) -> io::Result<Self> {
        match Leash::on(Process::of(&child)) {
            Ok(leash) => Ok(Self { child, leash, watch, streams: Vec::new(), page }),
            Err(error) => {
                child.kill().and_then(|()| child.wait())?;
                Err(error)
            }
        }
    }

    /// Lets the child start, and begins to listen on the line and to what it prints, and to await its end.
    pub(crate) fn keep(mut self, line: UnixStream, reading: &Reading) {
        // One that is dead already needs no leave.
        (&line).write_all(b"start\n").ok();
        let (heard, end) = mpsc::channel();
        let watch = Arc::clone(&self.watch);
        thread::spawn(move || {
            let _heard: mpsc::Sender<()> = heard;
            watch.read(line);
        });
        let stdout = self.child.stdout.take().map(|stream| reading.stdout(stream));
        let stderr = self.child.stderr.take().map(|stream| reading.stderr(stream));
        self.streams = [Some(end), stdout, stderr].into_iter().flatten().collect();
        thread::spawn(move || self.bury());
    }

    /// Until the last line nobody else has the child's number, so that nobody else is signalled.
    fn bury(mut self) {
        let process = Process::of(&self.child);
        process.await_end();
        if let Some(page) = &self.page {
            page.write(|victim| What::Dead { victim }).ok();
        }
        process.tell_all(Signal::KILL).ok();
        self.leash.take_off();
        let deadline = Deadline::after(LAST_WORDS);
        for stream in self.streams {
            stream.recv_timeout(deadline.left()).ok();
        }
        self.watch.change(|seen| seen.ended = self.child.wait().ok());
    }
}
