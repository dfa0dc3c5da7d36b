//! The keys that a scenario and its plan keep as they are written, and the kinds of their values.

use serde_json::{Value as Json, json};

use super::Writes;
use crate::diagnostic::{Faults, visible};
use crate::protocol::LaneKind;
use crate::rules::PerSeat;
use crate::yaml::{At, Kind, Node, Number, Words, keys, list};

/// The usual number of games of a scenario that depends on the course of the game.
const ATTEMPTS: u32 = 10;
/// The most games that a scenario may ask for.
const MOST_ATTEMPTS: u64 = 1000;

keys! {
    /// The keys of every scenario that it keeps as they are written.
    #[derive(Debug, Clone, Default)]
    pub struct ScenarioKeys in "a scenario" {
        /// Keeps the scenario out of normal runs, see [Slow scenarios](#slow-scenarios)
        optional "slow" => is_slow: bool;
        /// Words that select the scenario: small letters, digits and `-`
        optional "tags" => tags: Tags;
        /// A description, such as an issue; a failure names it
        optional "link" => link: Option<String>;
        /// The name of another golden transcript, see [Golden transcripts](#golden-transcripts)
        optional "golden" => golden: Option<At<GoldenName>>;
    }
}

keys! {
    /// The keys of a scenario of a game that its plan keeps as they are written.
    #[derive(Debug, Clone, Default)]
    pub struct PlanKeys in "a scenario" {
        /// The players' two names, `[Ada, Bob]`, each one line of at most 1024 bytes
        optional "names" => names: Option<PerSeat<String>>;
        /// Bots: `split` writes each line in two parts, 40 ms apart, the second part together with the beginning of the next line; `joined` writes all lines up to the bot's next turn at once; `apart` waits 200 ms after each line; default: each line whole
        optional "writes" => writes: Writes;
        /// Referees: the order in which the initial participants connect: `[spectator, player, player]`; default: players first. The referee may accept them on different ports in another order
        optional "connect" => connect: Option<Vec<LaneKind>>;
        /// The most games until one reaches the situation and exercises all `checks`, see [Adaptive turns](#adaptive-turns); default 10
        optional "attempts" => attempts: Option<Number<1, MOST_ATTEMPTS>>;
    }
}

impl PlanKeys {
    /// The most games until one meets the scenario's condition.
    #[must_use]
    pub fn attempts(&self) -> u32 {
        self.attempts.map_or(ATTEMPTS, |attempts| attempts.0 as u32)
    }
}

/// The longest name of a player, in bytes.
const LONGEST_NAME: usize = 1024;

/// The longest name of a case or of anything that is filled in.
const LONGEST_WORD: usize = 40;

/// Pattern of the names in braces, of cases and of tags, for editors.
pub(super) const NAME: &str = "^[a-z0-9][a-z0-9-]{0,39}$";

pub(super) const SPELLING: &str =
    "write a small letter or a digit, and after it small letters, digits and `-` as you like";

/// Returns true for a valid name in braces, which may become part of a file's name.
pub(super) fn is_name(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    text.len() <= LONGEST_WORD
        && text.bytes().next().is_some_and(is_plain)
        && text.bytes().all(|byte| is_plain(byte) || byte == b'-')
}

/// The names of the players: two different names of one line each.
impl Kind for PerSeat<String> {
    fn read(node: &Node, faults: &Faults) -> Option<PerSeat<String>> {
        let help = "write both, the first player's first: `names: [Ada, Bob]`";
        let entries = node.as_list(faults)?;
        let [first, second] = entries else {
            let title = "two names are due, one for each player";
            let label = format!("these are {}", entries.len());
            return faults.reject("scenario/names", title, node.span, label, help);
        };
        let [first_name, second_name] = [first, second].map(|node| name(node, faults));
        let (first_name, second_name) = (first_name?, second_name?);
        if first_name == second_name {
            let title = "the two players have the same name";
            let help =
                "write two different names, so that each line of the handshake tells them apart";
            faults.refuse_again("scenario/names", title, [first.span, second.span], help);
            return None;
        }
        Some(PerSeat([first_name, second_name]))
    }

    fn shape() -> Json {
        <Vec<String> as Kind>::shape()
    }

    fn written(&self) -> Option<String> {
        Some(list(&self.0))
    }
}

