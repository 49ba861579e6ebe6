//! The account token of a line that need not be well-formed otherwise.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

/// Reads `aid` from the start of a JSON object, as far as the object is sound.
pub(crate) fn readable_aid(line: &str) -> Option<String> {
    let mut found = None;
    // An error after the token was found does not matter, and before that it leaves nothing found.
    drop(serde_json::Deserializer::from_str(line).deserialize_map(Seek(&mut found)));
    found
}

struct Seek<'a>(&'a mut Option<String>);

impl<'de> Visitor<'de> for Seek<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with an aid")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<Cow<'_, str>>()? {
            if key == "aid" {
                *self.0 = Some(map.next_value()?);
                return Ok(());
            }
            map.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_read_from_what_is_malformed_behind_it() {
        for line in
            [r#"{"aid":"a"}"#, r#"{"sid":[{}],"aid":"a","#, r#"{"aid":"a","aid":7}"#, r#"{"aid":"a"}}}"#]
        {
            assert_eq!(readable_aid(line).as_deref(), Some("a"), "{line}");
        }
    }

    #[test]
    fn nothing_is_read_from_what_has_no_token() {
        for line in
            ["", "7", "[]", "{", r#"{"aid":7}"#, r#"{"aid":null}"#, r#"{"sid":}"aid":"a"}"#, r#"["aid","a"]"#]
        {
            assert_eq!(readable_aid(line), None, "{line}");
        }
    }
}
