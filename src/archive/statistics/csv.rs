//! Rows as CSV (RFC 4180), so that databases read them.

use super::report::{PairStatistics, PlayerStatistics};
use super::row::GameRow;

/// The header of the table of games.
pub const GAME_COLUMNS: &str =
    "file,number,game,first,second,winner,ending,turns,captures_first,captures_second,slowest_ms";

/// The header of the table of players.
pub const PLAYER_COLUMNS: &str = "game,player,games,wins,draws,losses,score,low,high,captures,answers,median_ms,p95_ms,p99_ms,slowest_ms,slowest_file,slowest_game,slowest_turn,slowest_move";

/// The header of the table of pairs of players.
pub const PAIR_COLUMNS: &str = "game,player,opponent,games,wins,draws,losses,score,low,high";

impl GameRow {
    /// Returns the row as a line of CSV.
    #[must_use]
    pub fn csv(&self) -> String {
        line(&[
            self.file.clone(),
            self.number.to_string(),
            self.game.to_owned(),
            self.first.clone(),
            self.second.clone(),
            self.winner.to_owned(),
            self.ending.clone(),
            self.turns.to_string(),
            self.captures_first.to_string(),
            self.captures_second.to_string(),
            self.slowest_ms.map_or(String::new(), millis),
        ])
    }
}

impl PlayerStatistics {
    /// Returns the row as a line of CSV.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut fields = vec![self.game.clone(), self.player.clone()];
        fields.extend(
            [self.games, self.wins, self.draws, self.losses].map(|number| number.to_string()),
        );
        fields.extend([self.score, self.low, self.high].map(part));
        fields.push(self.captures.to_string());
        match &self.answers {
            Some(times) => {
                let slowest = &times.slowest;
                fields.push(times.answers.to_string());
                fields
                    .extend([times.median_ms, times.p95_ms, times.p99_ms, slowest.ms].map(millis));
                fields.extend([
                    slowest.file.clone(),
                    slowest.game.to_string(),
                    slowest.turn.to_string(),
                    slowest.mv.clone(),
                ]);
            }
            None => fields.extend(std::iter::repeat_n(String::new(), 9)),
        }
        line(&fields)
    }
}

impl PairStatistics {
    /// Returns the row as a line of CSV.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut fields = vec![
            self.game.clone(),
            self.player.clone(),
            self.opponent.clone(),
        ];
        fields.extend(
            [self.games, self.wins, self.draws, self.losses].map(|number| number.to_string()),
        );
        fields.extend([self.score, self.low, self.high].map(part));
        line(&fields)
    }
}

fn part(number: f64) -> String {
    format!("{number:.4}")
}

fn millis(number: f64) -> String {
    format!("{number:.3}")
}

/// A line of fields, in quotation marks where they need them. A text that a spreadsheet would take for a formula gets an apostrophe in
/// front; no number here is negative.
fn line(fields: &[String]) -> String {
    let quoted = |field: &String| {
        let is_formula = field.starts_with(['=', '+', '-', '@', '\t', '\r']);
        let text = format!("{}{field}", if is_formula { "'" } else { "" });
        match text.contains([',', '"', '\n', '\r']) {
            true => format!("\"{}\"", text.replace('"', "\"\"")),
            false => text,
        }
    };
    fields.iter().map(quoted).collect::<Vec<_>>().join(",")
}
