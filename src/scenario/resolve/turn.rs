//! One turn, read: its line such as `0 0 1 1 > 3 illegal`, and the deed under a key of its own.

use super::forms::{ANY, Doer, Form, MOVER};
use super::line::{LineReader, Reader};
use super::sent;
use super::turns::{Silence, TurnKeys};
use crate::diagnostic::visible::short;
use crate::diagnostic::{Diagnostic, Span};
use crate::rules::{Roll, Seat};
use crate::scenario::{Act, Choice, Deed, SendPart, Side, Step, Turn, TurnPlace};
use crate::yaml::{Key, Kind, Node, Value};

impl<'r> Reader<'r> {
    /// Reads the turn of this player, or of whoever is on turn.
    pub(super) fn turn(
        &self,
        seat: Option<Seat>,
        (key, value): &'r (Key, Node),
        keys: &TurnKeys,
    ) -> Option<Step> {
        let has_roll = seat.is_some() && self.plan.has_rolls() && !self.is_made_up(value);
        // What is filled in, or named by an alias, stands elsewhere.
        let end = match value.span.start < key.span.end {
            true => key.span,
            false => value.span,
        };
        let span = self.faults.source().first_line(key.span.to(end));
        let own = self.own_deed(keys, has_roll);
        let is_alone = value.value == Value::Null && !has_roll;
        let written = match own {
            Some(_) if is_alone => Some(Turn::new(seat, None, Deed::Skip)),
            _ => self.turn_text(value, seat, has_roll),
        };
        let turn = match own {
            None => written,
            Some((key, own)) => self.joined(written, key, own),
        };
        let deed = turn.as_ref().map(|turn| &turn.deed);
        let meanwhile = keys.meanwhile.get();
        let meanwhile = meanwhile.map(|entry| self.acts(entry, seat, deed));
        let mut turn = turn.filter(|turn| self.is_allowed(turn, has_roll))?;
        turn.meanwhile = meanwhile.unwrap_or_default();
        (turn.at.whole, turn.at.seat) = (span, key.span);
        if turn.deed == Deed::Skip {
            turn.at.deed = span;
        }
        let kind = turn.step(self.plan);
        Some(Step { span, kind })
    }

    /// The turn whose line is `written`, with the deed that stands under a key of its own.
    fn joined(
        &self,
        written: Option<Turn<Option<Seat>>>,
        key: Span,
        own: Option<(Deed, Span)>,
    ) -> Option<Turn<Option<Seat>>> {
        let (written, (own, span)) = written.zip(own)?;
        let source = self.faults.source();
        let has_move = own.parts().iter().any(|part| part.names().next().is_some());
        let deed = match (&written.deed, own) {
            (Deed::Skip, Deed::Send(_)) if has_move => return self.refuse_move(span),
            (Deed::Skip, own) => own,
            (deed, Deed::Send(parts)) if has_move && deed.is_line() => {
                Deed::SendMove(Box::new(deed.clone()), parts)
            }
            (deed, own) => {
                let fault = Diagnostic::error("turn/form", "this turn says twice what is done");
                let fault = fault
                    .at(source, written.at.deed, "here")
                    .context(source, key, "and here");
                let is_sent = deed.is_line() && matches!(own, Deed::Send(_));
                self.faults.push(fault.help(match is_sent {
                    true => "remove one of them, or write `{move}` where the move is sent",
                    false => "remove one of them",
                }));
                return None;
            }
        };
        let at = match deed {
            Deed::SendMove(..) => written.at,
            _ => TurnPlace {
                roll: written.at.roll,
                ..self.place(span)
            },
        };
        Some(Turn {
            deed,
            at,
            ..written
        })
    }

    /// The place of a turn that is written there.
    fn place(&self, span: Span) -> TurnPlace {
        TurnPlace::new(self.faults.source(), span)
    }

    /// Refuses `{move}` in pieces without a move.
    pub(super) fn refuse_move<T>(&self, span: Span) -> Option<T> {
        let title = "no move is chosen for `{move}`";
        let help = format!("write a move or `{ANY}` in the turn, or `{{{{` for a literal brace");
        self.faults.reject("turn/form", title, span, "", help)
    }

