//! Finished games written down as move records, judged by the rules and by their chain.

use std::collections::BTreeMap;

use super::ending::player;
use super::{Awaited, Complaint, Ending, GameVerdict, Judged};
use crate::diagnostic::{Diagnostics, Drawing, Source, Tone, visible};
use crate::games::royalur::hcur::{self, Breach, HcurState, HcurTurn, Reduction, Weight};
use crate::pack;
use crate::protocol::GameEvent;
use crate::rules::{GameResult, PerSeat, Seat, Setup, Table};

/// The most bytes of a record that are shown.
const SHOWN: usize = 160;

/// Maximum number of records named one by one.
const NAMED: usize = 8;

/// Maximum number of complaints: a chain can be broken at every record.
const KEPT: usize = 100;

/// Result of judging a game's move records.
#[derive(Debug)]
pub struct Records {
    /// Warnings about the file.
    pub warnings: Diagnostics,
    /// The game, up to its end or to the first record that is wrong.
    pub reduction: Reduction,
    /// Every record that is wrong and why: the rules that the first such record breaks, and every break of the chain.
    pub complaints: Vec<Complaint>,
    /// Open points: records that are right only if something unrecorded happened.
    pub open: Vec<OpenPoint>,
    /// Remarks that are not errors.
    pub notes: Vec<String>,
    /// The players' names.
    pub names: PerSeat<Option<Vec<u8>>>,
}

/// A point that cannot be judged, with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenPoint {
    requirement: &'static str,
    file: String,
    line: usize,
    /// The first of them.
    titles: Vec<String>,
    count: usize,
}

/// Judges a game told by records.
///
/// # Errors
/// Every fault of the file.
pub fn judge_records(source: &Source) -> Result<Records, Diagnostics> {
    let (records, warnings) = hcur::read(source)?;
    let reduction = hcur::reduce(&records);
    let names = PerSeat(
        reduction
            .players
            .0
            .clone()
            .map(|name| name.map(String::into_bytes)),
    );
    let mut all = reduction.breaches.clone();
    all.extend(hcur::chain(&records));
    let mut judged = Records {
        warnings,
        reduction,
        complaints: Vec::new(),
        open: Vec::new(),
        notes: Vec::new(),
        names,
    };
    let mut open: BTreeMap<&str, OpenPoint> = BTreeMap::new();
    let mut left_out = 0;
    for breach in &all {
        let record = breach.record + 1;
        let line = || source.position(breach.span.start).line;
        match breach.weight {
            Weight::Fails if judged.complaints.len() == KEPT => left_out += 1,
            Weight::Fails => {
                let text = source.slice(records[breach.record].span);
                judged
                    .complaints
                    .push(judged.complaint(source, breach, text, line()));
            }
            Weight::Open => {
                let requirement = breach.requirement;
                let new = || {
                    let file = source.name().to_owned();
                    OpenPoint {
                        requirement,
                        file,
                        line: line(),
                        titles: Vec::new(),
                        count: 0,
                    }
                };
                let entry = open.entry(requirement).or_insert_with(new);
                entry.count += 1;
                if entry.titles.len() < NAMED {
                    entry.titles.push(format!(
                        "line {}, record {record}: {}",
                        line(),
                        breach.title
                    ));
                }
            }
            Weight::Noted if judged.notes.len() < NAMED => {
                judged.notes.push(format!(
                    "record {record}: {} ({})",
                    breach.title, breach.requirement
                ));
            }
            Weight::Noted => {}
        }
    }
    if left_out > 0 {
        judged.notes.push(format!(
            "{left_out} more complaints of this file are not told"
        ));
    }
    judged.open = open.into_values().collect();
    if let Some(wrong) = all
        .iter()
        .find(|breach| breach.weight == Weight::Fails && breach.before.is_some())
    {
        let left = records.len() - wrong.record - 1;
        if left > 0 {
            let what = if left == 1 {
                "1 record is".to_owned()
            } else {
                format!("{left} records are")
            };
            judged.notes.push(format!(
                "{what} not judged by the rules, being after record {}",
                wrong.record + 1
            ));
        }
    }
    Ok(judged)
}

impl Records {
    /// The game as streams would have told it, for a replay. Rolls that no record tells are made up there; see
    /// [`Records::tells_roll_of`].
    #[must_use]
    pub fn judged(&self) -> Judged {
        let dialect = pack::dialect(hcur::game().name()).expect("every game has a dialect");
        let verdict = match self.wrong() {
            Some(complaint) => GameVerdict::Wrong(Box::new(complaint.clone())),
            None => GameVerdict::Legal(self.ending()),
        };
        Judged {
            dialect,
            names: self.names.clone(),
            setup: Some(Setup::default()),
            history: self.history(),
            verdict,
            notes: self.notes.clone(),
            left_off: None,
        }
    }

    /// The first rule that is broken; a broken chain is none.
    #[must_use]
    pub fn wrong(&self) -> Option<&Complaint> {
        self.complaints
            .iter()
            .find(|complaint| complaint.board.is_some())
    }

