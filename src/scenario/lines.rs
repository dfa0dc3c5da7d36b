//! `game: lines`: a dialogue without rules, scripted line by line by patterns such as `welcome {id}`, with golden transcripts as the only further oracle.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::{Deed, Side};
use crate::diagnostic::{Problem, Span};
use crate::protocol::{Line, LineEnding};
use crate::transcript::Close;
use crate::yaml::Words;
use crate::yaml::braces::{self, Piece};

/// The most bytes that it sends, with what was captured.
pub const MOST_SENT: usize = 16 * 1024 * 1024;

/// A dialogue, line by line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dialogue {
    /// Kind of subject.
    pub side: Side,
    /// Names of the participants, one lane each, in the order in which they connect.
    pub participants: Vec<String>,
    /// The end of each line, of those that urtext sends and of those that have to come.
    pub line_end: LineEnd,
    /// Ids of the requirements that it checks, the one that it exists for first.
    pub checks: Vec<&'static str>,
    /// Steps, in order.
    pub steps: Vec<LineStep>,
}

/// One step of a dialogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineStep {
    /// Span of the step.
    pub span: Span,
    /// The lanes of its participants; one of a deed, none of a repeat.
    pub lanes: Vec<usize>,
    /// Content of the step.
    pub what: LineAct,
}

/// Content of a step of a dialogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineAct {
    /// urtext's participant does this; captured names in what it sends are filled in.
    Does(Deed),
    /// These lines have to come, in any order among the lanes.
    Lines(Arc<Wanted>),
    /// The subject has to end its direction, by this kind of close where one is named.
    End(Option<Close>),
    /// Nothing may come for so long.
    Silence(Duration),
    /// These steps, so many times: once at least, and one step at least, so that going round always comes to something.
    Repeat {
        /// Number of repetitions.
        times: u64,
        /// The steps.
        steps: Vec<LineStep>,
    },
}

/// Lines that have to come, or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// How they have to come.
    pub how: Coming,
    /// The lines.
    pub lines: Vec<LinePattern>,
}

/// How lines have to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coming {
    /// One of them is the next line.
    AnyOf,
    /// They are the next lines, in any order.
    InAnyOrder,
    /// One of them comes; what comes before it passes by.
    Until,
    /// One of them may be the next line.
    Optional,
    /// None of them comes from now on.
    Never,
}

impl Words for Coming {
    const WORDS: &'static [(&'static str, Coming)] = &[
        ("any of", Coming::AnyOf),
        ("in any order", Coming::InAnyOrder),
        ("until", Coming::Until),
        ("optional", Coming::Optional),
        ("never", Coming::Never),
    ];
}

/// The end of the lines of a dialogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LineEnd {
    /// A line feed.
    #[default]
    Lf,
    /// A carriage return and a line feed.
    CrLf,
}

impl Words for LineEnd {
    const WORDS: &'static [(&'static str, LineEnd)] =
        &[("lf", LineEnd::Lf), ("crlf", LineEnd::CrLf)];
}

impl LineEnd {
    /// What stands between the text of a line and its line feed.
    #[must_use]
    pub fn before_newline(self) -> &'static str {
        match self {
            LineEnd::Lf => "",
            LineEnd::CrLf => "\r",
        }
    }
}

impl Wanted {
    /// Returns true if they have to come.
    #[must_use]
    pub fn is_due(&self) -> bool {
        !matches!(self.how, Coming::Optional | Coming::Never)
    }

    /// True if a line is whole and is one of these.
    #[must_use]
    pub fn fits(&self, line: &Line, known: &Captures) -> bool {
        let fits = |wanted: &LinePattern| wanted.fits(&line.text, known).is_some();
        line.ending == LineEnding::Newline && self.lines.iter().any(fits)
    }
}

/// The most places in a pattern.
const MOST_PLACES: usize = 16;

/// What places have taken, by their names.
pub type Captures = HashMap<String, Vec<u8>>;

