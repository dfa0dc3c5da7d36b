//! Kinds of values of a scenario's keys.

use std::time::Duration;

use serde_json::{Value as Json, json};

use super::cases::{NAME, SPELLING, is_name};
use crate::diagnostic::{Faults, Span, suggest, visible};
use crate::pack::{self, Protocol};
use crate::protocol::LaneKind;
use crate::rules::{Game, PerSeat, Setup, SetupKey};
use crate::scenario::Writes;
use crate::yaml::shape::{Mapping, described};
use crate::yaml::{
    At, Key, Keys, Kind, Later, MapReader, Node, Scalar, Value, Words, list, scalar,
};

/// Value that leaves a setting to the subject.
const DEFAULT: &str = "default";

/// The longest name of a player, in bytes.
const LONGEST_NAME: usize = 1024;

/// Refuses a title without a word.
pub(super) fn has_words(title: &str) -> Result<(), [&'static str; 3]> {
    match title.trim() {
        "" => Err([
            "scenario/title",
            "the title is empty",
            "say in a few words what is played",
        ]),
        _ => Ok(()),
    }
}

/// A game by its name; where the name is not known, the game that was probably meant.
impl Kind for Protocol {
    fn read(node: &Node, faults: &Faults<'_>) -> Option<Protocol> {
        let name = node.as_line(faults)?;
        if let Some(known) = Protocol::of_game(name) {
            return Some(known);
        }
        let meant = suggest(name, Protocol::game_words());
        let help = match meant {
            Some(meant) => format!("write `{meant}`"),
            None => {
                let known = Protocol::game_names().filter_map(Protocol::of_game);
                let known =
                    known.map(|known| format!("`{}` ({})", known.game_name(), known.title()));
                format!("known are {}", known.collect::<Vec<_>>().join(", "))
            }
        };
        let title = format!("there is no game `{}`", visible::plain(name).at_most(40));
        faults.refuse("file/unknown-game", title, node.span, "", help);
        Protocol::of_game(meant?)
    }

    fn shape() -> Json {
        json!({"enum": Protocol::game_words().collect::<Vec<_>>()})
    }

    fn written(&self) -> Option<String> {
        Some(self.game_name().to_owned())
    }

    fn example() -> Option<&'static str> {
        Some(pack::usual().game.name())
    }
}

/// The name of a seat, which the game has to know.
#[derive(Debug)]
pub(in crate::scenario) struct SeatName;

impl Later for SeatName {
    fn form() -> Json {
        json!({"enum": seats()})
    }
}

/// Returns all names of seats, of all games.
pub(in crate::scenario) fn seats() -> Vec<&'static str> {
    let mut seats: Vec<_> = pack::games().flat_map(|game| game.seat_names()).collect();
    seats.sort_unstable();
    seats.dedup();
    seats
}

/// Ids of requirements, which the game has to know, or the file next to a dialogue.
#[derive(Debug, Default)]
pub(in crate::scenario) struct Ids<const OF_GAME: bool>(pub(in crate::scenario) Vec<At<String>>);

impl<const OF_GAME: bool> Kind for Ids<OF_GAME> {
    fn read(node: &Node, faults: &Faults<'_>) -> Option<Ids<OF_GAME>> {
        let entries = node.as_list(faults)?;
        if entries.is_empty() {
            let title = "a scenario has to check at least one requirement";
            let help = "write the id of one, such as those that `urtext requirements` lists";
            faults.refuse("scenario/no-checks", title, node.span, "", help);
        }
        let ids = entries.iter().filter_map(|entry| At::read(entry, faults));
        Some(Ids(ids.collect()))
    }

    fn shape() -> Json {
        if !OF_GAME {
            return Vec::<String>::shape();
        }
        let requirements = pack::catalogues().flat_map(|catalogue| &catalogue.requirements);
        let checked = requirements.filter(|requirement| requirement.unchecked.is_none());
        let ids: Vec<_> = checked.map(|requirement| requirement.id.as_str()).collect();
        json!({"type": "array", "items": {"enum": ids}})
    }

    fn written(&self) -> Option<String> {
        Kind::written(&self.0)
    }
}

