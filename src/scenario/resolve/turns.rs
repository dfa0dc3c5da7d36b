//! The list of turns, read one by one; what each says is not held against the rules here.

use super::cast::{BOT, Cast, OPPONENT};
use super::turn_text::{self, Written, WrittenDeed};
use crate::diagnostic::{Diagnostic, Faults, Span, suggest, visible};
use crate::protocol::Said;
use crate::rules::{Roll, Seat};
use crate::scenario::Side;
use crate::scenario::parse::{Key, Node, Value};

/// The most steps that a scenario may have.
pub(super) const MOST_STEPS: usize = 10_000;

const PLAY: &str = "play";
const TO_THE_END: &str = "to the end";

/// A step as it is written.
pub(super) enum WrittenStep {
    Turn(WrittenTurn),
    PlayToTheEnd(Span),
    /// There is a fault in it by which not even the seat is known.
    Unreadable,
}

/// A turn as it is written.
pub(super) struct WrittenTurn {
    /// Where it stands, its key included.
    pub(super) span: Span,
    /// Whose it is, and where that is written.
    pub(super) seat: Written<Seat>,
    /// `None` in a game without rolls, and where it could not be read.
    pub(super) roll: Option<Written<Roll>>,
    /// `None` where it could not be read.
    pub(super) deed: Option<WrittenDeed>,
}

/// The entries of the list, no more than [`MOST_STEPS`].
pub(super) fn entries<'n>(node: &'n Node, faults: &Faults<'_>) -> Option<&'n [Node]> {
    let entries = node.as_list(faults)?;
    let source = faults.source();
    if entries.is_empty() {
        let fault = Diagnostic::error("scenario/no-turns", "a scenario needs at least one turn");
        faults.push(
            fault.at(source, node.span, "").help("write one line a turn, such as `- first: 0 0 1 1 > 3`"),
        );
    }
    if let Some(surplus) = entries.get(MOST_STEPS) {
        let title = format!("a scenario has at most {MOST_STEPS} turns");
        let fault = Diagnostic::error("scenario/too-many-turns", title);
        let help = "split it into several scenarios, or end it with `- play: to the end`";
        faults.push(fault.at(source, source.first_line(surplus.span), "one too many").help(help));
    }
    Some(&entries[..entries.len().min(MOST_STEPS)])
}

/// The key under which the first turn stands, where there is one.
pub(super) fn first_key(entries: &[Node]) -> Option<&str> {
    let Value::Map(entries) = &entries.first()?.value else { return None };
    entries.first().map(|(key, _)| key.text.as_str())
}

/// Reads one entry of the list.
pub(super) fn step(node: &Node, is_last: bool, cast: &Cast, faults: &Faults<'_>) -> WrittenStep {
    let source = faults.source();
    let Value::Map(entries) = &node.value else {
        let title = "a turn begins with who plays it";
        let fault = Diagnostic::error("turn/form", title).at(
            source,
            source.first_line(node.span),
            format!("this is {}", node.kind()),
        );
        faults.push(fault.help(format!("write `- {}: {}`", cast.key(Seat::First), example(cast))));
        return WrittenStep::Unreadable;
    };
    let mut known = entries.iter().filter(|(key, _)| key.text == PLAY || cast.seat(&key.text).is_some());
    let chosen = known.next();
    let faults_before = faults.len();
    for (key, _) in known {
        let title = "a turn is one player's; the next one has its own line";
        let fault = Diagnostic::error("turn/form", title).at(source, key.span, "one too many");
        faults.push(fault.help(format!("write `- {}: …` on a line of its own", visible::plain(&key.text))));
    }
    if faults.len() > faults_before {
        return WrittenStep::Unreadable;
    }
    let mut meant = None;
    for entry @ (key, _) in entries {
        if key.text != PLAY && cast.seat(&key.text).is_none() {
            let key = refuse_key(key, cast, faults);
            meant = meant.or(key.map(|key| (key, entry)));
        }
    }
    match (chosen, meant) {
        (Some((key, value)), _) if key.text == PLAY => play(key, value, node.span, is_last, faults),
        (Some((key, value)), _) => turn(&key.text, key.span, value, node.span, cast, faults),
        (None, Some((PLAY, (key, value)))) => play(key, value, node.span, is_last, faults),
        (None, Some((meant, (key, value)))) => turn(meant, key.span, value, node.span, cast, faults),
        (None, None) => WrittenStep::Unreadable,
    }
}

