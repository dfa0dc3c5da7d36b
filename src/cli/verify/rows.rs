//! `urtext verify --rows`: a table with a row for each game, as CSV (RFC 4180), and its summary.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Seek, Write};
use std::path::Path;
use std::time::Duration;

use crate::archive::FinishedGame;
use crate::cli::Status;
use crate::cli::output::OrBroken;
use crate::diagnostic::visible;
use crate::finding::Verdict;
use crate::pack::GamePart;
use crate::platform::{copy_output, probe_output};
use crate::replay::Replay;
use crate::rules::{GameResult, PerSeat, Seat};
use crate::verify::Ending;

/// The header of the table.
const COLUMNS: &str =
    "file,game,first,second,winner,ending,turns,slowest_first_ms,slowest_second_ms";

/// The longest name of a player, in characters.
const NAME_LIMIT: usize = 100;

/// Rows of games.
pub(super) struct GameTable<'p> {
    path: &'p Path,
    /// The rows, as CSV.
    written: BufWriter<File>,
    summary: Summary,
}

/// The table in a few lines.
#[derive(Debug, Default)]
struct Summary {
    games: Counts<&'static str>,
    winners: Counts<&'static str>,
    endings: Counts<&'static str>,
    /// Number of games of each length.
    turns: Counts<usize>,
    /// Time, player and file of the slowest answer of each seat.
    slowest: PerSeat<Option<(Duration, String, String)>>,
}

type Counts<T> = BTreeMap<T, usize>;

/// One finished game.
#[derive(Debug)]
struct GameRow {
    /// The file and the number of the game in it, escaped for display.
    file: String,
    game: &'static str,
    /// Names, escaped for display; the name of the seat if the file has no name.
    players: PerSeat<String>,
    /// Name of the winner's seat; empty without a winner.
    winner: &'static str,
    /// `won`, `drawn`, `incomplete`, `wrong`, or the cause of a loss before the end by the rules.
    ending: &'static str,
    turns: usize,
    /// The longest answer of each player, if the file has times.
    slowest: PerSeat<Option<Duration>>,
}

impl GameTable<'_> {
    /// A table without rows, to be written to this file.
    ///
    /// # Errors
    /// The exit status, after printing that the table cannot be written.
    pub(super) fn new(path: &Path) -> Result<GameTable<'_>, Status> {
        let begun = probe_output(path).and_then(|()| {
            let mut written = BufWriter::new(tempfile::tempfile()?);
            writeln!(written, "{COLUMNS}").map(|()| written)
        });
        let written = begun.or_unwritable(path)?;
        Ok(GameTable {
            path,
            written,
            summary: Summary::default(),
        })
    }

    /// Adds the row of a game. Lines without rules have none.
    ///
    /// # Errors
    /// The exit status, after printing that the table cannot be written.
    pub(super) fn add(&mut self, game: &FinishedGame) -> Result<(), Status> {
        let Some(row) = GameRow::new(game) else {
            return Ok(());
        };
        let written = writeln!(self.written, "{}", row.csv());
        written.or_unwritable(self.path)?;
        self.summary.add(row);
        Ok(())
    }

    /// Writes the table, and returns its summary.
    ///
    /// # Errors
    /// The exit status, after printing that the table cannot be written.
    pub(super) fn finish(self) -> Result<String, Status> {
        let rows = self.written.into_inner();
        let written = rows.map_err(Into::into).and_then(|mut rows| {
            rows.rewind()?;
            copy_output(self.path, &mut rows)
        });
        written.or_unwritable(self.path)?;
        Ok(self.summary.lines())
    }
}

impl Summary {
    fn add(&mut self, row: GameRow) {
        *self.games.entry(row.game).or_default() += 1;
        *self.winners.entry(row.winner).or_default() += 1;
        *self.endings.entry(row.ending).or_default() += 1;
        *self.turns.entry(row.turns).or_default() += 1;
        for seat in Seat::BOTH {
            let slowest = &mut self.slowest[seat];
            let known = slowest.as_ref().map(|(took, ..)| *took);
            if let Some(took) = row.slowest[seat].filter(|took| Some(*took) > known) {
                *slowest = Some((took, row.players[seat].clone(), row.file.clone()));
            }
        }
    }

