//! Templates of commands, with placeholders such as `{port}`.

use std::collections::BTreeMap;
use std::fmt;

use crate::diagnostic::{Problem, suggest};
use crate::pack;
use crate::yaml::braces::{self, Piece};

/// The places that can be filled in a command for every game; `docs/urtext-yaml.md` describes them.
const PLACEHOLDERS: &[&str] = &[
    "host",
    "port",
    "spectator_port",
    "spectators",
    "timeout",
    "timeout_ms",
    "pace",
    "pace_ms",
    "first",
    "second",
    "game",
    "here",
    "rolls",
    "rolls_file",
    "setup",
    "seed",
    "seat_first",
    "seat_second",
    "pipe_in_first",
    "pipe_out_first",
    "pipe_in_second",
    "pipe_out_second",
    "pipe_in",
    "pipe_out",
];

/// Lists the placeholders for one text: first those of every game, then those of the packs.
pub fn placeholders() -> impl Iterator<Item = &'static str> {
    let of_games = pack::games().flat_map(|game| game.setup_keys());
    let of_games = of_games.map(|key| key.name);
    PLACEHOLDERS.iter().copied().chain(of_games)
}

/// The places that stand for a list of words, written with three points: `{seat_first...}`. The word in which such a place
/// stands is there once for each of them. A place for the words of a command stands alone in its word.
pub const LISTS: &[&str] = &[
    "seat_first",
    "seat_second",
    "seat_spectators",
    "pipe_out_spectators",
];

/// Follows the name of a place for a list, as in `{seat_spectators...}`.
const POINTS: &str = "...";

/// Values of the places, each by what stands between its braces: one text, or several for a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Values(BTreeMap<String, Vec<String>>);

impl Values {
    /// Sets what fills a place.
    pub fn insert(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.0.insert(name.into(), vec![value.into()]);
    }

    /// Adds values to a list, each of which fills its place once.
    pub fn extend_list(&mut self, name: &str, values: impl IntoIterator<Item = String>) {
        let list = self.0.entry(format!("{name}{POINTS}")).or_default();
        list.extend(values);
    }

    /// Returns the value of a placeholder; an unset value is empty.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        self.list(name).first().map_or("", String::as_str)
    }

    fn list(&self, place: &str) -> &[String] {
        self.0.get(place).map_or(&[], Vec::as_slice)
    }
}

impl<const N: usize> From<[(&str, String); N]> for Values {
    fn from(values: [(&str, String); N]) -> Values {
        let value = |(name, value): (&str, String)| (name.to_owned(), vec![value]);
        Values(values.map(value).into())
    }
}

/// A command: its words, with places like `{port}` inside them. There is no shell; a value never becomes two words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Template {
    words: Vec<Word>,
}

/// One text with places inside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// Text, and what stands between the braces of its places.
    pieces: Vec<Piece<String>>,
}

/// All places that can be filled, as they are written, for help texts.
#[must_use]
pub fn places() -> String {
    let single = placeholders().map(|name| format!("{{{name}}}"));
    let lists = LISTS.iter().map(|name| format!("{{{name}...}}"));
    single.chain(lists).collect::<Vec<_>>().join(" ")
}

impl Template {
    /// Reads the words of a command. `{{` stands for one brace; braces around anything but a lower-case word are text.
    ///
    /// # Errors
    /// The first place with an unknown name, or in a word where it cannot stand.
    pub fn parse<S: AsRef<str>>(words: &[S]) -> Result<Template, Problem> {
        let words = words
            .iter()
            .map(|word| Word::parse_in_list(word.as_ref(), &[]))
            .collect::<Result<_, _>>()?;
        Ok(Template { words })
    }

    /// A command of these words.
    #[must_use]
    pub fn of(words: Vec<Word>) -> Template {
        Template { words }
    }

    /// Returns true if the command has a placeholder of that name, for one text or for a list.
    #[must_use]
    pub fn takes(&self, placeholder: &str) -> bool {
        self.words.iter().any(|word| word.takes(placeholder))
    }

    /// The words with their places filled.
    #[must_use]
    pub fn fill(&self, values: &Values) -> Vec<String> {
        self.words
            .iter()
            .flat_map(|word| word.fill_all(values))
            .collect()
    }

    /// The first word, where it has no places but `{here}`, filled with the text given for it.
    #[must_use]
    pub fn program_from(&self, here: &str) -> Option<String> {
        self.words_from(here).next()?
    }

    /// The words, each as [`program_from`](Template::program_from) has the first.
    pub fn words_from(&self, here: &str) -> impl Iterator<Item = Option<String>> {
        let text = move |piece: &Piece<String>| match piece {
            Piece::Text(text) => Some(text.clone()),
            Piece::Name(place) => (place == "here").then(|| here.to_owned()),
        };
        let whole = move |word: &Word| word.pieces.iter().map(text).collect();
        self.words.iter().map(whole)
    }

