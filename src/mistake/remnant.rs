//! What a running server may have kept of its earlier games: held against each game that it played after one.

use super::says::{Says, says_from};
use super::{GameOfRun, explained, first_best};
use crate::event::{EarlierGames, Outcome, PastGame};
use crate::protocol::GameEvent;
use crate::rules::{Mistake, Phase, Remnant, Table};
use crate::scenario::{PlannedGame, awaits};

/// The mistakes about it. What they break is the requirement of the wrong line.
static ROWS: [(Remnant, Mistake); 3] = [
    (
        Remnant::Board,
        Mistake::new(
            "board-of-earlier-game",
            "the board was still that of the game before",
            "",
        ),
    ),
    (
        Remnant::Turn,
        Mistake::new(
            "turn-of-earlier-game",
            "the player who was next in the game before had the first turn",
            "",
        ),
    ),
    (
        Remnant::Position,
        Mistake::new(
            "position-of-earlier-game",
            "the game before went on where it had ended",
            "",
        ),
    ),
];

/// What one mistake says of the games of a server.
#[derive(Debug)]
struct Kept {
    left: Remnant,
    row: &'static Mistake,
    /// How each game on the server ended by it, where that can be told. The first that passed began as every game should.
    ends: Vec<Option<Box<dyn Table>>>,
}

/// Every such mistake; none where no game was played after another one.
#[derive(Debug, Default)]
pub(super) struct Remnants(Vec<Kept>);

impl Remnants {
    /// Of the games of one subject, on one side of one game.
    pub(super) fn new(games: &[GameOfRun<'_>]) -> Remnants {
        let mut earlier = games
            .iter()
            .filter_map(|game| Some((game.plan, game.outcome.earlier.as_ref()?)));
        let Some((plan, server)) = earlier.next() else {
            return Remnants::default();
        };
        let kept = |past: &[PastGame]| {
            let rows = ROWS.iter();
            rows.map(|(left, row)| Kept::new(plan, *left, row, past))
                .collect()
        };
        Remnants(server.of_server(kept))
    }

    /// The mistake that explains the most failures and that no game refutes, with their numbers.
    pub(super) fn best(&self, games: &[GameOfRun<'_>]) -> Option<(&'static Mistake, Vec<usize>)> {
        first_best(self.0.iter().filter_map(|kept| {
            let says = |game: &GameOfRun<'_>| {
                let start = kept.start(game.outcome);
                start.map_or(Says::NOTHING, |start| {
                    says_from(start, game.plan, game.outcome)
                })
            };
            Some((kept.row, explained(games, says)?))
        }))
    }

    /// The game before its first turn to a subject that makes the mistake of this name.
    pub(super) fn start(&self, name: &str, outcome: &Outcome) -> Option<Box<dyn Table>> {
        let kept = self.0.iter().find(|kept| kept.row.name == name)?;
        kept.start(outcome)
    }
}

impl Kept {
    fn new(plan: &PlannedGame, left: Remnant, row: &'static Mistake, past: &[PastGame]) -> Kept {
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
            let by_rules =
                || end_of(played, game.table(played.setup)).filter(|_| played.has_passed);
            let end = before.and_then(goes_on).or_else(by_rules);
            ends.push(end);
        }
        Kept { left, row, ends }
    }

    fn start(&self, outcome: &Outcome) -> Option<Box<dyn Table>> {
        let before = outcome.earlier.as_ref().map(EarlierGames::count)?;
        let mut table = self.ends.get(before - 1)?.as_ref()?.fork();
        let is_begun = table.restart_with(outcome.setup.unwrap_or_default(), self.left);
        is_begun.then_some(table)
    }
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
        let games = outcomes.iter().zip(0..).map(|(outcome, number)| GameOfRun {
            number,
            plan,
            outcome,
        });
        let games: Vec<_> = games.collect();
        let (row, explained) = Remnants::new(&games).best(&games)?;
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
