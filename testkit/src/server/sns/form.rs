//! A form: the parameters of a call of the query protocol.

use std::collections::{BTreeMap, BTreeSet};

use super::super::error::ServiceError;
use super::refusal::missing;

/// The parameters of a call, by name.
///
/// Lists and maps are spelt in the names, counted from one: `Tags.member.2.Key`, `Attributes.entry.1.key` with
/// `Attributes.entry.1.value`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::server) struct Form {
    values: BTreeMap<String, String>,
    trace_header: Option<String>,
}

impl Form {
    /// Reads a body of the type `application/x-www-form-urlencoded`.
    pub(in crate::server) fn parse(body: &[u8]) -> Self {
        Self { values: form_urlencoded::parse(body).into_owned().collect(), trace_header: None }
    }

    /// Adds what the call's header `X-Amzn-Trace-Id` says, which travels with what is published.
    pub(in crate::server) fn with_trace_header(mut self, header: Option<&str>) -> Self {
        self.trace_header = header.map(str::to_owned);
        self
    }

    pub(super) fn trace_header(&self) -> Option<&str> {
        self.trace_header.as_deref()
    }

    /// A parameter's value, which may be empty.
    pub(in crate::server) fn value(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// A parameter that has to be there.
    pub(super) fn required(&self, name: &str) -> Result<&str, ServiceError> {
        let path = || name[..1].to_lowercase() + &name[1..];
        self.value(name).ok_or_else(|| missing(&path()))
    }

    /// The values of a list of texts.
    pub(super) fn texts(&self, list: &str) -> Vec<&str> {
        let prefix = format!("{list}.member.");
        let value = |number| self.value(&format!("{prefix}{number}"));
        self.numbers(&prefix).into_iter().filter_map(value).collect()
    }

    /// The elements of a list of structures, each as a form of its own.
    pub(super) fn members(&self, list: &str) -> Vec<Self> {
        self.structures(&format!("{list}.member."))
    }

    /// The entries of a map, each as a form of its own: `key` and `value`, in some maps `Name` and `Value`.
    pub(super) fn entries(&self, map: &str) -> Vec<Self> {
        self.structures(&format!("{map}.entry."))
    }

    /// A map from texts to texts.
    pub(super) fn texts_by_key(&self, map: &str) -> BTreeMap<String, String> {
        let pair = |entry: Self| Some((entry.value("key")?.to_owned(), entry.value("value")?.to_owned()));
        self.entries(map).into_iter().filter_map(pair).collect()
    }

    fn structures(&self, prefix: &str) -> Vec<Self> {
        let structure = |number| self.under(&format!("{prefix}{number}."));
        self.numbers(prefix).into_iter().map(structure).collect()
    }

    /// The numbers that follow `prefix`, in their order.
    fn numbers(&self, prefix: &str) -> BTreeSet<usize> {
        let number = |rest: &str| rest.split('.').next()?.parse().ok();
        self.rests(prefix).filter_map(|(rest, _)| number(rest)).collect()
    }

    /// The parameters whose names begin with `prefix`, under what is left of their names.
    fn under(&self, prefix: &str) -> Self {
        let values = self.rests(prefix).map(|(rest, value)| (rest.to_owned(), value.clone())).collect();
        Self { values, trace_header: self.trace_header.clone() }
    }

    fn rests<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a str, &'a String)> {
        let from = self.values.range(prefix.to_owned()..);
        from.map_while(move |(name, value)| Some((name.strip_prefix(prefix)?, value)))
    }
}

#[cfg(test)]
mod tests {
    use super::Form;

    #[test]
    fn lists_and_maps_are_read_in_the_order_of_their_numbers() {
        let form = Form::parse(
            b"L.member.10=ten&L.member.2=a%26+b&M.entry.1.key=k&M.entry.1.value=v&S.member.1.Id=x&S.member.1.N.member.1=y&Sx=z",
        );
        assert_eq!(form.texts("L"), ["a& b", "ten"]);
        assert_eq!(form.texts_by_key("M").into_iter().collect::<Vec<_>>(), [("k".into(), "v".into())]);
        let members = form.members("S");
        assert_eq!((members.len(), members[0].value("Id"), members[0].texts("N")), (1, Some("x"), vec!["y"]));
    }
}