    /// Returns the events of the game.
    #[must_use]
    pub fn history(&self) -> Vec<GameEvent> {
        HcurTurn::history(&self.reduction.turns)
    }

    /// Returns the end of the game, or the point at which it stops.
    #[must_use]
    pub fn ending(&self) -> Ending {
        match self.reduction.winner() {
            Some(seat) => Ending::Over(GameResult::Won(seat)),
            None if self.reduction.turns.is_empty() => Ending::Unstarted,
            None => Ending::Incomplete(Awaited::Roll(self.reduction.position.mover())),
        }
    }

    /// Returns true if a record shows the roll of a turn, counted from 1.
    #[must_use]
    pub fn tells_roll_of(&self, turn: usize) -> bool {
        self.reduction
            .turns
            .get(turn.wrapping_sub(1))
            .is_some_and(|turn| turn.rolled.is_some())
    }

    /// Returns true if a turn, counted from 1, has a record.
    #[must_use]
    pub fn has_record_of(&self, turn: usize) -> bool {
        self.reduction
            .turns
            .get(turn.wrapping_sub(1))
            .is_some_and(|turn| turn.record.is_some())
    }

    fn complaint(&self, source: &Source, breach: &Breach, text: &[u8], line: usize) -> Complaint {
        let mover = self.reduction.position.mover();
        let who = player(hcur::game(), &self.names, mover);
        let number = breach.record + 1;
        let expected = match (breach.before, self.reduction.winner()) {
            (None, _) => "records of one game, each after the one before it".to_owned(),
            (Some(_), Some(_)) => "nothing: the game is over".to_owned(),
            (Some(_), None) => format!("a valid move of {who}"),
        };
        let folded: Vec<_> = text
            .split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty())
            .collect();
        let board = breach.before.map(|_| self.board());
        let turn = board
            .as_ref()
            .map(|_| format!("record {number}, {}", self.after()));
        Complaint {
            file: source.name().to_owned(),
            line,
            requirement: breach.requirement,
            title: format!("record {number}: {}", breach.title),
            expected,
            received: Some(
                visible::plain(&folded.join(&b' '))
                    .at_most(SHOWN)
                    .to_string(),
            ),
            turn: Some(turn.unwrap_or_else(|| format!("record {number}"))),
            board,
            other: None,
            marked: None,
            hint: hint(breach.requirement, self.reduction.tells_rolls),
        }
    }

    /// Returns the complaint about a game state in this file, unless the state equals the records' result.
    #[must_use]
    pub fn state_complaint(&self, file: &str, state: &HcurState) -> Option<Complaint> {
        // Of giving up no record tells, so that a player has resigned is taken as it is.
        let resigned = Seat::BOTH
            .into_iter()
            .find(|&seat| state.sides[seat].resigned);
        let due = HcurState::of(&self.reduction.position, resigned);
        let folded = |state: &HcurState| {
            state
                .to_json()
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
        };
        (due != *state).then(|| Complaint {
            file: file.to_owned(),
            line: 1,
            requirement: HcurState::REDUCES,
            title: "this is not the state that the records come to".to_owned(),
            expected: folded(&due),
            received: Some(folded(state)),
            turn: Some(self.after()),
            board: Some(self.board()),
            other: None,
            marked: None,
            hint: None,
        })
    }

    fn after(&self) -> String {
        match self.reduction.turns.len() {
            1 => "after 1 turn".to_owned(),
            count => format!("after {count} turns"),
        }
    }

    /// The board after the last valid turn.
    fn board(&self) -> String {
        let mut table = hcur::game().table(Setup::default());
        for happening in self.history() {
            match happening {
                GameEvent::Rolled { roll, .. } => {
                    table.take_roll(roll);
                }
                GameEvent::Moved { mv, .. } => table.play(mv).expect("the turns are legal"),
                GameEvent::Lost { .. } => {}
            }
        }
        Table::draw(&*table)
    }
}

fn hint(requirement: &str, tells_rolls: bool) -> Option<&'static str> {
    let is_turn = requirement.ends_with("/players-turn");
    (is_turn && tells_rolls).then_some(
        "every move tells its roll, so a skipped turn needs its record too: `{author: …, roll: \"0 0 0 0\", skipped: true}`",
    )
}

impl OpenPoint {
    /// It as findings are drawn.
    #[must_use]
    pub fn drawing(&self) -> Drawing {
        let entry = pack::requirement(self.requirement);
        let title = match self.count {
            1 => "a turn without a record, and no rolls that would tell whether it was skipped"
                .to_owned(),
            count => format!(
                "{count} turns without a record, and no rolls that would tell whether they were skipped"
            ),
        };
        let mut drawing = Drawing::new("inconclusive", Tone::Doubtful, title)
            .code(self.requirement)
            .file(format!("{}:{}", self.file, self.line));
        for title in &self.titles {
            drawing = drawing.remark(title.as_str());
        }
        if self.count > NAMED {
            drawing = drawing.remark(format!("… and {} more", self.count - NAMED));
        }
        match entry {
            Some(entry) => drawing.footer("specification", format!("\"{}\"", entry.says)),
            None => drawing,
        }
    }
}
