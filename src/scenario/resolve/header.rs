//! The keys of a scenario beside its turns.

use serde_json::{Value as Json, json};

use super::cases::{SPELLING, is_name};
use super::matchup::{BOT, Matchup, OPPONENT};
use crate::diagnostic::{Diagnostic, Faults, Span, counted, suggest, visible};
use crate::pack::{self, Protocol};
use crate::protocol::LaneKind;
use crate::rules::{Game, PerSeat, Seat, Setup};
use crate::scenario::{PlannedGame, Side, Writes};
use crate::yaml::{Key, Kind, MapReader, Node, Number, Scalar, Value, Words};

/// The most spectators that a scenario may ask for.
pub(crate) const MOST_SPECTATORS: u64 = 16;
/// The most games that such a scenario may ask for.
pub(in crate::scenario) const MOST_ATTEMPTS: u64 = 1000;
/// The longest name of a player, in bytes.
const LONGEST_NAME: usize = 1024;

/// Reads the scenario's title, one line of text.
pub(super) fn title(node: &Node, faults: &Faults<'_>) -> Option<String> {
    let text = node.as_line(faults)?;
    if text.trim().is_empty() {
        faults.refuse(
            "scenario/title",
            "the title is empty",
            node.span,
            "",
            "say in a few words what is played",
        );
        return None;
    }
    Some(text.trim().to_owned())
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
}

/// Reads the side under test; if that fails, derives the side from the form of the turns.
pub(super) fn side(
    node: Option<&Node>,
    first_key: Option<&str>,
    faults: &Faults<'_>,
) -> Option<Side> {
    let named = node.and_then(|node| Side::read(node, faults));
    named.or_else(|| match first_key? {
        BOT | OPPONENT => Some(Side::Bot),
        _ => Some(Side::Referee),
    })
}

/// The seat of the bot under test; where it cannot be read, the one that fits the first turn.
pub(super) fn seat(
    entry: Option<&(Key, Node)>,
    root: Span,
    side: Side,
    game: &'static dyn Game,
    first_key: Option<&str>,
    faults: &Faults<'_>,
) -> Seat {
    let names = game.seat_names();
    let fitting = || {
        let begins = game.table(Setup::default()).to_move();
        if first_key == Some(OPPONENT) {
            begins.other()
        } else {
            begins
        }
    };
    match (side, entry) {
        (Side::Referee, None) => Seat::First,
        (Side::Referee, Some((key, node))) => {
            let title = "a scenario for a referee has no `seat`: urtext plays both players";
            faults.refuse(
                "scenario/seat",
                title,
                key.span.to(node.span),
                "",
                "remove this line",
            );
            Seat::First
        }
        (Side::Bot, None) => {
            let title = "a scenario for a bot needs the key `seat`";
            let help = format!("write `seat: {}` or `seat: {}`", names[0], names[1]);
            let place = faults.source().first_line(root);
            faults.refuse(
                "yaml/missing-key",
                title,
                place,
                "not in this mapping",
                help,
            );
            fitting()
        }
        (Side::Bot, Some((_, node))) => {
            let name = node.as_one_of(&names, faults);
            Seat::BOTH
                .into_iter()
                .find(|seat| Some(names[seat.index()]) == name)
                .unwrap_or_else(fitting)
        }
    }
}

/// The words by which a scenario can be selected, each once.
pub(super) fn tags(node: &Node, faults: &Faults<'_>) -> Vec<String> {
    let mut tags: Vec<String> = Vec::new();
    for entry in node.as_list(faults).unwrap_or_default() {
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
    tags
}

/// Reads the number of spectators; a bot has none.
pub(super) fn spectators(
    entry: Option<&(Key, Node)>,
    matchup: &Matchup,
    faults: &Faults<'_>,
) -> u32 {
    match (matchup.side, entry) {
        (Side::Referee, None) => u32::from(matchup.dialect.has_spectators()),
        (Side::Bot, None) => 0,
        (Side::Referee, Some((key, node))) if !matchup.dialect.has_spectators() => {
            let title = format!("nobody watches {} in this protocol", matchup.game().title());
            faults.refuse(
                "scenario/spectators",
                title,
                key.span.to(node.span),
                "",
                "remove this line",
            );
            0
        }
        (Side::Bot, Some((key, node))) => {
            let title = "a scenario for a bot has no spectators: urtext is the referee";
            faults.refuse(
                "scenario/spectators",
                title,
                key.span.to(node.span),
                "",
                "remove this line",
            );
            0
        }
        (Side::Referee, Some((_, node))) => {
            let number = Number::<0, MOST_SPECTATORS>::read(node, faults);
            number.map_or(1, |number| number.0 as u32)
        }
    }
}

/// The writes by which a bot receives its lines.
pub(super) fn writes(entry: Option<&(Key, Node)>, side: Side, faults: &Faults<'_>) -> Writes {
    let Some((key, node)) = entry else {
        return Writes::Whole;
    };
    if side == Side::Referee {
        let title =
            "a scenario for a referee has no `writes`: each player sends what its turn says";
        let help = "remove this line; the key `send` of a turn sends parts of lines";
        faults.refuse("scenario/writes", title, key.span.to(node.span), "", help);
        return Writes::Whole;
    }
    Writes::read(node, faults).unwrap_or_default()
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

/// In which order players and spectators connect; all who are there from the beginning.
pub(super) fn connect(node: &Node, plan: &PlannedGame, faults: &Faults<'_>) -> Vec<LaneKind> {
    if plan.side == Side::Bot {
        let title = "in a scenario for a bot nobody connects to anything: urtext is the referee";
        faults.refuse("scenario/connect", title, node.span, "", "remove this line");
        return Vec::new();
    }
    let Some(entries) = node.as_list(faults) else {
        return Vec::new();
    };
    let order = entries
        .iter()
        .filter_map(|entry| LaneKind::read(entry, faults));
    let order: Vec<_> = order.collect();
    let watching = plan.spectators as usize - plan.late_spectators().count();
    let due = [(LaneKind::Player, 2), (LaneKind::Spectator, watching)];
    let named = |kind: LaneKind| order.iter().filter(|&&other| other == kind).count();
    if order.len() == entries.len() && due.iter().any(|&(kind, count)| named(kind) != count) {
        let watching_words = match watching {
            0 => "no spectator".to_owned(),
            _ => counted(watching, "spectator"),
        };
        let title =
            format!("the game begins with two players and {watching_words}, and here stand others");
        let usual: Vec<_> = ["player"; 2]
            .into_iter()
            .chain(std::iter::repeat_n("spectator", watching))
            .collect();
        let help = format!(
            "write these in the order that is meant: `[{}]`",
            usual.join(", ")
        );
        faults.refuse("scenario/connect", title, node.span, "", help);
    }
    order
}

/// The keys by which a scenario of this game fixes what chance would, with what stands there; asked of the game before it is known to be
/// spelt right, so that no other game has them.
pub(super) fn setup_entries<'n>(
    keys: &mut MapReader<'n, '_>,
    game: Option<&Node>,
) -> Vec<Option<&'n (Key, Node)>> {
    let Some(Value::Scalar(name)) = game.map(|node| &node.value) else {
        return Vec::new();
    };
    let Some(game) = pack::game(&name.text) else {
        return Vec::new();
    };
    game.setup_keys()
        .iter()
        .map(|(key, _)| keys.entry(key))
        .collect()
}

