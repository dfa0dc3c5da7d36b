//! The known mistakes that are not in the rules of a game, as data: what a referee sends, reads or measures wrongly.
//!
//! Each of them shows at places of a game, its lines or its turns. A game that came past such a place as if nothing were wrong refutes the
//! mistake. One that failed there, in the way of the mistake, is explained by it.

use std::sync::LazyLock;
use std::time::Duration;

use super::says::Says;
use super::turn::{self, Wait};
use super::{GameOfRun, reason};
use crate::finding::{Finding, LineFault, Reaction, Verdict};
use crate::pack;
use crate::pack::spoiler::{On, To};
use crate::protocol::{Cause, Duty, GameEvent, Party, single_spaced};
use crate::requirement::Role;
use crate::rules::{Mistake, Seat};
use crate::scenario::{PlannedGame, Side};

/// A known mistake.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) row: Mistake,
    pub(super) kind: Kind,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    /// The lines of an occasion to these lanes are wrong.
    Sends(LineFault, On, To),
    /// A player's line is taken for this one.
    Takes(fn(&[u8]) -> Vec<u8>),
    /// How long after its beginning a turn ends in which the player does nothing; `None`: never. Of one player's turns, or all.
    Clock(fn(&Wait<'_>) -> Option<Duration>, Option<Seat>),
    /// It shows in a turn in this way.
    Turn(fn(&Wait<'_>) -> Option<Sign>),
}

/// How a mistake shows in a failed game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    /// A line is wrong.
    Line,
    /// The loss comes too late, or not at all.
    Late,
    /// Somebody has lost, or not all of the time has passed.
    Ends,
    /// The game goes on where it should not.
    GoesOn,
    /// The same, perhaps some ignored lines later.
    Taken,
    /// The game breaks off or goes on otherwise, from there on.
    Breaks,
    /// Somehow, from there on.
    Surely,
    /// Perhaps somehow, from there on.
    Perhaps,
}

/// The lanes of wrong lines, those first that are the likelier: a finding names the first of the lanes that lack a line.
const ADDRESSEES: [(&str, &str, To); 6] = [
    ("spectators", "spectators", To::Spectators),
    ("the-opponent", "the opponent", To::Opponent),
    ("the-mover", "the player on turn", To::Mover),
    ("the-second", "the second player", To::Seat(Seat::Second)),
    ("players", "players", To::Players),
    ("the-first", "the first player", To::Seat(Seat::First)),
];

/// The contents of such a line; a general one is before its special cases.
#[rustfmt::skip]
const NEWS: [(&str, &str, On); 9] = [
    ("roll", "a roll", On::Roll),
    ("skipped-roll", "the roll of a skipped turn", On::SkippedRoll),
    ("used-roll", "the roll of a turn that is not skipped", On::RollToMove),
    ("move", "a move", On::Move),
    ("last-move", "the last move", On::LastMove),
    ("loss", "a loss", On::Loss),
    ("loss-by-line", "a loss by a wrong line", On::Invalid),
    ("loss-by-timeout", "a loss by timeout", On::Timeout),
    ("loss-by-absence", "the loss of a player who has disconnected", On::HangUp),
];

/// What is wrong with them: the name and the words of a mistake, with `{news}` and `{lane}`.
#[rustfmt::skip]
const FAULTS: [(LineFault, &str, &str); 5] = [
    (LineFault::Missing, "no-{news}-for-{lane}", "{news} was not for {lane}, or not at once"),
    (LineFault::Doubled, "{news}-twice-for-{lane}", "{news} had to be sent to {lane} twice"),
    (LineFault::Changed, "other-{news}-for-{lane}", "{news} had another line for {lane}"),
    (LineFault::Repeated, "old-{news}-for-{lane}", "{news} had the line of the one before for {lane}"),
    (LineFault::Preceded, "move-before-{news}-for-{lane}", "{news} had the refused move before it for {lane}"),
];

type TakenRow = (&'static str, &'static str, fn(&[u8]) -> Vec<u8>);

#[rustfmt::skip]
const TAKES: [TakenRow; 3] = [
    ("blanks-do-not-matter", "blanks around and between the words of a line did not matter", single_spaced),
    ("letters-are-alike", "small letters and capitals were alike", turn::capitalized),
    ("number-at-the-beginning", "a line was taken for the number at its beginning, or for 0 if there is none", turn::number),
];

type ClockRow = (
    &'static str,
    &'static str,
    fn(&Wait<'_>) -> Option<Duration>,
);

#[rustfmt::skip]
const CLOCKS: [ClockRow; 15] = [
    ("timeout-short", "the time for a move was over too early", |wait| Some(wait.timeout / 2)),
    ("timeout-long", "the time for a move was not over at the timeout", |_| None),
    ("clock-from-greeting", "the time for a move ran from the greeting on", |wait| wait.less(wait.since_greeting)),
    ("clock-from-own-turn", "the time for a move ran on from the player's turn before", |wait| wait.less(wait.since_own)),
    ("clock-from-turn-before", "the time for a move ran from the turn before on", |wait| wait.less(wait.since_turn)),
    ("clock-is-sum", "the time of a player's turns was counted together", |wait| wait.less(wait.taken)),
    ("part-of-line-gives-time", "part of a line gave the player on turn new time",
        |wait| wait.restarted(|sent| !sent.is_empty() && !sent.ends_with(b"\n"))),
    ("line-gives-time", "a line that is no move gave the player on turn new time",
        |wait| wait.restarted(|sent| sent.ends_with(b"\n"))),
    ("off-turn-line-gives-time", "a line of the opponent gave the player on turn new time",
        |wait| wait.restarted_by(turn::is_line_of_player)),
    ("departure-gives-time", "the departure of the opponent gave the player on turn new time",
        |wait| wait.restarted_by(|act| turn::is_player(act) && act.deed.leaving().is_some())),
    ("spectator-gives-time", "a spectator who comes or goes gave the player on turn new time",
        |wait| wait.restarted_by(turn::is_spectator)),
    ("first-turn-untimed", "the first turn had no timeout", |wait| wait.unless(wait.number == 0)),
    ("extra-turns-untimed", "an extra turn had no timeout", |wait| wait.unless(wait.is_extra)),
    ("untimed-after-skip", "the turn after a skipped one had no timeout", |wait| wait.unless(wait.is_after_skip)),
    ("late-turns-untimed", "a turn late in the game had no timeout", |wait| wait.unless(wait.number >= LATE)),
];

/// The name of a mistake that shows in a turn, the simpler mistakes that it contains, its words, and how it shows.
type TurnRow = (
    &'static str,
    &'static [&'static str],
    &'static str,
    fn(&Wait<'_>) -> Option<Sign>,
);

#[rustfmt::skip]
const TURNS: [TurnRow; 9] = [
    ("reads-are-whole-lines", &[], "every read brought whole lines", |wait| wait.cut_reads()),
    ("reads-are-one-line", &[], "every read brought one line",
        |wait| wait.perhaps(|reads| reads.all.iter().any(|read| lines(read).count() > 1))),
    ("lines-are-short", &[], "no line was long",
        |wait| wait.perhaps(|reads| lines(&reads.all.concat()).any(|line| line.len() > turn::LONG))),
    ("ends-without-line", &[], "no line came right before the end of a stream",
        |wait| wait.perhaps(|reads| reads.ends && reads.all.last().is_some_and(|read| read.ends_with(b"\n")))),
    ("timeout-skips", &[], "the turn of a player whose time is over was only skipped",
        |wait| wait.waits().is_none().then_some(Sign::GoesOn)),
    ("off-turn-line-loses", &[], "a player who sends a line off turn had lost",
        |wait| wait.acts(turn::is_line_of_player).then_some(Sign::Ends)),
    ("nobody-speaks-off-turn", &["off-turn-line-loses"], "no player ever sent a line off turn",
        |wait| wait.acts(turn::is_line_of_player).then_some(Sign::Breaks)),
    ("nobody-leaves-off-turn", &[], "no player ever left off turn",
        |wait| wait.acts(|act| turn::is_player(act) && act.deed.leaving().is_some()).then_some(Sign::Breaks)),
    ("no-spectator-leaves", &[], "no spectator ever left",
        |wait| wait.acts(|act| turn::is_spectator(act) && act.deed.leaving().is_some()).then_some(Sign::Breaks)),
];

/// A turn from which on a game is in full swing.
const LATE: usize = 12;

/// Every one of them; those about lines that are sent come last.
pub(super) static KNOWN: LazyLock<Vec<Known>> = LazyLock::new(|| {
    let known = |name, summary, kind| Known {
        // What is broken is the requirement of the line or of the time.
        row: Mistake::new(name, summary, ""),
        kind,
    };
    let mut all: Vec<Known> = Vec::new();
    all.extend(TURNS.map(|(name, contains, summary, sign)| {
        let known = known(name, summary, Kind::Turn(sign));
        let row = Mistake {
            contains,
            ..known.row
        };
        Known { row, ..known }
    }));
    all.extend(TAKES.map(|(name, summary, taken)| known(name, summary, Kind::Takes(taken))));
    for (name, summary, ends) in CLOCKS {
        all.push(known(name, summary, Kind::Clock(ends, None)));
        for (seat, player) in Seat::BOTH.into_iter().zip(["first", "second"]) {
            let part = format!("{name}-for-{player}").leak();
            let words = format!("{summary}, but only in turns of the {player} player").leak();
            let mut part = known(part, words, Kind::Clock(ends, Some(seat)));
            part.row.general = Some(name);
            all.push(part);
        }
    }
    for (fault, name, summary) in FAULTS {
        for (lane, addressee, to) in ADDRESSEES {
            for (short, news, on) in NEWS.into_iter().filter(|(.., on)| can_be(fault, *on)) {
                let name = name.replace("{news}", short).replace("{lane}", lane);
                let summary = summary.replace("{news}", news).replace("{lane}", addressee);
                all.push(known(
                    name.leak(),
                    summary.leak(),
                    Kind::Sends(fault, on, to),
                ));
            }
        }
    }
    all
});

/// Whether the lines of an occasion can be wrong in this way.
fn can_be(fault: LineFault, on: On) -> bool {
    match fault {
        LineFault::Missing | LineFault::Doubled | LineFault::Changed => true,
        LineFault::Repeated => matches!(on, On::Roll | On::Move),
        LineFault::Preceded => on == On::Invalid,
    }
}

impl Known {
    /// Holds the mistake against a game.
    pub(super) fn says(&self, game: &GameOfRun<'_>) -> Says {
        let GameOfRun { plan, outcome, .. } = *game;
        let Some((shown, sign)) = self.shown(game) else {
            return Says::NOTHING;
        };
        // So many places later the game may fail by it, and a game that came further refutes it.
        let (slack, limit) = match sign {
            Sign::Line => (0, shown),
            Sign::Late | Sign::Ends | Sign::GoesOn => (1, shown + 1),
            Sign::Taken | Sign::Breaks | Sign::Surely => (usize::MAX, shown + 1),
            Sign::Perhaps => (usize::MAX, usize::MAX),
        };
        let failed = reason(outcome).map(|finding| (self.failed_at(plan, finding), finding));
        let has_passed = matches!(outcome.verdict, Verdict::Pass | Verdict::Lenient);
        match failed {
            Some((place, finding))
                if (shown..=shown.saturating_add(slack)).contains(&place)
                    && self.is_alike(sign, game, finding) =>
            {
                Says::EXPLAINS
            }
            Some((place, _)) if place > limit => Says::Refutes,
            None if has_passed && limit < usize::MAX => Says::Refutes,
            _ => Says::NOTHING,
        }
    }

    /// The number of the event or of the step in which the game failed.
    fn failed_at(&self, plan: &PlannedGame, finding: &Finding) -> usize {
        if let Kind::Sends(..) = self.kind {
            return finding.stray.map_or(0, |line| line.event);
        }
        let mut steps = plan.steps.iter();
        let place = steps.position(|step| Some(step.span) == finding.span);
        place.unwrap_or(plan.steps.len())
    }

    /// Whether the game failed in the way of the mistake.
    fn is_alike(&self, sign: Sign, game: &GameOfRun<'_>, finding: &Finding) -> bool {
        let early = [
            Role::TimeoutNotEarly,
            Role::OwnTurnTimed,
            Role::DefaultTimeout,
        ];
        let is_early = early.into_iter().any(|role| {
            let id = game.plan.dialect.find_id(role);
            id.is_some() && id == finding.requirement
        });
        let has_ended = matches!(finding.reaction, Some(Reaction::Loss | Reaction::End));
        match (self.kind, sign) {
            (Kind::Sends(fault, on, _), _) => finding.stray.is_some_and(|line| {
                let mut before = game.outcome.history[..line.event].iter();
                // Before the first line of its sort nobody knows what would be repeated.
                let may_repeat = fault == LineFault::Repeated && line.fault == LineFault::Changed;
                line.fault == fault || may_repeat && !before.any(|event| on.is_about(*event))
            }),
            (_, Sign::Late) => finding.by_silence && !is_early,
            (_, Sign::Ends) => is_early || has_ended,
            (_, Sign::GoesOn | Sign::Taken) => {
                finding.reaction.is_some() && !has_ended && !finding.by_silence
            }
            (_, Sign::Breaks) => finding.reaction.is_some(),
            (_, Sign::Line | Sign::Surely | Sign::Perhaps) => true,
        }
    }

    /// The first event or step of the game in which the mistake shows, and how.
    fn shown(&self, game: &GameOfRun<'_>) -> Option<(usize, Sign)> {
        let waits = || turn::waits(game.plan).into_iter();
        match self.kind {
            Kind::Sends(fault, on, to) => Some((sent(game, fault, on, to)?, Sign::Line)),
            Kind::Takes(taken) => Some((turn::taken_otherwise(game, taken)?, Sign::Taken)),
            Kind::Turn(sign) => waits().find_map(|(step, wait)| Some((step, sign(&wait)?))),
            Kind::Clock(..) if game.plan.side == Side::Bot => None,
            Kind::Clock(ends, only) => waits().find_map(|(step, wait)| {
                let is_meant = only.is_none_or(|only| only == wait.turn.seat);
                let sign = is_meant.then(|| wait.ends_at_another_time(ends(&wait)))??;
                Some((step, sign))
            }),
        }
    }
}

/// The lines that a read brings; what follows the last newline is none.
fn lines(read: &[u8]) -> impl Iterator<Item = &[u8]> {
    read.split_inclusive(|byte| *byte == b'\n')
}

/// Whether a player has lost by a line of which the specification leaves nothing open.
fn loses_by_rules(event: &GameEvent) -> bool {
    let GameEvent::Lost {
        cause: Cause::Invalid(id),
        ..
    } = event
    else {
        return false;
    };
    pack::requirement(id).is_some_and(|entry| entry.is_binding())
}

/// The first event of which such a line came, or in a failed game its wrong line. There, only the lane of that line is known.
fn sent(game: &GameOfRun<'_>, fault: LineFault, on: On, to: To) -> Option<usize> {
    let GameOfRun { plan, outcome, .. } = *game;
    let history = &outcome.history;
    let (mut until, mut parties) = (history.len(), Seat::BOTH.map(Party::Player).to_vec());
    parties.extend((plan.spectators > 0).then_some(Party::Spectator));
    if let Some(finding) = reason(outcome) {
        let line = finding.stray.filter(|line| line.event < history.len())?;
        until = line.event + 1;
        parties = vec![line.to.map_or(Party::Spectator, Party::Player)];
    }
    let line = |event: &GameEvent, party| {
        let owed = plan.dialect.tell(event, party);
        let must = owed.filter(|line| line.duty == Duty::Must);
        must.map(|line| line.line)
    };
    let is_sent = |place: usize, party: Party| {
        let event = &history[place];
        if !on.is_about(*event) || !to.means(party, Some(event.by())) {
            return false;
        }
        let due = line(event, party);
        let is_other = || {
            let mut before = history[..place].iter().rev();
            let before = before.find(|event| on.is_about(**event));
            before.is_some_and(|before| line(before, Party::Spectator) != due)
        };
        let shows = match fault {
            LineFault::Repeated => place + 1 == until || is_other(),
            LineFault::Preceded => outcome.losing_move.is_some() && loses_by_rules(event),
            _ => true,
        };
        due.is_some() && shows
    };
    (0..until).find(|&place| parties.iter().any(|party| is_sent(place, *party)))
}

#[cfg(test)]
#[path = "known_tests.rs"]
mod tests;
