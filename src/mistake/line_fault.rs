//! Lines that a referee does not send when they are due, sends twice or sends wrongly: to whom, and what they tell, over all games of a run.

use std::sync::LazyLock;

use super::{GameOfRun, first_best, reason};
use crate::finding::{LineFault, Verdict};
use crate::pack::spoiler::{On, To};
use crate::protocol::{Duty, GameEvent, Party};
use crate::rules::{Mistake, Seat};
use crate::scenario::PlannedGame;

/// The lanes of such lines, those first that are the likelier: a finding names the first of the lanes that lack a line.
const ADDRESSEES: [(&str, &str, To); 6] = [
    ("spectators", "spectators", To::Spectators),
    ("the-opponent", "the opponent", To::Opponent),
    ("the-mover", "the player on turn", To::Mover),
    ("the-second", "the second player", To::Seat(Seat::Second)),
    ("players", "players", To::Players),
    ("the-first", "the first player", To::Seat(Seat::First)),
];

/// The contents of such a line; a general one is before its special cases.
const NEWS: [(&str, &str, On); 9] = [
    ("roll", "a roll", On::Roll),
    (
        "skipped-roll",
        "the roll of a skipped turn",
        On::SkippedRoll,
    ),
    (
        "used-roll",
        "the roll of a turn that is not skipped",
        On::RollToMove,
    ),
    ("move", "a move", On::Move),
    ("last-move", "the last move", On::LastMove),
    ("loss", "a loss", On::Loss),
    ("loss-by-line", "a loss by a wrong line", On::Invalid),
    ("loss-by-timeout", "a loss by timeout", On::Timeout),
    (
        "loss-by-absence",
        "the loss of a player who has disconnected",
        On::HangUp,
    ),
];

/// Lines of one sort that a referee does not send to some lanes, or sends them otherwise than once and rightly.
struct LineMistake {
    row: Mistake,
    fault: LineFault,
    on: On,
    to: To,
}

impl LineMistake {
    fn new(
        fault: LineFault,
        (lanes, addressee, to): (&str, &str, To),
        (short, summary, on): (&str, &str, On),
    ) -> LineMistake {
        let (name, summary) = match fault {
            LineFault::Missing => (
                format!("no-{short}-for-{lanes}"),
                format!("{summary} was not for {addressee}, or not at once"),
            ),
            LineFault::Doubled => (
                format!("{short}-twice-for-{lanes}"),
                format!("{summary} had to be sent to {addressee} twice"),
            ),
            LineFault::Changed => (
                format!("other-{short}-for-{lanes}"),
                format!("{summary} had another line for {addressee}"),
            ),
        };
        LineMistake {
            // What is broken is the requirement of the line.
            row: Mistake::new(name.leak(), summary.leak(), ""),
            fault,
            on,
            to,
        }
    }

    /// Returns true if it is about the line that tells this party of this event.
    fn is_about(&self, event: GameEvent, party: Party) -> bool {
        self.on.is_about(event) && self.to.means(party, Some(event.by()))
    }
}

static MISTAKES: LazyLock<Vec<LineMistake>> = LazyLock::new(|| {
    let mut mistakes = Vec::new();
    for fault in [LineFault::Missing, LineFault::Doubled, LineFault::Changed] {
        for addressee in ADDRESSEES {
            let of = |news| LineMistake::new(fault, addressee, news);
            mistakes.extend(NEWS.map(of));
        }
    }
    mistakes
});

