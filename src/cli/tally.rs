//! Report of `urtext verify`: one line for each of a few games, or counts for many.

use crate::diagnostic::{Diagnostic, Diagnostics, Drawing, Paint, Tone, counted, visible};
use crate::event::Outcome;
use crate::finding::Verdict;
use crate::pack::{FileFormat, NotatedState, StateNotation};
use crate::protocol::{Dialect, GameEvent};
use crate::report;
use crate::report::{
    Cases, Standing, VerdictCounts, VerdictLine, VerdictReason, VerdictRow, draw_finding,
};
use crate::rules::{Game, Seat};
use crate::transcript::{self, LoggedGame};
use crate::verify::{self, BatchGame, Clean, Ending, GameVerdict, Judged, JudgedBatch, Records};

use super::Status;
use super::output::{print, say_format};

mod summary;

/// Maximum number of games that are reported one by one.
const FEW: usize = 20;

/// Maximum number of games, and of bytes of their files, whose complaints are explained: that takes less than a second.
const EXPLAINED: usize = 300;
const EXPLAINED_SIZE: u64 = 4 * 1024 * 1024;

/// Judged games, counted and told.
pub(super) struct Tally {
    /// True if an unfinished game is a complaint.
    demands_end: bool,
    /// True if a line of JSON is printed for each game, and nothing else.
    is_json: bool,
    counts: VerdictCounts,
    /// Reports of the first games, in order, kept until the number of games is known. With many games,
    /// only reports marked as complaints are printed.
    told: Vec<(bool, String)>,
    status: Status,
    /// Bytes of the files that are done.
    size_done: u64,
    /// The format of the file whose games come next, in words.
    format: Option<&'static str>,
    /// The files for the reports, if there are any.
    cases: Option<Cases>,
    /// True if a report takes the place of what is printed.
    is_silent: bool,
    /// The table of the games in a few lines.
    rows: String,
    /// What is printed after everything else.
    last_line: String,
}

/// Returns the name of a game of a file.
fn of_game(file: &str, number: usize) -> String {
    if number == 1 {
        file.to_owned()
    } else {
        format!("{file} game {number}")
    }
}

impl Tally {
    pub(super) fn new(demands_end: bool, is_json: bool) -> Tally {
        let told = Vec::new();
        let status = Status::Conforms;
        Tally {
            demands_end,
            is_json,
            counts: VerdictCounts::new(),
            told,
            status,
            size_done: 0,
            format: None,
            cases: None,
            is_silent: false,
            rows: String::new(),
            last_line: String::new(),
        }
    }

    /// From now on keeps what reports tell of each file. `is_silent`: one of them takes the place of what is printed. `last_line` is printed
    /// after everything else.
    pub(super) fn keep_cases(&mut self, is_silent: bool, last_line: String) {
        self.cases = Some(Cases::default());
        self.is_silent = is_silent;
        self.last_line = last_line;
    }

    /// From now on prints these lines about the table of the games after the counts.
    pub(super) fn add_rows(&mut self, rows: String) {
        self.rows = rows;
    }

    /// Returns true if games have complaints that wrong readings of the rules may explain, and are few enough.
    pub(super) fn is_to_be_explained(&self) -> bool {
        let are_few = self.counts.games <= EXPLAINED && self.size_done <= EXPLAINED_SIZE;
        self.counts.complaints > 0 && are_few && !self.is_json
    }

    /// Takes a status.
    fn be(&mut self, status: Status) {
        self.status = self.status.worse(status);
    }

    /// Counts a file of this size as done.
    pub(super) fn done(&mut self, size: u64) {
        self.size_done += size;
    }

    /// Returns the number of bytes of the files that are done.
    pub(super) fn size_done(&self) -> u64 {
        self.size_done
    }

    /// Takes the format of the file whose games come next, which it says where the user asks for it.
    pub(super) fn read_as(&mut self, file: &str, format: Option<FileFormat>, is_told: bool) {
        self.format = format.map(|format| format.name);
        if let Some(cases) = &mut self.cases {
            cases.case(&visible::plain(file).to_string());
        }
        if let Some(format) = format.filter(|_| is_told) {
            say_format(file, format);
        }
    }

    /// Takes games of a match.
    pub(super) fn batch(&mut self, batch: JudgedBatch) {
        let name = &batch.streams.name;
        for (number, game) in (batch.first..).zip(batch.games) {
            match game {
                BatchGame::Clean(clean) => self.clean(name, number, batch.streams.dialect, &clean),
                BatchGame::Judged(game) => self.judged(name, number, &game.0, Some(game.1)),
                BatchGame::TooLarge { first_line } => {
                    self.fault(transcript::too_large(name, first_line));
                }
            }
        }
    }