/// Reads the setup that the scenario fixes; `None` if it fixes nothing.
pub(super) fn setup(
    entries: &[Option<&(Key, Node)>],
    game: &dyn Game,
    faults: &Faults<'_>,
) -> Option<Setup> {
    let due = game.setup_keys();
    let (key, node) = entries.iter().flatten().next()?;
    if let Some((missing, due)) = due
        .iter()
        .zip(entries)
        .find(|(_, entry)| entry.is_none())
        .map(|(row, _)| *row)
    {
        let title = format!(
            "a scenario with the key `{}` needs the key `{missing}` as well",
            key.text
        );
        faults.refuse(
            "scenario/setup",
            title,
            key.span.to(node.span),
            "",
            format!("`{missing}:` is {due}"),
        );
        return None;
    }
    let nodes: Vec<&Node> = entries.iter().flatten().map(|(_, node)| node).collect();
    let texts: Option<Vec<&str>> = nodes.iter().map(|node| node.as_line(faults)).collect();
    match game.setup_of(&texts?) {
        Ok(setup) => Some(setup),
        Err(index) => {
            let (key, due) = due[index];
            let title = format!("this is not what `{key}` is");
            faults.refuse(
                "scenario/setup",
                title,
                nodes[index].span,
                "",
                format!("write {due}"),
            );
            None
        }
    }
}

/// Two different names of one line each.
pub(super) fn names(node: &Node, faults: &Faults<'_>) -> Option<PerSeat<String>> {
    let help = "write both, the first player's first: `names: [Ada, Bob]`";
    let entries = node.as_list(faults)?;
    let [first, second] = entries else {
        let title = "two names are due, one for each player";
        let label = format!("these are {}", entries.len());
        faults.refuse(
            "scenario/names",
            title,
            faults.source().first_line(node.span),
            label,
            help,
        );
        return None;
    };
    let [first_name, second_name] = [first, second].map(|node| name(node, faults));
    let (first_name, second_name) = (first_name?, second_name?);
    if first_name == second_name {
        let fault = Diagnostic::error("scenario/names", "the two players have the same name");
        let source = faults.source();
        faults.push(
            fault
                .at(source, second.span, "here again")
                .context(source, first.span, "first here")
                .help("write two different names, so that each line of the handshake tells them apart"),
        );
        return None;
    }
    Some(PerSeat([first_name, second_name]))
}

fn name(node: &Node, faults: &Faults<'_>) -> Option<String> {
    // A number may well be a name, and so may nothing between quotation marks: only null is refused.
    let text = match &node.value {
        Value::Scalar(Scalar { .. }) => node.as_line(faults)?,
        _ => {
            faults.refuse(
                "scenario/names",
                "a name is due here",
                node.span,
                format!("this is {}", node.kind()),
                "write a text on one line",
            );
            return None;
        }
    };
    if text.len() > LONGEST_NAME {
        let title = format!("a name has at most {LONGEST_NAME} bytes");
        faults.refuse(
            "scenario/names",
            &title,
            node.span,
            format!("these are {}", text.len()),
            "shorten it",
        );
        return None;
    }
    if text.contains('\0') {
        faults.refuse(
            "scenario/names",
            "a name cannot hold a NUL",
            node.span,
            "",
            "no program could be given such a name",
        );
        return None;
    }
    Some(text.to_owned())
}
