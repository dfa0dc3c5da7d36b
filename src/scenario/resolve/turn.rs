//! One turn, read; what it says is not held against the rules here.

use super::budget::Budget;
use super::matchup::Matchup;
use super::meanwhile;
use super::send_parts;
use super::turn_text;
use crate::diagnostic::{Diagnostic, Faults, Span};
use crate::scenario::action_text::{ANY, SILENT};
use crate::scenario::{Act, Choice, PlayerAction, SendPart, Side, Step, StepKind, Turn, TurnPlace};
use crate::yaml::{Key, Node, Value};

const SEND: &str = "send";
const THEN: &str = "then";
const UNTIL_THE_TIMEOUT: &str = "until the timeout";
const MEANWHILE: &str = "meanwhile";

/// The keys that can stand in a turn beside the player's.
pub(super) const BESIDE: [&str; 4] = [SEND, THEN, SILENT, MEANWHILE];

/// A turn that is being read.
pub(super) struct TurnReader<'t, 'f> {
    /// The keys beside the player's.
    pub(super) beside: &'t [&'t (Key, Node)],
    pub(super) matchup: &'t Matchup,
    pub(super) budget: &'t Budget,
    pub(super) faults: &'t Faults<'f>,
}

impl TurnReader<'_, '_> {
    pub(super) fn read(&self, word: &str, key: &Key, value: &Node) -> Option<Step> {
        let seat = self.matchup.seat(word)?;
        // What is filled in, or named by an alias, stands elsewhere.
        let end = if value.span.start < key.span.end {
            key.span
        } else {
            value.span
        };
        let source = self.faults.source();
        let span = source.first_line(key.span.to(end));
        let own = self.own_action();
        let written = match own {
            Some(_) if value.value == Value::Null && !self.matchup.has_rolls() => {
                Some(Turn::new(seat, None, PlayerAction::Skip))
            }
            _ => turn_text::read(value, seat, self.matchup, self.faults),
        };
        let turn = match (own, written) {
            (None, written) => written,
            (Some((_, own)), Some(written)) if written.action == PlayerAction::Skip => {
                own.map(|(action, place)| Turn {
                    action,
                    at: TurnPlace {
                        roll: written.at.roll,
                        ..TurnPlace::new(source, place)
                    },
                    ..written
                })
            }
            (Some((key, _)), Some(written)) => {
                let fault = Diagnostic::error("turn/form", "this turn says twice what is done");
                let fault = fault
                    .at(source, written.at.action, "here")
                    .context(source, key, "and here");
                self.faults.push(fault.help("remove one of them"));
                None
            }
            (Some(_), None) => None,
        };
        let meanwhile = self.meanwhile(turn.as_ref().map(|turn| &turn.action));
        let mut turn = turn.filter(|turn| self.is_allowed(turn))?;
        turn.meanwhile = meanwhile;
        (turn.at.whole, turn.at.seat) = (span, key.span);
        if turn.action == PlayerAction::Skip {
            turn.at.action = span;
        }
        let kind = StepKind::Turn(turn);
        Some(Step { span, kind })
    }

    fn entry(&self, key: &str) -> Option<&(Key, Node)> {
        self.beside
            .iter()
            .copied()
            .find(|(written, _)| written.text == key)
    }

    /// Reads an action that has its own key: the key's span, and the action with its span, or `None` if it cannot be read.
    fn own_action(&self) -> Option<(Span, Option<(PlayerAction, Span)>)> {
        let then = self.entry(THEN);
        match (self.entry(SEND), self.entry(SILENT)) {
            (Some((key, value)), None) => {
                let sent = send_parts::read(value, self.budget, self.faults);
                let way = then.map(|(_, then)| meanwhile::leaving(then, self.faults));
                let parts = match (sent, way) {
                    (Some(sent), None) => Some(sent),
                    (Some(mut sent), Some(Some(way))) => {
                        sent.push(SendPart::Leave(way));
                        Some(sent)
                    }
                    _ => None,
                };
                let place = self.faults.source().first_line(value.span);
                let action = parts.map(|parts| (PlayerAction::Send(parts), place));
                Some((key.span, action))
            }
            (send, silent) => {
                if let Some((key, _)) = then {
                    self.faults.refuse(
                        "turn/form",
                        "`then` says what follows `send`",
                        key.span,
                        "",
                        "write `> hang up` after the roll",
                    );
                }
                let (key, value) = silent?;
                if send.is_some() {
                    self.faults.refuse(
                        "turn/form",
                        "who is silent sends nothing",
                        key.span,
                        "",
                        "remove `send` or `silent`",
                    );
                    return Some((key.span, None));
                }
                let is_spelt = value
                    .as_line(self.faults)
                    .map(|text| text.trim() == UNTIL_THE_TIMEOUT);
                if is_spelt == Some(false) {
                    let help = format!("write `{SILENT}: {UNTIL_THE_TIMEOUT}`");
                    self.faults.refuse(
                        "turn/form",
                        "a player can be silent only until the timeout",
                        value.span,
                        "",
                        help,
                    );
                }
                let span = key.span.to(value.span);
                let silent = (is_spelt == Some(true)).then_some((PlayerAction::Silent, span));
                Some((key.span, silent))
            }
        }
    }

    fn meanwhile(&self, action: Option<&PlayerAction>) -> Vec<Act> {
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
        if let Some(PlayerAction::Skip) = action {
            let title = "a skipped turn is over with its roll, so nothing can happen meanwhile";
            self.faults
                .push(fault(title).help("put it into a turn in which somebody moves"));
            return Vec::new();
        }
        meanwhile::read(value, self.matchup, self.budget, self.faults)
    }

    /// Returns false, with a fault, for an action that this player cannot be told to do.
    fn is_allowed(&self, turn: &Turn) -> bool {
        let (matchup, source) = (self.matchup, self.faults.source());
        let span = turn.at.action;
        let any = || matchup.written(turn.roll, ANY);
        let fault = match (&turn.action, matchup.side) {
            (PlayerAction::Move(Choice::Any { .. }), Side::Referee) => {
                let title = "a scenario for a referee says every move";
                Diagnostic::error("turn/any", title)
                    .at(source, span, "")
                    .note("urtext plays both players, so nobody is there to choose")
                    .help(format!("write {}", matchup.game().move_syntax()))
            }
            (PlayerAction::Move(_) | PlayerAction::Skip, _) => return true,
            (action, _) if matchup.is_subject(turn.seat) => {
                let title = "the bot under test cannot be made to do this";
                let label = "it chooses for itself, and is to choose a legal move";
                let help = match action {
                    PlayerAction::Silent => {
                        format!(
                            "write `{}`, or the roll alone where nothing can move",
                            any()
                        )
                    }
                    _ => format!("write `{}`", any()),
                };
                Diagnostic::error("turn/bot-move", title)
                    .at(source, span, label)
                    .help(help)
            }
            (PlayerAction::Send(parts), Side::Bot) => {
                let (lines, _) = SendPart::lines(parts);
                let is_plain = parts.iter().all(|part| matches!(part, SendPart::Bytes(_)));
                if is_plain && lines.len() <= 1 {
                    return true;
                }
                let title =
                    "the bot under test cannot see this: urtext is the referee, and takes one line";
                let help =
                    "send one line or a part of one, without pauses, and let nothing follow it";
                Diagnostic::error("turn/send", title)
                    .at(source, span, "")
                    .help(help)
            }
            _ => return true,
        };
        self.faults.push(fault);
        false
    }
}
