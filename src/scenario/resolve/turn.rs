//! One turn, read; what it says is not held against the rules here.

use super::budget::Budget;
use super::matchup::Matchup;
use super::meanwhile;
use super::places::{ActPlaces, PlacedAction, PlacedStep, Places, Spanned};
use super::send_parts;
use super::turn_text;
use crate::diagnostic::{Diagnostic, Faults, Span, visible};
use crate::protocol::PlayerLine;
use crate::rules::{Roll, Seat};
use crate::scenario::action_text::{ANY, IGNORED, ILLEGAL, SILENT};
use crate::scenario::{Act, Choice, PlayerAction, SendPart, Side, Step, StepKind, Turn};
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
    pub(super) fn read(&self, word: &str, key: &Key, value: &Node) -> Option<PlacedStep> {
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
        let (roll, written) = match own {
            Some(_) if value.value == Value::Null && !self.matchup.has_rolls() => {
                (None, Some(PlacedAction::skip()))
            }
            _ => turn_text::read(value, seat, self.matchup, self.faults),
        };
        let placed = match (own, written) {
            (None, written) => written,
            (Some((_, own)), Some(written)) if written.action == PlayerAction::Skip => own,
            (Some((key, _)), Some(written)) => {
                let fault = Diagnostic::error("turn/form", "this turn says twice what is done");
                let place = written.places.whole.unwrap_or(value.span);
                let fault = fault
                    .at(source, place, "here")
                    .context(source, key, "and here");
                self.faults.push(fault.help("remove one of them"));
                None
            }
            (Some(_), None) => None,
        };
        let meanwhile = self.meanwhile(placed.as_ref().map(|placed| &placed.action));
        let placed = placed.filter(|placed| self.is_allowed(placed, roll.as_ref(), seat));
        let (meanwhile, acts) = meanwhile.into_iter().unzip();
        let places = Places {
            source: source.clone(),
            step: span,
            seat: key.span,
            roll: roll.as_ref().map(|roll| roll.span),
            action: placed.as_ref().map(|placed| placed.places),
            acts,
        };
        let turn = Turn {
            seat,
            roll: roll.map(|roll| roll.is),
            meanwhile,
            action: placed.map_or(PlayerAction::ANY, |placed| placed.action),
        };
        let kind = StepKind::Turn(turn);
        let step = Step { span, kind };
        Some(PlacedStep { step, places })
    }

    fn entry(&self, key: &str) -> Option<&(Key, Node)> {
        self.beside
            .iter()
            .copied()
            .find(|(written, _)| written.text == key)
    }

    /// Reads an action that has its own key, with the key's span; the action is `None` if it cannot be read.
    fn own_action(&self) -> Option<(Span, Option<PlacedAction>)> {
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
                let placed =
                    action.map(|sent| PlacedAction::at(PlayerAction::Send(sent.is), sent.span));
                Some((key.span, placed))
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
                Some((
                    key.span,
                    (is_spelt == Some(true)).then(|| PlacedAction::at(PlayerAction::Silent, span)),
                ))
            }
        }
    }

    fn meanwhile(&self, action: Option<&PlayerAction>) -> Vec<(Act, ActPlaces)> {
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
    fn is_allowed(&self, placed: &PlacedAction, roll: Option<&Spanned<Roll>>, seat: Seat) -> bool {
        let (matchup, source) = (self.matchup, self.faults.source());
        let PlacedAction { action, places } = placed;
        let Some(span) = places.whole else {
            return true;
        };
        let any = || matchup.written(roll.map(|roll| roll.is), ANY);
        let fault = match (action, matchup.side) {
            (PlayerAction::Move(Choice::Any { .. }), Side::Referee) => {
                let title = "a scenario for a referee says every move";
                Diagnostic::error("turn/any", title)
                    .at(source, span, "")
                    .note("urtext plays both players, so nobody is there to choose")
                    .help(format!("write {}", matchup.game().move_syntax()))
            }
            (PlayerAction::Move(_), _) => return true,
            _ if matchup.is_subject(seat) => {
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
            (PlayerAction::Illegal(line), _) if places.is_unmarked => {
                let title = "a line in quotation marks is for what is no good move, and then `illegal` or `ignored` follows it";
                let written = String::from_utf8_lossy(source.slice(span)).into_owned();
                let written = visible::plain(&written).at_most(60);
                let help = match matchup.dialect.read_player_line(line) {
                    PlayerLine::Move(mv) => format!(
                        "write the move without quotation marks: `{}`",
                        matchup.game().format_move(mv)
                    ),
                    PlayerLine::Ignored(_) => format!("write `{written} {IGNORED}`"),
                    _ => format!("write `{written} {ILLEGAL}`"),
                };
                Diagnostic::error("turn/line", title)
                    .at(source, span, "")
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
