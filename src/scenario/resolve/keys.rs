//! The keys of a scenario beside its turns, one row for each, and the kinds of their values. The rules between keys are in `header`.

use std::time::Duration;

use serde_json::{Value as Json, json};

use super::cases::CaseKeys;
use super::lines::steps_shape;
use super::turns::turns_shape;
use crate::diagnostic::{Faults, Span, suggest, visible};
use crate::pack::{self, Protocol};
use crate::rules::{Game, Setup, SetupKey};
use crate::scenario::keys::{PlanKeys, ScenarioKeys};
use crate::scenario::{LineEnd, Side};
use crate::yaml::{At, Entry, Key, Keys, Kind, Node, Number, Row, Value, keys, scalar};

/// The most spectators that a scenario may ask for.
pub(crate) const MOST_SPECTATORS: u64 = 16;

keys! {
    /// The keys of a scenario of a game.
    #[derive(Debug, Default)]
    pub(in crate::scenario) struct GameKeys in "a scenario" {
        /// The keys of every scenario
        part "head" => head: HeadKeys;
        /// Bots, required: the seat, by its name in the game
        optional "seat" => seat: Entry as seat_shape;
        /// Ids of requirements, the main one first, see [Checks](#checks)
        required "checks" => checks: Option<Ids<true>>;
        /// The keys that the game keeps
        part "plan" => plan: PlanKeys;
        /// Referees: the number of spectators; default 1
        optional "spectators" => spectators: Option<Number<0, MOST_SPECTATORS>>;
        /// The timeout of the game; up to `1h`
        optional "timeout" => timeout: Option<At<Time>> where |time: &At<Time>| up_to_an_hour(time.is);
        /// The pace of the game; the game limits it
        optional "pace" => pace: Option<At<Time>>;
        /// The keys that every scenario keeps
        part "scenario" => scenario: ScenarioKeys;
        /// The keys that fix what chance would decide
        part "setup" => setup: SetupKeys;
        /// The game, see [Turns](#turns); at most 10,000 turns
        required "turns" => turns: Entry as turns_shape;
        /// The keys that make many scenarios of one file
        part "cases" => cases: CaseKeys;
    }
}

keys! {
    /// The keys of a dialogue.
    #[derive(Debug, Default)]
    pub(in crate::scenario) struct DialogueKeys in "a scenario of lines" {
        /// The keys of every scenario
        part "head" => head: HeadKeys;
        /// Ids of requirements of the file `requirements.yaml` next to the scenario, the main one first
        optional "checks" => checks: Option<Ids<false>>;
        /// The names of the participants, one word each
        optional "participants" => participants: Entry as Vec::<String>::shape;
        /// The end of each line, sent and received
        optional "line-end" => line_end: Option<LineEnd>;
        /// The keys that every scenario keeps
        part "scenario" => scenario: ScenarioKeys;
        /// The steps, in order
        required "steps" => steps: Entry as steps_shape;
        /// The keys that make many scenarios of one file
        part "cases" => cases: CaseKeys;
    }
}

keys! {
    /// The keys of every scenario.
    #[derive(Debug, Default)]
    pub(in crate::scenario) struct HeadKeys in "a scenario" {
        /// The title, one line
        required "scenario" => title: Option<String> where |title: &String| has_words(title);
        /// The game, by its name or an alias
        required "game" => game: Option<Protocol>;
        /// The side under test
        required "subject" => side: Option<Side>;
    }
}

/// Value that leaves a setting to the subject.
const DEFAULT: &str = "default";

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
    fn read(node: &Node, faults: &Faults) -> Option<Protocol> {
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
        let title = format!("there is no game `{}`", visible::short(name));
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

/// Returns the shape of the name of a seat, which the game has to know.
pub(super) fn seat_shape() -> Json {
    json!({"enum": seats()})
}

/// Returns all names of seats, of all games.
pub(super) fn seats() -> Vec<&'static str> {
    let mut seats: Vec<_> = pack::games().flat_map(|game| game.seat_names()).collect();
    seats.sort_unstable();
    seats.dedup();
    seats
}

/// Ids of requirements, which the game has to know, or the file next to a dialogue.
#[derive(Debug, Default)]
pub(super) struct Ids<const OF_GAME: bool>(pub(super) Vec<At<String>>);

impl<const OF_GAME: bool> Kind for Ids<OF_GAME> {
    fn read(node: &Node, faults: &Faults) -> Option<Ids<OF_GAME>> {
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

/// A time that the subject is started with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Time {
    /// This one.
    Said(Duration),
    /// The subject's own default.
    Default,
}

/// Refuses a timeout that is too short or too long.
pub(super) fn up_to_an_hour(time: Time) -> Result<(), [&'static str; 3]> {
    const LONGEST: Duration = Duration::from_secs(60 * 60);
    match time {
        Time::Said(time) if time.is_zero() || time > LONGEST => Err([
            "scenario/timeout",
            "a timeout is longer than nothing and at most 1h",
            "write another, such as `2s`",
        ]),
        _ => Ok(()),
    }
}

impl Kind for Time {
    fn read(node: &Node, faults: &Faults) -> Option<Time> {
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

/// The keys by which a scenario of a game fixes what chance would decide, with their values, in the order of the game.
#[derive(Debug, Default)]
pub(super) struct SetupKeys(pub(super) Vec<Option<(Key, Node)>>);

/// The keys of the game that a scenario names: no other game has them.
fn keys_of(scenario: &Node) -> &'static [SetupKey] {
    let name = scenario.entry("game").and_then(|(_, node)| node.text());
    let game = name.and_then(pack::game);
    game.map_or(&[], |game| game.setup_keys())
}

impl SetupKeys {
    /// The keys that fix a setup of this game.
    pub(super) fn of(game: &dyn Game, setup: Setup) -> SetupKeys {
        let texts = game.setup_texts(setup).into_iter();
        let entry = |(key, text): (&SetupKey, String)| {
            let (span, name) = (Span::default(), key.name.to_owned());
            Some((Key { span, text: name }, Node::of_text(&text)))
        };
        SetupKeys(game.setup_keys().iter().zip(texts).map(entry).collect())
    }
}

impl Keys for SetupKeys {
    fn rows(of: Option<&Node>) -> Vec<Row> {
        let keys: Vec<&SetupKey> = match of {
            Some(node) => keys_of(node).iter().collect(),
            None => pack::games().flat_map(|game| game.setup_keys()).collect(),
        };
        let row = |key: &SetupKey| Row {
            says: key.due.into(),
            ..Row::optional(key.name, String::shape)
        };
        keys.into_iter().map(row).collect()
    }

    fn take(node: &Node, _: &Faults) -> SetupKeys {
        let keys = keys_of(node).iter();
        SetupKeys(keys.map(|key| node.entry(key.name).cloned()).collect())
    }

    fn write(&self, keys: &mut Vec<(String, String)>) {
        let entries = self.0.iter().flatten();
        let texts =
            entries.filter_map(|(key, node)| Some((key.text.clone(), scalar(node.text()?))));
        keys.extend(texts);
    }
}
