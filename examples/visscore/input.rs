//! The input: a file or stdin, plain or gzip.

mod lines;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

use anyhow::Context;
use flate2::bufread::MultiGzDecoder;

use crate::line::Line;
use lines::Lines;

/// The first two bytes of a gzip stream (RFC 1952, section 2.3.1).
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// An input that is open. Its errors name it.
pub(crate) struct Input {
    name: String,
    raw: Box<dyn Read + Send>,
}

impl Input {
    /// Opens `path`, or stdin if it is `-`.
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        if path == Path::new("-") {
            return Ok(Self { name: "stdin".to_owned(), raw: Box::new(io::stdin()) });
        }
        let name = path.display().to_string();
        let file = File::open(path).with_context(|| format!("can't open {name}"))?;
        Ok(Self { name, raw: Box::new(file) })
    }

    /// Its lines, one after the other, blank ones left out; never more than one of them in memory. Blocks.
    pub(crate) fn lines(self) -> anyhow::Result<impl Iterator<Item = anyhow::Result<Line>>> {
        let Self { name, raw } = self;
        let reader = unpacked(raw).with_context(|| format!("can't read {name}"))?;
        let name = move || format!("can't read {name} to its end");
        Ok(Lines::new(reader).map(move |line| line.with_context(&name)))
    }
}

/// Looks at the first two bytes and unpacks what is packed, all members of it.
fn unpacked(mut raw: Box<dyn Read + Send>) -> io::Result<Box<dyn BufRead>> {
    let mut first = Vec::new();
    raw.by_ref().take(2).read_to_end(&mut first)?;
    let packed = first == GZIP;
    let whole = BufReader::new(Cursor::new(first).chain(raw));
    Ok(if packed { Box::new(BufReader::new(MultiGzDecoder::new(whole))) } else { Box::new(whole) })
}
