//! The list of turns, read one by one; what each says is not held against the rules here.

use super::adaptive::{self, MOVER};
use super::budget::Budget;
use super::forms::ANY;
use super::matchup::{BOT, Matchup, OPPONENT};
use super::turn::{BESIDE, TurnReader};
use crate::diagnostic::{Diagnostic, Faults, Span, suggest, visible};
use crate::rules::Seat;
use crate::scenario::{Side, Step, StepKind};
use crate::yaml::{Key, Node, Value};

/// The most steps that a scenario may have.
pub(super) const MOST_STEPS: usize = 10_000;

const PLAY: &str = "play";
/// The key of an entry that stands for the turns of a file.
pub(super) const INCLUDE: &str = "include";
const TO_THE_END: &str = "to the end";

/// The keys of an entry beside those of the players.
pub(in crate::scenario) const TURN_KEYS: [&str; 7] = {
    let [send, then, silent, meanwhile] = BESIDE;
    [PLAY, MOVER, INCLUDE, send, then, silent, meanwhile]
};

/// The entries of the list, no more than [`MOST_STEPS`].
pub(super) fn entries<'n>(node: &'n Node, faults: &Faults<'_>) -> Option<&'n [Node]> {
    let is_null = matches!(node.value, Value::Null | Value::Scalar(_));
    let entries = if is_null { &[] } else { node.as_list(faults)? };
    if entries.is_empty() {
        let help = "add one line for each turn below `turns:`, such as `- first: 0 0 1 1 > 3`";
        faults.refuse(
            "scenario/no-turns",
            "a scenario needs at least one turn",
            node.span,
            "",
            help,
        );
    }
    if is_null {
        return None;
    }
    if let Some(surplus) = entries.get(MOST_STEPS) {
        refuse_surplus(surplus, faults);
    }
    Some(&entries[..entries.len().min(MOST_STEPS)])
}

/// Refuses a turn that is one too many.
pub(super) fn refuse_surplus(node: &Node, faults: &Faults<'_>) {
    let title = format!("a scenario has at most {MOST_STEPS} turns");
    let help = "split it into several scenarios, or end it with `- play: to the end`";
    let source = faults.source();
    faults.refuse(
        "scenario/too-many-turns",
        title,
        source.first_line(node.span),
        "one too many",
        help,
    );
}

/// The key under which the first turn stands, where there is one.
pub(super) fn first_key(entries: &[Node]) -> Option<&str> {
    let Value::Map(entries) = &entries.first()?.value else {
        return None;
    };
    entries.first().map(|(key, _)| key.text.as_str())
}

/// Reads one entry of the list.
pub(super) fn step(
    node: &Node,
    is_last: bool,
    matchup: &Matchup,
    budget: &Budget,
    faults: &Faults<'_>,
) -> Option<Step> {
    let (word, (key, value), beside) = parts(node, matchup, faults)?;
    if word != PLAY {
        let turn = TurnReader {
            beside: &beside,
            matchup,
            budget,
            faults,
        };
        let seat = match word {
            MOVER => None,
            _ => Some(matchup.seat(word)?),
        };
        return turn.read(seat, key, value);
    }
    if let Some((key, _)) = beside.first() {
        let title = format!("`{}` belongs to the turn of a player", key.text);
        faults.refuse("turn/form", title, key.span, "", "remove it");
        return None;
    }
    let is_until = value.as_line(faults).is_some_and(adaptive::is_until);
    match is_until {
        true => adaptive::until(key, value, matchup, faults),
        false => play(key, value, node.span, is_last, faults),
    }
}

/// The key by which an entry is known, the pair of that key, and the pairs beside it.
type Parts<'n> = (&'n str, &'n (Key, Node), Vec<&'n (Key, Node)>);

