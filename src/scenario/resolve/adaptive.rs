//! Steps that depend on the course of the game: `play: until top can capture`, `mover: any capture`.

use super::matchup::Matchup;
use super::text::{Line, Part};
use super::turn_text::{Reader, is_plain, short};
use crate::diagnostic::{Faults, suggest, visible};
use crate::protocol::{Open, PlayerLine};
use crate::rules::{Seat, WIN};
use crate::scenario::deed::{ANY, AS, Doer, EXCEPT, ILLEGAL};
use crate::scenario::{Choice, Deed, PlannedGame, Side, Situation, Step, StepKind, Turn, Until};
use crate::yaml::{Key, Node, Value};

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

/// Returns true if a turn of a player who is named is made up for the position: it lacks the roll that a written turn would need.
pub(super) fn is_made_up(value: &Node, matchup: &Matchup) -> bool {
    let Value::Scalar(scalar) = &value.value else {
        return false;
    };
    let words: Vec<&str> = scalar.text.split_whitespace().collect();
    let is_free = match words.as_slice() {
        [ANY] => matchup.side == Side::Referee || matchup.has_rolls(),
        [ANY, AS | EXCEPT, ..] => false,
        [ANY | ILLEGAL, ..] => true,
        _ => {
            let written = words.join(" ");
            let mut forms = Doer::OnTurn.forms();
            matchup.has_rolls() && forms.any(|form| form.words == written)
        }
    };
    is_free && !scalar.text.contains('>')
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

    fn kinds(&self) -> Vec<&'static str> {
        self.matchup
            .game()
            .move_kinds()
            .iter()
            .map(|kind| kind.name)
            .chain([WIN.name])
            .collect()
    }

    fn codes(&self) -> Vec<&'static str> {
        self.matchup
            .game()
            .refusals()
            .iter()
            .map(|refusal| refusal.code)
            .collect()
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

    fn one_of(&self, part: Part<'_>, known: &[&'static str], what: &str) -> Option<&'static str> {
        if let Some(found) = known.iter().find(|known| **known == part.text()) {
            return Some(found);
        }
        let title = format!("`{}` is no {what}", short(part));
        match suggest(part.text(), known.iter().copied()) {
            Some(meant) => self.wrong(part, &title, &format!("write `{meant}`")),
            None => self.wrong(part, &title, &format!("there are {}", known.join(", "))),
        }
    }

    fn kind(&self, part: Part<'_>) -> Option<&'static str> {
        self.one_of(part, &self.kinds(), "kind of move")
    }

    fn code(&self, part: Part<'_>) -> Option<&'static str> {
        self.one_of(part, &self.codes(), "reason to refuse a move")
    }

    /// Parses a turn whose deed the position decides, or that needs no position.
    pub(super) fn made_up(&self, all: Part<'_>) -> Option<Turn<Option<Seat>>> {
        let words = all.words();
        let texts: Vec<&str> = words.iter().map(|word| word.text()).collect();
        let deed = match (texts.as_slice(), words.as_slice()) {
            ([ANY], _) => Deed::ANY,
            ([ANY, _], [_, kind]) => Deed::Move(Choice::OfKind(self.kind(*kind)?)),
            ([ILLEGAL], _) => Deed::Refused(None),
            ([ILLEGAL, _], [_, code]) => Deed::Refused(Some(self.code(*code)?)),
            _ if is_plain(all) => {
                let turn = self.plain(all)?;
                return self.is_sure(&turn.deed, all).then_some(turn);
            }
            _ => {
                let help = "write `any`, `any` and a kind of move, `illegal`, `illegal` and why the rules refuse it, `silent`, `hang up`, or a line in quotation marks";
                return self.wrong(
                    all,
                    "this cannot be done in whatever position comes up",
                    help,
                );
            }
        };
        Some(self.turn(deed, all))
    }

    /// Refuses a line whose effect depends on the position, or is another than is written.
    fn is_sure(&self, deed: &Deed, all: Part<'_>) -> bool {
        let (Deed::Illegal(line) | Deed::Ignored(line)) = deed else {
            return true;
        };
        let title = match (deed, self.matchup.dialect.read_player_line(line)) {
            (Deed::Illegal(_), PlayerLine::Invalid(_))
            | (Deed::Ignored(_), PlayerLine::Ignored(_)) => return true,
            (_, PlayerLine::Open(Open { mv: Some(_), .. }) | PlayerLine::Move(_)) => {
                "what this line does depends on the position"
            }
            _ => "this is not what becomes of the line",
        };
        let help = "of a line in quotation marks it has to be known whatever the position: `illegal`, or `ignored`";
        self.refuse("turn/situation", all, title, help) == Some(())
    }
}
