//! One turn, read; what it says is not held against the rules here.

use super::adaptive::MOVER;
use super::budget::Budget;
use super::forms::{ANY, SILENT};
use super::matchup::Matchup;
use super::meanwhile;
use super::send_parts;
use super::turn_text;
use crate::diagnostic::{Diagnostic, Faults, Span};
use crate::rules::Seat;
use crate::scenario::{Act, Choice, Deed, SendPart, Side, Step, StepKind, Turn, TurnPlace};
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
    /// Reads the turn of this player, or of whoever is on turn.
    pub(super) fn read(&self, seat: Option<Seat>, key: &Key, value: &Node) -> Option<Step> {
        let is_made_up = seat.is_none() || turn_text::is_made_up(value, self.matchup);
        // What is filled in, or named by an alias, stands elsewhere.
        let end = if value.span.start < key.span.end {
            key.span
        } else {
            value.span
        };
        let span = self.faults.source().first_line(key.span.to(end));
        let own = self.own_deed();
        let written = match own {
            Some(_) if value.value == Value::Null && (is_made_up || !self.matchup.has_rolls()) => {
                Some(Turn::new(seat, None, Deed::Skip))
            }
            _ => turn_text::read(value, seat, is_made_up, self.matchup, self.faults),
        };
        let turn = match own {
            None => written,
            Some((key, own)) => self.joined(written, key, own, is_made_up),
        };
        let meanwhile = self.meanwhile(seat, turn.as_ref().map(|turn| &turn.deed));
        let mut turn = turn.filter(|turn| self.is_allowed(turn, is_made_up))?;
        turn.meanwhile = meanwhile;
        (turn.at.whole, turn.at.seat) = (span, key.span);
        if turn.deed == Deed::Skip {
            turn.at.deed = span;
        }
        let kind = match seat {
            Some(seat) if !is_made_up => StepKind::Turn(turn.of(seat)),
            _ => StepKind::Improvise(turn),
        };
        Some(Step { span, kind })
    }

    /// The turn whose line is `written`, with the deed that stands under a key of its own.
    fn joined(
        &self,
        written: Option<Turn<Option<Seat>>>,
        key: Span,
        own: Option<(Deed, Span)>,
        is_made_up: bool,
    ) -> Option<Turn<Option<Seat>>> {
        let (written, (own, place)) = written.zip(own)?;
        let source = self.faults.source();
        let has_move = own.parts().iter().any(SendPart::has_move);
        let deed = match (&written.deed, own) {
            (Deed::Skip, Deed::Send(_)) if is_made_up && has_move => {
                let title = "no move is chosen for `{move}`";
                let fault = Diagnostic::error("turn/form", title).at(source, place, "");
                let help = format!("write `{ANY}` after the player");
                self.faults.push(fault.help(help));
                return None;
            }
            (Deed::Skip, own) => own,
            (Deed::Move(choice), Deed::Send(parts)) if is_made_up && has_move => {
                Deed::SendMove(choice.clone(), parts)
            }
            (written_deed, own) => {
                let fault = Diagnostic::error("turn/form", "this turn says twice what is done");
                let fault = fault
                    .at(source, written.at.deed, "here")
                    .context(source, key, "and here");
                let is_sent = matches!((written_deed, own), (Deed::Move(_), Deed::Send(_)));
                self.faults.push(fault.help(match is_made_up && is_sent {
                    true => "remove one of them, or write `{move}` where the move is sent",
                    false => "remove one of them",
                }));
                return None;
            }
        };
        Some(Turn {
            deed,
            at: TurnPlace {
                roll: written.at.roll,
                ..TurnPlace::new(source, place)
            },
            ..written
        })
    }

    fn entry(&self, key: &str) -> Option<&(Key, Node)> {
        self.beside
            .iter()
            .copied()
            .find(|(written, _)| written.text == key)
    }

    /// Reads a deed that has its own key: the key's span, and the deed with its span, or `None` if it cannot be read.
    fn own_deed(&self) -> Option<(Span, Option<(Deed, Span)>)> {
        let then = self.entry(THEN);
        match (self.entry(SEND), self.entry(SILENT)) {
            (Some((key, value)), None) => {
                let then = then.map(|(_, then)| then);
                let parts = send_parts::read(value, then, self.budget, self.faults);
                let place = self.faults.source().first_line(value.span);
                let deed = parts.map(|parts| (Deed::Send(parts), place));
                Some((key.span, deed))
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
                let silent = (is_spelt == Some(true)).then_some((Deed::Silent, span));
                Some((key.span, silent))
            }
        }
    }

    fn meanwhile(&self, seat: Option<Seat>, deed: Option<&Deed>) -> Vec<Act> {
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
        if let Some(Deed::Skip) = deed {
            let title = "a skipped turn is over with its roll, so nothing can happen meanwhile";
            self.faults
                .push(fault(title).help("put it into a turn in which somebody moves"));
            return Vec::new();
        }
        meanwhile::read(value, seat, self.matchup, self.budget, self.faults)
    }

    /// Returns false, with a fault, for a deed that this player cannot be told to do.
    fn is_allowed(&self, turn: &Turn<Option<Seat>>, is_made_up: bool) -> bool {
        let (matchup, source) = (self.matchup, self.faults.source());
        let span = turn.at.deed;
        let is_subject = match turn.seat {
            Some(seat) => matchup.is_subject(seat),
            None => matchup.side == Side::Bot,
        };
        let title = "the bot under test cannot be made to do this";
        let fault = match (&turn.deed, matchup.side) {
            (Deed::Move(Choice::Any { .. }), Side::Referee) if !is_made_up => {
                let title = "a scenario for a referee says every move";
                Diagnostic::error("turn/any", title)
                    .at(source, span, "")
                    .note("urtext plays both players, so nobody is there to choose")
                    .help(format!("write {}", matchup.game().move_syntax()))
            }
            (Deed::Move(Choice::This(_) | Choice::Any { .. }) | Deed::Skip, _) => return true,
            _ if is_made_up && is_subject => Diagnostic::error("turn/situation", title)
                .at(source, span, "")
                .help(format!("write `{MOVER}: {ANY}`, or name the opponent")),
            (deed, _) if is_subject => {
                let label = "it chooses for itself, and is to choose a legal move";
                let any = matchup.written(turn.roll, ANY);
                let help = match deed {
                    Deed::Silent => {
                        format!("write `{any}`, or the roll alone where nothing can move")
                    }
                    _ => format!("write `{any}`"),
                };
                Diagnostic::error("turn/bot-move", title)
                    .at(source, span, label)
                    .help(help)
            }
            (Deed::Send(parts) | Deed::SendMove(_, parts), Side::Bot) => {
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