fn parts<'n>(node: &'n Node, matchup: &Matchup, faults: &Faults<'_>) -> Option<Parts<'n>> {
    let refuse_form = |label: String| {
        let title = "a turn begins with who plays it";
        let place = faults.source().first_line(node.span);
        let help = format!(
            "write `- {}: {}`",
            matchup.key(Seat::First),
            example(matchup)
        );
        faults.refuse("turn/form", title, place, label, help);
        None
    };
    let Value::Map(entries) = &node.value else {
        return refuse_form(format!("this is {}", node.kind()));
    };
    let begins =
        |key: &Key| [PLAY, MOVER].contains(&key.text.as_str()) || matchup.seat(&key.text).is_some();
    let mut known = entries.iter().filter(|(key, _)| begins(key));
    let chosen = known.next();
    let faults_before = faults.len();
    for (key, _) in known {
        let title = "a turn is one player's; the next one has its own line";
        faults.refuse(
            "turn/form",
            title,
            key.span,
            "one too many",
            format!(
                "write `- {}: …` on a line of its own",
                visible::plain(&key.text)
            ),
        );
    }
    if faults.len() > faults_before {
        return None;
    }
    let mut meant = None;
    let (mut beside, mut is_unreadable) = (Vec::new(), false);
    for entry @ (key, _) in entries {
        if BESIDE.contains(&key.text.as_str()) {
            beside.push(entry);
        } else if !begins(key) {
            match refuse_key(key, matchup, faults) {
                Some(word) if !BESIDE.contains(&word) => meant = meant.or(Some((word, entry))),
                _ => is_unreadable = true,
            }
        }
    }
    match (chosen, meant) {
        (Some(entry @ (key, _)), _) => Some((key.text.as_str(), entry, beside)),
        (None, Some((word, entry))) => Some((word, entry, beside)),
        (None, None) if is_unreadable => None,
        (None, None) => refuse_form(String::new()),
    }
}

/// Refuses a key that no step has, and gives the one that was meant.
fn refuse_key(key: &Key, matchup: &Matchup, faults: &Faults<'_>) -> Option<&'static str> {
    let [one, other] = matchup.keys();
    let keys: Vec<&'static str> = [one, other].into_iter().chain(TURN_KEYS).collect();
    let title = format!(
        "there is no key `{}` in a turn",
        visible::plain(&key.text).at_most(40)
    );
    let fault = Diagnostic::error("yaml/unknown-key", title).at(
        faults.source(),
        key.span,
        "not known here",
    );
    let (meant, fault) = match (matchup.translated(&key.text), matchup.side) {
        (Some(meant), Side::Bot) => {
            let note = format!("in a scenario for a bot, turns are `{BOT}:` or `{OPPONENT}:`");
            (
                Some(meant),
                fault.note(note).help(format!("write `{meant}`")),
            )
        }
        (Some(_), Side::Referee) => {
            let help = format!(
                "in a scenario for a referee, write `{}` or `{}`",
                keys[0], keys[1]
            );
            (None, fault.help(help))
        }
        (None, _) => match suggest(&key.text, keys.iter().copied()) {
            Some(near) => (
                keys.into_iter().find(|key| *key == near),
                fault.help(format!("write `{near}`")),
            ),
            None => (
                None,
                fault.help(format!("a turn is `{}: …` or `{}: …`", keys[0], keys[1])),
            ),
        },
    };
    faults.push(fault);
    meant
}

fn play(key: &Key, value: &Node, span: Span, is_last: bool, faults: &Faults<'_>) -> Option<Step> {
    let text = value.as_line(faults)?;
    if text.trim() != TO_THE_END {
        let title = "a game is played `to the end`, or `until` something can be done";
        let help =
            format!("write `{PLAY}: {TO_THE_END}`, or such as `{PLAY}: until {MOVER} can capture`");
        faults.refuse("turn/play", title, value.span, "", help);
        return None;
    }
    if !is_last {
        let help = "put it last, or remove the turns after it";
        faults.refuse(
            "turn/play-not-last",
            "nothing can follow a game that is played to the end",
            key.span.to(value.span),
            "turns follow this",
            help,
        );
        return None;
    }
    let kind = StepKind::PlayToTheEnd;
    Some(Step { span, kind })
}

/// A turn to show how one is written.
fn example(matchup: &Matchup) -> String {
    match matchup.game().kinds_of_roll().last() {
        Some(&roll) if matchup.side == Side::Bot => matchup.written(Some(roll), ANY),
        Some(&roll) => matchup.written(Some(roll), "…"),
        None => "…".to_owned(),
    }
}
