//! Finished games written down as move records, judged by the rules and by their chain.

use super::finished_game::{FinishedGame, Found};
use crate::diagnostic::{Diagnostic, Diagnostics, Source, counted, visible};
use crate::finding::{FileLine, Finding, LaneText, Verdict};
use crate::pack::{self, FileFormat, NotatedGame, NotatedTurn, Notation, Protocol};
use crate::protocol::{Cause, GameEvent, single_spaced};
use crate::rules::{PerSeat, Phase, Setup};
use crate::transcript::LoggedGame;
use crate::verify::{Judged, at_line, player};

/// The most bytes of a record that are shown.
const SHOWN: usize = 160;

/// Maximum number of remarks that are listed one by one.
const LISTED: usize = 8;

/// Maximum number of complaints: a chain can be broken at every record.
const KEPT: usize = 100;

/// Judges a game told by records. Its findings: every record that is wrong, that is the rules that the first such record breaks, and every
/// break of the chain; then records that are right only if something unrecorded happened.
///
/// # Errors
/// Every fault of the file.
pub(super) fn judge_records(notation: &Notation, source: &Source) -> Found {
    let NotatedGame {
        warnings,
        players,
        records,
        turns,
        findings,
        lost,
    } = (notation.read)(source)?;
    let dialect = pack::dialect(notation.game.name()).expect("every game has a dialect");
    let game = dialect.game();
    let (mut history, last) = NotatedTurn::played(&turns, game.table(Setup::default()));
    let cause = Cause::Resigned;
    history.extend(lost.map(|by| GameEvent::Lost { by, cause }));
    let names = PerSeat(players.0.map(|name| name.map(String::into_bytes)));
    let mut judged = Judged::of(Some(game), names, Some(Setup::default()), history);
    // The first record that breaks a rule, the number of wrong records, and those that are right only if a turn was skipped.
    let (mut stop, mut wrong, mut open) = (None, 0, Vec::new());
    for mut finding in findings {
        let start = finding.span.take().map_or(0, |span| span.start);
        let record = records.partition_point(|record| record.start <= start);
        if finding.verdict == Verdict::Fail {
            wrong += 1;
            let is_of_rules = finding.board.is_some();
            if is_of_rules {
                stop = stop.or(Some(record));
            }
            if wrong > KEPT {
                continue;
            }
            let expected = match (is_of_rules, last.phase()) {
                (false, _) => "records of one game, each after the one before it".to_owned(),
                (true, Phase::Over(_)) => "nothing: the game is over".to_owned(),
                (true, _) => {
                    let who = player(game, &judged.names, last.to_move());
                    format!("a valid move of {who}")
                }
            };
            finding.title = format!("record {record}: {}", finding.title);
            let text = single_spaced(source.slice(records[record - 1]));
            let texts = (expected, visible::plain(&text).at_most(SHOWN).to_string());
            // A search in the whole text, so only for the findings that are kept.
            let line = source.position(start).line;
            let place = is_of_rules.then(|| after(&turns));
            let found = of_record(finding, source.name(), line, texts, place);
            judged.findings.push(found);
        } else if finding.verdict == Verdict::Inconclusive {
            open.push((finding, start, record));
        } else if judged.notes.len() < LISTED {
            let id = finding.requirement.unwrap_or_default();
            let note = format!("record {record}: {} ({id})", finding.title);
            judged.notes.push(note);
        }
    }
    if wrong > KEPT {
        let note = format!("{} more wrong records are not shown", wrong - KEPT);
        judged.notes.push(note);
    }
    if let Some((first, start, _)) = open.first() {
        let line = |start| source.position(start).line;
        let listed = open.iter().take(LISTED).map(|(finding, start, record)| {
            format!("line {}, record {record}: {}", line(*start), finding.title)
        });
        let more = open.len().saturating_sub(LISTED);
        let more = (more > 0).then(|| format!("… and {more} more"));
        let title = format!(
            "{} without a record, and no rolls that would tell of a skip",
            counted(open.len(), "turn")
        );
        judged.findings.push(Finding {
            title,
            in_file: Some(FileLine {
                file: source.name().to_owned(),
                line: line(*start),
            }),
            notes: listed.chain(more).collect(),
            ..first.clone()
        });
    }
    if let Some(stop) = stop {
        judged.ending = None;
        let left = records.len() - stop;
        let left = (left > 0).then(|| counted(left, "record"));
        let note = |left| format!("{left} not judged by the rules: after record {stop}");
        judged.notes.extend(left.map(note));
    }
    let logged = LoggedGame::new(Protocol::Game(dialect), Vec::new());
    Ok(FinishedGame {
        format: FileFormat::of_notation(notation),
        turns,
        warnings,
        ..FinishedGame::new(source.name().into(), 1, logged, judged)
    })
}

impl FinishedGame {
    /// Requires that the records, if none is wrong, reach this game state.
    ///
    /// # Errors
    /// The game is not told by move records, or the state cannot be read.
    pub fn require_state(&mut self, source: &Source) -> Result<(), Diagnostics> {
        let states = self.notation().and_then(|notation| notation.states);
        let Some(states) = states.filter(|_| self.is_of_records()) else {
            let title = "this file holds no move records";
            let titles: Vec<_> = pack::notations().map(|notation| notation.title).collect();
            let help = format!("`--state` goes with {}", titles.join(" or "));
            let fault = Diagnostic::error("verify/no-records", title).in_file(&*self.file);
            return Err(fault.help(help).into());
        };
        let (state, resigned) = (states.read)(source)?;
        // Where no record tells of giving up, that a player has resigned is taken as it is.
        let due = (states.write)(&self.turns, self.lost().or(resigned));
        if due == state || self.outcome.failure().is_some() {
            return Ok(());
        }
        let title = "this is not the state that the records come to";
        let game = self.rules()?.game();
        let finding = Finding {
            requirement: Some(states.requirement),
            board: Some(NotatedTurn::board_after(&self.turns, game)),
            ..Finding::new(Verdict::Fail, title)
        };
        let texts = [&due, &state]
            .map(|text| String::from_utf8_lossy(&single_spaced(text.as_bytes())).into_owned());
        let place = Some(after(&self.turns));
        let complaint = of_record(finding, source.name(), 1, texts.into(), place);
        self.add(complaint);
        Ok(())
    }
}

fn after(turns: &[NotatedTurn]) -> String {
    format!("after {}", counted(turns.len(), "turn"))
}

/// A finding about a line of a file of records: the expected and the received text, and the place in the game.
fn of_record(
    finding: Finding,
    file: &str,
    line: usize,
    (expected, received): (String, String),
    place: Option<String>,
) -> Finding {
    let received = LaneText::Words(received);
    let mut finding = at_line(finding, file, line, expected, received);
    finding.notes.extend(place);
    finding
}
