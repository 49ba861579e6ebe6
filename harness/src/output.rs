//! What a child prints: its end is kept, however much it is.

use std::collections::VecDeque;
use std::fmt;
use std::io::{ErrorKind, Read};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// How many bytes are kept of each of the two.
const KEPT: usize = 16 * 1024;

/// What a child printed, the last 16 KiB of each of the two.
#[derive(Clone, Debug, Default)]
pub struct Output {
    stdout: Tail,
    stderr: Tail,
}

/// The end of a stream of bytes.
#[derive(Clone, Debug, Default)]
struct Tail {
    kept: VecDeque<u8>,
    total: u64,
}

/// What is read while the child runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reading(Arc<Mutex<Output>>);

impl Output {
    /// The end of what it wrote to stdout; what isn't UTF-8 is replaced.
    pub fn stdout(&self) -> String {
        self.stdout.text()
    }

    /// The end of what it wrote to stderr; what isn't UTF-8 is replaced.
    pub fn stderr(&self) -> String {
        self.stderr.text()
    }

    /// How many bytes it wrote in all.
    pub fn total(&self) -> u64 {
        self.stdout.total + self.stderr.total
    }
}

impl fmt::Display for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, tail) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            writeln!(f, "{name}, {} bytes{}", tail.total, if tail.total == 0 { "" } else { ", the end:" })?;
            let text = tail.text();
            let lines: Vec<_> = text.lines().collect();
            let from = lines.len().saturating_sub(20);
            lines[from..].iter().try_for_each(|line| writeln!(f, "    {}", line.escape_debug()))?;
        }
        Ok(())
    }
}

impl Tail {
    fn take(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let bytes = &bytes[bytes.len().saturating_sub(KEPT)..];
        let over = (self.kept.len() + bytes.len()).saturating_sub(KEPT);
        self.kept.drain(..over);
        self.kept.extend(bytes);
    }

    fn text(&self) -> String {
        let (front, back) = self.kept.as_slices();
        String::from_utf8_lossy(&[front, back].concat()).into_owned()
    }
}

impl Reading {
    /// What was read until now.
    pub(crate) fn so_far(&self) -> Output {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Reads stdout to its end, on a thread of its own; the receiver is disconnected when it is there.
    pub(crate) fn stdout(&self, stream: impl Read + Send + 'static) -> Receiver<()> {
        self.read(stream, |output| &mut output.stdout)
    }

    /// As [`stdout`](Self::stdout).
    pub(crate) fn stderr(&self, stream: impl Read + Send + 'static) -> Receiver<()> {
        self.read(stream, |output| &mut output.stderr)
    }

    fn read(
        &self,
        mut stream: impl Read + Send + 'static,
        tail: fn(&mut Output) -> &mut Tail,
    ) -> Receiver<()> {
        let (done, end) = mpsc::channel();
        let output = Arc::clone(&self.0);
        thread::spawn(move || {
            let _done = done;
            let mut buffer = [0; 8192];
            loop {
                match stream.read(&mut buffer) {
                    Ok(0) => break,
                    Ok(count) => {
                        let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
                        tail(&mut output).take(&buffer[..count]);
                    }
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Err(_) => break,
                }
            }
        });
        end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_kept_and_all_is_counted() {
        let mut tail = Tail::default();
        for number in 0..10_000 {
            tail.take(format!("{number}\n").as_bytes());
        }
        tail.take(&vec![b'x'; KEPT - 5]);
        assert_eq!(tail.kept.len(), KEPT);
        assert!(tail.text().starts_with("9999\nxxx"));
        assert_eq!(tail.total, 48_890 + KEPT as u64 - 5);
        tail.take(&vec![b'y'; 3 * KEPT]);
        assert_eq!(tail.text(), "y".repeat(KEPT));
    }

    #[test]
    fn what_is_no_text_can_be_shown() {
        let reading = Reading::default();
        let ends = [reading.stdout(&b"\xff\x00\x1b[2Jend"[..]), reading.stderr(&b""[..])];
        assert!(ends.iter().all(|end| end.recv().is_err()), "both are read to their end");
        let shown = reading.so_far().to_string();
        assert!(shown.is_ascii() || shown.contains('\u{fffd}'));
        assert!(shown.contains(r"\0\u{1b}[2Jend") && shown.contains("stderr, 0 bytes\n"), "{shown}");
    }
}
