//! Signals.

#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command};

use crate::program::{Ended, start};

/// Waits until a worker has received something, and answers what else comes on stderr.
pub(crate) fn at_work(child: &mut Child) -> BufReader<impl Read + use<>> {
    let mut log = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("received") {
        line.clear();
        assert!(log.read_line(&mut line).unwrap() > 0, "it ended before it received anything");
    }
    log
}

pub(crate) fn signal(child: &Child, name: &str) {
    // The shell's own `kill`: a small system has no program of that name.
    let status = Command::new("sh").args(["-c", &format!("kill {name} {}", child.id())]).status().unwrap();
    assert!(status.success());
}

// W10
#[test]
fn at_a_signal_what_was_sent_is_handled_and_nothing_is_lost() {
    for name in ["-TERM", "-INT"] {
        let mut child = start(&["--input", "-", "--json"]);
        let mut input = child.stdin.take().unwrap();
        for second in 0..500 {
            writeln!(input, "{{\"aid\":\"a{}\",\"sid\":\"s\",\"created\":{second}}}", second % 5).unwrap();
        }
        let mut log = at_work(&mut child);
        signal(&child, name);
        let rest = std::thread::spawn(move || log.read_to_string(&mut String::new()));
        let ended: Ended = child.wait_with_output().unwrap().into(); // with stdin still open
        rest.join().unwrap().unwrap();
        let [sent, unique, left, lost] = ended.numbers(["sent", "unique", "left", "lost"]);
        assert!(sent > 0 && unique == sent && left == 0 && lost == 0, "{}", ended.stdout);
        assert_eq!(ended.code, Some(0), "{name}");
        drop(input);
    }
}
