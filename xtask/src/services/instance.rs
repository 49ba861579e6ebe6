//! An instance: the private server of one engine in this checkout, from not being there to being stopped.

use super::{
    call,
    engine::{Engine, Facts, Place},
    home::Home,
    launch::{ANSWER, Launch, ROUGH},
    packages,
    process::Process,
    programs::Programs,
    site::Site,
    state::State,
};
use crate::stopwatch::timed;
use anyhow::{Context, Result, anyhow};
use std::time::Duration;

/// How long a server may take to stop cleanly, with a checkpoint to write.
const CLEAN: Duration = Duration::from_secs(30);

/// The private server of one engine in this checkout.
#[derive(Debug)]
pub(super) struct Instance<'a> {
    engine: &'static dyn Engine,
    site: &'a Site,
    upstream: Option<String>,
}

impl<'a> Instance<'a> {
    /// The server of this engine, whether it runs or not.
    pub(super) fn new(engine: &'static dyn Engine, site: &'a Site) -> Self {
        Self { engine, site, upstream: None }
    }

    /// The same, in front of the server with this URL, if its engine is no database itself.
    pub(super) fn in_front_of(self, upstream: Option<String>) -> Self {
        Self { upstream, ..self }
    }

    /// Starts it unless it runs and answers; it is found or installed, made or repaired as need be. `keep` says
    /// whether it is to run on when nobody uses it.
    ///
    /// # Errors
    /// Says what is missing, or shows the end of the server's log.
    pub(super) fn up(&self, keep: bool) -> Result<String> {
        let state = self.state();
        if let Some(state) = &state
            && self.is_where_it_should_be(state)
            && let Some(url) = self.url_if_it_answers(state)
        {
            self.record(&State { keep: state.keep || keep, ..state.clone() })?;
            return Ok(url);
        }
        self.mourn(state.as_ref());
        let programs = self.programs()?;
        self.stop(state.as_ref(), Some(&programs), ROUGH)?;
        let home = self.home(&programs)?;
        let keep = keep || state.as_ref().is_some_and(|state| state.keep);
        let upstream = self.upstream.as_deref();
        let launch =
            Launch { engine: self.engine, site: self.site, programs: &programs, home: &home, upstream };
        launch.run(State {
            process: None,
            port: state.map_or(0, |state| state.port),
            home: home.folder().to_owned(),
            version: programs.version.clone(),
            keep,
        })
    }

    /// Stops it, and whatever else serves its data; answers whether there was anything to stop.
    ///
    /// # Errors
    /// When it doesn't stop.
    pub(super) fn down(&self) -> Result<bool> {
        let state = self.state();
        let stopped = self.stop(state.as_ref(), self.engine.find().as_ref(), CLEAN)?;
        if let Some(state) = state {
            self.record(&State { process: None, keep: false, ..state })?;
        }
        Ok(stopped)
    }

    /// Whether it is to stop when nobody uses it any more.
    pub(super) fn is_temporary(&self) -> bool {
        self.state().is_some_and(|state| state.running().is_some() && !state.keep)
    }

    /// Whether this URL leads to it, wherever it listened when the URL was given out; where URLs hold no password, only
    /// if it listened where it last did.
    pub(super) fn is_reached_by(&self, url: &str) -> bool {
        let (Some(state), Some(password)) = (self.state(), self.password()) else { return false };
        url.contains(&password) || url == self.engine.url(state.port, &password)
    }

    /// What there is to say of it, in a line.
    pub(super) fn status(&self) -> String {
        let Some(state) = self.state() else { return "was never started here".to_owned() };
        let (version, home) = (&state.version, state.home.display());
        let Some(process) = state.running() else {
            let how = if state.process.is_some() { "has ended by itself" } else { "is stopped" };
            return format!("{how} ({version}, {home})");
        };
        let how = if self.url_if_it_answers(&state).is_some() { "runs" } else { "runs, but DOES NOT ANSWER" };
        format!("{how} on 127.0.0.1:{} ({version}, process {}, {home})", state.port, process.pid())
    }

