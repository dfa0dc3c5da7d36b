//! What is read of scenarios without a fault.

use std::time::Duration;

use super::beside::Files;
use super::{BOT, REFEREE, read, with_turns};
use urtext::diagnostic::Paint;
use urtext::rules::{Move, PerSeat, Roll, Seat};
use urtext::scenario::{
    ActKind, Choice, Leaving, Participant, PlayerAction, Scenario, SendPart, Side, StepKind,
};

fn sound(text: &str) -> Scenario {
    let (scenario, diagnostics) = read(text);
    assert_eq!(diagnostics.draw(Paint::Plain), "");
    scenario.expect("a scenario without a fault is there")
}

fn actions(head: &str, turns: &[&str]) -> Vec<PlayerAction> {
    let scenario = sound(&with_turns(head, turns));
    scenario
        .game()
        .unwrap()
        .turns()
        .map(|(_, turn)| turn.action.clone())
        .collect()
}

fn this(mv: u32) -> PlayerAction {
    PlayerAction::Move(Choice::This(Move(mv)))
}

fn any(name: Option<&str>, except: Option<&str>) -> PlayerAction {
    PlayerAction::Move(Choice::Any {
        name: name.map(str::to_owned),
        except: except.map(str::to_owned),
    })
}

#[test]
fn keeps_all_that_a_scenario_says() {
    let text = "\
scenario: ' all keys '
game: ur
subject: referee
checks: [ur/roll/heads, ur/skip/roll-0]
names: [\"> a\", 1]
spectators: 16
timeout: 1s
pace: 30s
turns:
  - first: 0011 > 3
  - second: 0 0 0 0
";
    let scenario = sound(text);
    assert_eq!(
        (scenario.title.as_str(), scenario.name.as_str()),
        ("all keys", "s")
    );
    assert_eq!(
        (
            scenario.game().unwrap().dialect.game().name(),
            scenario.side()
        ),
        ("royalur", Side::Referee)
    );
    assert_eq!(scenario.checks(), ["ur/roll/heads", "ur/skip/roll-0"]);
    assert_eq!(
        scenario.game().unwrap().names,
        Some(PerSeat(["> a".to_owned(), "1".to_owned()]))
    );
    assert_eq!(scenario.game().unwrap().spectators, 16);
    assert_eq!(
        (
            scenario.game().unwrap().timeout,
            scenario.game().unwrap().pace
        ),
        (Some(Duration::from_secs(1)), Some(Duration::from_secs(30)))
    );
    let turns: Vec<_> = scenario
        .game()
        .unwrap()
        .turns()
        .map(|(_, turn)| (turn.seat, turn.roll, turn.action.clone()))
        .collect();
    let expected = [
        (Seat::First, Some(Roll(3)), this(3)),
        (Seat::Second, Some(Roll(0)), PlayerAction::Skip),
    ];
    assert_eq!(turns, expected);
    let spans: Vec<&[u8]> = scenario
        .game()
        .unwrap()
        .steps
        .iter()
        .map(|step| scenario.source.slice(step.span))
        .collect();
    assert_eq!(spans, [b"first: 0011 > 3".as_slice(), b"second: 0 0 0 0"]);
}

#[test]
fn has_one_spectator_at_a_referee_and_none_at_a_bot() {
    assert_eq!(
        sound(&with_turns(REFEREE, &["first: 0 0 0 0"]))
            .game()
            .unwrap()
            .spectators,
        1
    );
    let bot = sound(&with_turns(BOT, &["bot: 0 0 0 0"]));
    assert_eq!(
        (
            bot.game().unwrap().spectators,
            bot.side(),
            bot.game().unwrap().bot_seat
        ),
        (0, Side::Bot, Seat::First)
    );
    let second = BOT.replace("seat: first", "seat: second");
    assert_eq!(
        sound(&with_turns(&second, &["opponent: 0 0 0 0"]))
            .game()
            .unwrap()
            .bot_seat,
        Seat::Second
    );
}

#[test]
fn reads_every_kind_of_deed() {
    let refused = [
        "first: 0 0 0 1 > 0",
        "second: 0 0 0 0",
        "first: 0001>3 illegal",
    ];
    assert_eq!(
        actions(REFEREE, &refused)[2],
        PlayerAction::Illegal(b"3".to_vec())
    );
    assert_eq!(
        actions(REFEREE, &["first: 0 0 0 1 > silent"]),
        [PlayerAction::Silent]
    );
    let chosen = [
        "bot: 0 0 1 1 > any as a",
        "opponent: 0 0 0 0",
        "bot: 0 0 0 1 > any except a as b",
    ];
    let expected = [
        any(Some("a"), None),
        PlayerAction::Skip,
        any(Some("b"), Some("a")),
    ];
    assert_eq!(actions(BOT, &chosen), expected);
    assert_eq!(
        actions(BOT, &["bot: 0 0 1 1 > 3", "opponent: 0 0 0 1 > any"]),
        [this(3), any(None, None)]
    );
    let played = sound(&with_turns(
        REFEREE,
        &["first: 0 0 0 0", "play: to the end"],
    ));
    assert_eq!(played.game().unwrap().steps[1].kind, StepKind::PlayToTheEnd);
}

#[test]
fn a_quoted_line_is_sent_byte_for_byte() {
    for (quoted, bytes) in [
        (r#""""#, b"".as_slice()),
        (r#""-1""#, b"-1"),
        (r#""a b  c""#, b"a b  c"),
        (r#""\"\\\/\b\f\r\t""#, b"\"\\/\x08\x0c\r\t"),
        (r#""\u00e9\ud83c\udfb2\u{202e}""#, "é🎲\u{202e}".as_bytes()),
        (r#""\xff\x00""#, b"\xff\0"),
        (r#""> 3 illegal""#, b"> 3 illegal"),
    ] {
        let turn = format!("first: 0 0 1 1 > {quoted} illegal");
        assert_eq!(
            actions(REFEREE, &[&turn]),
            [PlayerAction::Illegal(bytes.to_vec())],
            "{quoted}"
        );
    }
    assert_eq!(
        actions(REFEREE, &["first: '0 0 1 1 > \"a # b\" illegal'"]),
        [PlayerAction::Illegal(b"a # b".to_vec())]
    );
}

#[test]
fn an_open_line_for_a_move_that_the_rules_refuse_loses_either_way() {
    let turns = [
        "first: 0 0 0 1 > 0",
        "second: 0 0 0 0",
        "first: 0 0 0 1 > \"+3\" illegal",
    ];
    assert_eq!(
        actions(REFEREE, &turns)[2],
        PlayerAction::Illegal(b"+3".to_vec())
    );
}

/// The acts of the first turn of a game with two spectators.
fn acts(acts: &[&str]) -> Vec<(Participant, ActKind)> {
    let head = REFEREE.replace("turns:", "spectators: 2\nturns:");
    let turn = acts.iter().fold(
        "first: 0 0 1 1 > 3\n    meanwhile:".to_owned(),
        |text, act| text + "\n      - " + act,
    );
    let scenario = sound(&with_turns(&head, &[&turn]));
    let (_, turn) = scenario.game().unwrap().turns().next().unwrap();
    let spans: Vec<&[u8]> = turn
        .meanwhile
        .iter()
        .map(|act| scenario.source.slice(act.span))
        .collect();
    assert_eq!(
        spans,
        acts.iter().map(|act| act.as_bytes()).collect::<Vec<_>>()
    );
    turn.meanwhile
        .iter()
        .map(|act| (act.who, act.what.clone()))
        .collect()
}

#[test]
fn what_is_sent_in_pieces_is_sent_byte_for_byte() {
    let bytes = |bytes: &[u8]| SendPart::Bytes(bytes.to_vec());
    let sent = |sent: &str| {
        let turn = format!("first: 0 0 1 1\n    send: {sent}");
        match actions(REFEREE, &[&turn]).remove(0) {
            PlayerAction::Send(parts) => parts,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(sent(r#""3\r\n""#), [bytes(b"3\r\n")]);
    assert_eq!(
        sent(r#"["\x7f\\xff", 'b''\n']"#),
        [bytes(b"\x7f\\xff"), bytes(b"b'\\n")]
    );
    assert_eq!(
        sent(r#"["é", {hex: "ff 00 0a"}]"#),
        [bytes("é".as_bytes()), bytes(b"\xff\0\n")]
    );
    assert_eq!(sent("{hex: FF}"), [bytes(b"\xff")]);
    assert_eq!(sent(r#"{repeat: "ab", times: 3}"#), [bytes(b"ababab")]);
    let pause = SendPart::Pause(Duration::from_millis(300));
    assert_eq!(
        sent(r#"["3", {pause: 300ms}, "\n"]"#),
        [bytes(b"3"), pause, bytes(b"\n")]
    );
    let leaving = [bytes(b"3"), SendPart::Leave(Leaving::HalfClose)];
    assert_eq!(sent("\"3\"\n    then: half-close"), leaving);
}

#[test]
fn a_player_can_go_away_or_be_silent_in_either_form() {
    for (way, leaving) in [
        ("hang up", Leaving::HangUp),
        ("half-close", Leaving::HalfClose),
        ("reset", Leaving::Reset),
    ] {
        assert_eq!(
            actions(REFEREE, &[&format!("first: 0 0 1 1 > {way}")]),
            [PlayerAction::Leave(leaving)]
        );
    }
    assert_eq!(
        actions(REFEREE, &["first: 0 0 1 1\n    silent: until the timeout"]),
        [PlayerAction::Silent]
    );
    assert_eq!(
        actions(BOT, &["bot: 0 0 1 1 > any", "opponent: 0 0 0 1 > reset"])[1],
        PlayerAction::Leave(Leaving::Reset)
    );
}

#[test]
fn reads_every_kind_of_act() {
    let second = Participant::Player(Seat::Second);
    let send = |parts: &[SendPart]| ActKind::Send(parts.to_vec());
    let bytes = |bytes: &[u8]| SendPart::Bytes(bytes.to_vec());
    assert_eq!(
        acts(&[
            "second: send \"4\\n\\xff\"",
            "second: {send: [\"4\", {pause: 1s}], then: hang up}"
        ]),
        [
            (second, send(&[bytes(b"4\n\xff")])),
            (
                second,
                send(&[
                    bytes(b"4"),
                    SendPart::Pause(Duration::from_secs(1)),
                    SendPart::Leave(Leaving::HangUp)
                ])
            ),
        ]
    );
    assert_eq!(
        acts(&[
            "spectator 1: leave",
            "spectator 2: join",
            "spectator 2: reset",
            "second: half-close"
        ]),
        [
            (Participant::Spectator(1), ActKind::Leave(Leaving::HangUp)),
            (Participant::Spectator(2), ActKind::Join),
            (Participant::Spectator(2), ActKind::Leave(Leaving::Reset)),
            (second, ActKind::Leave(Leaving::HalfClose)),
        ]
    );
}

#[test]
fn the_rest_of_a_line_that_was_begun_off_turn_ends_it() {
    let begun = "first: 0 0 1 1 > 3\n    meanwhile:\n      - second: send \"4\"";
    let ended = ["first: 0 0 0 0", "second: 0 0 0 0"];
    let turns = [
        begun,
        "second: 0 0 0 1\n    send: \"\\n\"",
        ended[0],
        ended[1],
    ];
    assert_eq!(actions(REFEREE, &turns).len(), 4);
}

#[test]
fn needs_a_timeout_where_nothing_comes_that_decides() {
    let needs = |turn: &str| {
        sound(&with_turns(REFEREE, &[turn]))
            .game()
            .unwrap()
            .needs_timeout()
    };
    assert!(needs("first: 0 0 1 1 > silent") && needs("first: 0 0 1 1\n    send: \"3\""));
    assert!(
        !needs("first: 0 0 1 1\n    send: \"3\\n\"")
            && !needs("first: 0 0 1 1\n    send: \"3\"\n    then: reset")
    );
}

#[test]
fn what_is_open_can_be_played_to_the_end() {
    let open = "first: 0 0 1 1\n    send: \"+3\\n\"";
    assert_eq!(
        sound(&with_turns(REFEREE, &[open, "play: to the end"]))
            .game()
            .unwrap()
            .steps
            .len(),
        2
    );
    // Whatever is made of it, a 1 leaves a move after it.
    assert_eq!(
        sound(&with_turns(REFEREE, &[open])).game().unwrap().barrier,
        Some(Roll(1))
    );
}

#[test]
fn a_turn_that_is_right_somewhere_after_any_is_no_fault() {
    // A 3 and then a 1: the bot either stands on the fourth cell and plays again, or does not.
    let head = [
        "bot: 0 1 1 1 > any",
        "opponent: 0 0 0 0",
        "bot: 0 0 0 1 > any",
    ];
    for last in ["bot: 0 0 0 0", "opponent: 0 0 0 0"] {
        assert_eq!(actions(BOT, &[head[0], head[1], head[2], last]).len(), 4);
    }
}

#[test]
fn what_any_leads_to_in_the_turns_after_is_remembered() {
    let (_, diagnostics) = read(&with_turns(
        BOT,
        &[
            "bot: 0 1 1 1 > any",
            "opponent: 0 0 0 0",
            "bot: 0 0 0 1 > any",
            "bot: 0 0 0 0",
            "bot: 0 0 0 0",
        ],
    ));
    // Only a token on the fourth cell plays again, and a skip ends that.
    let said = diagnostics.sorted()[0].to_string();
    assert_eq!(
        said,
        "s.yaml:11:5: error[turn/wrong-seat]: it is the turn of `opponent` here, not of `bot`"
    );
}

#[test]
fn stops_claiming_where_too_many_positions_can_be_reached() {
    let mut turns = Vec::new();
    for round in 0..12 {
        turns.push(if round % 2 == 0 {
            "bot: 0 0 0 1 > any"
        } else {
            "bot: 0 0 1 1 > any"
        });
        turns.push("opponent: 0 0 0 1 > any");
    }
    // After so many choices it is not known that this one is wrong: there is no roll with which nothing can follow.
    turns.push("bot: 0 0 0 0 > any");
    assert_eq!(actions(BOT, &turns).len(), 25);
}

#[test]
fn a_barrier_is_the_least_roll_that_leaves_a_move() {
    let barrier = |turns: &[&str]| sound(&with_turns(REFEREE, turns)).game().unwrap().barrier;
    assert_eq!(barrier(&["first: 0 0 0 0"]), Some(Roll(1)));
    // With a 1, every other token would land on the one on the first cell, and that one can still move.
    assert_eq!(
        barrier(&["first: 0 0 0 1 > 0", "second: 0 0 0 0"]),
        Some(Roll(1))
    );
    assert_eq!(barrier(&["first: 0 0 0 1 > \"x\" illegal"]), None);
    assert_eq!(barrier(&["first: 0 0 0 1 > silent"]), None);
    assert_eq!(barrier(&["first: 0 0 0 0", "play: to the end"]), None);
    assert_eq!(
        sound(&with_turns(BOT, &["bot: 0 0 0 0"]))
            .game()
            .unwrap()
            .barrier,
        None
    );
}

#[test]
fn the_scenarios_in_the_documentation_are_sound() {
    let page = include_str!("../../../docs/scenarios.md");
    let examples: Vec<&str> = page
        .split("```yaml\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .collect();
    // One that begins with its file's name is beside the others.
    let named = |example: &&str| example.starts_with("# _");
    let files = examples.iter().filter(|example| named(example)).fold(
        Files::default(),
        |files, example| {
            let (name, text) = example.split_once('\n').unwrap();
            files.with(name.trim_start_matches("# "), text)
        },
    );
    let read: Vec<usize> = examples
        .iter()
        .filter(|example| !named(example))
        .map(|example| files.sound(example).len())
        .collect();
    assert!(read.contains(&1) && read.contains(&2), "{read:?}");
}