/// A line with places. A name that was captured before has to be the same again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinePattern {
    /// Text and places, in order.
    pub parts: Vec<Piece<Place>>,
}

/// A place in a pattern, such as `{id}`, `{n:int}` or `{_}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Its name; [`Place::UNNAMED`] keeps nothing.
    pub name: String,
    /// What it takes.
    pub kind: PlaceKind,
}

/// What a place takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlaceKind {
    /// The shortest text that fits, also none.
    Text,
    /// The longest whole number that fits: digits, with or without a minus sign.
    Int,
    /// The longest text without white space that fits.
    Word,
}

impl Words for PlaceKind {
    const WORDS: &'static [(&'static str, PlaceKind)] =
        &[("int", PlaceKind::Int), ("word", PlaceKind::Word)];
}

impl PlaceKind {
    fn takes(self, byte: u8) -> bool {
        match self {
            PlaceKind::Text => true,
            PlaceKind::Int => byte.is_ascii_digit(),
            PlaceKind::Word => !byte.is_ascii_whitespace(),
        }
    }
}

impl Place {
    /// The name of a place that keeps nothing.
    pub const UNNAMED: &'static str = "_";

    /// Reads the text between the braces.
    ///
    /// # Errors
    /// It is no place.
    pub(super) fn parse(text: &str) -> Result<Place, Problem> {
        let (name, kind) = match text.split_once(':') {
            None => (text, Some(PlaceKind::Text)),
            Some((name, word)) => (name, PlaceKind::of(word)),
        };
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        if name.is_empty() || !name.bytes().all(is_part) {
            return Err(braces::no_name().help("a name is made of letters, digits and `_`"));
        }
        let kinds = format!("write `{{{name}}}`, `{{{name}:int}}` or `{{{name}:word}}`");
        let kind = kind.ok_or_else(|| braces::unknown(text, None, kinds))?;
        let name = name.to_owned();
        Ok(Place { name, kind })
    }

    /// Whether the place can begin at each position of the line, where what follows it can begin at those of `next`.
    fn begins(&self, line: &[u8], next: &[bool]) -> Vec<bool> {
        let mut begins = vec![false; line.len() + 1];
        if self.kind == PlaceKind::Text {
            begins[line.len()] = next[line.len()];
        }
        for at in (0..line.len()).rev() {
            begins[at] = match self.kind {
                PlaceKind::Text => next[at] || begins[at + 1],
                kind => kind.takes(line[at]) && (next[at + 1] || begins[at + 1]),
            };
        }
        if self.kind == PlaceKind::Int {
            for at in 1..line.len() {
                begins[at - 1] |= line[at - 1] == b'-' && begins[at];
            }
        }
        begins
    }

    /// The end of the place that begins at `at`, where what follows it can begin at those of `next`.
    fn end(&self, line: &[u8], at: usize, next: &[bool]) -> Option<usize> {
        if self.kind == PlaceKind::Text {
            return (at..=line.len()).find(|&end| next[end]);
        }
        let is_negative = self.kind == PlaceKind::Int && line[at] == b'-';
        let start = at + usize::from(is_negative);
        let taken = line[start..].iter().take_while(|&&b| self.kind.takes(b));
        let most = start + taken.count();
        (start + 1..=most).rev().find(|&end| next[end])
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind.word() {
            "" => f.write_str(&self.name),
            kind => write!(f, "{}:{kind}", self.name),
        }
    }
}

/// The text that a part has to be, if that is known.
fn text_of<'p>(part: &'p Piece<Place>, known: &'p Captures) -> Result<&'p [u8], &'p Place> {
    match part {
        Piece::Text(text) => Ok(text.as_bytes()),
        Piece::Name(place) => known.get(&place.name).map(Vec::as_slice).ok_or(place),
    }
}

