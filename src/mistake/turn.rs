//! The turns of a planned game, as far as mistakes in reading and in measuring time show in them.

use std::time::Duration;

use super::GameOfRun;
use super::known::Sign;
use crate::protocol::{Dialect, GameEvent, PlayerLine};
use crate::rules::Table;
use crate::scenario::{
    Act, Deed, Leaving, Participant, PlannedGame, SendPart, Side, Turn, Writes, awaits,
};

/// Length of a line that a buffer may be too small for.
pub(super) const LONG: usize = 100;

/// The bytes that the subject gets from one participant in a turn, by reads.
#[derive(Debug)]
pub(super) struct Reads {
    pub(super) all: Vec<Vec<u8>>,
    /// True if the participant closes its stream after the last one.
    pub(super) ends: bool,
    /// True if the participant is on turn.
    is_on_turn: bool,
}

impl Reads {
    /// What a referee gets by a deed: a pause ends a read.
    fn of(deed: &Deed, dialect: &dyn Dialect, is_on_turn: bool) -> Reads {
        let mut all = vec![Vec::new()];
        for part in deed.sent(dialect) {
            match (part, all.last_mut()) {
                (SendPart::Pause(_), _) => all.push(Vec::new()),
                (part, Some(read)) => read.extend(part.texts().concat()),
                (_, None) => {}
            }
        }
        all.retain(|read| !read.is_empty());
        let ends = deed.leaving().is_some_and(|how| how != Leaving::Reset);
        Reads {
            all,
            ends,
            is_on_turn,
        }
    }

    /// What a bot gets: whatever the lines are, their pieces are the same.
    fn of_bot(writes: Writes) -> Reads {
        let all: &[&[u8]] = match writes {
            Writes::Whole | Writes::Apart => &[b"0\n"],
            Writes::Split => &[b"0", b"\n"],
            Writes::Joined => &[b"0\n0\n"],
        };
        Reads {
            all: all.iter().map(|read| read.to_vec()).collect(),
            ends: false,
            is_on_turn: true,
        }
    }
}

/// A turn, and the time before it.
#[derive(Debug)]
pub(super) struct Wait<'a> {
    pub(super) turn: &'a Turn,
    pub(super) reads: Vec<Reads>,
    pub(super) number: usize,
    pub(super) timeout: Duration,
    /// From the greeting to its beginning.
    pub(super) since_greeting: Duration,
    /// From the beginning of the turn before to its beginning, and from that of the player's own turn before.
    pub(super) since_turn: Duration,
    pub(super) since_own: Duration,
    /// The time that the player has taken in its turns before.
    pub(super) taken: Duration,
    pub(super) is_extra: bool,
    pub(super) is_after_skip: bool,
}

