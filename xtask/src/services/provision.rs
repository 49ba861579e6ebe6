//! The provision of all that tests need: found or started, what needs nothing else at the same time as the rest.

use super::{
    aws_clients,
    engine::{ENGINES, Engine},
    faketime,
    instance::Instance,
    say,
    site::Site,
};
use crate::interrupt;
use anyhow::{Context, Result, anyhow, ensure};
use std::{env, thread};

/// A variable, and what it is set to.
type Variable = (&'static str, String);

/// The variables that say where everything is. What one lacks is told together with what others lack.
///
/// # Errors
/// When something can't be found, installed or started, and when we are interrupted.
pub(super) fn all(site: &Site, keep: bool) -> Result<Vec<Variable>> {
    let answers = thread::scope(|scope| {
        let start = |chain| scope.spawn(move || provide_chain(chain, site, keep));
        let running: Vec<_> = chains().into_iter().map(start).collect();
        let clients = scope.spawn(|| aws_clients::provide(site));
        let library = faketime::provide().map(|library| (faketime::VARIABLE, library));
        let ended = running.into_iter().flat_map(|chain| chain.join().unwrap_or_else(|_| vec![panicked()]));
        let mut answers: Vec<_> = ended.collect();
        let clients =
            clients.join().unwrap_or_else(|_| Err(anyhow!("what should have made an environment panicked")));
        answers.extend([library, clients.map(|python| (aws_clients::VARIABLE, python))]);
        answers
    });
    interrupt::check()?;
    let missing: Vec<_> = answers.iter().filter_map(|answer| answer.as_ref().err()).collect();
    let missing: Vec<_> = missing.iter().map(|error| format!("{error:#}")).collect();
    ensure!(missing.is_empty(), "{}", missing.join("\n"));
    Ok(answers.into_iter().flatten().collect())
}

/// The URL of a server that isn't ours, if the caller has set one. One that leads to ours may come from `up --env`.
pub(super) fn theirs(engine: &dyn Engine, instance: &Instance<'_>) -> Option<String> {
    let url = env::var(engine.facts().variable).ok().filter(|url| !url.is_empty())?;
    (!instance.is_reached_by(&url)).then_some(url)
}

fn panicked() -> Result<Variable> {
    Err(anyhow!("what should have started a server panicked"))
}

/// Each engine that stands in front of no other, followed by those that stand in front of it.
fn chains() -> Vec<Vec<&'static dyn Engine>> {
    let is_behind = |one: &dyn Engine, other: &dyn Engine| {
        other.behind().is_some_and(|behind| behind.facts().slug == one.facts().slug)
    };
    let first = ENGINES.into_iter().filter(|engine| engine.behind().is_none());
    let chain = |first| {
        let others = ENGINES.into_iter().filter(|other| is_behind(first, *other));
        [first].into_iter().chain(others).collect()
    };
    first.map(chain).collect()
}

/// Provides one after the other, unless we are interrupted.
fn provide_chain(chain: Vec<&'static dyn Engine>, site: &Site, keep: bool) -> Vec<Result<Variable>> {
    let mut answers: Vec<Result<Variable>> = Vec::new();
    for engine in chain {
        let found = answers.iter().flatten();
        let url = upstream(engine, found).and_then(|upstream| provide(engine, site, upstream, keep));
        answers.push(url.map(|url| (engine.facts().variable, url)));
        if interrupt::requested() {
            break;
        }
    }
    answers
}

/// The URL of a server for this engine: the caller's own or ours, which then runs.
fn provide(engine: &'static dyn Engine, site: &Site, upstream: Option<String>, keep: bool) -> Result<String> {
    let (facts, instance) = (engine.facts(), Instance::new(engine, site));
    if let Some(url) = theirs(engine, &instance) {
        say(&format!("{}: {} is set; that server is used", facts.name, facts.variable));
        return Ok(url);
    }
    instance.in_front_of(upstream).up(keep)
}

/// The URL of what an engine stands in front of.
fn upstream<'a>(
    engine: &dyn Engine,
    mut found: impl Iterator<Item = &'a Variable>,
) -> Result<Option<String>> {
    let Some(behind) = engine.behind() else { return Ok(None) };
    let url = found.find(|(variable, _)| *variable == behind.facts().variable);
    let (name, behind) = (engine.facts().name, behind.facts().name);
    Ok(Some(url.with_context(|| format!("{name} stands in front of {behind}, which is missing"))?.1.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_start_at_once_but_what_stands_in_front_of_another() {
        let names =
            |chain: &Vec<&dyn Engine>| chain.iter().map(|engine| engine.facts().name).collect::<Vec<_>>();
        let chains: Vec<_> = chains().iter().map(names).collect();
        assert_eq!(chains, [vec!["PostgreSQL", "PgBouncer"], vec!["MariaDB"], vec!["LocalStack"]]);
    }
}