/// Refuses a key that no step has, and gives the one that was meant.
fn refuse_key(key: &Key, cast: &Cast, faults: &Faults<'_>) -> Option<&'static str> {
    let keys = [cast.keys()[0], cast.keys()[1], PLAY];
    let title = format!("there is no key `{}` in a turn", visible::plain(&key.text).at_most(40));
    let fault = Diagnostic::error("yaml/unknown-key", title).at(faults.source(), key.span, "not known here");
    let (meant, fault) = match (cast.translated(&key.text), cast.side) {
        (Some(meant), Side::Bot) => {
            let note = format!("in a scenario for a bot, turns are `{BOT}:` or `{OPPONENT}:`");
            (Some(meant), fault.note(note).help(format!("write `{meant}`")))
        }
        (Some(_), Side::Referee) => {
            let help = format!("in a scenario for a referee, write `{}` or `{}`", keys[0], keys[1]);
            (None, fault.help(help))
        }
        (None, _) => match suggest(&key.text, keys) {
            Some(near) => (keys.into_iter().find(|key| *key == near), fault.help(format!("write `{near}`"))),
            None => (None, fault.help(format!("a turn is `{}: …` or `{}: …`", keys[0], keys[1]))),
        },
    };
    faults.push(fault);
    meant
}

fn play(key: &Key, value: &Node, span: Span, is_last: bool, faults: &Faults<'_>) -> WrittenStep {
    let source = faults.source();
    let Some(text) = value.as_line(faults) else { return WrittenStep::Unreadable };
    if text.trim() != TO_THE_END {
        let fault = Diagnostic::error("turn/play", "a game can be played only `to the end`");
        faults.push(fault.at(source, value.span, "").help(format!("write `{PLAY}: {TO_THE_END}`")));
        return WrittenStep::Unreadable;
    }
    if !is_last {
        let fault =
            Diagnostic::error("turn/play-not-last", "nothing can follow a game that is played to the end");
        let help = "put it last, or remove the turns after it";
        faults.push(fault.at(source, key.span.to(value.span), "turns follow this").help(help));
        return WrittenStep::Unreadable;
    }
    WrittenStep::PlayToTheEnd(span)
}

fn turn(
    key: &str,
    key_span: Span,
    value: &Node,
    span: Span,
    cast: &Cast,
    faults: &Faults<'_>,
) -> WrittenStep {
    let Some(is) = cast.seat(key) else { return WrittenStep::Unreadable };
    let seat = Written { is, span: key_span };
    match turn_text::read(value, is, cast, faults) {
        Some(text) => {
            let deed = text.deed.and_then(|deed| allowed(deed, text.roll.as_ref(), is, cast, faults));
            WrittenStep::Turn(WrittenTurn { span, seat, roll: text.roll, deed })
        }
        None => WrittenStep::Turn(WrittenTurn { span, seat, roll: None, deed: None }),
    }
}

/// The deed, unless it is none that this player can be told to do.
fn allowed(
    deed: WrittenDeed,
    roll: Option<&Written<Roll>>,
    seat: Seat,
    cast: &Cast,
    faults: &Faults<'_>,
) -> Option<WrittenDeed> {
    let source = faults.source();
    let any = cast.written(roll.map(|roll| roll.is), "any");
    match (&deed, cast.side) {
        (WrittenDeed::Any { span, .. }, Side::Referee) => {
            let fault = Diagnostic::error("turn/any", "a scenario for a referee says every move");
            let note = "urtext plays both players, so nobody is there to choose";
            faults.push(
                fault.at(source, *span, "").note(note).help(format!("write {}", cast.game().move_syntax())),
            );
            None
        }
        (WrittenDeed::Move { mv: Written { span, .. }, illegal: Some(_) } | WrittenDeed::Silent(span), _)
        | (WrittenDeed::Line { bytes: Written { span, .. }, .. }, _)
            if cast.is_subject(seat) =>
        {
            let fault = Diagnostic::error("turn/bot-move", "the bot under test cannot be made to do this");
            let help = match &deed {
                WrittenDeed::Silent(_) => format!("write `{any}`, or the roll alone where nothing can move"),
                _ => format!("write `{any}`"),
            };
            faults.push(
                fault.at(source, *span, "it chooses for itself, and is to choose a legal move").help(help),
            );
            None
        }
        (WrittenDeed::Line { bytes, illegal: None }, _) => {
            let title = "a line in quotation marks is for what loses the game, and then `illegal` follows it";
            let fault = Diagnostic::error("turn/line", title).at(source, bytes.span, "");
            let line = String::from_utf8_lossy(source.slice(bytes.span)).into_owned();
            faults.push(match cast.dialect.read_said(&bytes.is) {
                Said::Move(mv) => fault.help(format!(
                    "write the move without quotation marks: `{}`",
                    cast.game().format_move(mv)
                )),
                _ => fault.help(format!("write `{} illegal`", visible::plain(&line).at_most(60))),
            });
            None
        }
        _ => Some(deed),
    }
}

/// A turn to show how one is written.
fn example(cast: &Cast) -> String {
    match cast.game().kinds_of_roll().last() {
        Some(&roll) if cast.side == Side::Bot => cast.written(Some(roll), "any"),
        Some(&roll) => cast.written(Some(roll), "…"),
        None => "…".to_owned(),
    }
}
