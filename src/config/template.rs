use std::collections::BTreeMap;

/// The places that can be filled in a command, with what stands there.
pub const PLACEHOLDERS: &[(&str, &str)] = &[
    ("port", "a free port for the players"),
    ("spectator_port", "a free port for the spectators"),
    ("spectators", "how many spectators will connect"),
    ("timeout", "the timeout for a move, in seconds"),
    ("pace", "the pace, in seconds"),
    ("first", "the name of the first player"),
    ("second", "the name of the second player"),
    ("rolls", "the forced rolls, as 0011 1111 0001"),
    ("rolls_file", "the path of a file with the forced rolls, one a line"),
    ("seed", "a number that changes from game to game"),
];

/// What fills the places, by name.
pub type Values = BTreeMap<&'static str, String>;

/// A command: its words, with places like `{port}` inside them. There is no shell; a value never becomes two words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    words: Vec<Vec<Piece>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    Place(&'static str),
}

/// Why a word is no template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A name between braces that means nothing.
    #[error("{{{name}}} in `{word}` is no place that can be filled{}", .meant.map(|meant| format!("; did you mean {{{meant}}}?")).unwrap_or_default())]
    Unknown {
        /// The word.
        word: String,
        /// The name.
        name: String,
        /// The known name that comes nearest.
        meant: Option<&'static str>,
    },
}

impl Template {
    /// Reads the words of a command. `{{` stands for one brace; braces around anything but a lower-case word are text.
    ///
    /// # Errors
    /// The first place with an unknown name.
    pub fn parse<S: AsRef<str>>(words: &[S]) -> Result<Template, Fault> {
        let words = words.iter().map(|word| parse_word(word.as_ref())).collect::<Result<_, _>>()?;
        Ok(Template { words })
    }

    /// Whether a place of that name is to be filled.
    #[must_use]
    pub fn takes(&self, placeholder: &str) -> bool {
        self.words.iter().flatten().any(|piece| matches!(piece, Piece::Place(name) if *name == placeholder))
    }

    /// The words with their places filled.
    #[must_use]
    pub fn fill(&self, values: &Values) -> Vec<String> {
        let fill = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Place(name) => values.get(name).cloned().unwrap_or_default(),
        };
        self.words.iter().map(|word| word.iter().map(fill).collect()).collect()
    }
}

fn parse_word(word: &str) -> Result<Vec<Piece>, Fault> {
    let mut pieces = Vec::new();
    let mut text = String::new();
    let mut rest = word;
    while let Some(at) = rest.find('{') {
        text.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix('{') {
            text.push('{');
            rest = after;
            continue;
        }
        let name = rest.split('}').next().filter(|name| name.len() < rest.len()).unwrap_or("");
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_') {
            text.push('{');
            continue;
        }
        let Some((known, _)) = PLACEHOLDERS.iter().find(|(known, _)| *known == name) else {
            let meant = crate::diagnostic::suggest(name, PLACEHOLDERS.iter().map(|(known, _)| *known));
            let meant = meant
                .and_then(|meant| PLACEHOLDERS.iter().map(|(known, _)| *known).find(|known| *known == meant));
            return Err(Fault::Unknown { word: word.to_owned(), name: name.to_owned(), meant });
        };
        if !text.is_empty() {
            pieces.push(Piece::Text(std::mem::take(&mut text)));
        }
        pieces.push(Piece::Place(known));
        rest = &rest[name.len() + 1..];
    }
    text.push_str(rest);
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    Ok(pieces)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fills_places_inside_words_and_never_splits_a_value() {
        let template =
            Template::parse(&["ref", "--listen=127.0.0.1:{port}", "{first}", "{{port}", "{\"a\": 1}"])
                .unwrap();
        let values = Values::from([("port", "4000".to_owned()), ("first", "a b; rm".to_owned())]);
        assert_eq!(
            template.fill(&values),
            ["ref", "--listen=127.0.0.1:4000", "a b; rm", "{port}", "{\"a\": 1}"]
        );
        assert!(template.takes("port") && !template.takes("second"));
    }

    #[test]
    fn names_the_place_that_was_meant() {
        let fault = Template::parse(&["--port", "{prot}"]).unwrap_err();
        assert_eq!(
            fault.to_string(),
            "{prot} in `{prot}` is no place that can be filled; did you mean {port}?"
        );
    }
}