    fn lines(&self) -> String {
        let counts = |counts: &Counts<&str>| {
            let counts = counts.iter().filter(|(word, _)| !word.is_empty());
            let words = counts.map(|(word, count)| format!("{word} {count}"));
            or_dash(words.collect::<Vec<_>>().join(", "))
        };
        let games: usize = self.turns.values().sum();
        let mut lengths = self
            .turns
            .iter()
            .flat_map(|(turns, &count)| std::iter::repeat_n(turns, count));
        let median = lengths.nth(games.saturating_sub(1) / 2);
        let (shortest, longest) = (self.turns.keys().next(), self.turns.keys().next_back());
        let lengths = shortest.zip(median).zip(longest);
        let lengths = lengths.map(|((shortest, median), longest)| {
            format!("shortest {shortest}, median {median}, longest {longest}")
        });
        let slowest = self.slowest.0.each_ref().map(|slowest| match slowest {
            Some((took, player, file)) => {
                format!("{:.2} s by {player} in {file}", took.as_secs_f64())
            }
            None => "no file has times".to_owned(),
        });
        format!(
            "games    {}\nturns    {}\nwins     {}\nendings  {}\nslowest  first seat: {}\n         second seat: {}\n",
            counts(&self.games),
            or_dash(lengths.unwrap_or_default()),
            counts(&self.winners),
            counts(&self.endings),
            slowest[0],
            slowest[1],
        )
    }
}

fn or_dash(text: String) -> String {
    if text.is_empty() {
        "-".to_owned()
    } else {
        text
    }
}

impl GameRow {
    /// The row of a game; `None` for lines without rules.
    fn new(game: &FinishedGame) -> Option<GameRow> {
        let rules = game.dialect()?.game();
        let (winner, ending) = match game.ending {
            _ if game.outcome.verdict == Verdict::Fail => (None, "wrong"),
            Some(Ending::Over(GameResult::Won(winner))) => (Some(winner), "won"),
            Some(Ending::Over(GameResult::Drawn)) => (None, "drawn"),
            Some(Ending::Lost { by, cause }) => (Some(by.other()), cause.word()),
            _ => (None, "incomplete"),
        };
        let players = Seat::BOTH.map(|seat| match &game.outcome.names[seat] {
            Some(name) => visible::plain(name).at_most(NAME_LIMIT).to_string(),
            None => rules.seat_name(seat).to_owned(),
        });
        let mut slowest = PerSeat([None, None]);
        if game.format.keeps.contains(&GamePart::Times) {
            for frame in Replay::new(game.clone())?.frames() {
                if let Some(by) = frame.by {
                    slowest[by] = slowest[by].max(frame.times.map(|(took, _)| took));
                }
            }
        }
        Some(GameRow {
            file: visible::plain(&game.name())
                .at_most(4 * NAME_LIMIT)
                .to_string(),
            game: rules.name(),
            players: PerSeat(players),
            winner: winner.map_or("", |seat| rules.seat_name(seat)),
            ending,
            turns: game.begun,
            slowest,
        })
    }

    fn csv(&self) -> String {
        let millis = |took: Duration| format!("{:.3}", took.as_secs_f64() * 1e3);
        let [first, second] = self.players.0.each_ref();
        let [slowest_first, slowest_second] = self
            .slowest
            .0
            .map(|took| took.map_or_else(String::new, millis));
        let turns = self.turns.to_string();
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

#[cfg(test)]
mod tests {
    use super::*;

    fn row(file: &str, ending: &'static str, turns: usize) -> GameRow {
        GameRow {
            file: file.to_owned(),
            game: "royalur",
            players: PerSeat(["=A".to_owned(), "B, \"b\"".to_owned()]),
            winner: if ending == "incomplete" { "" } else { "first" },
            ending,
            turns,
            slowest: PerSeat([Some(Duration::from_millis(turns as u64)), None]),
        }
    }

    #[test]
    fn rows_are_csv_and_are_summed_up_in_six_lines() {
        let rows = vec![
            row("a/1", "timeout", 8),
            row("b/1", "won", 3),
            row("b/2", "incomplete", 40),
        ];
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.csv");
        let mut table = GameTable::new(&path).unwrap();
        for row in rows {
            writeln!(table.written, "{}", row.csv()).unwrap();
            table.summary.add(row);
        }
        let summary = table.finish().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let rows: Vec<_> = text.lines().skip(1).collect();
        assert_eq!(
            rows,
            [
                "a/1,royalur,'=A,\"B, \"\"b\"\"\",first,timeout,8,8.000,",
                "b/1,royalur,'=A,\"B, \"\"b\"\"\",first,won,3,3.000,",
                "b/2,royalur,'=A,\"B, \"\"b\"\"\",,incomplete,40,40.000,"
            ]
        );
        assert_eq!(
            summary,
            "games    royalur 3\nturns    shortest 3, median 8, longest 40\nwins     first 2\n\
             endings  incomplete 1, timeout 1, won 1\nslowest  first seat: 0.04 s by =A in b/2\n         second seat: no file has times\n"
        );
    }
}
