//! A launch: a server is started and awaited until it answers.

use super::{
    call,
    engine::{Engine, Place},
    home::Home,
    port,
    process::Process,
    programs::Programs,
    site::Site,
    state::State,
};
use crate::{interrupt, patience::look_unless_interrupted, stopwatch::timed};
use anyhow::{Result, bail};
use std::{
    process::{Child, Command},
    time::Duration,
};

/// How often a start is tried: somebody else may take a port just before we do.
const TRIES: usize = 5;
/// How long a server may take to answer one question.
pub(super) const ANSWER: Duration = Duration::from_secs(5);
/// How long a server may take to stop where there is little hope that it does: it doesn't answer.
pub(super) const ROUGH: Duration = Duration::from_secs(5);

/// A server that is started and awaited until it answers.
pub(super) struct Launch<'a> {
    /// Its engine.
    pub(super) engine: &'static dyn Engine,
    /// Where its state and its log are.
    pub(super) site: &'a Site,
    /// Its programs.
    pub(super) programs: &'a Programs,
    /// Its home, which is whole.
    pub(super) home: &'a Home,
    /// The URL of the server that it stands in front of, if it is no database itself.
    pub(super) upstream: Option<&'a str>,
}

/// How a start went.
enum Start {
    Answers,
    Ended,
    Silent,
}

impl Launch<'_> {
    /// Starts it, on the state's port if that is free, and answers with its URL.
    ///
    /// # Errors
    /// When it doesn't start or doesn't answer; shows the end of its log. When we are interrupted.
    pub(super) fn run(&self, mut state: State) -> Result<String> {
        for _ in 0..TRIES {
            state.port = port::choose(state.port)?;
            let (start, took) = timed(|| self.attempt(&mut state));
            let start = start?;
            interrupt::check()?;
            match start {
                Start::Answers => return self.succeeded(&state, took),
                Start::Silent => bail!("{} does not answer; {}", self.engine.facts().name, self.last_words()),
                Start::Ended => self.say("did not start; trying again"),
            }
        }
        bail!("{} does not start; {}", self.engine.facts().name, self.last_words())
    }

    /// One start; the state is on disk before anything is waited for.
    fn attempt(&self, state: &mut State) -> Result<Start> {
        let place = Place { port: state.port, upstream: self.upstream.map(str::to_owned) };
        self.engine.prepare(self.home, &place)?;
        let facts = self.engine.facts();
        let serve = self.engine.serve(self.programs, self.home, state.port);
        let mut child = call::start(serve, facts, self.home.owner(), &self.site.log_file(facts))?;
        state.process = Process::with_pid(child.id().try_into()?);
        state.write(&self.site.state_file(facts))?;
        let password = self.home.password()?;
        let start = self.wait(&mut child, || self.engine.ask(self.programs, state.port, &password));
        if let (Start::Silent, Some(process)) = (&start, &state.process) {
            process.stop(facts.quit, ROUGH)?;
        }
        Ok(start)
    }

    fn wait(&self, child: &mut Child, question: impl Fn() -> Command) -> Start {
        let facts = self.engine.facts();
        let seen = look_unless_interrupted(facts.patience, || {
            if !matches!(child.try_wait(), Ok(None)) {
                return Some(Start::Ended);
            }
            call::succeeds(question(), facts, ANSWER).then_some(Start::Answers)
        });
        seen.unwrap_or(Start::Silent)
    }

    fn succeeded(&self, state: &State, took: Duration) -> Result<String> {
        let (version, port) = (&state.version, state.port);
        self.say(&format!("{version} answers on 127.0.0.1:{port} after {:.1} s", took.as_secs_f64()));
        Ok(self.engine.url(port, &self.home.password()?))
    }

    fn say(&self, what: &str) {
        (self.site.say)(&format!("{}: {what}", self.engine.facts().name));
    }

    fn last_words(&self) -> String {
        call::tail(&self.site.log_file(self.engine.facts()))
    }
}
