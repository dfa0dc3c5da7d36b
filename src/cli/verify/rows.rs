//! `urtext verify --rows`: a table with a row for each game.

use std::collections::hash_map::{DefaultHasher, Entry};
use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::hash::{Hash, Hasher};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::archive::FinishedGame;
use crate::cli::Status;
use crate::cli::output::broken;
use crate::diagnostic::visible;
use crate::finding::Verdict;
use crate::pack::{GamePart, file_format};
use crate::protocol::GameEvent;
use crate::replay::Replay;
use crate::rules::{PerSeat, Seat};

/// The file of the table, opened before the first game is judged.
pub(super) struct RowsFile {
    path: String,
    table: GameTable<BufWriter<File>>,
    written: io::Result<()>,
}

impl RowsFile {
    /// Begins the table.
    ///
    /// # Errors
    /// The exit status, after printing the reason.
    pub(super) fn create(path: &Path) -> Result<RowsFile, Status> {
        let name = visible::plain(path.to_string_lossy().as_bytes()).to_string();
        let begun = File::create(path).and_then(|file| GameTable::new(BufWriter::new(file)));
        match begun {
            Ok(table) => Ok(RowsFile {
                path: name,
                table,
                written: Ok(()),
            }),
            Err(error) => Err(unwritable(&name, &error)),
        }
    }

    /// Adds the row of a game.
    pub(super) fn add(&mut self, game: &FinishedGame) {
        if let (Some(row), Ok(())) = (GameRow::new(game), &self.written) {
            self.written = self.table.add(Path::new(&*game.file), row);
        }
    }

    /// Writes the last rows, and returns the lines of the summary.
    ///
    /// # Errors
    /// The exit status, after printing the reason.
    pub(super) fn finish(self) -> Result<String, Status> {
        let finished = self.written.and_then(|()| self.table.finish());
        finished.map_err(|error| unwritable(&self.path, &error))
    }
}

fn unwritable(path: &str, error: &io::Error) -> Status {
    broken(&format!("{path} cannot be written: {error}"))
}

/// The header of the table.
const COLUMNS: &str =
    "file,game,first,second,winner,ending,turns,slowest_first_ms,slowest_second_ms";

/// The longest name of a player, in characters.
const NAME_LIMIT: usize = 100;

/// Most rows of a folder among which the lanes of one game are looked for.
const HELD: usize = 10_000;

/// One finished game that does not fail.
#[derive(Debug)]
struct GameRow {
    /// The file and the number of the game in it, escaped for display.
    file: String,
    game: &'static str,
    /// Names, escaped for display; the name of the seat if the file has no name.
    players: PerSeat<String>,
    /// Name of the winner's seat; empty without a winner.
    winner: &'static str,
    /// `won`, `drawn`, `incomplete`, or the cause of a loss before the end by the rules.
    ending: &'static str,
    turns: usize,
    /// The longest answer of each player, if the file has times.
    slowest: PerSeat<Option<Duration>>,
    /// Equal for streams that participants of one game received.
    lane_of: Option<u64>,
}

impl GameRow {
    /// The row of a game; `None` for a game that fails, and for lines without rules.
    fn new(game: &FinishedGame) -> Option<GameRow> {
        let rules = game.dialect()?.game();
        if game.verdict() == Verdict::Fail {
            return None;
        }
        let (winning, ending) = match game.judged.history.last() {
            Some(&GameEvent::Moved {
                result: Some(result),
                ..
            }) => match result.winner() {
                Some(winner) => (Some(winner), "won"),
                None => (None, "drawn"),
            },
            Some(&GameEvent::Lost { by, cause }) => (Some(by.other()), cause.word()),
            _ => (None, "incomplete"),
        };
        let players = Seat::BOTH.map(|seat| match &game.judged.names[seat] {
            Some(name) => visible::plain(name).at_most(NAME_LIMIT).to_string(),
            None => rules.seat_name(seat).to_owned(),
        });
        let is_lane = game.format == file_format::STREAM && !game.turns.is_empty();
        let lane_of = is_lane.then(|| {
            let mut hasher = DefaultHasher::new();
            (game.number, rules.name(), &game.judged.names.0).hash(&mut hasher);
            for turn in &game.turns {
                (turn.by.index(), turn.roll.0, turn.mv.map(|mv| mv.0)).hash(&mut hasher);
            }
            hasher.finish()
        });
        let name = visible::plain(&*game.file).at_most(4 * NAME_LIMIT);
        let (number, turns) = (game.number, game.turns.len());
        let mut slowest = PerSeat([None, None]);
        let file = match number {
            1 => name.to_string(),
            number => format!("{name} game {number}"),
        };
        if game.format.keeps.contains(&GamePart::Times) {
            for frame in Replay::new(game.clone())?.frames() {
                if let Some(by) = frame.by {
                    slowest[by] = slowest[by].max(frame.times.map(|(took, _)| took));
                }
            }
        }
        Some(GameRow {
            file,
            game: rules.name(),
            players: PerSeat(players),
            winner: winning.map_or("", |seat| rules.seat_name(seat)),
            ending,
            turns,
            slowest,
            lane_of,
        })
    }