    /// Reads a deed that has its own key: the key's span, and the deed with its span, or `None` if it cannot be read.
    fn own_deed(&self, keys: &TurnKeys, has_roll: bool) -> Option<(Span, Option<(Deed, Span)>)> {
        let refuse = |title, span, help: &str| {
            self.faults.refuse("turn/form", title, span, "", help);
        };
        let (send, silent) = (keys.send.get(), keys.silent.get());
        if let (Some((key, value)), None) = (send, silent) {
            let parts = sent::read(self.faults, value, keys.then.node());
            return Some((key.span, parts.map(|parts| (Deed::Send(parts), value.span))));
        }
        if let Some((key, _)) = keys.then.get() {
            let title = "`then` says what follows `send`";
            let deed = if has_roll { "> hang up" } else { "hang up" };
            refuse(title, key.span, &format!("write `{deed}` in the turn"));
        }
        let (key, value) = silent?;
        if send.is_some() {
            let title = "who is silent sends nothing";
            refuse(title, key.span, "remove `send` or `silent`");
            return Some((key.span, None));
        }
        let span = key.span.to(value.span);
        let silence = Silence::read(value, self.faults);
        Some((key.span, silence.map(|_| (Deed::Silent, span))))
    }

    /// The acts in a turn with this deed.
    fn acts(
        &self,
        (key, value): &(Key, Node),
        seat: Option<Seat>,
        deed: Option<&Deed>,
    ) -> Vec<Act> {
        let source = self.faults.source();
        let fault =
            |title: &str| Diagnostic::error("turn/meanwhile", title).at(source, key.span, "");
        let fault = match deed {
            _ if self.plan.side == Side::Bot => {
                let note = "urtext is the referee there, and the bot sees nothing but its lines";
                let fault = fault("nothing happens meanwhile in a scenario for a bot");
                fault.note(note).help("remove it")
            }
            Some(Deed::Skip) => {
                let title = "a skipped turn is over with its roll, so nothing can happen meanwhile";
                fault(title).help("put it into a turn in which somebody moves")
            }
            _ => return self.meanwhile(value, seat),
        };
        self.faults.push(fault);
        Vec::new()
    }

    /// Returns false, with a fault, for a deed that this player cannot be told to do.
    fn is_allowed(&self, turn: &Turn<Option<Seat>>, has_roll: bool) -> bool {
        let plan = self.plan;
        let is_subject = match turn.seat {
            Some(seat) => plan.is_subject(seat),
            None => plan.side == Side::Bot,
        };
        let fault = |code, title, label| {
            Diagnostic::error(code, title).at(self.faults.source(), turn.at.deed, label)
        };
        let title = "the bot under test cannot be made to do this";
        let fault = match (&turn.deed, plan.side) {
            (Deed::Skip, _) => return true,
            (Deed::Move(Choice::This(_) | Choice::Any { kind: None, .. }), _) => return true,
            _ if plan.has_rolls() && !has_roll && is_subject => {
                let help = format!("write `{MOVER}: {ANY}`, or name the opponent");
                fault("turn/situation", title, "").help(help)
            }
            (deed, _) if is_subject => {
                let label = "it chooses for itself, and is to choose a legal move";
                let rest = match deed {
                    Deed::Silent => ", or the roll alone where nothing can move",
                    _ => "",
                };
                let help = format!("write `{}`{rest}", plan.written(turn.roll, ANY));
                fault("turn/bot-move", title, label).help(help)
            }
            (Deed::Send(parts) | Deed::SendMove(_, parts), Side::Bot) => {
                let (lines, _) = SendPart::lines(parts);
                let is_plain = parts.iter().all(SendPart::is_text);
                if is_plain && lines.len() <= 1 {
                    return true;
                }
                let title =
                    "the bot under test cannot see this: urtext is the referee, and takes one line";
                let help =
                    "send one line or a part of one, without pauses, and let nothing follow it";
                fault("turn/send", title, "").help(help)
            }
            _ => return true,
        };
        self.faults.push(fault);
        false
    }
}

