use proptest::prelude::*;

use super::*;
use crate::diagnostic::visible::is_hostile;
use crate::diagnostic::{Paint, Source};
use crate::games::royalur::{CodeColosseum, RoyalUr};
use crate::pack::Protocol;
use crate::protocol::{Dialect, Facts, LaneKind, Model, RefereeLine};
use crate::rules::{Game, Phase, RollSource, Seat, below};
use crate::transcript::bare::{self, BareGame};
use crate::transcript::golden;

pub(super) const FIRST: &str = include_str!("../../tests/data/seed/first.txt");
pub(super) const SECOND: &str = include_str!("../../tests/data/seed/second.txt");
pub(super) const SPECTATOR: &str = include_str!("../../tests/data/seed/spectator.txt");

/// The streams of a whole game that a seed determines: both players' with `>` before what they sent, and a spectator's.
fn played(seed: u64) -> [String; 3] {
    let lanes = [LaneKind::Player, LaneKind::Player, LaneKind::Spectator];
    let facts = Facts::with_names("Alice", "Bob");
    let mut model = Model::new(&CodeColosseum, &lanes, PerSeat([true, true])).with_facts(facts);
    model.assign(0, Seat::First);
    model.assign(1, Seat::Second);
    let mut dice = RollSource::new([], seed);
    let mut streams = [String::new(), String::new(), String::new()];
    loop {
        for (lane, stream) in streams.iter_mut().enumerate() {
            while let Some(told) = model.take_due(lane) {
                stream.push_str(&format!("{}\n", String::from_utf8(told.line).unwrap()));
            }
        }
        if model.is_over() {
            return streams;
        }
        match model.awaits_move_of() {
            Some(seat) => {
                let moves = model.table().unwrap().legal_moves();
                let number = moves[below(
                    u64::from(dice.next(|random| crate::rules::Roll(random as u16)).0) << 48,
                    moves.len(),
                )]
                .0;
                streams[seat.index()].push_str(&format!(">{number}\n"));
                model.sent(seat.index(), number.to_string().as_bytes());
            }
            None => {
                let roll = dice.next(|random| RoyalUr.draw_roll(random));
                model.roll(roll);
            }
        }
    }
}

fn lane(name: &str, stream: &[u8]) -> crate::transcript::LaneTranscript {
    bare::lane(name, &BareGame::new(stream, true), &CodeColosseum)
}

/// Judges streams as the lanes of one game.
fn together(streams: &[&str]) -> Judged {
    judged(streams).unwrap()
}

fn judged(streams: &[&str]) -> Result<Judged, Diagnostic> {
    let names = ["one", "two", "three"];
    let lanes = streams
        .iter()
        .zip(names)
        .map(|(stream, name)| lane(name, stream.as_bytes()))
        .collect();
    judge(&LoggedGame::new(Protocol::Game(&CodeColosseum), lanes))
}

fn ending(judged: &Judged) -> Ending {
    judged
        .ending
        .unwrap_or_else(|| panic!("{:?}", judged.findings))
}

pub(super) fn complaint(judged: &Judged) -> &Finding {
    judged.findings.first().expect("a line is wrong")
}

/// The stream with one line replaced, lines counted from 1.
pub(super) fn with_line(stream: &str, number: usize, line: &str) -> String {
    let mut lines: Vec<_> = stream.lines().collect();
    lines[number - 1] = line;
    lines.join("\n") + "\n"
}

fn line_of_the_game() -> impl Strategy<Value = String> {
    prop_oneof![
        "[01]( [01]){3}",
        "[0-7]",
        Just("RETIRE".to_owned()),
        "[ -~]{0,6}"
    ]
}

/// A change to one line of a stream.
#[derive(Debug, Clone)]
enum Change {
    None,
    /// It becomes this one, sent as before where it was sent.
    To(String),
    Dropped,
    Doubled,
    /// It changes places with the next one.
    Later,
    /// It gets a carriage return, or becomes one that was sent.
    CarriageReturn,
    Sent,
    /// The stream ends with it, its newline included or not.
    Last,
    Cut,
}

