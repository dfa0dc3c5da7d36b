//! The catalogue of requirements: ids, levels, and the sentences of the specifications they stand for.

mod role;

pub use role::{Role, Roles};

use std::collections::HashMap;
use std::fmt;
use std::sync::OnceLock;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::{Deserialize, Serialize};

/// Level of a requirement: how binding it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// A sentence says so.
    Must,
    /// It follows from a sentence by an inference that is written down; it fails like *must* and is named apart.
    Should,
    /// Allowed.
    May,
    /// Left open: a subject's choice is recorded and shown, not judged.
    Unspecified,
}

impl Level {
    /// All levels, the strictest first.
    pub const ALL: [Level; 4] = [Level::Must, Level::Should, Level::May, Level::Unspecified];
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Level::Must => "must",
            Level::Should => "should",
            Level::May => "may",
            Level::Unspecified => "unspecified",
        })
    }
}

/// The kind of participant that has to satisfy a requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Binds {
    /// The referee.
    Referee,
    /// A bot.
    Bot,
}

/// The part of a game that exercises a requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ExercisedBy {
    /// A line that is sent or received in a certain situation, or one that must not come in it.
    Line,
    /// The end of a game, or of a lane.
    Close,
    /// A timeout or a pace of a known length.
    Time,
    /// Format of lines: line endings, partial lines, encoding.
    Framing,
}

impl ExercisedBy {
    /// The word for it in a catalogue.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            ExercisedBy::Line => "line",
            ExercisedBy::Close => "close",
            ExercisedBy::Time => "time",
            ExercisedBy::Framing => "framing",
        }
    }
}

/// A sentence of a specification.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "a quote")]
pub struct Quote {
    /// The seed it stands in, by number.
    pub seed: String,
    /// The sentence, with its white space folded.
    pub says: String,
}

/// One normative sentence, or what follows from one, or what they leave open.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "a requirement")]
pub struct Requirement {
    /// Stable id, such as `ur/extra-turn/cell-8`.
    pub id: String,
    /// Level of the requirement.
    pub level: Level,
    /// The participants that have to satisfy the requirement.
    #[serde(default)]
    pub binds: Vec<Binds>,
    /// The sentence.
    #[serde(default)]
    pub says: String,
    /// The seed it stands in, by number.
    #[serde(default)]
    pub seed: String,
    /// The requirement in one line of our own words.
    pub summary: String,
    /// Inference from the quoted sentence, if the sentence does not state the requirement itself.
    pub inference: Option<String>,
    /// The open question, with its possible readings.
    pub open: Option<String>,
    /// Quotations of the rule from other seeds, or of their differences.
    #[serde(default)]
    pub also: Vec<Quote>,
    /// Reason why no scenario can check the requirement.
    pub unchecked: Option<String>,
    /// The part of a game that exercises the requirement, if a scenario can.
    pub exercised: Option<ExercisedBy>,
    /// The turn, the end or the setting that a scenario needs for that, in words that follow "it takes".
    pub needs: Option<String>,
    /// The parts that it plays in every game that has a requirement like it.
    #[serde(default)]
    pub role: Vec<Role>,
}

impl Requirement {
    /// The sentence as people read it, without the marks of formulas; empty if there is none.
    #[must_use]
    pub fn sentence(&self) -> String {
        self.says.replace(r"\\( ", "").replace(r" \\)", "")
    }

    /// Returns true if a subject has to satisfy it: at the levels *must* and *should*.
    #[must_use]
    pub fn is_binding(&self) -> bool {
        matches!(self.level, Level::Must | Level::Should)
    }
}

/// A requirement that is none any more.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "a requirement that went")]
pub struct GoneRequirement {
    /// Its id.
    pub id: String,
    /// Why it went, in words that follow a colon.
    pub why: String,
}

/// The requirements of one protocol.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "a catalogue of requirements")]
pub struct Catalogue {
    /// Name of the game.
    pub protocol: String,
    /// Titles of the seeds, by number.
    #[serde(default)]
    pub seeds: HashMap<String, String>,
    /// The command that judges the requirements if no scenario does: a protocol of finished games has no
    /// lanes to play on.
    pub judged: Option<String>,
    /// The requirements, in the order of the specification.
    pub requirements: Vec<Requirement>,
    /// Those that went: what names them is still understood.
    #[serde(default)]
    pub gone: Vec<GoneRequirement>,
}