    /// Returns a number that is larger the more precise the end in the row is.
    fn precision(&self) -> u8 {
        match self.ending {
            "incomplete" => 0,
            "retired" => 1,
            _ => 2,
        }
    }

    /// The row as a line of CSV (RFC 4180).
    fn csv(&self) -> String {
        let [first, second] = &self.players.0;
        let millis = |took: Option<Duration>| {
            took.map_or(String::new(), |took| {
                format!("{:.3}", took.as_secs_f64() * 1e3)
            })
        };
        let turns = self.turns.to_string();
        let [slowest_first, slowest_second] = self.slowest.0.map(millis);
        let fields = [
            &self.file,
            self.game,
            first,
            second,
            self.winner,
            self.ending,
            &turns,
            &slowest_first,
            &slowest_second,
        ];
        fields.map(quoted).join(",")
    }
}

/// A field in quotation marks where it needs them. A text that a spreadsheet would take for a formula gets an apostrophe in front; no number
/// here is negative.
fn quoted(field: &str) -> String {
    let is_formula = field.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = format!("{}{field}", if is_formula { "'" } else { "" });
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

/// Writes rows as CSV. Files next to each other that are lanes of one game become one row.
#[derive(Debug)]
struct GameTable<W> {
    output: W,
    folder: PathBuf,
    /// Rows of this folder that are not written yet.
    held: Vec<GameRow>,
    /// Number of the held row that a lane belongs to.
    lanes: HashMap<u64, usize>,
    summary: RowSummary,
}

/// The rows in a few lines.
#[derive(Debug, Default)]
struct RowSummary {
    games: BTreeMap<&'static str, usize>,
    /// Number of games of each length.
    turns: BTreeMap<usize, usize>,
    winners: BTreeMap<&'static str, usize>,
    endings: BTreeMap<&'static str, usize>,
    other_lanes: usize,
    /// Time, player and file of the slowest answer.
    slowest: Option<(Duration, String, String)>,
}

impl<W: Write> GameTable<W> {
    /// Begins a table with its header.
    ///
    /// # Errors
    /// Fails if the output fails.
    fn new(mut output: W) -> io::Result<GameTable<W>> {
        writeln!(output, "{COLUMNS}")?;
        Ok(GameTable {
            output,
            folder: PathBuf::new(),
            held: Vec::new(),
            lanes: HashMap::new(),
            summary: RowSummary::default(),
        })
    }

    /// Adds the row of a game of a file.
    ///
    /// # Errors
    /// Fails if the output fails.
    fn add(&mut self, file: &Path, row: GameRow) -> io::Result<()> {
        let folder = file.parent().unwrap_or(Path::new(""));
        if self.folder != folder {
            self.write_held()?;
            self.folder = folder.to_owned();
        }
        if self.held.len() == HELD {
            self.write_held()?;
        }
        let place = self.held.len();
        match row.lane_of.map(|game| self.lanes.entry(game)) {
            Some(Entry::Occupied(entry)) => {
                self.summary.other_lanes += 1;
                let known = &mut self.held[*entry.get()];
                // One lane may not show a loss, and another not its cause.
                if known.precision() < row.precision() {
                    (known.winner, known.ending) = (row.winner, row.ending);
                }
                return Ok(());
            }
            Some(Entry::Vacant(entry)) => drop(entry.insert(place)),
            None => {}
        }
        self.held.push(row);
        Ok(())
    }

    fn write_held(&mut self) -> io::Result<()> {
        self.lanes.clear();
        for row in self.held.drain(..) {
            writeln!(self.output, "{}", row.csv())?;
            self.summary.add(row);
        }
        Ok(())
    }

    /// Writes the last rows, and returns the lines of the summary.
    ///
    /// # Errors
    /// Fails if the output fails.
    fn finish(mut self) -> io::Result<String> {
        self.write_held()?;
        self.output.flush()?;
        Ok(self.summary.lines())
    }
}

impl RowSummary {
    fn add(&mut self, row: GameRow) {
        *self.games.entry(row.game).or_default() += 1;
        *self.turns.entry(row.turns).or_default() += 1;
        *self.winners.entry(row.winner).or_default() += 1;
        *self.endings.entry(row.ending).or_default() += 1;
        for seat in Seat::BOTH {
            if let Some(took) = row.slowest[seat]
                && self.slowest.as_ref().is_none_or(|(most, ..)| *most < took)
            {
                self.slowest = Some((took, row.players[seat].clone(), row.file.clone()));
            }
        }
    }

    fn lines(&self) -> String {
        let counts = |counted: &BTreeMap<&'static str, usize>| {
            let counted = counted.iter().filter(|(what, _)| !what.is_empty());
            let words: Vec<_> = counted
                .map(|(what, count)| format!("{what} {count}"))
                .collect();
            match words.is_empty() {
                true => "-".to_owned(),
                false => words.join(", "),
            }
        };
        let lengths = match (self.turns.keys().next(), self.turns.keys().next_back()) {
            (Some(shortest), Some(longest)) => {
                let median = self.median();
                format!("shortest {shortest}, median {median}, longest {longest}")
            }
            _ => "-".to_owned(),
        };
        let slowest = match &self.slowest {
            Some((took, player, file)) => {
                format!("{:.2} s by {player} in {file}", took.as_secs_f64())
            }
            None => "no file has times".to_owned(),
        };
        format!(
            "games    {}\nlanes    {} more of these games\nturns    {lengths}\nwins     {}\nendings  {}\nslowest  {slowest}\n",
            counts(&self.games),
            self.other_lanes,
            counts(&self.winners),
            counts(&self.endings),
        )
    }

    /// The length that half of the games do not exceed.
    fn median(&self) -> usize {
        let half = self.turns.values().sum::<usize>().div_ceil(2);
        let mut below = 0;
        let reached = self.turns.iter().find(|(_, count)| {
            below += **count;
            below >= half
        });
        reached.map_or(0, |(turns, _)| *turns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(file: &str, ending: &'static str, lane_of: Option<u64>) -> GameRow {
        GameRow {
            file: file.to_owned(),
            game: "royalur",
            players: PerSeat(["=A".to_owned(), "B, \"b\"".to_owned()]),
            winner: if ending == "incomplete" { "" } else { "first" },
            ending,
            turns: 8,
            slowest: PerSeat([Some(Duration::from_millis(2)), None]),
            lane_of,
        }
    }

    #[test]
    fn lanes_of_one_game_in_a_folder_are_one_row_with_its_end() {
        let mut written = Vec::new();
        let mut table = GameTable::new(&mut written).unwrap();
        for (file, ending) in [
            ("a/1", "incomplete"),
            ("a/2", "retired"),
            ("a/3", "timeout"),
            ("b/1", "won"),
        ] {
            let row = row(file, ending, Some(7));
            table.add(Path::new(file), row).unwrap();
        }
        let said = table.finish().unwrap();
        let text = String::from_utf8(written).unwrap();
        let rows: Vec<_> = text.lines().skip(1).collect();
        assert_eq!(
            rows,
            [
                "a/1,royalur,'=A,\"B, \"\"b\"\"\",first,timeout,8,2.000,",
                "b/1,royalur,'=A,\"B, \"\"b\"\"\",first,won,8,2.000,"
            ]
        );
        assert_eq!(
            said,
            "games    royalur 2\nlanes    2 more of these games\nturns    shortest 8, median 8, longest 8\nwins     first 2\n\
             endings  timeout 1, won 1\nslowest  0.00 s by =A in a/1\n"
        );
    }

    #[test]
    fn games_that_are_no_lanes_are_rows_of_their_own() {
        let mut written = Vec::new();
        let mut table = GameTable::new(&mut written).unwrap();
        for row in [row("a", "won", None), row("a", "won", None)] {
            table.add(Path::new("a"), row).unwrap();
        }
        table.finish().unwrap();
        assert_eq!(String::from_utf8(written).unwrap().lines().count(), 3);
    }
}