fn change() -> impl Strategy<Value = Change> {
    let usual = [
        Change::None,
        Change::Dropped,
        Change::Doubled,
        Change::Later,
        Change::CarriageReturn,
    ]
    .into_iter()
    .chain([Change::Sent, Change::Last, Change::Cut])
    .collect::<Vec<_>>();
    prop_oneof![
        prop::sample::select(usual),
        line_of_the_game().prop_map(Change::To)
    ]
}

/// A stream with one line changed, lines counted from 1.
fn changed(stream: &str, number: usize, change: &Change) -> String {
    let mut lines: Vec<String> = stream.lines().map(|line| format!("{line}\n")).collect();
    let at = number - 1;
    let was = lines[at].clone();
    match change {
        Change::None => {}
        Change::To(line) if was.starts_with('>') => lines[at] = format!(">{line}\n"),
        Change::To(line) => lines[at] = format!("{line}\n"),
        Change::Dropped => drop(lines.remove(at)),
        Change::Doubled => lines.insert(at, was),
        Change::Later => {
            let next = number.min(lines.len() - 1);
            lines.swap(at, next);
        }
        Change::CarriageReturn => lines[at] = was.replace('\n', "\r\n"),
        Change::Sent => lines[at] = format!(">{was}"),
        Change::Last => lines.truncate(number),
        Change::Cut => {
            lines.truncate(number);
            lines[at].pop();
        }
    }
    lines.concat()
}

/// The streams of a game up to a move that is due, after so many turns at the earliest; whole where the game is over before.
fn cut_off(streams: &[String; 3], turns: usize) -> [String; 3] {
    let mut table = RoyalUr.table(crate::rules::Setup::default());
    let mut begun = 0;
    let mut kept = 2;
    for line in streams[2].lines().skip(2) {
        match CodeColosseum.hear(line.as_bytes()) {
            RefereeLine::Roll(roll) => {
                begun += 1;
                kept += 1;
                if table.take_roll(roll) && begun > turns {
                    break;
                }
            }
            RefereeLine::Move(mv) => {
                table.play(mv).unwrap();
                kept += 1;
            }
            other => panic!("{other:?}"),
        }
    }
    let head = |stream: &str, count: usize| stream.split_inclusive('\n').take(count).collect();
    [
        head(&streams[0], kept + 1),
        head(&streams[1], kept + 1),
        head(&streams[2], kept),
    ]
}