impl LinePattern {
    /// Reads a pattern; `{{` stands for one brace.
    ///
    /// # Errors
    /// The first braces that are no place, or too many places.
    pub fn parse(text: &str) -> Result<LinePattern, Problem> {
        let parts = braces::read(text, |inside| Place::parse(inside).map(Some))?;
        let pattern = LinePattern { parts };
        if pattern.places().count() > MOST_PLACES {
            let title = format!("a line has at most {MOST_PLACES} places");
            return Err(Problem::new(title));
        }
        Ok(pattern)
    }

    /// The places, in order.
    pub fn places(&self) -> impl Iterator<Item = &Place> {
        self.parts.iter().filter_map(Piece::name)
    }

    /// Matches a line, and returns what its new names captured. The work grows with the length of the line and not faster.
    #[must_use]
    pub fn fits(&self, line: &[u8], known: &Captures) -> Option<Captures> {
        fits(&self.parts, line, known)
    }

    /// The pattern with what is known filled in, as a person would write it.
    #[must_use]
    pub fn shown(&self, known: &Captures) -> Vec<u8> {
        let mut shown = Vec::new();
        for part in &self.parts {
            match text_of(part, known) {
                Ok(text) => shown.extend_from_slice(text),
                Err(_) => shown.extend_from_slice(part.to_string().as_bytes()),
            }
        }
        shown
    }
}

/// Matches a line with these parts of a pattern, and returns what new names captured.
fn fits(parts: &[Piece<Place>], line: &[u8], known: &Captures) -> Option<Captures> {
    // From the last part to the first: the positions from which it and all after it fit.
    let mut fitting = vec![vec![false; line.len() + 1]];
    fitting[0][line.len()] = true;
    for part in parts.iter().rev() {
        let next = &fitting[fitting.len() - 1];
        fitting.push(match text_of(part, known) {
            Err(place) => place.begins(line, next),
            Ok(text) => {
                let is_there = |at: usize| {
                    next.get(at + text.len()) == Some(&true) && line[at..].starts_with(text)
                };
                (0..=line.len()).map(is_there).collect()
            }
        });
    }
    if !fitting.pop()?[0] {
        return None;
    }
    let mut taken = Captures::new();
    let mut at = 0;
    for (number, (part, next)) in parts.iter().zip(fitting.iter().rev()).enumerate() {
        let start = at;
        let place = match text_of(part, known) {
            Ok(text) => {
                at += text.len();
                continue;
            }
            Err(place) => place,
        };
        at = place.end(line, at, next)?;
        if place.name == Place::UNNAMED {
            continue;
        }
        taken.insert(place.name.clone(), line[start..at].to_vec());
        let rest = &parts[number + 1..];
        let mut others = rest.iter().filter_map(Piece::name);
        if others.any(|other| other.name == place.name) {
            // From here on it has to be the same text again.
            let mut known = known.clone();
            known.extend(taken.clone());
            taken.extend(fits(rest, &line[at..], &known)?);
            break;
        }
    }
    Some(taken)
}

impl fmt::Display for LinePattern {
    /// As a scenario has it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts.iter().try_for_each(|part| write!(f, "{part}"))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::case_files::assert_lines;

    #[test]
    fn a_place_takes_what_its_kind_says_and_a_known_name_the_same_again() {
        let known = [("id".to_owned(), b"7".to_vec())].into_iter().collect();
        assert_lines("line-patterns", |row| {
            let (pattern, line) = row.split_once(" | ").unwrap();
            let pattern = match LinePattern::parse(pattern) {
                Ok(pattern) => pattern,
                Err(problem) => return problem.to_string(),
            };
            let taken = pattern.fits(line.as_bytes(), &known);
            let text = |(name, text)| (name, String::from_utf8(text).unwrap());
            let sorted =
                |taken: HashMap<_, _>| taken.into_iter().map(text).collect::<BTreeMap<_, _>>();
            format!("{:?}", taken.map(sorted))
        });
    }
}
