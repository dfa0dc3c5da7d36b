//! Statistics of an archive as tables for people.

use crate::archive::statistics::{GameStatistics, PlayerStatistics, StatisticsReport};
use crate::pack;

/// The most players in the table of players.
const PLAYERS: usize = 20;

/// The most players in the cross-table.
const CROSS: usize = 10;

/// Columns of a player's name.
const NAME: usize = 24;

/// Draws the statistics as text.
#[must_use]
pub fn draw_statistics(report: &StatisticsReport) -> String {
    let mut parts: Vec<_> = report.games.iter().map(of_game).collect();
    let left_out = [
        (report.wrong, "with an error"),
        (report.unreadable, "unreadable"),
    ];
    for (count, reason) in left_out {
        if count > 0 {
            parts.push(format!("not counted: {count} {reason}"));
        }
    }
    parts.join("\n\n")
}

fn of_game(game: &GameStatistics) -> String {
    let title = pack::game(&game.game).map_or(game.game.as_str(), |game| game.title());
    let games = if game.games == 1 { "game" } else { "games" };
    let mut lines = vec![format!(
        "{title}: {} {games}, {} incomplete",
        game.games, game.incomplete
    )];
    let turns = &game.turns;
    lines.push(format!(
        "  turns     shortest {}, quarter {}, median {}, three quarters {}, longest {}",
        turns.shortest, turns.quarter, turns.median, turns.three_quarters, turns.longest
    ));
    let counts = |counts: &std::collections::BTreeMap<String, u64>| {
        let named = counts.iter().map(|(name, count)| format!("{name} {count}"));
        named.collect::<Vec<_>>().join(", ")
    };
    let draws = if game.draws > 0 {
        format!(", draws {}", game.draws)
    } else {
        String::new()
    };
    lines.push(format!("  wins      {}{draws}", counts(&game.wins)));
    lines.push(format!("  captures  {}", counts(&game.captures)));
    if !game.losses.is_empty() {
        lines.push(format!("  lost by   {}", counts(&game.losses)));
    }
    lines.push(String::new());
    lines.extend(players(&game.players));
    let cross: Vec<_> = game
        .players
        .iter()
        .filter(|player| player.games > 0)
        .take(CROSS)
        .collect();
    if cross.len() > 1 {
        lines.push(String::new());
        lines.extend(cross_table(game, &cross));
    }
    lines.join("\n")
}

/// The table of players.
fn players(players: &[PlayerStatistics]) -> Vec<String> {
    let has_times = players.iter().any(|player| player.answers.is_some());
    let mut head = format!(
        "{:NAME$} {:>7} {:>7} {:>7} {:>14} {:>9}",
        "player", "games", "wins", "score", "95 % interval", "captures"
    );
    if has_times {
        head += &format!(
            " {:>10} {:>10} {:>10}  slowest answer",
            "median", "95 %", "99 %"
        );
    }
    let row = |player: &PlayerStatistics| {
        let interval = format!("{} to {}", percent(player.low), percent(player.high));
        let mut row = format!(
            "{:NAME$} {:>7} {:>7} {:>7} {interval:>14} {:>9}",
            cut(&player.player),
            player.games,
            player.wins,
            percent(player.score),
            player.captures
        );
        if let Some(times) = &player.answers {
            let slowest = &times.slowest;
            row += &format!(
                " {:>10} {:>10} {:>10}  {} by {} in {} game {} turn {}",
                time(times.median_ms),
                time(times.p95_ms),
                time(times.p99_ms),
                time(slowest.ms),
                slowest.mv,
                slowest.file,
                slowest.game,
                slowest.turn
            );
        }
        row
    };
    let mut lines = vec![head];
    lines.extend(players.iter().take(PLAYERS).map(row));
    if players.len() > PLAYERS {
        lines.push(format!("… and {} more players", players.len() - PLAYERS));
    }
    lines
}

/// The score of each player against each other, with half of its 95 % interval.
fn cross_table(game: &GameStatistics, players: &[&PlayerStatistics]) -> Vec<String> {
    let numbers: String = (1..=players.len())
        .map(|number| format!(" {number:>9}"))
        .collect();
    let mut lines = vec![format!("{:NAME$}{numbers}", "score against")];
    for (number, player) in (1..).zip(players) {
        let cells = players.iter().map(|opponent| {
            let is_pair = |pair: &&crate::archive::statistics::PairStatistics| {
                pair.player == player.player && pair.opponent == opponent.player
            };
            let cell = game.pairs.iter().find(is_pair).map(|pair| {
                let half = (pair.high - pair.low) / 2.0 * 100.0;
                format!("{} ±{half:.0}", percent(pair.score))
            });
            format!(" {:>9}", cell.unwrap_or_else(|| "-".to_owned()))
        });
        let label = cut(&format!("{number} {}", player.player));
        lines.push(format!("{label:NAME$}{}", cells.collect::<String>()));
    }
    lines
}

fn percent(part: f64) -> String {
    format!("{:.0} %", part * 100.0)
}

fn time(ms: f64) -> String {
    if ms < 1000.0 {
        format!("{ms:.1} ms")
    } else {
        format!("{:.2} s", ms / 1000.0)
    }
}

/// A name that fits into its column.
fn cut(name: &str) -> String {
    match name.chars().count() > NAME {
        true => name.chars().take(NAME - 1).chain(['…']).collect(),
        false => name.to_owned(),
    }
}