/// Demands of the fast path that it passes only what the full judge passes without a note, and tells the same of it; `must_pass`: that it passes a game with a lane that shows all of it.
fn agrees(streams: &[&str], must_pass: bool) -> Result<(), TestCaseError> {
    let judged = judged(streams);
    let mut fast_path = FastPath::new(&CodeColosseum);
    let each = streams.iter().map(|stream| BareGame::new(*stream, true));
    let passed = fast_path.pass(&each.collect::<Vec<_>>());
    let lanes: Vec<_> = streams
        .iter()
        .map(|stream| lane("lane", stream.as_bytes()))
        .collect();
    let shows_all = lanes
        .iter()
        .any(|lane| lane.label.kind() == LaneKind::Spectator || lane.tells_sent);
    match passed {
        Some(clean) => {
            let (history, setup) = (Vec::new(), None);
            let judged = judged.unwrap();
            prop_assert_eq!(
                clean,
                Judged {
                    history,
                    setup,
                    ..judged
                }
            );
        }
        None => prop_assert!(
            !must_pass || !shows_all,
            "a game without a fault is not passed"
        ),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_whole_game_is_legal_on_every_lane_alone_and_on_all_together(seed in any::<u64>()) {
        let streams = played(seed);
        let [first, second, spectator] = [&streams[0], &streams[1], &streams[2]].map(String::as_str);
        for lanes in [vec![first], vec![second], vec![spectator], vec![first, second, spectator], vec![spectator, second], vec![second, first]] {
            prop_assert!(matches!(ending(&together(&lanes)), Ending::Over(_)));
        }
    }

    #[test]
    fn a_changed_line_is_found_whatever_lane_it_is_on(
        seed in any::<u64>(), lane in 0..3_usize, place in 0.0..1.0_f64, changed in line_of_the_game(),
    ) {
        let mut streams = played(seed);
        let count = streams[lane].lines().count();
        let number = 1 + (count as f64 * place) as usize;
        let before = streams[lane].lines().nth(number - 1).unwrap().to_owned();
        let changed = if before.starts_with('>') { format!(">{changed}") } else { changed };
        prop_assume!(changed != before);
        // A form of the same number that the specification leaves open is no other move.
        prop_assume!(!before.starts_with('>') || changed[1..].trim().trim_start_matches(['+', '0']) != before[1..].trim_start_matches('0'));
        streams[lane] = with_line(&streams[lane], number, &changed);
        let judged = together(&[&streams[0], &streams[1], &streams[2]]);
        let complaint = complaint(&judged);
        prop_assert!(complaint.in_file.as_ref().unwrap().line <= number + 3, "{complaint:?} for line {number}");
        prop_assert!(complaint.requirement.and_then(crate::pack::requirement).is_some());
    }

    #[test]
    fn the_fast_path_passes_what_the_judge_passes_and_nothing_else(
        seed in any::<u64>(), which in 1..8_usize, received_only in 0..4_usize, lane in 0..3_usize,
        place in 0.0..1.0_f64, change in change(),
    ) {
        let mut streams = played(seed);
        let count = streams[lane].lines().count();
        let number = 1 + (count as f64 * place) as usize;
        streams[lane] = changed(&streams[lane], number, &change);
        for (player, stream) in streams[..2].iter_mut().enumerate() {
            if received_only & 1 << player != 0 {
                let received = stream.lines().filter(|line| !line.starts_with('>'));
                *stream = received.map(|line| format!("{line}\n")).collect();
            }
        }
        let lanes: Vec<_> = (0..3).filter(|lane| which & 1 << lane != 0).map(|lane| streams[lane].as_str()).collect();
        agrees(&lanes, matches!(change, Change::None))?;
    }

    #[test]
    fn the_fast_path_passes_what_the_judge_passes_of_a_game_that_is_cut_off_or_lost(
        seed in any::<u64>(), which in 1..8_usize, turns in 0..40_usize, is_lost in any::<bool>(), told in 0..8_usize,
    ) {
        let streams = cut_off(&played(seed), turns);
        let streams: Vec<_> = streams.iter().enumerate().map(|(lane, stream)| {
            let end = if is_lost && told & 1 << lane != 0 { "RETIRE\n" } else { "" };
            format!("{stream}{end}")
        }).collect();
        let lanes: Vec<_> = (0..3).filter(|lane| which & 1 << lane != 0).map(|lane| streams[lane].as_str()).collect();
        agrees(&lanes, false)?;
    }

    #[test]
    fn a_game_cut_off_at_any_byte_is_legal_so_far(seed in any::<u64>(), share in 0.0..1.0_f64, which in 0..3_usize) {
        let stream = &played(seed)[which];
        let cut = (stream.len() as f64 * share) as usize;
        let judged = together(&[&stream[..cut]]);
        // Only the last newline is missing: then the last line is taken as it stands.
        prop_assert!(!ending(&judged).is_complete() || cut == stream.len() - 1);
    }

    #[test]
    fn never_panics_on_any_bytes_and_shows_none_of_them_raw(
        bytes in any::<Vec<u8>>(), lines in prop::collection::vec(line_of_the_game(), 0..30), marks in any::<bool>(),
    ) {
        let text = ["A\u{202e}\nB\n".as_bytes(), lines.join("\n").as_bytes(), &bytes].concat();
        for text in [&text, &bytes] {
            let game = BareGame::new(text.as_slice(), marks);
            FastPath::new(&CodeColosseum).pass([&game]);
            let lanes = vec![bare::lane("one", &game, &CodeColosseum), lane("two", SECOND.as_bytes())];
            for lanes in [lanes[..1].to_vec(), lanes] {
                // Half of a lane is no game, and is refused.
                let Ok(judged) = judge(&LoggedGame::new(Protocol::Game(&CodeColosseum), lanes)) else {
                    continue;
                };
                if let Some(complaint) = judged.findings.first() {
                    let drawn = crate::report::draw_finding(complaint, &Source::new("a", ""), &[]).draw(Paint::Plain);
                    prop_assert!(!drawn.chars().any(|c| is_hostile(c) && c != '\n'), "{drawn}");
                }
            }
        }
    }
}

#[test]
fn a_golden_transcript_is_judged_by_all_of_its_lanes() {
    let text = format!(
        "# urtext golden transcript 1\ndialect: code-colosseum\n\n[first]\n{FIRST}\n[second]\n{SECOND}\n[spectator 1]\n{SPECTATOR}"
    );
    let judged = |text: &str| {
        let golden = golden::read(&Source::new("game.txt", text)).unwrap();
        judge(&LoggedGame::from_golden(golden)).unwrap()
    };
    assert!(ending(&judged(&text)).is_complete());
    let wrong = text.replace("[spectator 1]\nPlayerA", "[spectator 1]\nPlayer");
    let judged = judged(&wrong);
    assert_eq!(
        (
            complaint(&judged).requirement.unwrap(),
            complaint(&judged).in_file.as_ref().unwrap().line
        ),
        ("ur/handshake/first-name", 49)
    );
}

#[test]
fn a_silent_player_may_be_retired() {
    let timeout = |lane: &str| format!("A\nB\n{lane}0 0 0 1\n");
    for lanes in [
        vec![
            timeout("0\n"),
            timeout("1\n") + "RETIRE\n",
            timeout("") + "RETIRE\n",
        ],
        vec![timeout("0\n") + "RETIRE\n", timeout("1\n") + "RETIRE\n"],
        vec![timeout("0\n") + ">\nRETIRE\n"],
    ] {
        let lanes: Vec<_> = lanes.iter().map(String::as_str).collect();
        let judged = together(&lanes);
        assert!(
            matches!(
                ending(&judged),
                Ending::Lost {
                    by: Seat::First,
                    ..
                }
            ),
            "{lanes:?}"
        );
    }
}

#[test]
fn what_was_sent_off_turn_is_noted_and_not_judged() {
    let early = "A\nB\n1\n>3\n0 0 0 1\n0\n0 0 1 1\n>4\n";
    let others = "A\nB\n0 0 0 1\n0\n0 0 1 1\n4\n";
    let judged = together(&[early, others]);
    assert!(!ending(&judged).is_complete());
    insta::assert_snapshot!(judged.notes.join("\n"), @"B (second): 1 line sent before the turn and not read");
    let late = format!("{FIRST}>1\n>2\n");
    insta::assert_snapshot!(together(&[&late]).notes.join("\n"), @"one:21: 2 lines sent after the end of the game");
}

#[test]
fn a_won_position_is_over() {
    let [first, ..] = played(7);
    let judged = together(&[&format!("{first}1\n")]);
    assert_eq!(
        complaint(&judged).requirement.unwrap(),
        "ur/win/nothing-after"
    );
    let mut table = RoyalUr.table(judged.setup.unwrap());
    for happening in &judged.history {
        match *happening {
            GameEvent::Rolled { roll, .. } => drop(table.take_roll(roll)),
            GameEvent::Moved { mv, .. } => table.play(mv).unwrap(),
            GameEvent::Lost { .. } => panic!("nobody lost"),
        }
    }
    assert!(matches!(table.phase(), Phase::Over(_)));
}
