//! Cuts bytes into lines of bounded length.

use std::io::{self, BufRead, Read};

use crate::line::Line;

/// The most bytes of a line: what a queue takes (1 MiB), and the line's end.
const LONGEST: u64 = 1_048_576 + 2;
const TOO_LONG: &str = "the line is longer than the 1,048,576 bytes a queue takes";
const NOT_UTF8: &str = "the line is not UTF-8, so it has no readable aid";

/// The lines of `reader` that are not blank. After an error it goes on no further.
pub(super) struct Lines<R> {
    reader: R,
    number: u64,
    ended: bool,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { reader, number: 0, ended: false }
    }

    /// Reads the next line, blank or not; `None` at the end.
    fn read(&mut self) -> io::Result<Option<Line>> {
        let mut bytes = Vec::new();
        if self.reader.by_ref().take(LONGEST).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        self.number += 1;
        let ended = bytes.ends_with(b"\n");
        if !ended && bytes.len() as u64 == LONGEST {
            self.reader.skip_until(b'\n')?;
            return Ok(Some(Line { number: self.number, text: Err(TOO_LONG) }));
        }
        let text = String::from_utf8(bytes).map_err(|_| NOT_UTF8);
        Ok(Some(Line { number: self.number, text: text.map(|text| self.trimmed(&text)) }))
    }

    /// Without the line's end, and without the mark that some editors put before the first line.
    fn trimmed(&self, text: &str) -> String {
        let text = text.strip_suffix('\n').unwrap_or(text);
        let text = text.strip_suffix('\r').unwrap_or(text);
        let marked = self.number == 1;
        text.strip_prefix('\u{feff}').filter(|_| marked).unwrap_or(text).to_owned()
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = io::Result<Line>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            let line = self.read().transpose();
            self.ended = !matches!(line, Some(Ok(_)));
            let blank = |line: &Line| line.text.as_ref().is_ok_and(|text| text.trim().is_empty());
            if !matches!(&line, Some(Ok(line)) if blank(line)) {
                return line;
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Vec<(u64, Result<String, &'static str>)> {
        Lines::new(bytes).map(|line| line.map(|line| (line.number, line.text)).unwrap()).collect()
    }

    #[test]
    fn ends_marks_and_blank_lines_are_left_out_and_numbers_stay() {
        let text = |text: &str| Ok(text.to_owned());
        let lines = read("\u{feff}a\r\n\n \t\r\nb\nc \rd".as_bytes());
        assert_eq!(lines, [(1, text("a")), (4, text("b")), (5, text("c \rd"))]);
    }

    #[test]
    fn a_line_that_is_not_text_or_too_long_is_one_line_of_its_own() {
        let long = vec![b'x'; 3 << 20];
        let lines = read(&[b"a\n\xff\n", &long[..], b"\nb\n", &long[..]].concat());
        let texts: Vec<_> = lines.iter().map(|(number, text)| (*number, text.as_deref())).collect();
        assert_eq!(
            texts,
            [(1, Ok("a")), (2, Err(&NOT_UTF8)), (3, Err(&TOO_LONG)), (4, Ok("b")), (5, Err(&TOO_LONG))]
        );
    }

    #[test]
    fn the_longest_line_is_read_whole() {
        let longest = vec![b'x'; 1_048_576];
        let lines = read(&[&longest[..], b"\r\n", &longest[..]].concat());
        assert!(
            lines.iter().all(|(_, text)| text.as_ref().unwrap().len() == longest.len()),
            "{}",
            lines.len()
        );
    }
}
