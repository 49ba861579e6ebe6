//! The URL of a database server, taken apart: what a pooler in front of it has to know.

use anyhow::{Context, Result};

/// What is in a URL such as `postgres://user:password@host:port/database?options`.
#[derive(Debug, Eq, PartialEq)]
pub(super) struct ServerUrl {
    /// The account.
    pub(super) user: String,
    /// Its password; empty where there is none.
    pub(super) password: String,
    /// The server's host.
    pub(super) host: String,
    /// Its port.
    pub(super) port: u16,
    /// The database.
    pub(super) database: String,
}

impl ServerUrl {
    /// Takes a URL apart.
    ///
    /// # Errors
    /// When it names no account or no host; the URL itself is not shown, as it may hold a password.
    pub(super) fn parse(url: &str, default_port: u16) -> Result<Self> {
        Self::try_parse(url, default_port)
            .context("the URL of the server is not of the form scheme://user:password@host:port/database")
    }

    fn try_parse(url: &str, default_port: u16) -> Option<Self> {
        let (_scheme, rest) = url.split_once("://")?;
        let rest = rest.split(['?', '#']).next()?;
        let (place, database) = rest.split_once('/').unwrap_or((rest, ""));
        let (account, place) = place.rsplit_once('@')?;
        let (user, password) = account.split_once(':').unwrap_or((account, ""));
        let (host, port) = match place.rsplit_once(':') {
            Some((host, port)) => (host, port.parse().ok()?),
            None => (place, default_port),
        };
        let user = decoded(user)?;
        let database = decoded(database).filter(|name| !name.is_empty()).unwrap_or_else(|| user.clone());
        let host = host.trim_matches(['[', ']']).to_owned();
        let parsed = Self { user, password: decoded(password)?, host, port, database };
        (!parsed.user.is_empty() && !parsed.host.is_empty()).then_some(parsed)
    }
}

/// The text without its `%xx`.
fn decoded(text: &str) -> Option<String> {
    let mut parts = text.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(part.get(..2)?, 16).ok()?);
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(url: &str) -> Option<(String, String, String, u16, String)> {
        let ServerUrl { user, password, host, port, database } = ServerUrl::parse(url, 5432).ok()?;
        Some((user, password, host, port, database))
    }

    fn parts(user: &str, password: &str, host: &str, port: u16) -> (String, String, String, u16, String) {
        (user.to_owned(), password.to_owned(), host.to_owned(), port, "db".to_owned())
    }

    #[test]
    fn a_url_is_taken_apart() {
        let whole = parse("postgres://me:p%40ss%3a@db.example:5544/db?sslmode=disable");
        assert_eq!(whole, Some(parts("me", "p@ss:", "db.example", 5544)));
        assert_eq!(parse("postgres://me@[::1]:1/db"), Some(parts("me", "", "::1", 1)));
        assert_eq!(parse("postgres://db@host").unwrap(), parts("db", "", "host", 5432));
    }

    #[test]
    fn what_names_no_account_or_no_host_is_refused_and_not_shown() {
        for bad in ["postgres:///db", "me:secret@host/db", "postgres://me:secret@/db", "postgres://a:%zz@h/d"]
        {
            let error = ServerUrl::parse(bad, 5432).unwrap_err().to_string();
            assert!(!error.contains("secret"), "{error}");
        }
    }
}
