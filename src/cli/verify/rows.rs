//! `urtext verify --rows`: a table with a row for each game, as CSV (RFC 4180), and its summary.

use std::cmp::Reverse;
use std::collections::hash_map::{DefaultHasher, Entry};
use std::collections::{BTreeMap, HashMap};
use std::hash::{Hash, Hasher};
use std::path::Path;
use std::time::Duration;

use crate::archive::FinishedGame;
use crate::diagnostic::visible;
use crate::finding::Verdict;
use crate::pack::{GamePart, file_format};
use crate::replay::Replay;
use crate::rules::{GameResult, PerSeat, Seat};
use crate::verify::Ending;

/// The header of the table.
const COLUMNS: &str =
    "file,game,first,second,winner,ending,turns,slowest_first_ms,slowest_second_ms";

/// The longest name of a player, in characters.
const NAME_LIMIT: usize = 100;

/// Rows of games. Streams in one folder with the same players, rolls and moves are lanes of one game, and one row.
#[derive(Debug, Default)]
pub(super) struct GameTable {
    rows: Vec<GameRow>,
    /// Row of each game that streams show.
    games: HashMap<u64, usize>,
    /// Number of streams that are another lane of a game in the table.
    other_lanes: usize,
}

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
}

impl GameTable {
    /// Adds the row of a game. A game that fails has none, and neither have lines without rules.
    pub(super) fn add(&mut self, game: &FinishedGame) {
        let Some(row) = GameRow::new(game) else {
            return;
        };
        let is_stream = game.format == file_format::STREAM && !game.turns.is_empty();
        match is_stream.then(|| self.games.entry(stream_key(game))) {
            Some(Entry::Occupied(entry)) => {
                self.other_lanes += 1;
                let known = &mut self.rows[*entry.get()];
                // One lane may not show a loss, and another not its cause.
                if known.precision() < row.precision() {
                    (known.winner, known.ending) = (row.winner, row.ending);
                }
                return;
            }
            Some(Entry::Vacant(entry)) => drop(entry.insert(self.rows.len())),
            None => {}
        }
        self.rows.push(row);
    }

    /// The table as CSV.
    pub(super) fn csv(&self) -> String {
        let rows = self.rows.iter().map(|row| row.csv() + "\n");
        format!("{COLUMNS}\n") + &rows.collect::<String>()
    }

    /// The table in six lines.
    pub(super) fn summary(&self) -> String {
        let counts = |column: fn(&GameRow) -> &'static str| {
            let mut counts: BTreeMap<_, usize> = BTreeMap::new();
            let words = self.rows.iter().map(column).filter(|word| !word.is_empty());
            words.for_each(|word| *counts.entry(word).or_default() += 1);
            let words = counts.iter().map(|(word, count)| format!("{word} {count}"));
            or_dash(words.collect::<Vec<_>>().join(", "))
        };
        let mut turns: Vec<_> = self.rows.iter().map(|row| row.turns).collect();
        turns.sort_unstable();
        let lengths = turns.first().zip(turns.last()).map(|(shortest, longest)| {
            let median = turns[(turns.len() - 1) / 2];
            format!("shortest {shortest}, median {median}, longest {longest}")
        });
        let answers = self.rows.iter().flat_map(|row| {
            Seat::BOTH.into_iter().filter_map(move |seat| {
                let took = row.slowest[seat]?;
                Some((took, &row.players[seat], &row.file))
            })
        });
        let slowest = answers.min_by_key(|(took, ..)| Reverse(*took));
        let slowest = slowest.map(|(took, player, file)| {
            format!("{:.2} s by {player} in {file}", took.as_secs_f64())
        });
        format!(
            "games    {}\nlanes    {} more of these games\nturns    {}\nwins     {}\nendings  {}\nslowest  {}\n",
            counts(|row| row.game),
            self.other_lanes,
            or_dash(lengths.unwrap_or_default()),
            counts(|row| row.winner),
            counts(|row| row.ending),
            slowest.unwrap_or_else(|| "no file has times".to_owned()),
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

/// Equal for the streams that participants of one game received.
fn stream_key(game: &FinishedGame) -> u64 {
    let mut hasher = DefaultHasher::new();
    let folder = Path::new(&*game.file).parent();
    let (names, name) = (&game.judged.names.0, game.logged.protocol.name());
    (folder, game.number, name, names, game.judged.setup).hash(&mut hasher);
    for turn in &game.turns {
        (turn.roll, turn.mv).hash(&mut hasher);
    }
    hasher.finish()
}

impl GameRow {
    /// The row of a game; `None` for a game that fails, and for lines without rules.
    fn new(game: &FinishedGame) -> Option<GameRow> {
        let rules = game.dialect()?.game();
        if game.verdict() == Verdict::Fail {
            return None;
        }
        let (winner, ending) = match game.judged.ending {
            Some(Ending::Over(GameResult::Won(winner))) => (Some(winner), "won"),
            Some(Ending::Over(GameResult::Drawn)) => (None, "drawn"),
            Some(Ending::Lost { by, cause }) => (Some(by.other()), cause.word()),
            _ => (None, "incomplete"),
        };
        let players = Seat::BOTH.map(|seat| match &game.judged.names[seat] {
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
            turns: game.turns.len(),
            slowest,
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
        let table = GameTable {
            rows,
            ..GameTable::default()
        };
        let text = table.csv();
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
            table.summary(),
            "games    royalur 3\nlanes    0 more of these games\nturns    shortest 3, median 8, longest 40\nwins     first 2\n\
             endings  incomplete 1, timeout 1, won 1\nslowest  0.04 s by =A in b/2\n"
        );
    }
}