/// The names of the players: two different names of one line each.
impl Kind for PerSeat<String> {
    fn read(node: &Node, faults: &Faults<'_>) -> Option<PerSeat<String>> {
        let help = "write both, the first player's first: `names: [Ada, Bob]`";
        let entries = node.as_list(faults)?;
        let [first, second] = entries else {
            let title = "two names are due, one for each player";
            let label = format!("these are {}", entries.len());
            faults.refuse("scenario/names", title, node.span, label, help);
            return None;
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

fn name(node: &Node, faults: &Faults<'_>) -> Option<String> {
    let refuse = |title: &str, label: String, help| {
        faults.refuse("scenario/names", title, node.span, label, help);
        None
    };
    // A number may well be a name, and so may nothing between quotation marks: only null is refused.
    let Value::Scalar(Scalar { .. }) = &node.value else {
        let label = format!("this is {}", node.kind());
        return refuse("a name is due here", label, "write a text on one line");
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
    const WORDS: &'static [(&'static str, Writes)] =
        &[("split", Writes::Split), ("joined", Writes::Joined)];
}

impl Words for LaneKind {
    const WORDS: &'static [(&'static str, LaneKind)] = &[
        ("player", LaneKind::Player),
        ("spectator", LaneKind::Spectator),
    ];
}

/// A time that the subject is started with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::scenario) enum Time {
    /// This one.
    Said(Duration),
    /// The subject's own default.
    Default,
}

impl Kind for Time {
    fn read(node: &Node, faults: &Faults<'_>) -> Option<Time> {
        match &node.value {
            Value::Scalar(scalar) if scalar.text == DEFAULT => Some(Time::Default),
            _ => node.as_duration(faults).map(Time::Said),
        }
    }

    fn shape() -> Json {
        json!({"anyOf": [Duration::shape(), {"enum": [DEFAULT]}]})
    }

    fn written(&self) -> Option<String> {
        match self {
            Time::Said(time) => time.written(),
            Time::Default => Some(DEFAULT.to_owned()),
        }
    }
}

/// The words by which a scenario can be selected, each once.
#[derive(Debug, Clone, Default)]
pub struct Tags(pub Vec<String>);

impl Kind for Tags {
    fn read(node: &Node, faults: &Faults<'_>) -> Option<Tags> {
        let mut tags: Vec<String> = Vec::new();
        for entry in node.as_list(faults)? {
            let Some(tag) = entry.as_line(faults) else {
                continue;
            };
            if !is_name(tag) {
                let title = format!("`{}` is no tag", visible::plain(tag).at_most(40));
                faults.refuse("scenario/tag", title, entry.span, "", SPELLING);
            } else if tags.iter().any(|known| known == tag) {
                let title = format!("`{tag}` stands here twice");
                faults.refuse("scenario/tag", title, entry.span, "", "remove one");
            } else {
                tags.push(tag.to_owned());
            }
        }
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

/// The keys by which a scenario of a game fixes what chance would decide, with their values, in the order of the game.
#[derive(Debug, Default)]
pub(in crate::scenario) struct SetupKeys(pub(in crate::scenario) Vec<Option<(Key, Node)>>);

/// The rows of the game by its name, as it is written: no other game has them.
fn rows(game: Option<&Node>) -> &'static [SetupKey] {
    match game.map(|node| &node.value) {
        Some(Value::Scalar(name)) => pack::game(&name.text).map_or(&[], |game| game.setup_keys()),
        _ => &[],
    }
}

impl SetupKeys {
    /// The keys that fix a setup of this game.
    pub(in crate::scenario) fn of(game: &dyn Game, setup: Setup) -> SetupKeys {
        let texts = game.setup_texts(setup).into_iter();
        let entry = |(key, text): (&SetupKey, String)| {
            let (span, name) = (Span::default(), key.name.to_owned());
            Some((Key { span, text: name }, Node::of_text(&text)))
        };
        SetupKeys(game.setup_keys().iter().zip(texts).map(entry).collect())
    }
}

impl Keys for SetupKeys {
    fn ask(keys: &mut MapReader<'_, '_>) {
        for key in rows(keys.optional("game")) {
            keys.optional(key.name);
        }
    }

    fn take(node: &Node, _: &Faults<'_>) -> SetupKeys {
        let rows = rows(node.entry("game").map(|(_, node)| node)).iter();
        SetupKeys(rows.map(|key| node.entry(key.name).cloned()).collect())
    }

    fn add(mapping: Mapping) -> Mapping {
        let rows = pack::games().flat_map(|game| game.setup_keys());
        rows.fold(mapping, |mapping, key| {
            mapping.optional(key.name, described(key.due, String::shape()))
        })
    }

    fn write(&self, keys: &mut Vec<(String, String)>) {
        let entries = self.0.iter().flatten();
        let texts =
            entries.filter_map(|(key, node)| Some((key.text.clone(), scalar(node.text()?))));
        keys.extend(texts);
    }
}
