//! What a running server may have kept of its earlier games: held against each game that it played after one.

use super::belief::{Word, hold_by};
use super::symptom::fits;
use super::{GameOfRun, reason};
use crate::event::{EarlierGames, Outcome, PastGame};
use crate::protocol::GameEvent;
use crate::rules::{Mistake, Phase, Remnant, Table};
use crate::scenario::{PlannedGame, Side, awaits};

/// The hypotheses about it. What they break is the requirement of the wrong line.
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

/// What one hypothesis says of the games of a server.
#[derive(Debug)]
struct Kept {
    left: Remnant,
    row: &'static Mistake,
    /// How each game on the server ended by it, where that can be told. The first that passed began as every game should.
    ends: Vec<Option<Box<dyn Table>>>,
}

/// Every such hypothesis; none where no game was played after another one.
#[derive(Debug, Default)]
pub(super) struct Remnants(Vec<Kept>);

impl Remnants {
    /// Of the games of one subject, on one side of one game.
    pub(super) fn new<'a>(mut games: impl Iterator<Item = GameOfRun<'a>>) -> Remnants {
        let earlier = |game: GameOfRun<'a>| Some((game.plan()?, game.outcome.earlier.as_ref()?));
        let Some((plan, server)) = games.find_map(earlier) else {
            return Remnants::default();
        };
        let kept = |past: &[PastGame]| {
            let rows = ROWS.iter();
            rows.map(|(left, row)| Kept::new(plan, *left, row, past))
                .collect()
        };
        Remnants(server.of_server(kept))
    }

    /// The hypothesis that explains the most failures, at least two and half of all, and contradicts no game, with their numbers.
    pub(super) fn best<'a>(
        &self,
        games: impl Iterator<Item = (usize, GameOfRun<'a>)> + Clone,
    ) -> Option<(&'static Mistake, Vec<usize>)> {
        let failures = games.clone().filter_map(|(_, game)| reason(game.outcome));
        let failed = failures.count();
        let explained = self.0.iter().filter_map(|kept| {
            let mut explained = Vec::new();
            for (number, game) in games.clone() {
                match kept.says(game.plan()?, game.outcome) {
                    Some(true) => explained.push(number),
                    Some(false) => return None,
                    None => {}
                }
            }
            Some((kept.row, explained))
        });
        // The first of the best.
        let best = explained.reduce(|best, next| match next.1.len() > best.1.len() {
            true => next,
            false => best,
        });
        best.filter(|(_, explained)| explained.len() >= 2 && 2 * explained.len() >= failed)
    }

    /// The game before its first turn to a subject that believes the hypothesis of this name.
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

    /// Returns true if it explains why this game failed, and false if it contradicts it.
    fn says(&self, plan: &PlannedGame, outcome: &Outcome) -> Option<bool> {
        let table = self.start(outcome)?;
        let symptom = reason(outcome).and_then(|finding| finding.symptom.as_ref());
        let bot = (plan.side == Side::Bot).then_some(plan.bot_seat);
        if let Some(symptom) = symptom
            && fits(symptom, bot, &outcome.history, table.fork().as_mut())
        {
            return Some(true);
        }
        let is_refuted = matches!(hold_by(self.row, table, plan, outcome), Word::Refuted(_));
        is_refuted.then_some(false)
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
    use crate::event::ServerGames;
    use crate::finding::{Finding, Reaction, Symptom, Verdict};
    use crate::pack;
    use crate::protocol::history;
    use crate::rules::Move;
    use crate::rules::Seat::{self, First};
    use crate::scenario::{self, Scenario};

    /// The move of a token after a game's events, and what came of it.
    type Wrong = (Option<(Seat, u32)>, Reaction);

    /// The hypothesis that the games of a server leave: the events of each, and what was wrong after them.
    fn named(games: &[(&str, Option<Wrong>)]) -> Option<(&'static str, usize)> {
        let scenario = scenario::free_game(pack::usual().dialects[0], 1);
        let server = ServerGames::default();
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
                    is_loss_silent: false,
                };
                outcome = outcome.with(Finding {
                    symptom: Some(symptom),
                    ..Finding::new(Verdict::Fail, "not so")
                });
            }
            outcome.history = history;
            outcome.earlier = server.add("there", outcome.past(), true);
            outcome
        });
        let outcomes: Vec<_> = played.collect();
        let games = outcomes.iter().map(|outcome| of(&scenario, outcome));
        let remnants = Remnants::new(games.clone());
        let (row, explained) = remnants.best(games.enumerate())?;
        Some((row.name, explained.len()))
    }

    fn of<'a>(scenario: &'a Scenario, outcome: &'a Outcome) -> GameOfRun<'a> {
        GameOfRun {
            scenario,
            subject: "there",
            outcome,
        }
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
