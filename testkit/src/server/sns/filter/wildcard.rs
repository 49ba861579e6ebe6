//! A pattern in which a star stands for any text.

/// The pieces between the stars; the first begins the text, the last ends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wildcard(Vec<String>);

impl Wildcard {
    /// Reads a pattern. A backslash before a star or a backslash takes its meaning away.
    ///
    /// # Errors
    /// Two stars in a row, or a backslash before anything else.
    pub(super) fn parse(pattern: &str) -> Result<Self, String> {
        if pattern.replace("\\\\", "").replace("\\*", "").contains("**") {
            return Err("Consecutive wildcard characters are not allowed".to_owned());
        }
        let (mut pieces, mut piece, mut characters) = (Vec::new(), String::new(), pattern.chars());
        while let Some(character) = characters.next() {
            match character {
                '*' => pieces.push(std::mem::take(&mut piece)),
                '\\' => match characters.next() {
                    Some(escaped @ ('*' | '\\')) => piece.push(escaped),
                    _ => return Err("Invalid escape character in wildcard pattern".to_owned()),
                },
                other => piece.push(other),
            }
        }
        pieces.push(piece);
        Ok(Self(pieces))
    }

    pub(super) fn matches(&self, text: &str) -> bool {
        let [first, between @ .., last] = self.0.as_slice() else {
            return self.0.first().is_some_and(|only| only == text);
        };
        let Some(mut rest) = text.strip_prefix(first.as_str()) else { return false };
        for piece in between {
            // The first place is as good as any: it leaves the most.
            let Some((_, after)) = rest.split_once(piece.as_str()) else { return false };
            rest = after;
        }
        rest.ends_with(last.as_str())
    }
}
