//! One turn, read; what it says is not held against the rules here.

use super::matchup::Matchup;
use super::meanwhile;
use super::send_parts::{self, Budget};
use super::turn_text::{self, TurnText};
use super::written::{Written, WrittenAct, WrittenDeed, WrittenStep, WrittenTurn};
use crate::diagnostic::{Diagnostic, Faults, Span, visible};
use crate::protocol::PlayerLine;
use crate::rules::{Roll, Seat};
use crate::scenario::parse::{Key, Node, Value};
use crate::scenario::{SendPart, Side};

const SEND: &str = "send";
const THEN: &str = "then";
const SILENT: &str = "silent";
const UNTIL_THE_TIMEOUT: &str = "until the timeout";
const MEANWHILE: &str = "meanwhile";

/// The keys that can stand in a turn beside the player's.
pub(super) const BESIDE: [&str; 4] = [SEND, THEN, SILENT, MEANWHILE];

/// A turn that is being read.
pub(super) struct Turn<'t, 'f> {
    /// The keys beside the player's.
    pub(super) beside: &'t [&'t (Key, Node)],
    pub(super) matchup: &'t Matchup,
    pub(super) budget: &'t Budget,
    pub(super) faults: &'t Faults<'f>,
}

impl Turn<'_, '_> {
    pub(super) fn read(&self, word: &str, key: &Key, value: &Node) -> WrittenStep {
        let Some(is) = self.matchup.seat(word) else {
            return WrittenStep::Unreadable;
        };
        let seat = Written { is, span: key.span };
        // What is filled in, or named by an alias, stands elsewhere.
        let end = if value.span.start < key.span.end {
            key.span
        } else {
            value.span
        };
        let span = self.faults.source().first_line(key.span.to(end));
        let own = self.own_deed();
        let text = match own {
            Some(_) if value.value == Value::Null && !self.matchup.has_rolls() => {
                Some(TurnText::NOTHING)
            }
            _ => turn_text::read(value, is, self.matchup, self.faults),
        };
        let (roll, written) = match text {
            Some(text) => (text.roll, text.action),
            None => (None, None),
        };
        let action = match (own, written) {
            (None, written) => written,
            (Some((_, action)), Some(WrittenDeed::Skip)) => action,
            (Some((key, _)), Some(written)) => {
                let fault = Diagnostic::error("turn/form", "this turn says twice what is done");
                let source = self.faults.source();
                let place = written.span().unwrap_or(value.span);
                let fault = fault
                    .at(source, place, "here")
                    .context(source, key, "and here");
                self.faults.push(fault.help("remove one of them"));
                None
            }
            (Some(_), None) => None,
        };
        let meanwhile = self.meanwhile(action.as_ref());
        let action =
            action.and_then(|action| allowed(action, roll.as_ref(), is, self.matchup, self.faults));
        WrittenStep::Turn(Box::new(WrittenTurn {
            source: self.faults.source().clone(),
            span,
            shown: span,
            seat,
            roll,
            meanwhile,
            action,
        }))
    }

    fn entry(&self, key: &str) -> Option<&(Key, Node)> {
        self.beside
            .iter()
            .copied()
            .find(|(written, _)| written.text == key)
    }

    /// Reads an action that has its own key, with the key's span; the action is `None` if it cannot be read.
    fn own_deed(&self) -> Option<(Span, Option<WrittenDeed>)> {
        let source = self.faults.source();
        let refuse = |title: &str, span: Span, help: &str| {
            self.faults.push(
                Diagnostic::error("turn/form", title)
                    .at(source, span, "")
                    .help(help),
            );
        };
        let then = self.entry(THEN);
        match (self.entry(SEND), self.entry(SILENT)) {
            (Some((key, value)), None) => {
                let sent = send_parts::read(value, self.budget, self.faults);
                let way = then.map(|(_, then)| meanwhile::leaving(then, self.faults));
                let action = match (sent, way) {
                    (Some(sent), None) => Some(sent),
                    (Some(mut sent), Some(Some(way))) => {
                        sent.is.push(SendPart::Leave(way));
                        Some(sent)
                    }
                    _ => None,
                };
                Some((key.span, action.map(WrittenDeed::Send)))
            }
            (send, silent) => {
                if let Some((key, _)) = then {
                    refuse(
                        "`then` says what follows `send`",
                        key.span,
                        "write `> hang up` after the roll",
                    );
                }
                let (key, value) = silent?;
                if send.is_some() {
                    refuse(
                        "who is silent sends nothing",
                        key.span,
                        "remove `send` or `silent`",
                    );
                    return Some((key.span, None));
                }
                let is_spelt = value
                    .as_line(self.faults)
                    .map(|text| text.trim() == UNTIL_THE_TIMEOUT);
                if is_spelt == Some(false) {
                    let help = format!("write `{SILENT}: {UNTIL_THE_TIMEOUT}`");
                    refuse(
                        "a player can be silent only until the timeout",
                        value.span,
                        &help,
                    );
                }
                let span = key.span.to(value.span);
                Some((
                    key.span,
                    (is_spelt == Some(true)).then_some(WrittenDeed::Silent(span)),
                ))
            }
        }
    }

