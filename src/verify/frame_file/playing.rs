//! The turns of a replay played again: each is held against the rules.

use std::time::Duration;

use super::difference::difference;
use super::members::Members;
use super::record::PositionRecord;
use crate::diagnostic::{Diagnostic, Diagnostics, JsonValue, Source, Span, visible};
use crate::finding::{Finding, Verdict};
use crate::pack::{self, NotatedGame, NotatedTurn, file_format};
use crate::protocol::{Cause, Dialect, GameEvent};
use crate::rules::{Game, Move, PerSeat, Phase, Roll, Seat, Setup, Table};
use crate::verify::unjudged_game::UnjudgedGame;

/// A game as far as its turns were read.
pub(super) struct Playing<'s> {
    source: &'s Source,
    told: UnjudgedGame,
    table: Box<dyn Table>,
    /// Number of turns that the first line promises.
    promised: Option<usize>,
    has_end: bool,
    /// Where the last line begins, if it was cut off.
    cut_off: Option<usize>,
}

/// A reason to stop: a malformed line, or a rule that a turn breaks.
enum Stop {
    Fault(Diagnostic),
    Wrong(Span, Option<&'static str>, String),
}

impl From<Diagnostic> for Stop {
    fn from(fault: Diagnostic) -> Stop {
        Stop::Fault(fault)
    }
}

/// Builds the reason to stop at a turn that breaks a rule that no requirement names.
fn wrong(span: Span, title: impl Into<String>) -> Stop {
    Stop::Wrong(span, None, title.into())
}

impl<'s> Playing<'s> {
    /// A game before its first turn.
    pub(super) fn new(
        source: &'s Source,
        dialect: &'static dyn Dialect,
        setup: Setup,
        players: PerSeat<Option<String>>,
        promised: Option<usize>,
    ) -> Playing<'s> {
        let game = NotatedGame {
            warnings: Diagnostics::new(),
            players,
            records: Vec::new(),
            turns: Vec::new(),
            lost: None,
            findings: Vec::new(),
        };
        Playing {
            source,
            table: dialect.game().table(setup),
            told: UnjudgedGame {
                format: file_format::FRAMES,
                dialect,
                setup,
                game,
                tail: Vec::new(),
                took: Vec::new(),
            },
            promised,
            has_end: false,
            cut_off: None,
        }
    }

    /// Returns true after a turn that breaks a rule.
    pub(super) fn is_stopped(&self) -> bool {
        // No turn is taken after it.
        let last = self.told.game.findings.last();
        last.is_some_and(|finding| finding.verdict == Verdict::Fail)
    }

