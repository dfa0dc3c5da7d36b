//! The roll in the line of a turn: `0 0 1 1 >`.

use super::text::Part;
use super::turn_text::{Reader, short};
use crate::diagnostic::visible;
use crate::rules::{Roll, Seat};
use crate::scenario::{Deed, Turn};

/// An arrow such as `->` where the `>` after a roll is due.
pub(super) fn other_arrow(all: Part<'_>) -> Option<Part<'_>> {
    let text = all.text();
    let at = text.find(['>', '\u{2192}'])?;
    let start = text[..at].trim_end_matches(['-', '=']).len();
    let end = at + text[at..].chars().next().map_or(0, char::len_utf8);
    (&text[start..end] != ">").then(|| all.slice(start..end))
}

impl Reader<'_, '_> {
    /// A roll before the `>`.
    pub(super) fn roll(&self, part: Part<'_>, arrow: Part<'_>) -> Option<Roll> {
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
    pub(super) fn refuse_arrow(&self, all: Part<'_>, arrow: Part<'_>) {
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
    pub(super) fn lone_roll(&self, all: Part<'_>) -> Option<Turn<Option<Seat>>> {
        if let Some(roll) = self.parse_roll(all) {
            return Some(Turn {
                roll: Some(roll),
                ..self.turn(Deed::Skip, all)
            });
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