    /// Takes a game that was read without a complaint.
    pub(super) fn clean(
        &mut self,
        file: &str,
        number: usize,
        dialect: &dyn Dialect,
        clean: &Clean,
    ) {
        self.counts.games += 1;
        if self.counts.games > FEW && clean.ending.is_complete() && !self.is_json {
            return;
        }
        let row = VerdictRow::new(file, number, Verdict::Pass);
        self.ended(row, file, dialect.game(), clean, &[]);
    }

    /// Takes a game that was judged by its lanes, or a dialogue, which was not.
    pub(super) fn judged(
        &mut self,
        file: &str,
        number: usize,
        logged: &LoggedGame,
        judged: Option<Judged>,
    ) {
        let row = |verdict| VerdictRow::new(file, number, verdict);
        let Some(judged) = judged else {
            return self.unruled(file, row(Verdict::Unsupported));
        };
        let name = &of_game(file, number);
        let game = judged.dialect.game();
        match judged.verdict {
            GameVerdict::Legal(ending) => {
                self.counts.games += 1;
                let clean = Clean {
                    turns: GameEvent::turns(&judged.history),
                    names: judged.names,
                    ending,
                };
                if let Some(left_off) = judged.left_off {
                    let told = ending.describe(game, &clean.names);
                    let mut failed = row(Verdict::Fail).ended(game, &clean.names, ending);
                    failed.turns = Some(clean.turns);
                    failed.findings = vec![VerdictReason::titled(&left_off)];
                    self.row(failed);
                    return self.complain(
                        Drawing::new("fail", Tone::Bad, left_off)
                            .file(name)
                            .remark(told),
                    );
                }
                self.ended(row(Verdict::Pass), file, game, &clean, &judged.notes);
            }
            GameVerdict::Wrong(complaint) => {
                self.counts.games += 1;
                let mut failed = row(Verdict::Fail).because([&*complaint]);
                failed.game = Some(game.name().to_owned());
                self.row(failed);
                let of_file = complaint
                    .in_file
                    .as_ref()
                    .is_some_and(|place| *name != place.file)
                    && logged.lanes.len() == 1;
                let drawing = report::draw_in_file(&complaint);
                self.complain(if of_file {
                    drawing.footer("in", name.as_str())
                } else {
                    drawing
                });
            }
            GameVerdict::Untold(lane) => {
                self.fault(verify::half_a_lane(&logged.lanes[lane].name));
            }
        }
    }

    /// Takes a dialogue.
    fn unruled(&mut self, name: &str, mut row: VerdictRow) {
        self.be(Status::Open);
        row.findings = vec![VerdictReason::titled(verify::UNRULED)];
        self.row(row);
        let name = visible::plain(name);
        self.tell(true, format!("unsupported {name}: {}", verify::UNRULED));
    }

    /// Takes the game of a recorded scenario.
    pub(super) fn played(&mut self, name: &str, outcome: &Outcome) {
        self.counts.games += 1;
        let status = Status::from(Standing::of(outcome.verdict));
        self.be(status);
        let mut row = VerdictRow::new(name, 1, outcome.verdict).because(&outcome.findings);
        row.scenario = Some(visible::plain(&outcome.name).to_string());
        row.turns = Some(GameEvent::turns(&outcome.history));
        self.row(row);
        if status != Status::Conforms {
            let count = if status == Status::Deviates {
                &mut self.counts.complaints
            } else {
                &mut self.counts.undecided
            };
            *count += 1;
            if *count > FEW {
                return;
            }
            for (number, finding) in outcome.findings.iter().enumerate() {
                let drawn = draw_finding(outcome, finding, number == 0, Paint::Coloured);
                self.tell(true, format!("{drawn}\n"));
            }
        } else if self.counts.games > FEW {
            return;
        }
        let turns = counted(GameEvent::turns(&outcome.history), "turn");
        let (word, scenario) = (outcome.verdict.word(), visible::plain(&outcome.name));
        let text = format!("{word} {}: {scenario}, {turns}", visible::plain(name));
        // Which file a finding is of stands below it.
        if status == Status::Conforms {
            self.tell(false, text)
        } else {
            self.tell(true, format!("{text}\n"))
        }
    }

    /// Takes a game told by move records. `state`: the game state that they have to come to, and its file.
    pub(super) fn records(
        &mut self,
        name: &str,
        mut judged: Records,
        state: Option<(&dyn StateNotation, &str, &NotatedState)>,
    ) {
        self.warn(&judged.warnings);
        self.counts.games += 1;
        if judged.complaints.is_empty()
            && let Some((states, file, state)) = state
        {
            judged
                .complaints
                .extend(judged.state_complaint(states, file, state));
        }
        for open in &judged.open {
            self.be(Status::Open);
            self.tell(
                true,
                format!("{}\n", report::draw_in_file(open).draw(Paint::Coloured)),
            );
        }
        let is_wrong = !judged.complaints.is_empty();
        let verdict = match (is_wrong, judged.open.is_empty()) {
            (true, _) => Verdict::Fail,
            (false, true) => Verdict::Pass,
            (false, false) => Verdict::Inconclusive,
        };
        let reasons = judged.complaints.iter().chain(&judged.open);
        let mut row = VerdictRow::new(name, 1, verdict).because(reasons);
        for complaint in &judged.complaints {
            self.complain(report::draw_in_file(complaint));
        }
        if is_wrong {
            row.game = Some(judged.dialect.game().name().to_owned());
            row.notes = judged.notes.clone();
            self.row(row);
            return judged
                .notes
                .iter()
                .for_each(|note| self.tell(true, format!("note: {}", visible::plain(note))));
        }
        let clean = Clean {
            turns: GameEvent::turns(&judged.history()),
            ending: judged.ending(),
            names: judged.names,
        };
        self.ended(row, name, judged.dialect.game(), &clean, &judged.notes);
    }

