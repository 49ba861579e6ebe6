//! The table for readers: `docs/sqs-errors.md`.

use std::fmt::Write;

use crate::error::row::{Row, rows};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/sqs-errors.md");

fn line(row: &Row) -> String {
    let mut codes: String = row.codes.iter().map(|code| format!("`{code}`")).collect::<Vec<_>>().join(", ");
    if !row.words.is_empty() {
        write!(codes, " with \"{}\"", row.words).unwrap();
    }
    let pause = row.pause.map_or_else(String::new, |seconds| format!("{seconds} s"));
    format!("| {codes} | {} | {} | {pause} | {} |", row.kind, row.kind_of_entry(), row.meaning)
}

/// Row by row, in the order in which they are tried.
#[test]
fn the_document_has_the_rows_of_the_code() {
    let document = std::fs::read_to_string(FILE).unwrap();
    let written: Vec<_> = document.lines().filter(|line| line.starts_with("| `")).collect();
    let coded: Vec<_> = rows().map(line).collect();
    assert!(written == coded, "the rows of {FILE} should be\n{}", coded.join("\n"));
}
