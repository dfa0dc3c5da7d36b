use std::time::Duration;

use super::player::Record;
use super::row::Answer;
use super::{GameRow, Statistics};
use crate::pack;
use crate::rules::{Move, Seat};

fn row(number: u64, first: &str, second: &str, winner: Option<Seat>) -> GameRow {
    let answers = [(Seat::First, 1, number), (Seat::Second, 2, 2 * number)];
    GameRow {
        file: "archive/games.txt".to_owned(),
        number,
        game: crate::pack::usual().game.name(),
        first: first.to_owned(),
        second: second.to_owned(),
        winner: winner.map_or("", |seat| ["first", "second"][seat.index()]),
        ending: if winner.is_some() {
            "won"
        } else {
            "incomplete"
        }
        .to_owned(),
        turns: 100 + number as usize,
        captures_first: 2,
        captures_second: 1,
        slowest_ms: Some(2.0 * number as f64),
        winning: winner,
        answers: answers
            .map(|(by, turn, ms)| Answer {
                by,
                turn,
                mv: Move(turn as u32),
                took: Duration::from_millis(ms),
            })
            .to_vec(),
        rules: pack::usual().game,
    }
}

/// Games of three players against each other; the last is incomplete.
fn rows() -> Vec<GameRow> {
    let names = ["Ann", "Bob", "Cid"];
    let game = |number: u64| {
        let (first, second) = (number as usize % 3, (number as usize + 1) % 3);
        let winner = if number.is_multiple_of(4) {
            Seat::Second
        } else {
            Seat::First
        };
        row(
            number,
            names[first],
            names[second],
            (number < 300).then_some(winner),
        )
    };
    (1..=300).map(game).collect()
}

#[test]
fn the_parts_of_an_archive_come_to_the_same_as_the_whole() {
    let mut whole = Statistics::default();
    rows().iter().for_each(|row| whole.add(row));
    let mut parts = Statistics::default();
    for rows in rows().chunks(7) {
        let mut part = Statistics::default();
        rows.iter().for_each(|row| part.add(row));
        parts.merge(part);
    }
    let json = |statistics: &Statistics| serde_json::to_string(&statistics.report()).unwrap();
    assert_eq!(json(&whole), json(&parts));
    let report = whole.report();
    let game = &report.games[0];
    assert_eq!(
        (game.games, game.incomplete, game.wins["second"]),
        (300, 1, 74)
    );
    assert_eq!((game.turns.shortest, game.turns.longest), (101, 399));
    assert!(
        game.turns.median.abs_diff(250) <= 3,
        "{}",
        game.turns.median
    );
    let ann = game
        .players
        .iter()
        .find(|player| player.player == "Ann")
        .unwrap();
    let times = ann.answers.as_ref().unwrap();
    assert!(
        (times.median_ms - 300.0).abs() < 110.0,
        "{}",
        times.median_ms
    );
    assert_eq!(
        (times.slowest.ms, times.slowest.game, times.slowest.turn),
        (598.0, 299, 2)
    );
    assert_eq!(times.slowest.mv, "2");
    let score = |player: &str, opponent: &str| {
        let pair = game
            .pairs
            .iter()
            .find(|pair| pair.player == player && pair.opponent == opponent);
        pair.map(|pair| (pair.wins, pair.losses)).unwrap()
    };
    let (wins, losses) = score("Ann", "Bob");
    assert_eq!(score("Bob", "Ann"), (losses, wins));
}

#[test]
fn names_without_end_take_bounded_memory() {
    let mut statistics = Statistics::default();
    for number in 0..10_000 {
        statistics.add(&row(
            1,
            &format!("player {number}"),
            "Bob",
            Some(Seat::First),
        ));
    }
    let report = statistics.report();
    let players = &report.games[0].players;
    assert_eq!(players.len(), 4097);
    let others = players
        .iter()
        .find(|player| player.player == "(others)")
        .unwrap();
    assert_eq!(others.games, 10_000 - 4095);
}

#[test]
fn the_interval_is_wilsons() {
    let record = |wins, losses| Record {
        wins,
        losses,
        draws: 0,
    };
    let near = |(low, high): (f64, f64), due: (f64, f64)| {
        assert!(
            (low - due.0).abs() < 1e-3 && (high - due.1).abs() < 1e-3,
            "{low} {high}"
        );
    };
    near(record(50, 50).interval(), (0.4038, 0.5962));
    near(record(10, 0).interval(), (0.7225, 1.0));
    near(record(0, 0).interval(), (0.0, 1.0));
    let drawn = Record {
        draws: 100,
        ..Record::default()
    };
    near(drawn.interval(), (0.4038, 0.5962));
}

#[test]
fn a_name_is_no_formula_in_csv() {
    let row = row(1, "=1+1", "@now", Some(Seat::First));
    assert!(row.csv().contains(",'=1+1,'@now,"), "{}", row.csv());
}

#[test]
fn a_row_of_csv_quotes_what_would_break_it() {
    let mut row = row(1, "a,b", "say \"no\"", Some(Seat::First));
    row.file = "x\ny".to_owned();
    assert!(row.csv().starts_with("\"x\ny\",1,"), "{}", row.csv());
    assert!(
        row.csv().contains(",\"a,b\",\"say \"\"no\"\"\","),
        "{}",
        row.csv()
    );
    assert_eq!(
        row.csv().matches(',').count() - 1,
        super::GAME_COLUMNS.matches(',').count()
    );
    let mut statistics = Statistics::default();
    statistics.add(&row);
    let report = statistics.report();
    let game = &report.games[0];
    let columns = |line: &str| line.replace("a,b", "a b").matches(',').count();
    assert_eq!(
        columns(&game.players[0].csv()),
        super::PLAYER_COLUMNS.matches(',').count()
    );
    assert_eq!(
        columns(&game.pairs[0].csv()),
        super::PAIR_COLUMNS.matches(',').count()
    );
}
