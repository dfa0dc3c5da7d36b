//! Finished games written down as move records, judged by the rules and by their chain.

use std::collections::BTreeMap;

use super::finished_game::{FinishedGame, Found};
use crate::diagnostic::{Source, counted, visible};
use crate::finding::{FileLine, Finding, LaneText, LaneView, Remark, Verdict};
use crate::pack::{
    self, FileFormat, NotatedGame, NotatedState, NotatedTurn, Notation, Protocol, StateNotation,
};
use crate::protocol::{Cause, GameEvent};
use crate::rules::{PerSeat, Phase, Setup, Table};
use crate::transcript::LoggedGame;
use crate::verify::{Ending, player, remarks};

/// The most bytes of a record that are shown.
const SHOWN: usize = 160;

/// Maximum number of records named one by one.
const NAMED: usize = 8;

/// Maximum number of complaints: a chain can be broken at every record.
const KEPT: usize = 100;

/// Judges a game told by records. Its findings: every record that is wrong, that is the rules that the first such record breaks, and every
/// break of the chain; then records that are right only if something unrecorded happened.
///
/// # Errors
/// Every fault of the file.
pub(super) fn judge_records(notation: &dyn Notation, source: &Source) -> Found {
    let NotatedGame {
        warnings,
        players,
        records,
        turns,
        findings,
        lost,
        ..
    } = notation.read(source)?;
    let dialect = pack::dialect(notation.game().name()).expect("every game has a dialect");
    let start = || dialect.game().table(Setup::default());
    let (mut history, _) = NotatedTurn::played(&turns, start());
    let cause = Cause::Resigned;
    history.extend(lost.map(|by| GameEvent::Lost { by, cause }));
    let format = FileFormat::of_notation(notation);
    let logged = LoggedGame::new(Protocol::Game(dialect), Vec::new());
    let mut judged = FinishedGame {
        names: PerSeat(players.0.map(|name| name.map(String::into_bytes))),
        setup: Some(Setup::default()),
        begun: GameEvent::turns(&history),
        ending: Some(Ending::of(&history, start())),
        history,
        turns,
        warnings,
        ..FinishedGame::new(source.name().into(), 1, format, logged)
    };
    let mut open: BTreeMap<Option<&str>, OpenPoint> = BTreeMap::new();
    let mut left_out = 0;
    let mut wrong = None;
    for mut finding in findings {
        let start = finding.span.take().map_or(0, |span| span.start);
        // A search in the whole text, so only for the findings that are kept.
        let line = || source.position(start).line;
        let record = records.partition_point(|record| record.start <= start);
        match finding.verdict {
            Verdict::Fail => {
                if finding.board.is_some() {
                    wrong = wrong.or(Some(record));
                }
                if judged.findings.len() == KEPT {
                    left_out += 1;
                    continue;
                }
                let text = source.slice(records[record - 1]);
                let place = (source.name(), line());
                let complaint = judged.complaint(finding, place, record, text);
                judged.findings.push(complaint);
            }
            Verdict::Inconclusive => {
                let point = open
                    .entry(finding.requirement)
                    .or_insert_with(|| OpenPoint {
                        line: line(),
                        remarks: Vec::new(),
                        count: 0,
                    });
                point.count += 1;
                if point.remarks.len() < NAMED {
                    let text = format!("line {}, record {record}: {}", line(), finding.title);
                    point.remarks.push(Remark { word: None, text });
                }
            }
            _ if judged.notes.len() < NAMED => {
                let id = finding.requirement.unwrap_or_default();
                judged
                    .notes
                    .push(format!("record {record}: {} ({id})", finding.title));
            }
            _ => {}
        }
    }
    if left_out > 0 {
        judged.notes.push(format!(
            "{left_out} more complaints of this file are not told"
        ));
    }
    let open = open.into_iter();
    judged
        .findings
        .extend(open.map(|(requirement, point)| point.finding(requirement, source.name())));
    if let Some(wrong) = wrong {
        judged.ending = None;
        let left = records.len() - wrong;
        if left > 0 {
            let what = if left == 1 {
                "1 record is".to_owned()
            } else {
                format!("{left} records are")
            };
            judged.notes.push(format!(
                "{what} not judged by the rules, being after record {wrong}"
            ));
        }
    }
    Ok(judged)
}