    /// Returns the command without these placeholders: a word that is one of them is dropped with the option
    /// before it, and so is an option with such a value behind its `=`. `None` where such a place stands
    /// anywhere else.
    #[must_use]
    pub fn without(&self, places: &[&str]) -> Option<Template> {
        let mut words: Vec<Word> = Vec::new();
        for word in &self.words {
            let is_meant = |piece: &Piece<String>| {
                let place = piece.name();
                place.is_some_and(|place| places.contains(&place.as_str()))
            };
            match word.pieces.as_slice() {
                pieces if !pieces.iter().any(is_meant) => words.push(word.clone()),
                [_] => drop(words.pop_if(|before| before.is_option())),
                [Piece::Text(text), _] if text.starts_with('-') && text.ends_with('=') => {}
                _ => return None,
            }
        }
        Some(Template { words })
    }

    /// Has the program looked for in `{here}`, if it is a relative path.
    pub fn locate(&mut self) {
        let is_relative = |path: &str| path.contains('/') && !path.starts_with('/');
        if let Some(first) = self.words.first_mut()
            && first.text().is_some_and(is_relative)
        {
            let here = [Piece::Name("here".to_owned()), Piece::Text("/".to_owned())];
            first.pieces.splice(0..0, here);
        }
    }
}

impl fmt::Display for Template {
    /// Its words, with blanks between and the places in braces.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, word) in self.words.iter().enumerate() {
            if number > 0 {
                f.write_str(" ")?;
            }
            word.pieces.iter().try_for_each(|piece| match piece {
                Piece::Text(text) => f.write_str(text),
                Piece::Name(place) => write!(f, "{{{place}}}"),
            })?;
        }
        Ok(())
    }
}

impl Word {
    /// Returns true for an option without its value, such as `--timeout`.
    fn is_option(&self) -> bool {
        matches!(self.pieces.as_slice(), [Piece::Text(text)] if text.starts_with('-') && !text.contains('='))
    }

    /// Reads one text; `own` are the names of places beside [`placeholders`].
    ///
    /// # Errors
    /// The first place with an unknown name, or one that stands for a list.
    pub fn parse(text: &str, own: &[&str]) -> Result<Word, Problem> {
        let word = Word::parse_in_list(text, own)?;
        match word.list() {
            Some(place) => Err(Problem::new(format!(
                "{{{place}}} in `{text}` expands to a list, and this is one text"
            ))),
            None => Ok(word),
        }
    }

    /// Reads one word of a list, in which places for lists can stand.
    ///
    /// # Errors
    /// The first place with an unknown name, or the words of a command beside something else.
    pub fn parse_in_list(text: &str, own: &[&str]) -> Result<Word, Problem> {
        let pieces = braces::read(text, |inside| place(inside, own))?;
        let word = Word { pieces };
        let is_alone = |place: &&str| matches!(*place, "seat_first..." | "seat_second...");
        match word.list().filter(is_alone) {
            Some(place) if word.pieces.len() > 1 => Err(Problem::new(format!(
                "{{{place}}} in `{text}` expands to several words, and must be a word of its own"
            ))),
            _ => Ok(word),
        }
    }

    /// The text, where it has no places.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [] => Some(""),
            [Piece::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// Returns true if the word has a placeholder of that name.
    #[must_use]
    pub fn takes(&self, placeholder: &str) -> bool {
        let mut names = self.places().map(|place| place.trim_end_matches(POINTS));
        names.any(|name| name == placeholder)
    }

    /// The text with its places filled.
    #[must_use]
    pub fn fill(&self, values: &Values) -> String {
        self.fill_with(values, "")
    }

    fn fill_all(&self, values: &Values) -> Vec<String> {
        match self.list() {
            Some(place) => {
                let items = values.list(place).iter();
                items.map(|item| self.fill_with(values, item)).collect()
            }
            None => vec![self.fill(values)],
        }
    }

    fn fill_with(&self, values: &Values, item: &str) -> String {
        let fill = |piece: &Piece<String>| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Name(place) if place.ends_with(POINTS) => item.to_owned(),
            Piece::Name(place) => values.text(place).to_owned(),
        };
        self.pieces.iter().map(fill).collect()
    }

    fn list(&self) -> Option<&str> {
        self.places().find(|place| place.ends_with(POINTS))
    }

    fn places(&self) -> impl Iterator<Item = &str> {
        let places = self.pieces.iter().filter_map(Piece::name);
        places.map(String::as_str)
    }
}

/// The place that braces around `inside` are; nothing where they are text.
fn place(inside: &str, own: &[&str]) -> Result<Option<String>, Problem> {
    let list = inside.strip_suffix(POINTS);
    let name = list.unwrap_or(inside);
    if !is_name(name) {
        return Ok(None);
    }
    let mut known = LISTS.to_vec();
    if list.is_none() {
        known = placeholders().collect();
        known.extend(own);
    }
    if known.contains(&name) {
        return Ok(Some(inside.to_owned()));
    }
    let points = if list.is_some() { POINTS } else { "" };
    let meant = suggest(name, known).map(|meant| format!("{meant}{points}"));
    let own: String = own.iter().map(|name| format!(" {{{name}}}")).collect();
    let all = format!("the places are {}{own}", places());
    Err(braces::unknown(inside, meant.as_deref(), all))
}

/// Returns true if a text is a valid placeholder name: small letters and `_`.
pub(super) fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

#[cfg(test)]
#[path = "template_tests.rs"]
mod tests;
