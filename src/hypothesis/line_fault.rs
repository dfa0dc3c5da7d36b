//! Lines that a referee does not send when they are due, sends twice or sends wrongly: to whom, and what they tell, over all games of a run.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::reason;
use crate::event::Outcome;
use crate::finding::{LineFault, Verdict};
use crate::protocol::{Cause, Duty, GameEvent, Party};
use crate::rules::{Mistake, Seat};
use crate::scenario::PlannedGame;

/// What a line tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum News {
    Roll,
    SkippedRoll,
    Move,
    LastMove,
    LossByLine,
    LossByTimeout,
    OtherLoss,
}

/// A line of a game: what it tells, whose turn that was, and to whom it is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Told {
    news: News,
    by: Seat,
    /// `None`: a spectator.
    to: Option<Seat>,
}

impl Told {
    fn new(event: &GameEvent, to: Party) -> Told {
        let news = match event {
            GameEvent::Rolled { skipped: true, .. } => News::SkippedRoll,
            GameEvent::Rolled { .. } => News::Roll,
            GameEvent::Moved { result: None, .. } => News::Move,
            GameEvent::Moved { .. } => News::LastMove,
            GameEvent::Lost { cause, .. } => match cause {
                Cause::Invalid(_) => News::LossByLine,
                Cause::Timeout => News::LossByTimeout,
                _ => News::OtherLoss,
            },
        };
        let (by, to) = (event.by(), to.seat());
        Told { news, by, to }
    }
}

/// Returns true if a line is for certain lanes.
type IsAddressed = fn(Told) -> bool;

/// Those to whom such a line goes, or would have to go, those first that are the likelier: a finding names the first of the lanes that lack a line.
const ADDRESSEES: [(&str, &str, IsAddressed); 6] = [
    ("spectators", "spectators", |told| told.to.is_none()),
    ("the-opponent", "the opponent", |told| {
        told.to.is_some_and(|seat| seat != told.by)
    }),
    ("the-mover", "the player on turn", |told| {
        told.to == Some(told.by)
    }),
    ("the-second", "the second player", |told| {
        told.to == Some(Seat::Second)
    }),
    ("players", "players", |told| told.to.is_some()),
    ("the-first", "the first player", |told| {
        told.to == Some(Seat::First)
    }),
];

/// The contents of such a line; a general one stands before its special cases.
const NEWS: [(&str, &str, &[News]); 10] = [
    ("roll", "a roll", &[News::Roll, News::SkippedRoll]),
    (
        "skipped-roll",
        "the roll of a skipped turn",
        &[News::SkippedRoll],
    ),
    (
        "used-roll",
        "the roll of a turn that is not skipped",
        &[News::Roll],
    ),
    ("move", "a move", &[News::Move, News::LastMove]),
    ("last-move", "the last move", &[News::LastMove]),
    ("earlier-move", "a move before the last", &[News::Move]),
    (
        "loss",
        "a loss",
        &[News::LossByLine, News::LossByTimeout, News::OtherLoss],
    ),
    (
        "loss-by-line",
        "a loss by a wrong line",
        &[News::LossByLine],
    ),
    (
        "loss-by-timeout",
        "a loss by timeout",
        &[News::LossByTimeout],
    ),
    (
        "loss-by-absence",
        "the loss of who has gone away",
        &[News::OtherLoss],
    ),
];

/// Lines of one sort that a referee does not send to some lanes, or sends them otherwise than once and rightly.
struct LineHypothesis {
    row: Mistake,
    fault: LineFault,
    is_of: IsAddressed,
    news: &'static [News],
}