/// The one sort of lines with which the same is wrong in the most of these games, if no such line was received once and rightly in any; with the
/// numbers of the games that failed by it.
pub(super) fn line_fault(games: &[GameOfRun<'_>]) -> Option<(&'static Mistake, Vec<usize>)> {
    let mut open: Vec<_> = MISTAKES
        .iter()
        .map(|mistake| (mistake, Vec::new()))
        .collect();
    for game in games {
        let history = &game.outcome.history;
        let stray = reason(game.outcome).and_then(|finding| finding.stray);
        if let Some(line) = stray.filter(|line| line.event < history.len()) {
            let party = line.to.map_or(Party::Spectator, Party::Player);
            drop_received(&mut open, game.plan, &history[..line.event], party);
            let is_it = |mistake: &LineMistake| {
                mistake.fault == line.fault && mistake.is_about(history[line.event], party)
            };
            let by_it = open.iter_mut().filter(|(mistake, _)| is_it(mistake));
            by_it.for_each(|(_, explained)| explained.push(game.number));
        } else if matches!(game.outcome.verdict, Verdict::Pass | Verdict::Lenient) {
            let spectator = (game.plan.spectators > 0).then_some(Party::Spectator);
            for party in Seat::BOTH.map(Party::Player).into_iter().chain(spectator) {
                drop_received(&mut open, game.plan, history, party);
            }
        }
    }
    first_best(
        open.into_iter()
            .map(|(mistake, explained)| (&mistake.row, explained)),
    )
}

/// Drops the mistakes that are about lines by which this party was told of these events.
fn drop_received(
    open: &mut Vec<(&LineMistake, Vec<usize>)>,
    plan: &PlannedGame,
    events: &[GameEvent],
    party: Party,
) {
    for event in events {
        let mut owed = plan.dialect.tell(event, party).into_iter();
        if owed.any(|line| line.duty == Duty::Must) {
            open.retain(|(mistake, _)| !mistake.is_about(*event, party));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Outcome;
    use crate::finding::{Finding, StrayLine};
    use crate::pack;
    use crate::protocol::history;
    use crate::scenario;

    /// Names the fault of games of two turns, the first skipped; each says whether it failed, by which event and to whom.
    fn named_by(
        games: &[Option<(usize, Option<Seat>)>],
        fault: LineFault,
    ) -> Option<(&'static str, usize)> {
        let scenario = scenario::free_game(pack::usual().dialects[0], 1);
        let outcome = |missed: &Option<(usize, Option<Seat>)>| {
            let mut outcome = Outcome::new(&scenario);
            if let Some((event, to)) = *missed {
                let finding = Finding::new(Verdict::Fail, "a line is missing");
                outcome = outcome.with(Finding {
                    stray: Some(StrayLine { event, to, fault }),
                    ..finding
                });
            }
            outcome.history = history("first 0, second 0, first 1 > 0");
            outcome
        };
        let outcomes: Vec<_> = games.iter().map(outcome).collect();
        let plan = scenario.game().unwrap();
        let games = outcomes.iter().zip(0..).map(|(outcome, number)| GameOfRun {
            number,
            plan,
            outcome,
        });
        let (row, explained) = line_fault(&games.collect::<Vec<_>>())?;
        (explained.len() > 1).then_some((row.name, explained.len()))
    }

    #[test]
    fn what_every_game_was_told_wrongly_is_named_as_generally_as_it_can_be() {
        let moved = Some((3, Some(Seat::Second)));
        for (fault, missed, name) in [
            (
                LineFault::Missing,
                Some((0, None)),
                Some("no-roll-for-spectators"),
            ),
            (LineFault::Missing, moved, Some("no-move-for-the-opponent")),
            // The roll before was skipped as well, and was received.
            (LineFault::Missing, Some((1, None)), None),
            (
                LineFault::Doubled,
                moved,
                Some("move-twice-for-the-opponent"),
            ),
            // The rolls of skipped turns came as they were.
            (
                LineFault::Changed,
                Some((2, None)),
                Some("other-used-roll-for-spectators"),
            ),
        ] {
            let named = |games: &[_]| named_by(games, fault);
            assert_eq!(
                named(&[missed, missed]),
                name.map(|name| (name, 2)),
                "{missed:?}"
            );
            assert_eq!(named(&[missed]), None, "{missed:?}");
            assert_eq!(named(&[missed, missed, None]), None, "{missed:?}");
        }
    }

    /// The rolls of turns that are not skipped came, in games that failed by a move.
    #[test]
    fn a_game_that_received_such_a_line_names_nothing() {
        let (missed, moved) = (Some((0, None)), Some((3, None)));
        assert_eq!(named_by(&[missed, missed, moved], LineFault::Missing), None);
    }
}
