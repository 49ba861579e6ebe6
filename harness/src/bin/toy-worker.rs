//! A toy worker for the harness's own tests: it works off files in a folder and names each of its steps.
//!
//! `toy-worker FOLDER [LEASE-MS] [--delete-first]`. A file `waiting/KEY-NUMBER` is claimed by renaming it to
//! `claimed/KEY-NUMBER.EXPIRY`, its effect is a ledger's entry, and then it is removed. Claims that have expired are put
//! back. With `--delete-first` the file is removed before its effect, which is a fault.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::{env, fs, io, thread};

use harness::{Pen, point};

fn main() -> io::Result<()> {
    let args: Vec<_> = env::args().skip(1).collect();
    let mut numbers = args.iter().filter_map(|arg| arg.parse().ok());
    let worker = Worker {
        folder: args.first().map(PathBuf::from).unwrap_or_default(),
        lease: Duration::from_millis(numbers.next().unwrap_or(100)),
        delete_first: args.iter().any(|arg| arg == "--delete-first"),
        pen: Pen::inherited(),
    };
    point("ready");
    worker.work()
}

struct Worker {
    folder: PathBuf,
    lease: Duration,
    delete_first: bool,
    pen: Pen,
}

/// A file that waits or is claimed.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct Item {
    key: String,
    number: u64,
}

impl Worker {
    /// Works until there is nothing left that waits or is claimed.
    fn work(&self) -> io::Result<()> {
        loop {
            self.put_back_expired()?;
            let (waiting, claimed) = (self.list("waiting")?, self.list("claimed")?);
            let is_free = |item: &&Item| !claimed.iter().any(|other| other.key == item.key);
            match waiting.iter().find(is_free) {
                Some(item) => self.handle(item)?,
                None if waiting.is_empty() && claimed.is_empty() => return Ok(()),
                None => nap(),
            }
        }
    }

    fn handle(&self, item: &Item) -> io::Result<()> {
        let expiry = now() + self.lease.as_millis();
        let claim = self.folder.join("claimed").join(format!("{}-{}.{expiry}", item.key, item.number));
        if fs::rename(self.folder.join("waiting").join(format!("{}-{}", item.key, item.number)), &claim)
            .is_err()
        {
            return Ok(()); // another worker was faster
        }
        point("claimed");
        self.pen.started(&item.key, item.number)?;
        point("started");
        if self.delete_first {
            delete(&claim);
        }
        point("working");
        self.pen.finished(&item.key, item.number)?;
        point("finished");
        if !self.delete_first {
            delete(&claim);
        }
        point("deleted");
        Ok(())
    }

    fn put_back_expired(&self) -> io::Result<()> {
        for entry in fs::read_dir(self.folder.join("claimed"))? {
            let claim = entry?.path();
            let expiry = claim.extension().and_then(|expiry| expiry.to_str()?.parse::<u128>().ok());
            if expiry.is_some_and(|expiry| expiry < now())
                && let Some(name) = claim.file_stem()
            {
                fs::rename(&claim, self.folder.join("waiting").join(name)).ok();
            }
        }
        Ok(())
    }

    fn list(&self, folder: &str) -> io::Result<Vec<Item>> {
        let entries = fs::read_dir(self.folder.join(folder))?.collect::<Result<Vec<_>, _>>()?;
        let mut items: Vec<_> = entries.iter().filter_map(|entry| Item::read(&entry.path())).collect();
        items.sort();
        Ok(items)
    }
}

impl Item {
    fn read(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        let (key, number) = name.split('.').next()?.split_once('-')?;
        Some(Self { key: key.to_owned(), number: number.parse().ok()? })
    }
}

#[expect(clippy::print_stdout, reason = "a test reads it")]
fn delete(claim: &Path) {
    if fs::remove_file(claim).is_err() {
        println!("the claim {} is lost", claim.display());
    }
}

#[expect(clippy::disallowed_methods, reason = "a clock that all processes share is what leases need")]
fn now() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis()
}

#[expect(clippy::disallowed_methods, reason = "a program without a runtime waits for another process")]
fn nap() {
    thread::sleep(Duration::from_millis(2));
}
