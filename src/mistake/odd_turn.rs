//! Mistakes that show only in turns in which something odd happens: lines that come in pieces or together, and players who take time. A game
//! that passed although such a turn would have shown the mistake refutes it.

use std::sync::LazyLock;
use std::time::Duration;

use super::says::Says;
use super::{GameOfRun, reason};
use crate::finding::{Finding, Verdict};
use crate::requirement::Role;
use crate::rules::{Mistake, Seat};
use crate::scenario::{Act, Deed, Leaving, Participant, PlannedGame, SendPart, Side, Turn, Writes};

/// A mistake, and where it shows.
#[derive(Debug)]
struct OddTurn {
    row: Mistake,
    kind: Kind,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    /// In reading lines: whether it shows in these reads, if it can.
    Reads(fn(&Reads) -> Option<bool>),
    /// In measuring time: how long after its beginning a turn ends in which the player does nothing; `None`: never. Of one player's turns, or all.
    Clock(fn(&Wait<'_>) -> Option<Duration>, Option<Seat>),
}

/// The bytes that the subject gets from one participant in a turn, by reads.
#[derive(Debug, Default)]
struct Reads {
    all: Vec<Vec<u8>>,
    /// True if the participant closes its stream after the last one.
    ends: bool,
    /// True if the participant is on turn.
    is_on_turn: bool,
}

/// A turn, and the time before it.
#[derive(Debug)]
struct Wait<'a> {
    turn: &'a Turn,
    number: usize,
    timeout: Duration,
    /// From the greeting to its beginning.
    since_greeting: Duration,
    /// From the beginning of the turn before to its beginning, and from that of the player's own turn before.
    since_turn: Duration,
    since_own: Duration,
    /// The time that the player has taken in its turns before.
    taken: Duration,
    is_extra: bool,
    is_after_skip: bool,
}

/// A mistake in reading: its name, its words, and where it shows.
type ReadRow = (&'static str, &'static str, fn(&Reads) -> Option<bool>);

const READS: [ReadRow; 4] = [
    (
        "reads-are-whole-lines",
        "every read brought whole lines",
        |reads| {
            let is_cut = |read: &Vec<u8>| !read.ends_with(b"\n");
            let (last, before) = reads.all.split_last()?;
            match before.iter().any(is_cut) {
                true => Some(reads.is_on_turn),
                false => is_cut(last).then_some(false),
            }
        },
    ),
    (
        "reads-are-one-line",
        "every read brought one line",
        |reads| {
            let lines = |read: &Vec<u8>| read.iter().filter(|byte| **byte == b'\n').count();
            reads
                .all
                .iter()
                .any(|read| lines(read) > 1)
                .then_some(false)
        },
    ),
    ("lines-are-short", "no line was long", |reads| {
        let all = reads.all.concat();
        let mut lines = all.split(|byte| *byte == b'\n');
        lines.any(|line| line.len() > LONG).then_some(false)
    }),
    (
        "ends-without-line",
        "no line came right before the end of a stream",
        |reads| {
            let is_line = |read: &Vec<u8>| read.ends_with(b"\n");
            (reads.ends && reads.all.last().is_some_and(is_line)).then_some(false)
        },
    ),
];

/// Length of a line that a buffer may be too small for.
const LONG: usize = 100;

/// A mistake in measuring time: its name, its words, and when the time of a turn is over.
type ClockRow = (
    &'static str,
    &'static str,
    fn(&Wait<'_>) -> Option<Duration>,
);

const CLOCKS: [ClockRow; 15] = [
    (
        "timeout-short",
        "the time for a move was over too early",
        |wait| Some(wait.timeout / 2),
    ),
    (
        "timeout-long",
        "the time for a move was not over at the timeout",
        |_| None,
    ),
    (
        "clock-from-greeting",
        "the time for a move ran from the greeting on",
        |wait| Some(wait.timeout.saturating_sub(wait.since_greeting)),
    ),
    (
        "clock-from-own-turn",
        "the time for a move ran on from the player's turn before",
        |wait| Some(wait.timeout.saturating_sub(wait.since_own)),
    ),
    (
        "clock-from-turn-before",
        "the time for a move ran from the turn before on",
        |wait| Some(wait.timeout.saturating_sub(wait.since_turn)),
    ),
    (
        "clock-is-sum",
        "the time of a player's turns was counted together",
        |wait| Some(wait.timeout.saturating_sub(wait.taken)),
    ),
    (
        "part-of-line-gives-time",
        "part of a line gave the player on turn new time",
        |wait| {
            let parts = wait.turn.deed.parts();
            wait.restarted(parts, |sent| !sent.is_empty() && !sent.ends_with(b"\n"))
        },
    ),
    (
        "line-gives-time",
        "a line that is no move gave the player on turn new time",
        |wait| wait.restarted(wait.turn.deed.parts(), |sent| sent.ends_with(b"\n")),
    ),
    (
        "off-turn-line-gives-time",
        "a line of the opponent gave the player on turn new time",
        |wait| {
            wait.restarted_by(|act| {
                is_player(act) && act.deed.leaving().is_none() && !act.deed.parts().is_empty()
            })
        },
    ),
    (
        "departure-gives-time",
        "the departure of the opponent gave the player on turn new time",
        |wait| wait.restarted_by(|act| is_player(act) && act.deed.leaving().is_some()),
    ),
    (
        "spectator-gives-time",
        "a spectator who comes or goes gave the player on turn new time",
        |wait| wait.restarted_by(|act| matches!(act.who, Participant::Spectator(_))),
    ),
    (
        "first-turn-untimed",
        "the first turn had no timeout",
        |wait| wait.unless(wait.number == 0),
    ),
    (
        "extra-turns-untimed",
        "an extra turn had no timeout",
        |wait| wait.unless(wait.is_extra),
    ),
    (
        "untimed-after-skip",
        "the turn after a skipped one had no timeout",
        |wait| wait.unless(wait.is_after_skip),
    ),
    (
        "late-turns-untimed",
        "a turn late in the game had no timeout",
        |wait| wait.unless(wait.number >= LATE),
    ),
];

/// A turn from which on a game is in full swing.
const LATE: usize = 12;

fn is_player(act: &Act) -> bool {
    matches!(act.who, Participant::Player(_) | Participant::Other)
}

static ALL: LazyLock<Vec<OddTurn>> = LazyLock::new(|| {
    let reads = READS.map(|(name, summary, shows)| OddTurn {
        row: Mistake::new(name, summary, ""),
        kind: Kind::Reads(shows),
    });
    let mut all = Vec::from(reads);
    for (name, summary, ends) in CLOCKS {
        all.push(OddTurn {
            row: Mistake::new(name, summary, ""),
            kind: Kind::Clock(ends, None),
        });
        for (seat, player) in Seat::BOTH.into_iter().zip(["first", "second"]) {
            let part = format!("{name}-for-{player}").leak();
            let words = format!("{summary}, but only in turns of the {player} player").leak();
            all.push(OddTurn {
                row: Mistake {
                    general: Some(name),
                    ..Mistake::new(part, words, "")
                },
                kind: Kind::Clock(ends, Some(seat)),
            });
        }
    }
    all
});

/// The mistakes that show in odd turns, explain failures of these games and that no game refutes, each with the numbers of those.
pub(super) fn odd_turns(
    games: &[GameOfRun<'_>],
) -> impl Iterator<Item = (&'static Mistake, Vec<usize>)> {
    ALL.iter().filter_map(move |mistake| {
        let explained = super::explained(games, |game| mistake.says(game))?;
        (!explained.is_empty()).then_some((&mistake.row, explained))
    })
}

impl OddTurn {
    fn says(&self, game: &GameOfRun<'_>) -> Says {
        let GameOfRun { plan, outcome, .. } = *game;
        let Some((shown, is_certain, is_late)) = self.shows(plan) else {
            return Says::NOTHING;
        };
        let refutes = Says::Refutes { turn: shown + 1 };
        match (outcome.verdict, reason(outcome)) {
            (Verdict::Pass | Verdict::Lenient, _) if is_certain => refutes,
            (_, Some(finding)) => {
                let place = plan
                    .steps
                    .iter()
                    .position(|step| Some(step.span) == finding.span);
                let place = place.unwrap_or(plan.steps.len());
                let is_alike = is_late.is_none_or(|is_late| {
                    is_late == is_too_late(plan, finding) && place <= shown + 1
                });
                match place >= shown && is_alike {
                    true => Says::Allows {
                        explains: true,
                        unshown: 1.0,
                    },
                    false if place > shown + 1 && is_certain => refutes,
                    false => Says::NOTHING,
                }
            }
            _ => Says::NOTHING,
        }
    }

    /// The first step of the game that shows it, whether it has to be seen there, and for a clock whether the loss comes late.
    fn shows(&self, plan: &PlannedGame) -> Option<(usize, bool, Option<bool>)> {
        match self.kind {
            Kind::Reads(shows) if plan.side == Side::Bot => {
                // Whatever the lines are, their pieces are the same.
                let all = match plan.writes {
                    Writes::Whole => return None,
                    Writes::Split => vec![b"0".to_vec(), b"\n".to_vec()],
                    Writes::Joined => vec![b"0\n0\n".to_vec()],
                };
                shows(&Reads {
                    all,
                    is_on_turn: true,
                    ends: false,
                })?;
                Some((0, true, None))
            }
            Kind::Reads(shows) => plan.turns().find_map(|(step, turn)| {
                let own = Reads::of(&turn.deed, true);
                let others = turn.meanwhile.iter().map(|act| Reads::of(&act.deed, false));
                let is_certain = others.chain([own]).find_map(|reads| shows(&reads))?;
                Some((step, is_certain, None))
            }),
            Kind::Clock(..) if plan.side == Side::Bot => None,
            Kind::Clock(ends, only) => {
                let timeout = plan.timeout?;
                let mut waits = waits(plan, timeout).into_iter();
                waits.find_map(|(step, wait)| {
                    if only.is_some_and(|only| only != wait.turn.seat) {
                        return None;
                    }
                    // Either the player does something, or its time is over.
                    let over = |end: Option<Duration>| {
                        let ends = end.into_iter().chain(wait.waits());
                        ends.min().unwrap_or(Duration::MAX)
                    };
                    let (by_rules, by_mistake) = (over(Some(timeout)), over(ends(&wait)));
                    let visible = (timeout / 4 + EARLY).max(VISIBLY_LATE);
                    if by_mistake.saturating_sub(by_rules) > visible {
                        Some((step, true, Some(true)))
                    } else if by_rules.saturating_sub(by_mistake) > timeout / 4 {
                        Some((step, true, Some(false)))
                    } else {
                        None
                    }
                })
            }
        }
    }
}

/// So much later than at the timeout a loss has to come to be too late: the judge allows the subject as much.
const EARLY: Duration = Duration::from_millis(500);
const VISIBLY_LATE: Duration = Duration::from_millis(1250);

/// Whether a failure is about a loss that came too late, or not at all.
fn is_too_late(plan: &PlannedGame, finding: &Finding) -> bool {
    let early = [
        Role::TimeoutNotEarly,
        Role::OwnTurnTimed,
        Role::DefaultTimeout,
    ];
    let is_early = |role| {
        let id = plan.dialect.find_id(role);
        id.is_some() && id == finding.requirement
    };
    finding.by_silence && !early.into_iter().any(is_early)
}

/// The time that pieces take.
fn pauses(parts: &[SendPart]) -> Duration {
    let pause = |part: &SendPart| match part {
        SendPart::Pause(time) => *time,
        _ => Duration::ZERO,
    };
    parts.iter().map(pause).sum()
}

/// The turns of a game, each with its step.
fn waits(plan: &PlannedGame, timeout: Duration) -> Vec<(usize, Wait<'_>)> {
    let mut waits: Vec<(usize, Wait<'_>)> = Vec::new();
    let mut now = Duration::ZERO;
    for (number, (step, turn)) in plan.turns().enumerate() {
        let before = waits.last().map(|(_, wait)| wait);
        let is_own = |(_, wait): &&(usize, Wait<'_>)| wait.turn.seat == turn.seat;
        let own = waits.iter().rev().find(is_own).map(|(_, wait)| wait);
        let since = |wait: Option<&Wait<'_>>| wait.map_or(now, |wait| wait.since_greeting);
        let took = |wait: &Wait<'_>| wait.waits().unwrap_or_default();
        let is_skip = |wait: &Wait<'_>| wait.turn.deed == Deed::Skip;
        let wait = Wait {
            turn,
            number,
            timeout,
            since_greeting: now,
            since_turn: now - since(before),
            since_own: now - since(own),
            taken: own.map_or(Duration::ZERO, |own| own.taken + took(own)),
            is_extra: before.is_some_and(|wait| wait.turn.seat == turn.seat),
            is_after_skip: before.is_some_and(is_skip),
        };
        now += took(&wait);
        waits.push((step, wait));
    }
    waits
}

impl Wait<'_> {
    /// How long the player does nothing that decides the turn; `None`: for ever.
    fn waits(&self) -> Option<Duration> {
        let meanwhile = self.turn.meanwhile.iter();
        let meanwhile: Duration = meanwhile.map(|act| pauses(act.deed.parts())).sum();
        match &self.turn.deed {
            Deed::Silent => None,
            Deed::Send(parts) if SendPart::lines(parts).0.is_empty() => {
                let leaves = SendPart::leaving(parts).is_some();
                leaves.then(|| meanwhile + pauses(parts))
            }
            deed => Some(meanwhile + deed.delay()),
        }
    }

    /// The end of its time, unless this turn has none.
    fn unless(&self, is_untimed: bool) -> Option<Duration> {
        (!is_untimed).then_some(self.timeout)
    }

    /// The end of its time where the last such bytes that the player sends give new time.
    fn restarted(&self, parts: &[SendPart], does: impl Fn(&[u8]) -> bool) -> Option<Duration> {
        let (mut now, mut last) = (Duration::ZERO, Duration::ZERO);
        for part in parts {
            match part {
                SendPart::Pause(time) => now += *time,
                part if does(&part.texts().concat()) => last = now,
                _ => {}
            }
        }
        Some(last + self.timeout)
    }

    /// The same for the last such act of another participant.
    fn restarted_by(&self, does: impl Fn(&Act) -> bool) -> Option<Duration> {
        let (mut now, mut last) = (Duration::ZERO, Duration::ZERO);
        for act in &self.turn.meanwhile {
            now += pauses(act.deed.parts());
            if does(act) {
                last = now;
            }
        }
        Some(last + self.timeout)
    }
}

impl Reads {
    /// What a participant sends by a deed: a pause ends a read.
    fn of(deed: &Deed, is_on_turn: bool) -> Reads {
        let mut reads = Reads {
            all: vec![Vec::new()],
            ends: deed.leaving().is_some_and(|how| how != Leaving::Reset),
            is_on_turn,
        };
        if let Deed::Illegal(line) | Deed::Ignored(line) = deed {
            reads.all = vec![[line, &b"\n"[..]].concat()];
        }
        for part in deed.parts() {
            match part {
                SendPart::Pause(_) => reads.all.push(Vec::new()),
                part => {
                    if let Some(read) = reads.all.last_mut() {
                        read.extend(part.texts().concat());
                    }
                }
            }
        }
        reads.all.retain(|read| !read.is_empty());
        reads
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Source;
    use crate::event::Outcome;
    use crate::scenario::{Alone, resolve};

    /// What a game says of the mistake: `failed` is the step in which it failed by silence, and the requirement.
    fn said(name: &str, turns: &str, failed: Option<(usize, &'static str)>) -> Says {
        let head = "scenario: t\ngame: royalur\nsubject: referee\nchecks: [ur/roll/line]\ntimeout: 2s\nturns:\n";
        let source = Source::new("s.yaml", head.to_owned() + turns);
        let (mut scenarios, problems) = resolve(&source, "s", &Alone);
        let scenario = scenarios.pop().unwrap_or_else(|| panic!("{problems:?}"));
        let plan = scenario.game().unwrap();
        let mut outcome = Outcome::new(&scenario);
        if let Some((step, requirement)) = failed {
            let finding = Finding {
                by_silence: true,
                ..Finding::at(plan.steps[step].span, Verdict::Fail, requirement, "not so")
            };
            outcome = outcome.with(finding);
        }
        let mistake = ALL.iter().find(|mistake| mistake.row.name == name).unwrap();
        let (number, outcome) = (0, &outcome);
        mistake.says(&GameOfRun {
            number,
            plan,
            outcome,
        })
    }

    const EXPLAINS: Says = Says::Allows {
        explains: true,
        unshown: 1.0,
    };

    #[test]
    fn a_wrong_clock_shows_only_in_turns_in_which_it_is_over_at_another_time() {
        let own = "  - first: 0 0 1 1 > 0\n  - second: 0 0 0 1\n    send: [{pause: 700ms}, \"0\\n\"]\n  - first: 0 0 0 1 > silent\n";
        let early = Some((2, "ur/timeout/not-early"));
        let refuted = Says::Refutes { turn: 3 };
        for (name, passed, failed) in [
            ("clock-from-own-turn", refuted, EXPLAINS),
            ("clock-from-own-turn-for-first", refuted, EXPLAINS),
            (
                "clock-from-own-turn-for-second",
                Says::NOTHING,
                Says::NOTHING,
            ),
            ("timeout-short", refuted, EXPLAINS),
            ("clock-is-sum", Says::NOTHING, Says::NOTHING),
            ("timeout-long", refuted, Says::NOTHING),
        ] {
            assert_eq!(said(name, own, None), passed, "{name}");
            assert_eq!(said(name, own, early), failed, "{name}");
        }
        let half = "  - first: 0 0 1 1\n    send: [{pause: 1500ms}, \"3\"]\n";
        let late = Some((0, "ur/timeout/no-new-time"));
        assert_eq!(said("part-of-line-gives-time", half, late), EXPLAINS);
        assert_eq!(said("line-gives-time", half, late), Says::NOTHING);
    }

    #[test]
    fn a_wrong_reader_shows_only_where_lines_come_in_pieces_or_together() {
        let pieces = "  - first: 0 0 1 1\n    send: [\"3\", {pause: 200ms}, \"\\n\"]\n";
        let failed = Some((0, "ur/roll/line"));
        let name = "reads-are-whole-lines";
        assert_eq!(said(name, pieces, None), Says::Refutes { turn: 1 });
        assert_eq!(said(name, pieces, failed), EXPLAINS);
        assert_eq!(said("reads-are-one-line", pieces, failed), Says::NOTHING);
        let whole = "  - first: 0 0 1 1 > 3\n";
        assert_eq!(said(name, whole, failed), Says::NOTHING);
    }
}