    /// Takes a game without a complaint, and counts it where it was not played to its end.
    fn ended(
        &mut self,
        row: VerdictRow,
        file: &str,
        game: &dyn Game,
        clean: &Clean,
        notes: &[String],
    ) {
        let (name, ending) = (&of_game(file, row.number), clean.ending);
        let told = ending.describe(game, &clean.names);
        let mut row = row.ended(game, &clean.names, ending);
        row.turns = Some(clean.turns);
        row.notes = notes.to_vec();
        if !ending.is_complete() {
            if self.demands_end {
                let title = "the game was not played to its end";
                row.verdict = Verdict::Fail;
                row.findings.push(VerdictReason::titled(title));
                self.row(row);
                return self.complain(
                    Drawing::new("fail", Tone::Bad, title)
                        .file(name)
                        .remark(told),
                );
            }
            self.counts.incomplete += 1;
        }
        if ending == Ending::Unstarted {
            self.be(Status::Open);
            row.verdict = Verdict::Inconclusive;
        }
        let word = row.verdict.word();
        self.row(row);
        if self.counts.games > FEW {
            return;
        }
        let who = Seat::BOTH.map(|seat| match &clean.names[seat] {
            Some(name) => visible::plain(name).at_most(60).to_string(),
            None => game.seat_name(seat).to_owned(),
        });
        let turns = counted(clean.turns, "turn");
        let mut text = format!(
            "{word} {}: {} against {}, {turns}: {told}",
            visible::plain(name),
            who[0],
            who[1]
        );
        // A file that tells nothing may be no game at all.
        let read_as = self.format.filter(|_| ending == Ending::Unstarted);
        let read_as = read_as.map(|format| format!("the file was read as {format}"));
        for note in notes.iter().chain(&read_as) {
            text.push_str(&format!("\n     note: {}", visible::plain(note)));
        }
        self.tell(false, text);
    }

    /// Prints the line of a game.
    fn row(&mut self, mut row: VerdictRow) {
        if let Some(cases) = &mut self.cases {
            cases.add_verdict(&row);
        }
        if self.is_json {
            row.format = self.format.map(str::to_owned);
            print_json(&VerdictLine::Verdict(Box::new(row)));
        }
    }

    /// Tells it in the order of the games, as soon as it is known whether these are few.
    fn tell(&mut self, is_complaint: bool, text: String) {
        if self.is_json || self.is_silent {
            return;
        }
        self.told.push((is_complaint, text));
        if self.counts.games > FEW {
            self.tell_complaints();
        }
    }

    /// Prints the complaints that are kept back, and drops what is told only of few games.
    fn tell_complaints(&mut self) {
        let told = std::mem::take(&mut self.told);
        // The stream takes the colours out where nobody would see them.
        told.iter()
            .filter(|(is_complaint, _)| *is_complaint)
            .for_each(|(_, text)| print(text));
    }

    fn complain(&mut self, drawing: Drawing) {
        if let Some(cases) = &mut self.cases {
            cases.draw_last(drawing.draw(Paint::Plain));
        }
        self.counts.complaints += 1;
        self.be(Status::Deviates);
        if self.counts.complaints <= FEW {
            self.tell(true, format!("{}\n", drawing.draw(Paint::Coloured)));
        }
    }

    /// Says what is wrong with a file that is no transcript.
    pub(super) fn unreadable(&mut self, faults: &Diagnostics) {
        self.counts.unreadable += 1;
        self.row(VerdictRow::unreadable(faults));
        self.be(Status::Usage);
        self.warn(faults);
    }

    /// Says of a game that it cannot be read.
    pub(super) fn fault(&mut self, fault: Diagnostic) {
        self.unreadable(&fault.into());
    }

    /// Says what is worth knowing of a file.
    pub(super) fn warn(&self, faults: &Diagnostics) {
        if !faults.is_empty() {
            anstream::eprintln!("{}\n", faults.draw(Paint::Coloured));
        }
    }
}

fn print_json(line: &VerdictLine) {
    print(&serde_json::to_string(line).expect("a line holds text and numbers only"));
}