    fn meanwhile(&self, action: Option<&WrittenDeed>) -> Vec<WrittenAct> {
        let Some((key, value)) = self.entry(MEANWHILE) else {
            return Vec::new();
        };
        let source = self.faults.source();
        let fault =
            |title: &str| Diagnostic::error("turn/meanwhile", title).at(source, key.span, "");
        if self.matchup.side == Side::Bot {
            let note = "urtext is the referee there, and the bot sees nothing but its lines";
            self.faults.push(
                fault("nothing happens meanwhile in a scenario for a bot")
                    .note(note)
                    .help("remove it"),
            );
            return Vec::new();
        }
        if let Some(WrittenDeed::Skip) = action {
            let title = "a skipped turn is over with its roll, so nothing can happen meanwhile";
            self.faults
                .push(fault(title).help("put it into a turn in which somebody moves"));
            return Vec::new();
        }
        meanwhile::read(value, self.matchup, self.budget, self.faults)
    }
}

/// The deed, unless it is none that this player can be told to do.
fn allowed(
    action: WrittenDeed,
    roll: Option<&Written<Roll>>,
    seat: Seat,
    matchup: &Matchup,
    faults: &Faults<'_>,
) -> Option<WrittenDeed> {
    let source = faults.source();
    let any = matchup.written(roll.map(|roll| roll.is), "any");
    match (&action, matchup.side) {
        (WrittenDeed::Any { span, .. }, Side::Referee) => {
            let fault = Diagnostic::error("turn/any", "a scenario for a referee says every move");
            let note = "urtext plays both players, so nobody is there to choose";
            faults.push(
                fault
                    .at(source, *span, "")
                    .note(note)
                    .help(format!("write {}", matchup.game().move_syntax())),
            );
            None
        }
        (
            WrittenDeed::Move {
                mv: Written { span, .. },
                illegal: Some(_),
            }
            | WrittenDeed::Silent(span)
            | WrittenDeed::Line {
                bytes: Written { span, .. },
                ..
            }
            | WrittenDeed::Send(Written { span, .. })
            | WrittenDeed::Leave(Written { span, .. }),
            _,
        ) if matchup.is_subject(seat) => {
            let fault = Diagnostic::error(
                "turn/bot-move",
                "the bot under test cannot be made to do this",
            );
            let help = match &action {
                WrittenDeed::Silent(_) => {
                    format!("write `{any}`, or the roll alone where nothing can move")
                }
                _ => format!("write `{any}`"),
            };
            faults.push(
                fault
                    .at(
                        source,
                        *span,
                        "it chooses for itself, and is to choose a legal move",
                    )
                    .help(help),
            );
            None
        }
        (WrittenDeed::Line { bytes, fate: None }, _) => {
            let title = "a line in quotation marks is for what is no good move, and then `illegal` or `ignored` follows it";
            let fault = Diagnostic::error("turn/line", title).at(source, bytes.span, "");
            let line = String::from_utf8_lossy(source.slice(bytes.span)).into_owned();
            let line = visible::plain(&line).at_most(60);
            faults.push(match matchup.dialect.read_player_line(&bytes.is) {
                PlayerLine::Move(mv) => fault.help(format!(
                    "write the move without quotation marks: `{}`",
                    matchup.game().format_move(mv)
                )),
                PlayerLine::Ignored(_) => fault.help(format!("write `{line} ignored`")),
                _ => fault.help(format!("write `{line} illegal`")),
            });
            None
        }
        (WrittenDeed::Send(Written { is: parts, span }), Side::Bot) => {
            let (lines, _) = SendPart::lines(parts);
            let is_plain = parts.iter().all(|part| matches!(part, SendPart::Bytes(_)));
            if is_plain && lines.len() <= 1 {
                return Some(action);
            }
            let title =
                "the bot under test cannot see this: urtext is the referee, and takes one line";
            let help = "send one line or a part of one, without pauses, and let nothing follow it";
            faults.push(
                Diagnostic::error("turn/send", title)
                    .at(source, *span, "")
                    .help(help),
            );
            None
        }
        _ => Some(action),
    }
}
