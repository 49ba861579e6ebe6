//! The programs of a server, and the folders in which they may be.

use std::path::{Path, PathBuf};
use std::{env, fs};

use super::ServerKind;

/// Folders that hold servers and aren't always on an ordinary user's PATH.
const OFF_PATH: [&str; 3] = ["/usr/sbin", "/usr/local/sbin", "/usr/local/bin"];
/// Where Debian and Ubuntu keep the versions of PostgreSQL.
const VERSIONS: &str = "/usr/lib/postgresql";

/// The programs of a server.
#[derive(Debug)]
pub(super) struct Programs {
    /// The server itself.
    pub(super) server: PathBuf,
    /// What makes a data folder.
    pub(super) maker: PathBuf,
    /// What asks a question.
    pub(super) client: PathBuf,
}

impl Programs {
    /// Those on this machine.
    pub(super) fn find(kind: ServerKind) -> Option<Self> {
        let [server, maker, client] = kind.programs();
        let server = first_of(server)?.canonicalize().ok()?;
        // Those of two versions don't get on, so what lies beside the server comes first.
        let beside = |names: &[&str]| {
            let folder = server.parent()?;
            names.iter().map(|name| folder.join(name)).find(|file| file.is_file()).or_else(|| first_of(names))
        };
        Some(Self { maker: beside(maker)?, client: beside(client)?, server })
    }
}

fn first_of(names: &[&str]) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<_> = env::split_paths(&path).chain(OFF_PATH.map(PathBuf::from)).collect();
    let versions = fs::read_dir(Path::new(VERSIONS)).into_iter().flatten().flatten();
    folders.extend(versions.map(|version| version.path().join("bin")));
    let mut files = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    files.find(|file| file.is_file())
}