impl Catalogue {
    /// Reads a catalogue from its text.
    ///
    /// # Errors
    /// Says what is wrong in one line, and at which line and column of the text, both from 1.
    pub fn read(text: &str) -> Result<Catalogue, (String, [u64; 2])> {
        serde_yaml::from_str(text).map_err(|error| {
            let says = error.without_snippet().to_string();
            let says = says.lines().next().unwrap_or_default();
            let says = says.split(" at line ").next().unwrap_or_default();
            let location = error.location();
            let place = location.map_or([1, 1], |place| [place.line(), place.column()]);
            (says.to_owned(), place)
        })
    }

    /// Returns the JSON Schema of a catalogue, for editors.
    #[must_use]
    pub fn schema() -> serde_json::Value {
        let generator = SchemaSettings::draft07().into_generator();
        generator.into_root_schema_for::<Catalogue>().to_value()
    }
}

/// The catalogue of one specification inside a program: a text that is read when it is first needed.
#[derive(Debug)]
pub struct Specification {
    text: &'static str,
    catalogue: OnceLock<Catalogue>,
    index: OnceLock<Index>,
}

#[derive(Debug)]
struct Index {
    roles: Roles,
    by_id: HashMap<&'static str, &'static Requirement>,
}

impl Specification {
    /// A catalogue by its text, in YAML.
    #[must_use]
    pub const fn new(text: &'static str) -> Specification {
        Specification {
            text,
            catalogue: OnceLock::new(),
            index: OnceLock::new(),
        }
    }

    /// Returns the catalogue.
    ///
    /// # Panics
    /// Panics if the text is no catalogue.
    pub fn catalogue(&self) -> &Catalogue {
        self.catalogue.get_or_init(|| {
            let catalogue = Catalogue::read(self.text);
            catalogue.unwrap_or_else(|(error, [line, _])| {
                panic!("a catalogue of requirements, line {line}: {error}")
            })
        })
    }

    /// Returns the requirements by their roles.
    ///
    /// # Panics
    /// Panics if a role that every game has is missing or given twice.
    pub fn roles(&'static self) -> &'static Roles {
        &self.index().roles
    }

    /// Returns the requirement of that id.
    pub fn find(&'static self, id: &str) -> Option<&'static Requirement> {
        self.index().by_id.get(id).copied()
    }

    fn index(&'static self) -> &'static Index {
        self.index.get_or_init(|| {
            let catalogue = self.catalogue();
            let of_entry = |entry: &'static Requirement| (entry.id.as_str(), entry);
            Index {
                roles: Roles::of(catalogue)
                    .unwrap_or_else(|error| panic!("a catalogue of requirements: {error}")),
                by_id: catalogue.requirements.iter().map(of_entry).collect(),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_an_unknown_word_for_what_exercises_a_requirement() {
        let unknown = "protocol: x\nseeds: {}\nrequirements: [{id: x, level: must, summary: x, exercised: luck}]\n";
        let error = serde_yaml::from_str::<Catalogue>(unknown)
            .unwrap_err()
            .to_string();
        assert!(error.contains("luck"), "{error}");
    }

    #[test]
    fn a_role_that_every_game_has_is_given_exactly_once() {
        let said = |requirements: &str| {
            let text = format!("protocol: x\nseeds: {{}}\nrequirements: [{requirements}]\n");
            let catalogue: Catalogue = serde_yaml::from_str(&text).unwrap();
            Roles::of(Box::leak(Box::new(catalogue))).unwrap_err()
        };
        let entry =
            |id: &str, role: &str| format!("{{id: {id}, level: may, summary: x, role: [{role}]}}");
        assert_eq!(
            said(&entry("x/a", "newline")),
            "x: no requirement has the role `greeting-ends`"
        );
        let twice = [entry("x/a", "greeting-ends"), entry("x/b", "greeting-ends")].join(", ");
        assert_eq!(said(&twice), "x: x/a and x/b have the role `greeting-ends`");
    }
}
