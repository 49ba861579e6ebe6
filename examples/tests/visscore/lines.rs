//! Inputs: good lines, malformed lines, packed ones, broken ones.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::program::{Ended, file, run, run_with};

fn visits(count: usize) -> String {
    let visit = |number| {
        format!("{{\"aid\":\"shop-{}\",\"sid\":\"{number:032x}\",\"created\":{number}}}\n", number % 3)
    };
    (0..count).map(visit).collect()
}

fn packed(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn outcome(ended: &Ended) -> ([u64; 4], Option<i32>) {
    (ended.numbers(["sent", "unique", "quarantined", "lost"]), ended.code)
}

#[test]
fn a_malformed_line_is_quarantined_by_whoever_can_see_it_and_shown() {
    let mut input = visits(5).into_bytes();
    for line in [
        &b"{\"aid\":\"shop-1\",\"sid\":7,\"created\":1}"[..],
        b"{\"aid\":\"shop-1\",\"sid\":\"cut",
        b"{\"sid\":\"s\",\"created\":1}",
        b"{\"aid\":\"no name\",\"sid\":\"s\",\"created\":1}",
        b"",
        b"{\"aid\":\"shop-1\",\"sid\":\"\x01\"}",
        b"\xff\xfe",
    ] {
        input.extend(line);
        input.push(b'\n');
    }
    let ended = run_with(&["--input", "-", "--json"], &input);
    assert_eq!(outcome(&ended), ([5, 5, 6, 0], Some(0)));
    for shown in [
        "line 6, quarantined by the consumer: the body is not the JSON of a Visit",
        "line 7, quarantined by the consumer",
        "line 8, refused by the producer: it has no readable aid",
        "line 9, refused by the producer: queue name \"visscore_main_no name\"",
        "line 11, refused by the producer: the body has U+0001",
        "line 12, refused by the producer: the line is not UTF-8",
    ] {
        assert!(ended.stderr.contains(shown), "{shown} in\n{}", ended.stderr);
    }
}

#[test]
fn identical_lines_are_different_visits_and_line_ends_do_not_matter() {
    let line = "{\"aid\":\"a\",\"sid\":\"s\",\"created\":1}";
    let ended = run_with(&["--input", "-", "--json"], format!("{line}\r\n{line}\n\n{line}").as_bytes());
    assert_eq!(outcome(&ended), ([3, 3, 0, 0], Some(0)));
}

#[test]
fn a_packed_file_is_read_with_all_its_members() {
    let path = file("members.gz", &[packed(&visits(30)), packed(&visits(20))].concat());
    assert_eq!(outcome(&run(&["--input", &path, "--json"])), ([50, 50, 0, 0], Some(0)));
}

#[test]
fn what_is_whole_of_a_truncated_file_is_handled_and_the_file_is_named() {
    let whole = packed(&visits(2_000));
    let path = file("truncated.gz", &whole[..whole.len() / 2]);
    let ended = run(&["--input", &path, "--json"]);
    let [sent, unique, lost] = ended.numbers(["sent", "unique", "lost"]);
    assert!(sent > 0 && sent < 2_000 && unique == sent && lost == 0, "{}", ended.stdout);
    assert_eq!(ended.code, Some(1));
    assert!(ended.stderr.contains(&format!("error: can't read {path} to its end")), "{}", ended.stderr);
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let ended = run(&["--input", "no/such/file", "--json"]);
    assert_eq!(ended.code, Some(1));
    assert!(ended.stderr.starts_with("error: can't open no/such/file: "), "{}", ended.stderr);
}

#[test]
fn an_empty_input_is_no_error() {
    assert_eq!(outcome(&run_with(&["--input", "-", "--json"], b"")), ([0, 0, 0, 0], Some(0)));
}
