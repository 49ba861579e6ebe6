//! The licences deny.toml allows, and whether a licence expression can be satisfied with them.

use anyhow::{Context, Result, anyhow, bail};
use serde::Deserialize;
use spdx::{Expression, Licensee, ParseMode, expression::ExpressionReq};

/// The licences under which a dependency may be used.
#[derive(Debug)]
pub(crate) struct AllowList(Vec<Licensee>);

/// What is read of deny.toml; the other tables are cargo-deny's alone.
#[derive(Deserialize)]
struct DenyFile {
    licenses: Licences,
}

/// The table `[licenses]`. A key that isn't named here is refused: it might change what is allowed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Licences {
    allow: Vec<String>,
    #[serde(rename = "unused-allowed-license")]
    _unused: Option<String>,
}

impl AllowList {
    /// Reads `licenses.allow` from the text of a deny.toml.
    ///
    /// # Errors
    /// When the list is missing, holds something that is not an SPDX licence, or stands beside a key unknown here.
    pub(crate) fn parse(deny_toml: &str) -> Result<Self> {
        let file: DenyFile = toml::from_str(deny_toml)?;
        let licence = |id: &String| Licensee::parse(id).with_context(|| format!("`{id}` is no SPDX licence"));
        Ok(Self(file.licenses.allow.iter().map(licence).collect::<Result<_>>()?))
    }

    /// Whether a package with this licence expression may be used.
    ///
    /// # Errors
    /// Says what is missing: the expression itself or the licences that would have to be allowed.
    pub(crate) fn judge(&self, expression: Option<&str>) -> Result<()> {
        let Some(text) = expression else { bail!("it states no licence expression") };
        let parsed = Expression::parse_mode(text, ParseMode::LAX)
            .with_context(|| format!("`{text}` can't be read"))?;
        let allowed = |needed: &spdx::LicenseReq| self.0.iter().any(|licence| licence.satisfies(needed));
        parsed
            .evaluate_with_failures(allowed)
            .map_err(|missing| anyhow!("`{text}` needs {}", names(&missing)))
    }
}

fn names(missing: &[&ExpressionReq]) -> String {
    let names: Vec<_> = missing.iter().map(|needed| format!("`{}`", needed.req)).collect();
    format!("{}, which deny.toml does not allow", names.join(" or "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(expression: &str) -> Result<(), String> {
        let deny = r#"
            [bans]
            multiple-versions = "warn"
            [licenses]
            allow = ["MIT", "Zlib", "Apache-2.0", "Apache-2.0 WITH LLVM-exception"]
        "#;
        AllowList::parse(deny).unwrap().judge(Some(expression)).map_err(|error| error.to_string())
    }

    #[test]
    fn one_allowed_licence_of_a_choice_is_enough() {
        assert_eq!(judge("GPL-3.0-only OR MIT"), Ok(()));
        assert_eq!(judge("Unlicense/MIT"), Ok(()), "the old spelling of OR");
    }

    #[test]
    fn every_licence_of_a_conjunction_is_needed() {
        assert_eq!(judge("MIT AND Zlib"), Ok(()));
        assert!(judge("MIT AND ISC").is_err());
        assert!(judge("(MIT OR Apache-2.0) AND Unicode-3.0").is_err());
    }

    #[test]
    fn an_exception_is_a_licence_of_its_own() {
        assert_eq!(judge("Apache-2.0 WITH LLVM-exception"), Ok(()));
        assert!(judge("MIT WITH LLVM-exception").is_err());
    }

    #[test]
    fn a_refusal_names_what_is_not_allowed() {
        let wanted = "`GPL-2.0-only` needs `GPL-2.0-only`, which deny.toml does not allow";
        assert_eq!(judge("GPL-2.0-only"), Err(wanted.to_owned()));
    }

    #[test]
    fn a_package_without_an_expression_or_with_an_unreadable_one_is_refused() {
        assert!(judge("MIT OR or").is_err());
        let all = AllowList::parse("licenses.allow = ['MIT']").unwrap();
        assert!(all.judge(None).is_err());
    }

    #[test]
    fn an_empty_list_allows_nothing() {
        assert!(AllowList::parse("licenses.allow = []").unwrap().judge(Some("MIT")).is_err());
    }

    #[test]
    fn a_list_that_is_missing_or_misspelt_or_stands_beside_an_unknown_key_is_refused() {
        assert!(AllowList::parse("").is_err());
        assert!(AllowList::parse("licenses.allow = ['MTI']").is_err());
        assert!(AllowList::parse("licenses = { allow = ['MIT'], exceptions = [] }").is_err());
    }
}