impl Reader<'_> {
    /// Reads the turn of this player in `node`, or of whoever is on turn, without what stands beside it.
    fn turn_text(
        &self,
        node: &Node,
        seat: Option<Seat>,
        has_roll: bool,
    ) -> Option<Turn<Option<Seat>>> {
        let reader = LineReader::new(*self, node, Doer::OnTurn)?;
        let all = reader.text.trimmed();
        if !has_roll {
            return reader.done(seat, all, all);
        }
        let arrow = all.find('>');
        let before = all[..arrow.unwrap_or(all.len())].trim_end();
        let roll = reader.roll(before, all);
        let mut turn = match arrow {
            Some(arrow) => reader.done(seat, all[arrow + 1..].trim(), &all[arrow..=arrow])?,
            None => Turn::new(seat, None, Deed::Skip).at(self.place(reader.text.span(all))),
        };
        (turn.roll, turn.at.roll) = (Some(roll?), reader.text.span(before));
        Some(turn)
    }

    /// Returns true if a turn of a player who is named is made up for the position: it lacks the roll that a written turn would need.
    fn is_made_up(&self, value: &Node) -> bool {
        let Value::Scalar(scalar) = &value.value else {
            return false;
        };
        let text = scalar.text.trim_start();
        let begins = |form: &Form| {
            let words = form.words();
            let rest = text.strip_prefix(words).filter(|_| !words.is_empty());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        let is_line = text.starts_with('"');
        let has_arrow = || !is_line && text.contains('>');
        (is_line || Doer::OnTurn.forms().any(begins)) && !has_arrow()
    }
}

impl<'r> LineReader<'r> {
    /// The deed after the roll.
    fn done(&self, seat: Option<Seat>, part: &'r str, arrow: &str) -> Option<Turn<Option<Seat>>> {
        if part.is_empty() {
            let syntax = self.reader.plan.game().data().move_syntax;
            let title = "what is done is missing after the `>`";
            let help = format!("write {syntax}; or, where nothing can move, the roll alone");
            return self.refuse("turn/move", arrow, title, help);
        }
        let (deed, span) = self.deed(part)?;
        Some(Turn::new(seat, None, deed).at(self.reader.place(span)))
    }

    /// The roll of a turn, in the part before its arrow.
    fn roll(&self, part: &'r str, all: &'r str) -> Option<Roll> {
        if let Some(roll) = self.parse_roll(part) {
            return Some(roll);
        }
        // Without an arrow, or with another one, the roll is the beginning.
        const OTHER_ARROWS: [char; 6] = ['-', '=', '>', '\u{2192}', ':', ' '];
        let is_cut = |rest: &str| part == all || rest.trim_matches(OTHER_ARROWS).is_empty();
        let words: Vec<&str> = part.split_whitespace().collect();
        let cut = (1..words.len()).rev().find_map(|count| {
            let roll = self.text.to(words[0], words[count - 1]);
            let roll = self.parse_roll(roll.trim_end_matches(':'))?;
            is_cut(self.text.to(words[count], part))
                .then(|| (roll, self.text.to(words[count], all)))
        });
        let plan = self.reader.plan;
        let Some((roll, rest)) = cut else {
            let part = if part.is_empty() { all } else { part };
            let title = format!("`{}` is no roll", short(part));
            let help = format!("write {}", plan.game().data().roll_syntax);
            return self.refuse("turn/roll", part, title, help);
        };
        let title = "a `>` is due between the roll and what is done";
        let done = short(rest.trim_start_matches(OTHER_ARROWS)).to_string();
        let help = format!("write `{}`", plan.written(Some(roll), &done));
        let (span, label) = (self.text.span(rest), "not part of the roll");
        let faults = self.reader.faults;
        faults.reject("turn/arrow", title, span, label, help)
    }

    fn parse_roll(&self, part: &str) -> Option<Roll> {
        self.reader.plan.game().parse_roll(part)
    }
}