    fn game(&self) -> &'static dyn Game {
        self.told.dialect.game()
    }

    /// Number of the next turn.
    fn next(&self) -> usize {
        self.told.game.turns.len() + usize::from(!self.told.tail.is_empty()) + 1
    }

    /// Takes a turn.
    ///
    /// # Errors
    /// The first place that is malformed.
    pub(super) fn turn(&mut self, line: &Members<'_>) -> Result<(), Diagnostic> {
        let (number, span) = line.due_number("turn")?;
        let is_start = number == 0 && self.told.game.records.is_empty();
        if !is_start && number != self.next() {
            let title = format!("this is turn {number}, and turn {} is due", self.next());
            let help = "a game is read from its start, and one turn of a replay is no game";
            return Err(line.fault(span, title).help(help));
        }
        let result = if is_start {
            let start = self.table.fork();
            self.assert_position(line, &*start, None, true)
        } else {
            self.told.game.records.push(line.span);
            self.play(line)
        };
        match result {
            Ok(()) => Ok(()),
            Err(Stop::Fault(fault)) => Err(fault),
            Err(Stop::Wrong(span, requirement, title)) => {
                if is_start {
                    self.told.game.records.push(line.span);
                }
                self.find(span, requirement, title);
                Ok(())
            }
        }
    }

    /// Takes the last line.
    ///
    /// # Errors
    /// The first place that is malformed.
    pub(super) fn end(&mut self, line: &Members<'_>) -> Result<(), Diagnostic> {
        self.has_end = true;
        let is_wrong = line.given("is_wrong");
        let is_wrong = is_wrong.filter(|node| node.value == JsonValue::Bool(true));
        if let (Some(node), false) = (is_wrong, self.is_stopped()) {
            let says = line.text("says")?.map_or("", |(text, _)| text);
            self.told.game.records.push(line.span);
            self.find(
                node.span,
                None,
                format!("the replay ends at an error: {says}"),
            );
        }
        Ok(())
    }

    fn find(&mut self, span: Span, requirement: Option<&'static str>, title: String) {
        let board = (Finding::BEFORE_LINE.to_owned(), self.table.draw());
        self.told.game.findings.push(Finding {
            requirement,
            span: Some(span),
            board: Some(board),
            ..Finding::new(Verdict::Fail, title)
        });
    }

    /// Ends at a last line that begins here and was cut off.
    pub(super) fn cut_off(&mut self, start: usize) {
        self.cut_off = Some(start);
    }

    /// The game as it was told.
    pub(super) fn told(mut self) -> UnjudgedGame {
        let (read, promised) = (self.next() - 1, self.promised);
        let is_short = promised.is_some_and(|promised| read < promised) || !self.has_end;
        let of = promised.map_or(String::new(), |promised| format!(" of {promised}"));
        let name = self.source.name();
        let (title, place) = match self.cut_off {
            Some(start) => (
                format!("the last line was cut off; before it are {read}{of} turns"),
                format!("{name}:{}", self.source.position(start).line),
            ),
            None if is_short && !self.is_stopped() => (
                format!("the file breaks off: it holds {read}{of} turns"),
                name.to_owned(),
            ),
            None => return self.told,
        };
        let warning = Diagnostic::warning("frames/cut-off", title).in_file(place);
        self.told.game.warnings.push(warning);
        self.told
    }

    /// Plays a turn.
    fn play(&mut self, line: &Members<'_>) -> Result<(), Stop> {
        let game = self.game();
        let by = line.due_seat("by", game)?;
        let (action, action_span) = line.due_text("action")?;
        if !self.told.tail.is_empty() || matches!(self.table.phase(), Phase::Over(_)) {
            return Err(wrong(action_span, "a turn after the end of the game"));
        }
        let due = self.table.to_move();
        if by != due && action != "lost" {
            let name = |seat| game.seat_name(seat);
            let title = format!(
                "a turn of the {} player, and it is the {} player's",
                name(by),
                name(due)
            );
            return Err(wrong(line.span, title));
        }
        let roll = self.roll(line)?;
        match action {
            "moved" => {
                let (text, span) = line.due_text("move")?;
                let mv = game.parse_move(text).ok_or_else(|| {
                    let text = visible::quoted(text).at_most(40);
                    line.fault(
                        span,
                        format!("{text} is no move: a move is {}", game.move_syntax()),
                    )
                })?;
                self.moved(line, (by, roll, mv), span)
            }
            "skipped" => self.skipped(line, (by, roll), action_span),
            "lost" => self.lost(line, by, roll),
            "awaited" => self.awaited(line, roll, action_span),
            other => {
                let text = visible::quoted(other).at_most(40);
                let title = format!("{text} is no action: moved, skipped, lost or awaited");
                Err(line.fault(action_span, title).into())
            }
        }
    }

    /// The roll of a turn, if the file tells it.
    fn roll(&self, line: &Members<'_>) -> Result<Option<Roll>, Diagnostic> {
        let game = self.game();
        let Some((text, span)) = line.text("roll")? else {
            return Ok(None);
        };
        game.parse_roll(text).map(Some).ok_or_else(|| {
            let text = visible::quoted(text).at_most(40);
            line.fault(
                span,
                format!("{text} is no roll: a roll is {}", game.roll_syntax()),
            )
        })
    }

    /// Rolls by which a turn can be played: the one that the file tells, or one of each kind.
    fn rolls(&self, roll: Option<Roll>) -> Vec<Roll> {
        match (roll, self.game().kinds_of_roll()) {
            (Some(roll), _) => vec![roll],
            (None, []) => vec![Roll(0)],
            (None, kinds) => kinds.to_vec(),
        }
    }

    fn moved(
        &mut self,
        line: &Members<'_>,
        (by, rolled, mv): (Seat, Option<Roll>, Move),
        span: Span,
    ) -> Result<(), Stop> {
        let mut stop = None;
        for roll in self.rolls(rolled) {
            let mut table = self.table.fork();
            if table.phase() == Phase::Roll && !table.take_roll(roll) {
                let title = "a move, and the roll allows none";
                stop = stop.or(Some(wrong(span, title)));
                continue;
            }
            if let Err(refusal) = table.play(mv) {
                let title = format!("the move is not valid: {}", refusal.reason);
                stop = stop.or(Some(Stop::Wrong(span, Some(refusal.requirement), title)));
                continue;
            }
            match self.assert_position(line, &*table, Some(by), true) {
                Ok(()) => {
                    self.table = table;
                    return self.push(line, (by, rolled, roll, Some(mv)));
                }
                Err(other) => stop = Some(other),
            }
        }
        Err(stop.unwrap_or_else(|| wrong(span, "no roll allows this move")))
    }

    fn skipped(
        &mut self,
        line: &Members<'_>,
        (by, rolled): (Seat, Option<Roll>),
        span: Span,
    ) -> Result<(), Stop> {
        for roll in self.rolls(rolled) {
            let mut table = self.table.fork();
            if table.phase() != Phase::Roll || table.take_roll(roll) {
                continue;
            }
            self.assert_position(line, &*table, None, true)?;
            self.table = table;
            if rolled.is_none() {
                self.told.game.findings.push(Finding {
                    span: Some(line.span),
                    ..Finding::new(Verdict::Inconclusive, "a skipped turn without its roll")
                });
            }
            return self.push(line, (by, rolled, roll, None));
        }
        Err(wrong(span, "the turn is skipped, and the player can move"))
    }

    fn push(
        &mut self,
        line: &Members<'_>,
        (by, rolled, roll, mv): (Seat, Option<Roll>, Roll, Option<Move>),
    ) -> Result<(), Stop> {
        let (took, at): (Option<Duration>, _) = (line.time("took")?, line.time("at")?);
        self.told.took.push(took);
        let record = self.told.game.records.len() - 1;
        self.told.game.turns.push(NotatedTurn {
            // That a turn was skipped without a roll is what the records before and after it tell.
            record: mv.map(|_| record).or(rolled.map(|_| record)),
            by,
            rolled,
            is_roll_complete: rolled.is_some(),
            roll,
            mv,
            at,
        });
        Ok(())
    }

    fn lost(&mut self, line: &Members<'_>, by: Seat, roll: Option<Roll>) -> Result<(), Stop> {
        let cause = match line.text("cause")? {
            None => Cause::Unseen,
            Some((word, span)) => {
                let known = [
                    Cause::Timeout,
                    Cause::HangUp,
                    Cause::Resigned,
                    Cause::Unseen,
                ];
                let known = known.into_iter().find(|cause| cause.word() == word);
                let broken = || pack::requirement(word).map(|entry| Cause::Invalid(&entry.id));
                known.or_else(broken).ok_or_else(|| {
                    let word = visible::quoted(word).at_most(40);
                    line.fault(span, format!("{word} is no cause of a loss"))
                })?
            }
        };
        self.begin(line, roll, false)?;
        self.told.tail.push(GameEvent::Lost { by, cause });
        Ok(())
    }

    fn awaited(&mut self, line: &Members<'_>, roll: Option<Roll>, span: Span) -> Result<(), Stop> {
        if roll.is_none() {
            return Err(line.fault(span, "a turn that is awaited has a roll").into());
        }
        self.begin(line, roll, true)
    }

    /// Takes the roll of a turn without a move. `goes_on`: the player may still move.
    fn begin(&mut self, line: &Members<'_>, roll: Option<Roll>, goes_on: bool) -> Result<(), Stop> {
        let mut table = self.table.fork();
        if let Some(roll) = roll {
            let by = table.to_move();
            if table.phase() != Phase::Roll || !table.take_roll(roll) {
                return Err(wrong(
                    line.span,
                    "a turn without a move, and its roll allows none",
                ));
            }
            self.told.tail.push(GameEvent::Rolled {
                by,
                roll,
                skipped: false,
            });
        }
        self.assert_position(line, &*table, None, goes_on)
    }

    /// Checks what the line says of the position after the turn. `mover`: the player, if a token moved.
    fn assert_position(
        &self,
        line: &Members<'_>,
        after: &dyn Table,
        mover: Option<Seat>,
        goes_on: bool,
    ) -> Result<(), Stop> {
        let mut picture = after.picture();
        if !goes_on || matches!(after.phase(), Phase::Over(_)) {
            picture.to_move = None;
        }
        let due = PositionRecord::new(&self.table.picture(), &picture, mover);
        let due = serde_json::to_value(due).expect("all keys are texts");
        let members = due.as_object().into_iter().flatten();
        for (name, due) in members {
            let found = line.given(name).and_then(|node| difference(node, due));
            if let Some((span, due)) = found {
                let title = format!("`{name}` differs from the rules, by which it is {due} here");
                return Err(wrong(span, title));
            }
        }
        Ok(())
    }
}