impl FinishedGame {
    /// Adds to a notation's finding about a record, counted from 1, what was expected there, and the place.
    fn complaint(
        &self,
        finding: Finding,
        place: (&str, usize),
        number: usize,
        record: &[u8],
    ) -> Finding {
        let table = self.last_table();
        let game = self.logged.protocol.game().expect("records are of a game");
        let who = player(game, &self.names, table.to_move());
        let is_of_position = finding.board.is_some();
        let expected = match (is_of_position, table.phase()) {
            (false, _) => "records of one game, each after the one before it".to_owned(),
            (true, Phase::Over(_)) => "nothing: the game is over".to_owned(),
            (true, _) => format!("a valid move of {who}"),
        };
        let folded: Vec<_> = record
            .split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty())
            .collect();
        let received = visible::plain(&folded.join(&b' '))
            .at_most(SHOWN)
            .to_string();
        let turn = match is_of_position {
            true => format!("record {number}, {}", self.after()),
            false => format!("record {number}"),
        };
        let title = format!("record {number}: {}", finding.title);
        in_file(
            Finding { title, ..finding },
            place,
            (expected, received),
            turn,
        )
    }

    /// Returns the complaint about a game state in this file, unless the state equals the records' result.
    #[must_use]
    pub fn state_complaint(
        &self,
        states: &dyn StateNotation,
        file: &str,
        state: &NotatedState,
    ) -> Option<Finding> {
        // Where no record tells of giving up, that a player has resigned is taken as it is.
        let due = states.write(&self.turns, self.lost().or(state.resigned));
        let folded = |state: &str| state.split_whitespace().collect::<Vec<_>>().join(" ");
        (due != state.text).then(|| {
            let title = "this is not the state that the records come to";
            let board = self.last_table().draw();
            let finding = Finding {
                requirement: Some(states.requirement()),
                board: Some((Finding::BEFORE_LINE.to_owned(), board)),
                ..Finding::new(Verdict::Fail, title)
            };
            let texts = (folded(&due), folded(&state.text));
            in_file(finding, (file, 1), texts, self.after())
        })
    }

    fn after(&self) -> String {
        format!("after {}", counted(self.turns.len(), "turn"))
    }

    /// Returns the position after the valid turns.
    fn last_table(&self) -> Box<dyn Table> {
        let game = self.logged.protocol.game();
        let table = game.expect("records are of a game").table(Setup::default());
        NotatedTurn::played(&self.turns, table).1
    }
}

/// Adds to a finding its line of a file: what was expected and received there, and the turn.
fn in_file(
    finding: Finding,
    (file, line): (&str, usize),
    (expected, received): (String, String),
    turn: String,
) -> Finding {
    Finding {
        lanes: vec![LaneView {
            lane: file.to_owned(),
            line_number: line as u64,
            expected: LaneText::Words(expected),
            received: LaneText::Words(received),
            agrees: false,
        }],
        in_file: Some(FileLine {
            file: file.to_owned(),
            line,
        }),
        remarks: remarks([("where", Some(turn))]),
        ..finding
    }
}

/// Records that are right only if something happened that no record tells.
struct OpenPoint {
    line: usize,
    /// The first of them.
    remarks: Vec<Remark>,
    count: usize,
}

impl OpenPoint {
    fn finding(mut self, requirement: Option<&'static str>, file: &str) -> Finding {
        let title = match self.count {
            1 => "a turn without a record, and no rolls that would tell whether it was skipped"
                .to_owned(),
            count => format!(
                "{count} turns without a record, and no rolls that would tell whether they were skipped"
            ),
        };
        if self.count > NAMED {
            let text = format!("… and {} more", self.count - NAMED);
            self.remarks.push(Remark { word: None, text });
        }
        Finding {
            requirement,
            in_file: Some(FileLine {
                file: file.to_owned(),
                line: self.line,
            }),
            remarks: self.remarks,
            ..Finding::new(Verdict::Inconclusive, title)
        }
    }
}
