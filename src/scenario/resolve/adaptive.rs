//! Steps that wait for a situation: `play: until top can capture`.

use super::deed_text::{Reader, short};
use super::forms::Doer;
use super::matchup::Matchup;
use super::text::{Line, Part};
use crate::diagnostic::{Faults, suggest, visible};
use crate::scenario::{PlannedGame, Situation, Step, StepKind, Until};
use crate::yaml::{Key, Node};

/// The key of a turn of whoever is on turn.
pub(in crate::scenario) const MOVER: &str = "mover";
/// Keyword in `play` before a situation.
const UNTIL: &str = "until";
/// Words of a situation after `until`: wrong readings of the rules are told apart.
pub(in crate::scenario) const TOLD_APART: &str = "told apart";
/// Default limit on the turns that are played to reach a situation.
pub(in crate::scenario) const TURNS: u32 = 200;
/// The most turns that it may ask for.
const MOST_TURNS: u32 = 10_000;

/// Returns true if `play` names a situation.
pub(super) fn is_until(text: &str) -> bool {
    text.split_whitespace().next() == Some(UNTIL)
}

/// Reads `until WHO SITUATION`, and `, within N turns` after it.
pub(super) fn until(
    key: &Key,
    value: &Node,
    matchup: &Matchup,
    faults: &Faults<'_>,
) -> Option<Step> {
    let text = value.as_line(faults)?;
    let line = Line::new(value, text, faults.source());
    let reader = Reader {
        doer: Doer::Mover,
        seat: None,
        matchup,
        faults,
    };
    let all = line.all();
    let (situation, turns) = match all.split(',') {
        Some([situation, comma, turns]) => (situation, reader.turns(turns, comma)?),
        None => (all, TURNS),
    };
    let words = situation.words();
    let (who, situation) = match words.as_slice() {
        [_, told, apart, rest @ ..] if [told.text(), apart.text()].join(" ") == TOLD_APART => {
            (None, reader.told_apart(rest)?)
        }
        [_, word, rest @ ..] => {
            let who = matchup.seat(word.text());
            if who.is_none() && word.text() != MOVER {
                return reader.nobody(*word);
            }
            (who, reader.situation(rest, situation)?)
        }
        _ => return reader.wrong(all, "a situation is missing", &reader.situations()),
    };
    let until = Until {
        who,
        situation,
        turns,
    };
    let span = faults.source().first_line(key.span.to(value.span));
    let kind = StepKind::PlayUntil(until);
    Some(Step { span, kind })
}

impl Reader<'_, '_> {
    fn wrong<T>(&self, part: Part<'_>, title: &str, help: &str) -> Option<T> {
        self.refuse("turn/situation", part, title, help)
    }

    fn turns(&self, part: Part<'_>, comma: Part<'_>) -> Option<u32> {
        let help = "write `, within 100 turns`";
        match part.words().as_slice() {
            [within, number, turns] if within.text() == "within" && turns.text() == "turns" => {
                match number
                    .text()
                    .parse::<u32>()
                    .ok()
                    .filter(|number| (1..=MOST_TURNS).contains(number))
                {
                    Some(number) => Some(number),
                    None => {
                        let title = format!("at least 1 turn is played, and at most {MOST_TURNS}");
                        self.wrong(*number, &title, help)
                    }
                }
            }
            _ => self.wrong(
                comma,
                "after the situation stands how many turns are played for it",
                help,
            ),
        }
    }

    /// Refuses a word that names no player.
    fn nobody<T>(&self, word: Part<'_>) -> Option<T> {
        let [one, other] = self.matchup.keys();
        let title = format!("`{}` is nobody in this game", short(word));
        let help = format!("write `{one}`, `{other}`, or `{MOVER}` for whoever is on turn");
        self.wrong(word, &title, &help)
    }

    /// Readings by their names or by the requirements that they break.
    fn told_apart(&self, words: &[Part<'_>]) -> Option<Situation> {
        let plan = PlannedGame::new(self.matchup.dialect, self.matchup.side);
        for word in words {
            let named = [word.text().to_owned()];
            if plan.readings_called(&named).next().is_some() {
                continue;
            }
            let title = format!(
                "`{}` is no wrong reading of the rules, and no requirement that one breaks",
                visible::plain(word.text()).at_most(60)
            );
            let known = plan.hypotheses().flat_map(|row| {
                let group = row.breaks.rsplit_once('/').map(|(group, _)| group);
                [row.name, row.breaks].into_iter().chain(group)
            });
            let help = match suggest(word.text(), known) {
                Some(meant) => format!("write `{meant}`"),
                None => format!(
                    "write a requirement of {}, whose readings `urtext requirements ID` shows",
                    self.matchup.game().title()
                ),
            };
            return self.wrong(*word, &title, &help);
        }
        let words = words.iter().map(|word| word.text().to_owned());
        Some(Situation::ToldApart(words.collect()))
    }

    fn situations(&self) -> String {
        let kinds: Vec<_> = self
            .kinds()
            .iter()
            .map(|kind| format!("`can {kind}`"))
            .collect();
        let rolls = if self.matchup.has_rolls() {
            ", `rolls` and a roll"
        } else {
            ""
        };
        format!(
            "write `until {MOVER}` and one of `can move`, `cannot move`, {}, `can break` and why the rules refuse a move{rolls}; or `until told apart`",
            kinds.join(", ")
        )
    }

    fn situation(&self, words: &[Part<'_>], all: Part<'_>) -> Option<Situation> {
        match words {
            [can, moves] if can.text() == "can" && moves.text() == "move" => {
                Some(Situation::CanMove)
            }
            [cannot, moves] if cannot.text() == "cannot" && moves.text() == "move" => {
                Some(Situation::CannotMove)
            }
            [can, breaks, code] if can.text() == "can" && breaks.text() == "break" => {
                self.code(*code).map(Situation::CanBreak)
            }
            [can, kind] if can.text() == "can" => self.kind(*kind).map(Situation::Can),
            [rolls, first, .., last] | [rolls, first @ last]
                if rolls.text() == "rolls" && self.matchup.has_rolls() =>
            {
                let roll = first.to(*last);
                match self.matchup.game().parse_roll(roll.text()) {
                    Some(roll) => Some(Situation::Rolled(roll)),
                    None => {
                        let help = format!("write {}", self.matchup.game().roll_syntax());
                        self.wrong(roll, "this is no roll", &help)
                    }
                }
            }
            _ => self.wrong(all, "this is no situation", &self.situations()),
        }
    }
}