/// The turns of a game, each with its step.
pub(super) fn waits(plan: &PlannedGame) -> Vec<(usize, Wait<'_>)> {
    let mut waits: Vec<(usize, Wait<'_>)> = Vec::new();
    let timeout = plan.timeout.unwrap_or_default();
    let mut now = Duration::ZERO;
    for (number, (step, turn)) in plan.turns().enumerate() {
        let before = waits.last().map(|(_, wait)| wait);
        let is_own = |(_, wait): &&(usize, Wait<'_>)| wait.turn.seat == turn.seat;
        let last = waits.iter().rev().find(is_own).map(|(_, wait)| wait);
        let since = |wait: Option<&Wait<'_>>| wait.map_or(now, |wait| wait.since_greeting);
        let took = |wait: &Wait<'_>| wait.waits().unwrap_or_default();
        let is_skip = |wait: &Wait<'_>| wait.turn.deed == Deed::Skip;
        let own = [Reads::of(&turn.deed, plan.dialect, true)].into_iter();
        let others = turn
            .meanwhile
            .iter()
            .map(|act| Reads::of(&act.deed, plan.dialect, false));
        let wait = Wait {
            turn,
            reads: match plan.side {
                Side::Bot => vec![Reads::of_bot(plan.keys.writes)],
                Side::Referee => others.chain(own).collect(),
            },
            number,
            timeout,
            since_greeting: now,
            since_turn: now - since(before),
            since_own: now - since(last),
            taken: last.map_or(Duration::ZERO, |last| last.taken + took(last)),
            is_extra: before.is_some_and(|wait| wait.turn.seat == turn.seat),
            is_after_skip: before.is_some_and(is_skip),
        };
        now += took(&wait);
        waits.push((step, wait));
    }
    waits
}

/// The judge allows a subject that much beside a quarter of the timeout.
const ALLOWED: Duration = Duration::from_millis(500);

/// A loss that comes less than this after the timeout is not visibly late.
const VISIBLY_LATE: Duration = Duration::from_millis(1250);

impl Wait<'_> {
    /// How long the player does nothing that decides the turn; `None`: for ever.
    pub(super) fn waits(&self) -> Option<Duration> {
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

    /// Whether a read ends within a line: surely it shows if the player on turn sends the rest.
    pub(super) fn cut_reads(&self) -> Option<Sign> {
        let is_cut = |read: &Vec<u8>| !read.ends_with(b"\n");
        self.reads.iter().find_map(|reads| {
            let (last, before) = reads.all.split_last()?;
            match before.iter().any(is_cut) {
                true if reads.is_on_turn => Some(Sign::Surely),
                is_any => (is_any || is_cut(last)).then_some(Sign::Perhaps),
            }
        })
    }

    /// Whether another participant does this meanwhile.
    pub(super) fn acts(&self, does: impl Fn(&Act) -> bool) -> bool {
        self.turn.meanwhile.iter().any(does)
    }

    /// Whether it may show in what a participant sends.
    pub(super) fn perhaps(&self, shows: impl Fn(&Reads) -> bool) -> Option<Sign> {
        self.reads.iter().any(shows).then_some(Sign::Perhaps)
    }

    /// How the turn shows that its time is over at this time, and not at the timeout.
    pub(super) fn ends_at_another_time(&self, end: Option<Duration>) -> Option<Sign> {
        if self.timeout.is_zero() {
            return None;
        }
        // Either the player does something, or its time is over.
        let over = |end: Option<Duration>| {
            let ends = end.into_iter().chain(self.waits());
            ends.min().unwrap_or(Duration::MAX)
        };
        let (by_rules, by_mistake) = (over(Some(self.timeout)), over(end));
        let visible = (self.timeout / 4 + ALLOWED).max(VISIBLY_LATE);
        if by_mistake.saturating_sub(by_rules) > visible {
            Some(Sign::Late)
        } else if by_rules.saturating_sub(by_mistake) > self.timeout / 4 {
            Some(Sign::Ends)
        } else {
            None
        }
    }

    /// The end of its time where this much of it is over before.
    pub(super) fn less(&self, used: Duration) -> Option<Duration> {
        Some(self.timeout.saturating_sub(used))
    }

    /// The end of its time, unless this turn has none.
    pub(super) fn unless(&self, is_untimed: bool) -> Option<Duration> {
        (!is_untimed).then_some(self.timeout)
    }

    /// The end of its time where the last such bytes that the player sends give new time.
    pub(super) fn restarted(&self, does: impl Fn(&[u8]) -> bool) -> Option<Duration> {
        let parts = self.turn.deed.parts().iter();
        self.restarted_last(parts.map(|part| {
            let pause = pauses(std::slice::from_ref(part));
            (pause, does(&part.texts().concat()))
        }))
    }

    /// The same for the last such act of another participant.
    pub(super) fn restarted_by(&self, does: impl Fn(&Act) -> bool) -> Option<Duration> {
        let acts = self.turn.meanwhile.iter();
        self.restarted_last(acts.map(|act| (pauses(act.deed.parts()), does(act))))
    }

    /// The same where each of these takes some time, and may give new time then.
    fn restarted_last(&self, all: impl Iterator<Item = (Duration, bool)>) -> Option<Duration> {
        let (mut now, mut last) = (Duration::ZERO, Duration::ZERO);
        for (time, does) in all {
            now += time;
            if does {
                last = now;
            }
        }
        Some(last + self.timeout)
    }
}

/// The time that pieces take.
fn pauses(parts: &[SendPart]) -> Duration {
    let pause = |part: &SendPart| match part {
        SendPart::Pause(time) => *time,
        _ => Duration::ZERO,
    };
    parts.iter().map(pause).sum()
}

pub(super) fn is_player(act: &Act) -> bool {
    matches!(act.who, Participant::Player(_) | Participant::Other)
}

pub(super) fn is_spectator(act: &Act) -> bool {
    matches!(act.who, Participant::Spectator(_))
}

/// Whether a player who is not on turn sends something and stays.
pub(super) fn is_line_of_player(act: &Act) -> bool {
    is_player(act) && act.deed.leaving().is_none() && !act.deed.parts().is_empty()
}

/// The step with the first line of the player on turn that is no move, and a legal one to a referee that takes it for another line.
pub(super) fn taken_otherwise(game: &GameOfRun<'_>, taken: fn(&[u8]) -> Vec<u8>) -> Option<usize> {
    let read = |line: &[u8]| game.plan.dialect.read_player_line(line);
    let mut moves = 0;
    game.plan.turns().find_map(|(step, turn)| {
        let mut lines = SendPart::lines(&turn.deed.sent(game.plan.dialect)).0;
        // A long line may have been cut before it was read.
        lines.retain(|line| {
            let said = read(line);
            line.len() <= LONG && matches!(said, PlayerLine::Invalid(_) | PlayerLine::Ignored(_))
        });
        let is_taken = lines.iter().any(|line| match read(&taken(line)) {
            PlayerLine::Move(mv) => after_moves(game, moves)
                .is_some_and(|table| awaits(table.as_ref(), turn.seat) && table.check(mv).is_ok()),
            _ => false,
        });
        moves += usize::from(matches!(turn.deed.of_line(), Deed::Move(_)));
        is_taken.then_some(step)
    })
}

/// The game by the rules, in the turn after so many moves.
fn after_moves(game: &GameOfRun<'_>, moves: usize) -> Option<Box<dyn Table>> {
    let outcome = game.outcome;
    let game = game.plan.dialect.game();
    let mut table = game.table(outcome.setup.unwrap_or_default());
    let mut left = moves;
    for event in &outcome.history {
        match event {
            GameEvent::Moved { .. } if left == 0 => break,
            GameEvent::Moved { .. } => left -= 1,
            GameEvent::Rolled { .. } | GameEvent::Lost { .. } => {}
        }
        if matches!(event, GameEvent::Lost { .. }) || !event.play_on(table.as_mut()) {
            break;
        }
    }
    (left == 0).then_some(table)
}

/// The line with a capital at its beginning, and small letters after it.
pub(super) fn capitalized(line: &[u8]) -> Vec<u8> {
    let mut line = line.to_ascii_lowercase();
    if let Some(first) = line.first_mut() {
        first.make_ascii_uppercase();
    }
    line
}

/// The number that the function `atoi` of C reads at the beginning of a line: 0 where there is none, and its lowest 32 bits where it is large.
pub(super) fn number(line: &[u8]) -> Vec<u8> {
    if line.contains(&0) {
        return Vec::new();
    }
    let line = line.trim_ascii_start();
    let sign = usize::from(line.starts_with(b"+") || line.starts_with(b"-"));
    let digits = line[sign..].iter().take_while(|byte| byte.is_ascii_digit());
    let number = match digits.count() {
        0 => 0,
        count => {
            let number = str::from_utf8(&line[..sign + count]).map(str::parse::<i64>);
            number.map_or(i64::MAX, |number| number.unwrap_or(i64::MAX))
        }
    };
    (number as i32).to_string().into_bytes()
}
