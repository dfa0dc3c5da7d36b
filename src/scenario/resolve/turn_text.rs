//! The one line of a turn: `0 0 1 1 > 3 illegal`.

use super::deed_text::{Reader, short};
use super::forms::{ANY, Doer};
use super::matchup::Matchup;
use super::text::{Line, Part};
use crate::diagnostic::{Faults, visible};
use crate::rules::{Roll, Seat};
use crate::scenario::{Deed, Side, Turn, TurnPlace};
use crate::yaml::{Node, Value};

/// Reads the turn of this player in `node`, or of whoever is on turn, without what stands beside it. `is_made_up`: the position decides.
pub(super) fn read(
    node: &Node,
    seat: Option<Seat>,
    is_made_up: bool,
    matchup: &Matchup,
    faults: &Faults<'_>,
) -> Option<Turn<Option<Seat>>> {
    let text = node.as_line(faults)?;
    let line = Line::new(node, text, faults.source());
    let doer = if is_made_up {
        Doer::Mover
    } else {
        Doer::OnTurn
    };
    let reader = Reader {
        doer,
        seat,
        matchup,
        faults,
    };
    let all = line.all();
    if is_made_up || !matchup.has_rolls() {
        return reader.done(all, all);
    }
    if let Some(arrow) = other_arrow(all) {
        reader.refuse_arrow(all, arrow);
        return None;
    }
    let Some([before, arrow, after]) = all.split('>') else {
        return reader.lone_roll(all);
    };
    let roll = reader.roll(before, arrow);
    let mut turn = reader.done(after, arrow)?;
    (turn.roll, turn.at.roll) = (Some(roll?), before.span());
    Some(turn)
}

/// Returns true if a turn of a player who is named is made up for the position: it lacks the roll that a written turn would need.
pub(super) fn is_made_up(value: &Node, matchup: &Matchup) -> bool {
    let Value::Scalar(scalar) = &value.value else {
        return false;
    };
    let words: Vec<&str> = scalar.text.split_whitespace().collect();
    let text = words.join(" ");
    match (Doer::Mover.form_of(&text), Doer::OnTurn.form_of(&text)) {
        _ if scalar.text.contains('>') => false,
        (Some(form), Some(known)) if form.shown == known.shown => {
            // A written turn of a referee's player has a move.
            let is_choice = form.shown == ANY && matchup.side == Side::Referee;
            matchup.has_rolls() || is_choice
        }
        (Some(_), known) => known.is_none(),
        (None, _) => false,
    }
}

/// An arrow such as `->` where the `>` after a roll is due.
pub(super) fn other_arrow(all: Part<'_>) -> Option<Part<'_>> {
    let text = all.text();
    let at = text.find(['>', '\u{2192}'])?;
    let start = text[..at].trim_end_matches(['-', '=']).len();
    let end = at + text[at..].chars().next().map_or(0, char::len_utf8);
    (&text[start..end] != ">").then(|| all.slice(start..end))
}

impl Reader<'_, '_> {
    /// The deed after the roll.
    fn done(&self, part: Part<'_>, arrow: Part<'_>) -> Option<Turn<Option<Seat>>> {
        if part.is_empty() {
            let syntax = self.matchup.game().move_syntax();
            let title = "what is done is missing after the `>`";
            let help = format!("write {syntax}; or, where nothing can move, the roll alone");
            return self.refuse("turn/move", arrow, title, help);
        }
        let (deed, at) = self.deed(part)?;
        let turn = Turn::new(self.seat, None, deed);
        Some(Turn { at, ..turn })
    }

    /// A turn in which nothing is done.
    fn skipped(&self, all: Part<'_>, roll: Roll) -> Turn<Option<Seat>> {
        Turn {
            at: TurnPlace::new(self.faults.source(), all.span()),
            ..Turn::new(self.seat, Some(roll), Deed::Skip)
        }
    }

    /// A roll before the `>`.
    fn roll(&self, part: Part<'_>, arrow: Part<'_>) -> Option<Roll> {
        if part.is_empty() {
            return self.refuse(
                "turn/roll",
                arrow,
                "the roll is missing before the `>`",
                format!("write {}", self.matchup.game().roll_syntax()),
            );
        }
        self.parse_roll(part).or_else(|| self.refuse_roll(part))
    }

    /// Refuses another arrow than the `>` that is due after a roll.
    fn refuse_arrow(&self, all: Part<'_>, arrow: Part<'_>) {
        let (before, after) = (all.text_before(arrow), all.text_after(arrow));
        let title = format!(
            "`>` is due between the roll and the move, not `{}`",
            arrow.text()
        );
        let line = format!("{before} > {after}");
        self.faults.refuse(
            "turn/arrow",
            title,
            arrow.span(),
            "",
            format!("write `{}`", visible::plain(line.trim()).at_most(60)),
        );
    }

    /// A roll after which nothing is done.
    fn lone_roll(&self, all: Part<'_>) -> Option<Turn<Option<Seat>>> {
        if let Some(roll) = self.parse_roll(all) {
            return Some(self.skipped(all, roll));
        }
        let words = all.words();
        let cut = (1..words.len()).rev().find_map(|count| {
            let roll = self.parse_roll(words[0].to(words[count - 1]))?;
            Some((roll, words[count].to(words[words.len() - 1])))
        });
        let Some((roll, rest)) = cut else {
            return self.refuse_roll(all);
        };
        let title = "a `>` is due between the roll and what is done";
        let written = self.matchup.written(Some(roll), &short(rest).to_string());
        self.faults.refuse(
            "turn/arrow",
            title,
            rest.span(),
            "not part of the roll",
            format!("write `{written}`"),
        );
        None
    }

    fn refuse_roll<T>(&self, part: Part<'_>) -> Option<T> {
        let title = format!("`{}` is no roll", short(part));
        let help = format!("write {}", self.matchup.game().roll_syntax());
        self.refuse("turn/roll", part, title, help)
    }

    fn parse_roll(&self, part: Part<'_>) -> Option<Roll> {
        self.matchup.game().parse_roll(part.text())
    }
}
