//! How the games of a running server begin, if it keeps something of those before.

use super::says::{Says, says_from};
use super::{GameOfRun, explained};
use crate::event::{EarlierGames, Outcome, PastGame};
use crate::protocol::GameEvent;
use crate::rules::{Mistake, Phase, Remnant, Table};
use crate::scenario::{PlannedGame, awaits};

/// A known mistake of a server, and how each game ended by it, where that can be told. The first that passed began as every game should.
#[derive(Debug)]
struct Kept {
    row: &'static Mistake,
    left: Remnant,
    ends: Vec<Option<Box<dyn Table>>>,
}

/// Every such mistake; none where no game was played after another one.
#[derive(Debug, Default)]
pub(super) struct Starts(Vec<Kept>);

impl Starts {
    /// Of the games of one subject, on one side of one game.
    pub(super) fn new(games: &[GameOfRun<'_>]) -> Starts {
        let mut earlier = games
            .iter()
            .filter_map(|game| Some((game.plan, game.outcome.earlier.as_ref()?)));
        let Some((plan, server)) = earlier.next() else {
            return Starts::default();
        };
        let rows = plan.dialect.game().data().remnants.iter();
        let kept = |past: &[PastGame]| {
            let kept = rows.map(|&(left, ref row)| Kept {
                row,
                left,
                ends: ends(plan, left, past),
            });
            kept.collect()
        };
        Starts(server.of_server(kept))
    }

    /// The mistakes that explain failures and that no game refutes, with the numbers of those.
    pub(super) fn suspects(
        &self,
        games: &[GameOfRun<'_>],
    ) -> impl Iterator<Item = (&'static Mistake, Vec<usize>)> {
        self.0.iter().filter_map(|kept| {
            let says = |game: &GameOfRun<'_>| {
                let start = kept.start(game.outcome);
                start.map_or(Says::NOTHING, |start| {
                    says_from(start, game.plan, game.outcome, &[])
                })
            };
            Some((kept.row, explained(games, says)?))
        })
    }

    /// The game before its first turn to a server that makes the mistake of this name.
    pub(super) fn of(&self, name: &str, outcome: &Outcome) -> Option<Box<dyn Table>> {
        let kept = self.0.iter().find(|kept| kept.row.name == name)?;
        kept.start(outcome)
    }
}

impl Kept {
    fn start(&self, outcome: &Outcome) -> Option<Box<dyn Table>> {
        let before = outcome.earlier.as_ref().map(EarlierGames::count)?;
        let mut table = self.ends.get(before - 1)?.as_ref()?.fork();
        let is_begun = table.restart_with(outcome.setup.unwrap_or_default(), self.left);
        is_begun.then_some(table)
    }
}

/// How each game on the server ended.
fn ends(plan: &PlannedGame, left: Remnant, past: &[PastGame]) -> Vec<Option<Box<dyn Table>>> {
    let game = plan.dialect.game();
    let mut ends: Vec<Option<Box<dyn Table>>> = Vec::new();
    for played in past {
        let goes_on = |end: &dyn Table| {
            let mut table = end.fork();
            let is_begun = table.restart_with(played.setup, left);
            is_begun
                .then_some(table)
                .and_then(|table| end_of(played, table))
        };
        let before = ends.last().and_then(Option::as_deref);
        let by_rules = || end_of(played, game.table(played.setup)).filter(|_| played.has_passed);
        let end = before.and_then(goes_on).or_else(by_rules);
        ends.push(end);
    }
    ends
}

/// Plays an earlier game; `None` where it does not fit.
fn end_of(played: &PastGame, mut table: Box<dyn Table>) -> Option<Box<dyn Table>> {
    let mut history = played.history.iter();
    if !history.all(|event| is_played(event, table.as_mut())) {
        return None;
    }
    if let Some((by, mv)) = played.attempt
        && awaits(table.as_ref(), by)
    {
        // A move that it refuses changes nothing.
        let _ = table.play(mv);
    }
    Some(table)
}

/// Plays an event of an earlier game; false where it does not fit. A bot takes the moves of its opponent as they are.
fn is_played(event: &GameEvent, table: &mut dyn Table) -> bool {
    match *event {
        GameEvent::Rolled { .. } => table.phase() == Phase::Roll && event.play_on(table),
        GameEvent::Moved { by, mv, .. } => awaits(table, by) && table.play_all_the_same(mv),
        GameEvent::Lost { .. } => true,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{first_best, games_of};
    use super::*;
    use crate::event::PastGames;
    use crate::finding::{Finding, Reaction, Symptom, Verdict};
    use crate::pack;
    use crate::protocol::history;
    use crate::rules::Move;
    use crate::rules::Seat::{self, First};
    use crate::scenario;

    /// The move of a token after a game's events, and what came of it.
    type Wrong = (Option<(Seat, u32)>, Reaction);

    /// The mistake that the games of a server leave: the events of each, and what was wrong after them.
    fn named(games: &[(&str, Option<Wrong>)]) -> Option<(&'static str, usize)> {
        let scenario = scenario::free_game(pack::usual().dialects[0], 1);
        let server = PastGames::default();
        let played = games.iter().map(|&(turns, failed)| {
            let history = history(turns);
            let mut outcome = Outcome::new(&scenario);
            if let Some((attempt, reaction)) = failed {
                let symptom = Symptom {
                    reaction,
                    settled: history.len(),
                    attempt: attempt.map(|(by, token)| (by, Some(Move(token)))),
                    lane_of: None,
                    is_time_over: false,
                };
                outcome = outcome.with(Finding {
                    symptom: Some(symptom),
                    ..Finding::new(Verdict::Fail, "not so")
                });
            }
            outcome.history = history;
            outcome.earlier = server.add(outcome.past());
            outcome
        });
        let outcomes: Vec<_> = played.collect();
        let plan = scenario.game().unwrap();
        let games = games_of(plan, &outcomes);
        let (row, explained) = first_best(Starts::new(&games).suspects(&games))?;
        (explained.len() > 1).then_some((row.name, explained.len()))
    }

    #[test]
    fn what_a_server_keeps_is_told_from_what_else_it_could_keep() {
        // By the rules the first player moves token 0 from the start.
        let (before, begins) = ("first 1 > 0", "first 1");
        let refused = Some((Some((First, 0)), Reaction::Loss));
        // He waits for the second player, or relays the move of token 0 from the first cell as that of the player on turn.
        let ignored = Some((Some((First, 1)), Reaction::Nothing));
        let kept = |failed| named(&[(before, None), (begins, failed), (begins, failed)]);
        assert_eq!(kept(ignored), Some(("turn-of-earlier-game", 2)));
        assert_eq!(kept(refused), None);
        // A token on the first cell bars another one.
        let refused = Some((Some((First, 1)), Reaction::Loss));
        assert_eq!(kept(refused), Some(("board-of-earlier-game", 2)));
        let games = [
            (before, None),
            (begins, refused),
            (begins, refused),
            ("first 1 > 1", None),
        ];
        assert_eq!(named(&games), None);
    }

    #[test]
    fn one_failure_or_no_game_before_it_says_nothing() {
        let (before, begins) = ("first 1 > 0", "first 1");
        let refused = Some((Some((First, 1)), Reaction::Loss));
        assert_eq!(named(&[(begins, refused)]), None);
        assert_eq!(named(&[(before, None), (begins, refused)]), None);
    }
}