fn name(node: &Node, faults: &Faults) -> Option<String> {
    let refuse = |title: &str, label: String, help| {
        faults.reject("scenario/names", title, node.span, label, help)
    };
    let text = node.as_line(faults)?;
    if text.len() > LONGEST_NAME {
        let title = format!("a name has at most {LONGEST_NAME} bytes");
        return refuse(&title, format!("these are {}", text.len()), "shorten it");
    }
    if text.contains('\0') {
        let help = "no program could be given such a name";
        return refuse("a name cannot hold a NUL", String::new(), help);
    }
    Some(text.to_owned())
}

impl Words for Writes {
    const WORDS: &'static [(&'static str, Writes)] = &[
        ("split", Writes::Split),
        ("joined", Writes::Joined),
        ("apart", Writes::Apart),
    ];
}

impl Words for LaneKind {
    const WORDS: &'static [(&'static str, LaneKind)] = &[
        ("player", LaneKind::Player),
        ("spectator", LaneKind::Spectator),
    ];
}

/// Reads a list of words, each once. `no_word`: the code of a problem, what a text is that is no such word, and what to write instead.
pub(super) fn words(
    node: &Node,
    is_word: impl Fn(&str) -> bool,
    no_word: [&'static str; 3],
    faults: &Faults,
) -> Option<Vec<String>> {
    let [code, is_none, help] = no_word;
    let mut words: Vec<String> = Vec::new();
    for entry in node.as_list(faults)? {
        let Some(word) = entry.as_line(faults) else {
            continue;
        };
        let shown = visible::short(word);
        if !is_word(word) {
            let title = format!("`{shown}` {is_none}");
            faults.refuse(code, title, entry.span, "", help);
        } else if words.iter().any(|known| known == word) {
            let title = format!("`{shown}` stands here twice");
            faults.refuse(code, title, entry.span, "", "remove one");
        } else {
            words.push(word.to_owned());
        }
    }
    Some(words)
}

/// The words by which a scenario can be selected, each once.
#[derive(Debug, Clone, Default)]
pub struct Tags(pub Vec<String>);

impl Kind for Tags {
    fn read(node: &Node, faults: &Faults) -> Option<Tags> {
        let no_tag = ["scenario/tag", "is no tag", SPELLING];
        let tags = words(node, is_name, no_tag, faults)?;
        Some(Tags(tags))
    }

    fn shape() -> Json {
        let mut tag = String::shape();
        tag["pattern"] = json!(NAME);
        json!({"type": "array", "items": tag})
    }

    fn written(&self) -> Option<String> {
        (!self.0.is_empty()).then(|| list(&self.0))
    }
}

/// A file name for the golden transcript that stays in the folder it is taken from.
#[derive(Debug, Clone)]
pub struct GoldenName(pub String);

impl Kind for GoldenName {
    fn read(node: &Node, faults: &Faults) -> Option<GoldenName> {
        let text = node.as_line(faults)?;
        let Some(reason) = leads_out(text, &[".txt"]) else {
            return Some(GoldenName(text.to_owned()));
        };
        let title = format!("this cannot be the file of the golden transcript: {reason}");
        let help = "write a plain file name, such as `seed-example.txt`, or remove the line: the name follows from the scenario's";
        faults.reject("scenario/golden", title, node.span, "", help)
    }

    fn written(&self) -> Option<String> {
        self.0.written()
    }
}

/// Returns the reason why a path cannot name a file with one of these extensions below its base folder.
pub(super) fn leads_out(text: &str, endings: &[&str]) -> Option<&'static str> {
    let is_odd = |part: &str| part.is_empty() || part.starts_with('.');
    let is_absolute = text.starts_with('/') || text.as_bytes().get(1) == Some(&b':');
    Some(if is_absolute {
        "it is absolute"
    } else if text.contains('\\') || text.contains(visible::is_hostile) {
        "it holds a `\\`, or a character that cannot be seen"
    } else if text.split('/').any(is_odd) {
        "a part of it is empty or begins with `.`, and it must stay in its folder"
    } else if !endings.iter().any(|ending| text.ends_with(ending)) {
        if endings == [".txt"] {
            "it does not end with `.txt`"
        } else {
            "it does not end with `.yaml`"
        }
    } else if text.len() > 255 {
        "it is longer than 255 bytes"
    } else {
        return None;
    })
}
