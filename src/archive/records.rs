//! Finished games written down as move records, judged by the rules and by their chain.

use super::finished_game::{FinishedGame, Found};
use crate::diagnostic::{Source, counted, visible};
use crate::finding::{FileLine, Finding, LaneText, Remark, Verdict};
use crate::pack::{
    self, FileFormat, NotatedGame, NotatedState, NotatedTurn, Notation, Protocol, StateNotation,
};
use crate::protocol::{Cause, GameEvent};
use crate::rules::{PerSeat, Phase, Setup};
use crate::transcript::LoggedGame;
use crate::verify::{Ending, Judged, at_line, player};

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
    } = notation.read(source)?;
    let dialect = pack::dialect(notation.game().name()).expect("every game has a dialect");
    let game = dialect.game();
    let (mut history, last) = NotatedTurn::played(&turns, game.table(Setup::default()));
    let cause = Cause::Resigned;
    history.extend(lost.map(|by| GameEvent::Lost { by, cause }));
    let mut judged = Judged {
        names: PerSeat(players.0.map(|name| name.map(String::into_bytes))),
        setup: Some(Setup::default()),
        begun: GameEvent::turns(&history),
        ending: Some(Ending::of(&history, game.table(Setup::default()))),
        history,
        ..Judged::default()
    };
    // Records that are right only if something happened that no record tells, by requirement, and their number.
    let mut open: Vec<(Finding, usize)> = Vec::new();
    let (mut left_out, mut wrong) = (0, None);
    for mut finding in findings {
        let start = finding.span.take().map_or(0, |span| span.start);
        // A search in the whole text, so only for the findings that are kept.
        let line = || source.position(start).line;
        let record = records.partition_point(|record| record.start <= start);
        match finding.verdict {
            Verdict::Fail => {
                let is_of_position = finding.board.is_some();
                if is_of_position {
                    wrong = wrong.or(Some(record));
                }
                if judged.findings.len() == KEPT {
                    left_out += 1;
                    continue;
                }
                let (expected, place) = match (is_of_position, last.phase()) {
                    (false, _) => {
                        let chain = "records of one game, each after the one before it";
                        (chain.to_owned(), format!("record {record}"))
                    }
                    (true, phase) => {
                        let expected = match phase {
                            Phase::Over(_) => "nothing: the game is over".to_owned(),
                            _ => {
                                let who = player(game, &judged.names, last.to_move());
                                format!("a valid move of {who}")
                            }
                        };
                        (expected, format!("record {record}, {}", after(&turns)))
                    }
                };
                let text = folded(source.slice(records[record - 1]));
                let texts = (expected, visible::plain(&text).at_most(SHOWN).to_string());
                finding.title = format!("record {record}: {}", finding.title);
                let found = of_record(finding, source.name(), line(), texts, place);
                judged.findings.push(found);
            }
            Verdict::Inconclusive => {
                let is_it =
                    |(known, _): &&mut (Finding, usize)| known.requirement == finding.requirement;
                let text = format!("line {}, record {record}: {}", line(), finding.title);
                let remark = Remark { word: None, text };
                match open.iter_mut().find(is_it) {
                    Some((known, count)) => {
                        *count += 1;
                        if *count <= NAMED {
                            known.remarks.push(remark);
                        }
                    }
                    None => {
                        let (file, line) = (source.name().to_owned(), line());
                        finding.in_file = Some(FileLine { file, line });
                        finding.remarks = vec![remark];
                        open.push((finding, 1));
                    }
                }
            }
            _ if judged.notes.len() < NAMED => {
                let id = finding.requirement.unwrap_or_default();
                let note = format!("record {record}: {} ({id})", finding.title);
                judged.notes.push(note);
            }
            _ => {}
        }
    }
    if left_out > 0 {
        let note = format!("{left_out} more complaints of this file are not told");
        judged.notes.push(note);
    }
    open.sort_by_key(|(finding, _)| finding.requirement);
    for (mut finding, count) in open {
        finding.title = match count {
            1 => "a turn without a record, and no rolls that would tell whether it was skipped"
                .to_owned(),
            count => format!(
                "{count} turns without a record, and no rolls that would tell whether they were skipped"
            ),
        };
        if count > NAMED {
            let text = format!("… and {} more", count - NAMED);
            finding.remarks.push(Remark { word: None, text });
        }
        judged.findings.push(finding);
    }
    if let Some(wrong) = wrong {
        judged.ending = None;
        let what = match records.len() - wrong {
            0 => None,
            1 => Some("1 record is".to_owned()),
            left => Some(format!("{left} records are")),
        };
        let note = |what| format!("{what} not judged by the rules, being after record {wrong}");
        judged.notes.extend(what.map(note));
    }
    let format = FileFormat::of_notation(notation);
    let logged = LoggedGame::new(Protocol::Game(dialect), Vec::new());
    Ok(FinishedGame {
        turns,
        warnings,
        ..FinishedGame::new(source.name().into(), 1, format, logged, judged)
    })
}

impl FinishedGame {
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
        if due == state.text {
            return None;
        }
        let title = "this is not the state that the records come to";
        let finding = Finding {
            requirement: Some(states.requirement()),
            board: Some(NotatedTurn::board_after(
                &self.turns,
                self.logged.protocol.game()?,
            )),
            ..Finding::new(Verdict::Fail, title)
        };
        let texts = [&due, &state.text]
            .map(|text| String::from_utf8_lossy(&folded(text.as_bytes())).into_owned());
        Some(of_record(
            finding,
            file,
            1,
            texts.into(),
            after(&self.turns),
        ))
    }
}

fn after(turns: &[NotatedTurn]) -> String {
    format!("after {}", counted(turns.len(), "turn"))
}

/// A text with one space for each of its gaps.
fn folded(text: &[u8]) -> Vec<u8> {
    let words = text.split(u8::is_ascii_whitespace);
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    words.join(&b' ')
}

/// A finding about a line of a file of records: what was expected and received there, and the turn.
fn of_record(
    finding: Finding,
    file: &str,
    line: usize,
    (expected, received): (String, String),
    place: String,
) -> Finding {
    let received = LaneText::Words(received);
    let finding = at_line(finding, file, line, expected, received);
    let (word, text) = (Some("where"), place);
    Finding {
        remarks: vec![Remark { word, text }],
        ..finding
    }
}
