//! XML: the answers of the query protocol.

/// What is inside of an element.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Xml(String);

impl Xml {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// Adds an element that holds a text.
    pub(super) fn text(mut self, name: &str, text: &str) -> Self {
        self.open(name);
        escape(text, &mut self.0);
        self.close(name);
        self
    }

    /// Adds an element that holds a text, if there is one.
    pub(super) fn text_if(self, name: &str, text: Option<&str>) -> Self {
        match text {
            Some(text) => self.text(name, text),
            None => self,
        }
    }

    /// Adds a list of structures.
    pub(super) fn list(mut self, name: &str, members: impl IntoIterator<Item = Self>) -> Self {
        self.open(name);
        for member in members {
            self.element("member", &member);
        }
        self.close(name);
        self
    }

    /// Adds a map of texts.
    pub(super) fn map<'a>(
        mut self,
        name: &str,
        entries: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Self {
        self.open(name);
        for (key, value) in entries {
            self.element("entry", &Self::new().text("key", key).text("value", value));
        }
        self.close(name);
        self
    }

    pub(super) fn into_string(self) -> String {
        self.0
    }

    fn element(&mut self, name: &str, inside: &Self) {
        self.open(name);
        self.0.push_str(&inside.0);
        self.close(name);
    }

    fn open(&mut self, name: &str) {
        self.0.extend(["<", name, ">"]);
    }

    fn close(&mut self, name: &str) {
        self.0.extend(["</", name, ">"]);
    }
}

/// Writes a text so that a parser reads it byte for byte: a bare carriage return would come out as a line feed.
fn escape(text: &str, into: &mut String) {
    for character in text.chars() {
        match character {
            '&' => into.push_str("&amp;"),
            '<' => into.push_str("&lt;"),
            '>' => into.push_str("&gt;"),
            '"' => into.push_str("&quot;"),
            '\r' => into.push_str("&#xD;"),
            other => into.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Xml;

    #[test]
    fn texts_are_escaped_and_structures_are_members() {
        let xml =
            Xml::new().text("A", "<&>\"\r\n").list("L", [Xml::new().text("B", "1")]).map("M", [("k", "v")]);
        let expected = "<A>&lt;&amp;&gt;&quot;&#xD;\n</A><L><member><B>1</B></member></L>\
            <M><entry><key>k</key><value>v</value></entry></M>";
        assert_eq!(xml.into_string(), expected);
    }
}