    fn facts(&self) -> &'static Facts {
        self.engine.facts()
    }

    fn state(&self) -> Option<State> {
        State::read(&self.site.state_file(self.facts()))
    }

    fn record(&self, state: &State) -> Result<()> {
        state.write(&self.site.state_file(self.facts()))
    }

    fn say(&self, what: &str) {
        (self.site.say)(&format!("{}: {what}", self.facts().name));
    }

    /// The password, whoever owns the home.
    fn password(&self) -> Option<String> {
        Home::new(self.state()?.home, super::account::Account::Ours).password().ok()
    }

    fn url_if_it_answers(&self, state: &State) -> Option<String> {
        let password = state.running().and_then(|_| self.password())?;
        let question = self.engine.ask(&self.engine.find()?, state.port, &password);
        call::succeeds(question, self.facts(), ANSWER).then(|| self.engine.url(state.port, &password))
    }

    /// Whether it is what is needed now, and stands in front of what it is to stand in front of.
    fn is_where_it_should_be(&self, state: &State) -> bool {
        let place = Place { port: state.port, upstream: self.upstream.clone() };
        self.engine.is_prepared(&Home::new(state.home.clone(), super::account::Account::Ours), &place)
    }

    /// Says what became of a server that should be running.
    fn mourn(&self, state: Option<&State>) {
        match state {
            Some(state) if state.running().is_some() && !self.is_where_it_should_be(state) => {
                self.say("is not what is needed now; it is started again");
            }
            Some(state) if state.running().is_some() => self.say("does not answer; it is started again"),
            Some(State { process: Some(_), .. }) => self.say("has ended by itself; it is started again"),
            _ => {}
        }
    }

    /// Its programs, installed if need be.
    fn programs(&self) -> Result<Programs> {
        if let Some(programs) = self.engine.find() {
            return Ok(programs);
        }
        self.say("its programs are not on this machine; installing them from the system's packages");
        let (installed, took) = timed(|| packages::install(self.facts().packages));
        installed.map_err(|why| anyhow!(advice(self.facts(), &format!("{why:#}"))))?;
        let took = took.as_secs_f64();
        self.say(&format!("installed in {took:.1} s; the package's own server was not started"));
        let found = self.engine.find();
        found.with_context(|| advice(self.facts(), "its packages are here, its programs were not found"))
    }

    /// Its home, made if it isn't there or not whole.
    fn home(&self, programs: &Programs) -> Result<Home> {
        let home = self.site.home(self.engine, programs)?;
        if home.is_whole(self.engine) {
            return Ok(home);
        }
        let log = self.site.log_file(self.facts());
        self.say(&format!("making {}", home.folder().display()));
        let (home, took) = timed(|| home.make(self.engine, programs, &log));
        let home = home.map_err(|why| anyhow!(hint(self.facts(), &format!("{why:#}"))))?;
        self.say(&format!("made {} in {:.1} s", home.folder().display(), took.as_secs_f64()));
        Ok(home)
    }

    /// Stops what the state file names and, as far as the system shows it, what else works on the same data: the state
    /// file may be lost, with a `cargo clean` for instance, and a server that was killed may leave processes behind.
    fn stop(&self, state: Option<&State>, programs: Option<&Programs>, patience: Duration) -> Result<bool> {
        let recorded = state.and_then(State::running).cloned();
        let strays = programs.and_then(|programs| {
            let data = self.site.home(self.engine, programs).ok()?.data();
            Some(Process::working_on(&data, &programs.server))
        });
        let all: Vec<_> = recorded.into_iter().chain(strays.unwrap_or_default()).collect();
        for process in &all {
            process.stop(self.facts().quit, patience)?;
        }
        Ok(!all.is_empty())
    }
}

/// What people can do where this command can't help itself.
fn advice(facts: &Facts, why: &str) -> String {
    let Facts { name, variable, by_hand, .. } = facts;
    format!(
        "{name} is not here and could not be installed: {why}. Either install it by hand ({by_hand}), or set {variable} to a \
         server of your own, for example one of compose.yaml's: `docker compose up --wait`. `cargo xtask test \
         --no-services` runs the tests that need no server"
    )
}

/// The same where it is here and its home is not.
fn hint(Facts { name, variable, .. }: &Facts, why: &str) -> String {
    format!(
        "cannot make a home for {name}: {why}\nEither see to that, or set {variable} to a server of your own; `cargo xtask test \
         --no-services` runs the tests that need no server"
    )
}

#[cfg(test)]
mod tests;