impl LineHypothesis {
    fn new(
        fault: LineFault,
        (to, addressee, is_of): (&str, &str, IsAddressed),
        (short, summary, news): (&str, &str, &'static [News]),
    ) -> LineHypothesis {
        let (name, summary) = match fault {
            LineFault::Missing => (
                format!("no-{short}-for-{to}"),
                format!("{summary} was not for {addressee}, or not at once"),
            ),
            LineFault::Doubled => (
                format!("{short}-twice-for-{to}"),
                format!("{summary} had to be sent to {addressee} twice"),
            ),
            LineFault::Changed => (
                format!("other-{short}-for-{to}"),
                format!("{summary} had another line for {addressee}"),
            ),
        };
        LineHypothesis {
            // What is broken is the requirement of the line.
            row: Mistake::new(name.leak(), summary.leak(), ""),
            fault,
            is_of,
            news,
        }
    }

    fn holds(&self, told: Told) -> bool {
        self.news.contains(&told.news) && (self.is_of)(told)
    }
}

static HYPOTHESES: LazyLock<Vec<LineHypothesis>> = LazyLock::new(|| {
    let mut hypotheses = Vec::new();
    for fault in [LineFault::Missing, LineFault::Doubled, LineFault::Changed] {
        for addressee in ADDRESSEES {
            let of = |news| LineHypothesis::new(fault, addressee, news);
            hypotheses.extend(NEWS.map(of));
        }
    }
    hypotheses
});

/// The one sort of lines with which the same is always wrong, if that explains at least two failures of these games, at least half of them, and
/// no such line was received once and rightly in any; with the numbers of the games that failed by it.
pub(super) fn line_fault<'a>(
    games: impl Iterator<Item = (usize, &'a PlannedGame, &'a Outcome)>,
) -> Option<(&'static Mistake, Vec<usize>)> {
    let mut received = BTreeSet::new();
    let mut strays = Vec::new();
    let mut failed = 0;
    for (number, plan, outcome) in games {
        let history = &outcome.history;
        if let Some(finding) = reason(outcome) {
            failed += 1;
            let line = finding.stray.filter(|line| line.event < history.len());
            if let Some(line) = line {
                let party = line.to.map_or(Party::Spectator, Party::Player);
                strays.push((number, line.fault, Told::new(&history[line.event], party)));
                received.extend(told(plan, &history[..line.event], party));
            }
        } else if matches!(outcome.verdict, Verdict::Pass | Verdict::Lenient) {
            let spectator = (plan.spectators > 0).then_some(Party::Spectator);
            let players = Seat::BOTH.map(Party::Player);
            for party in players.into_iter().chain(spectator) {
                received.extend(told(plan, history, party));
            }
        }
    }
    let is_received =
        |hypothesis: &LineHypothesis| received.iter().any(|&told| hypothesis.holds(told));
    let fitting = HYPOTHESES
        .iter()
        .filter(|hypothesis| !is_received(hypothesis));
    let explained = fitting.map(|hypothesis| {
        let is_it = |fault, told| fault == hypothesis.fault && hypothesis.holds(told);
        let by_it = strays.iter().filter(|stray| is_it(stray.1, stray.2));
        let numbers: Vec<_> = by_it.map(|(number, ..)| *number).collect();
        (&hypothesis.row, numbers)
    });
    // The first of the best.
    let best = explained.reduce(|best, next| match next.1.len() > best.1.len() {
        true => next,
        false => best,
    });
    best.filter(|(_, explained)| explained.len() >= 2 && 2 * explained.len() >= failed)
}

/// The lines that this party has to be told of these events.
fn told(plan: &PlannedGame, events: &[GameEvent], party: Party) -> Vec<Told> {
    let mut owed = Vec::new();
    let is_told = |event: &&GameEvent| {
        plan.dialect.tell(event, party, &mut owed);
        owed.drain(..).any(|line| line.duty == Duty::Must)
    };
    let told = events.iter().filter(is_told);
    told.map(|event| Told::new(event, party)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
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
        let games = outcomes.iter().enumerate();
        let found = line_fault(games.map(|(number, outcome)| (number, plan, outcome)))?;
        Some((found.0.name, found.1.len()))
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
