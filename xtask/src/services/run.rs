//! A run of tests that needs the servers: they are there while it lasts.

use super::{engine::ENGINES, instance::Instance, provision, say, site::Site};
use anyhow::Result;
use std::fs::File;

/// The servers for one run of tests.
#[derive(Debug)]
pub(crate) struct Run {
    site: Site,
    occupied: File,
    urls: Vec<(&'static str, String)>,
}

impl Run {
    /// Starts what doesn't run yet.
    ///
    /// # Errors
    /// When a server can't be had; what was started until then is stopped.
    pub(crate) fn start() -> Result<Self> {
        let site = Site::open()?;
        let lock = site.lock()?;
        let occupied = site.occupy()?;
        let provided = provision::all(&site, false);
        drop(lock);
        match provided {
            Ok(urls) => Ok(Self { site, occupied, urls }),
            Err(error) => {
                Self { site, occupied, urls: Vec::new() }.stop()?;
                Err(error)
            }
        }
    }

    /// The variables that tell tests where the servers are.
    pub(crate) fn urls(&self) -> &[(&'static str, String)] {
        &self.urls
    }

    /// Stops the servers that were started for a run of tests, unless another run uses them.
    ///
    /// # Errors
    /// When a server doesn't stop.
    pub(crate) fn stop(self) -> Result<()> {
        let Self { site, occupied, .. } = self;
        let _lock = site.lock()?;
        drop(occupied);
        if site.is_occupied()? {
            say("another run uses the servers; they go on");
            return Ok(());
        }
        for engine in ENGINES.into_iter().rev() {
            let instance = Instance::new(engine, &site);
            if instance.is_temporary() && instance.down()? {
                say(&format!("{} is stopped", engine.facts().name));
            }
        }
        Ok(())
    }
}
