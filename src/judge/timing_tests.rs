//! Games by a clock that the test turns: when lines come, and when those of urtext are written.

use std::sync::Arc;
use std::time::Duration;

use crate::config::LateSpectator;
use crate::diagnostic::Source;
use crate::event::{Event, Lag, What};
use crate::finding::Verdict;
use crate::judge::{Budgets, Command, Judge, Judgement, Settings};
use crate::protocol::{Framer, Line};
use crate::scenario::{Alone, resolve};
use crate::transcript::{Close, Direction};

const UR: &str = "scenario: t\ngame: royalur\nsubject: referee\nchecks: [ur/move/relayed-to-opponent]\nspectators: 0\n\
    turns:\n  - first: 0 0 1 1 > 0\n  - second: 0 0 0 1 > 0\n";
const ONITAMA: &str = "scenario: t\ngame: onitama\nsubject: referee\nchecks: [oni/board/cells]\n\
    deal: Cobra,Eel,Crab,Rabbit,Tiger\nstarter: Top\nturns:\n  - top: Eel a1 b2\n";

/// The next event, with the time on our clock in milliseconds.
pub(super) enum Then {
    /// A lane receives a line, or its end.
    Hears(u64, usize, &'static str),
    Ends(u64, usize),
    /// The process ends with this status, and whether that is success.
    Exits(u64, String, bool),
    /// Handed-out lines are written, and requested connects and disconnects happen.
    Writes(u64),
    /// The machine was busy: so long for us, and so long for the referee.
    Lags(u64, u64, u64),
}
use Then::{Ends, Exits, Hears, Lags, Writes};

/// Forced rolls, no lag, and a timeout of 500 ms.
pub(in crate::judge) fn settings() -> Settings {
    Settings {
        budgets: Budgets::default(),
        timeout: Some(Duration::from_millis(500)),
        pace: Duration::ZERO,
        lag: Duration::ZERO,
        forces_rolls: true,
        late_spectator: LateSpectator::Unknown,
        seed: 1,
    }
}

/// Judges a game with a timeout of 500 ms.
fn judged(text: &str, pace: u64, then: &[Then]) -> Judgement {
    judged_with(
        text,
        Settings {
            pace: Duration::from_millis(pace),
            ..settings()
        },
        then,
    )
}

/// Judges a game.
pub(super) fn judged_with(text: &str, settings: Settings, then: &[Then]) -> Judgement {
    let (mut scenarios, problems) = resolve(&Source::new("s.yaml", text), "s", &Alone);
    let scenario = Arc::new(scenarios.pop().unwrap_or_else(|| panic!("{problems:?}")));
    let mut judge = Judge::new(Arc::clone(&scenario), settings, None);
    let (mut handed, mut alarm) = (Vec::new(), None);
    let mut framers: [Framer; 4] = Default::default();
    let mut take =
        |judge: &mut Judge, at, what, handed: &mut Vec<What>, alarm: &mut Option<Duration>| {
            let direction = Direction::Sent;
            for action in judge.take(&Event { at, what }) {
                match action {
                    Command::Send { lane, bytes } => {
                        framers[lane].push(&bytes, |line| {
                            handed.push(What::Line {
                                lane,
                                direction,
                                line,
                            })
                        });
                    }
                    Command::Leave { lane, .. } => {
                        handed.push(What::Closed {
                            lane,
                            direction,
                            close: Close::End,
                        });
                    }
                    Command::Open { lane } => handed.push(What::Opened { lane }),
                    Command::WakeAt(at) => *alarm = Some(at),
                    _ => {}
                }
            }
        };
    let (players, spectators) = scenario.lanes();
    for lane in (0..players + spectators).filter(|&lane| scenario.opens_at_start(lane)) {
        take(
            &mut judge,
            Duration::ZERO,
            What::Opened { lane },
            &mut handed,
            &mut alarm,
        );
    }
    for then in then {
        let direction = Direction::Received;
        let (Hears(now, ..) | Ends(now, _) | Exits(now, ..) | Writes(now) | Lags(now, ..)) = *then;
        while let Some(at) = alarm.take_if(|at| *at <= Duration::from_millis(now)) {
            take(&mut judge, at, What::Alarm, &mut handed, &mut alarm);
        }
        match *then {
            Hears(at, lane, line) => {
                let what = What::Line {
                    lane,
                    direction,
                    line: Line::new(line),
                };
                take(
                    &mut judge,
                    Duration::from_millis(at),
                    what,
                    &mut handed,
                    &mut alarm,
                );
            }
            Ends(at, lane) => {
                let what = What::Closed {
                    lane,
                    direction,
                    close: Close::End,
                };
                take(
                    &mut judge,
                    Duration::from_millis(at),
                    what,
                    &mut handed,
                    &mut alarm,
                );
            }
            Lags(at, own, subject) => {
                let what = What::Lag(Lag {
                    own: Duration::from_millis(own),
                    subject: Duration::from_millis(subject),
                    start: Duration::ZERO,
                });
                take(
                    &mut judge,
                    Duration::from_millis(at),
                    what,
                    &mut handed,
                    &mut alarm,
                );
            }
            Exits(at, ref status, is_success) => {
                let what = What::Exited {
                    status: status.clone(),
                    is_success,
                };
                take(
                    &mut judge,
                    Duration::from_millis(at),
                    what,
                    &mut handed,
                    &mut alarm,
                );
            }
            Writes(at) => {
                for what in std::mem::take(&mut handed) {
                    take(
                        &mut judge,
                        Duration::from_millis(at),
                        what,
                        &mut handed,
                        &mut alarm,
                    );
                }
            }
        }
    }
    // What may follow has its time.
    while let Some(at) = alarm.take().filter(|_| !judge.is_finished()) {
        take(&mut judge, at, What::Alarm, &mut handed, &mut alarm);
    }
    judge.conclude()
}

/// The handshake, and both lanes' first roll.
pub(super) fn until_the_roll(at: u64) -> Vec<Then> {
    let names = [
        (0, "Ada"),
        (0, "Bob"),
        (0, "0"),
        (1, "Ada"),
        (1, "Bob"),
        (1, "1"),
    ];
    let mut then: Vec<_> = names
        .into_iter()
        .map(|(lane, line)| Hears(0, lane, line))
        .collect();
    then.extend([Hears(at, 0, "0 0 1 1"), Hears(at, 1, "0 0 1 1")]);
    then
}

fn verdict(judgement: &Judgement) -> Verdict {
    assert!(!judgement.findings.is_empty());
    judgement.verdict
}

#[test]
fn a_player_retired_after_our_line_left_too_late_is_no_failure() {
    let game = |sent: u64| {
        let mut then = until_the_roll(1);
        then.extend([
            Writes(2),
            Hears(3, 1, "0"),
            Hears(4, 0, "0 0 0 1"),
            Hears(4, 1, "0 0 0 1"),
        ]);
        then.extend([Writes(sent), Hears(sent + 1, 0, "RETIRE")]);
        judged(UR, 0, &then)
    };
    let late = game(600);
    assert_eq!(verdict(&late), Verdict::Inconclusive, "{:?}", late.findings);
    assert!(
        late.findings[0]
            .title
            .ends_with("urtext may have been late itself")
    );
    // What left in time was not to be refused.
    assert_eq!(verdict(&game(100)), Verdict::Fail);
}

#[test]
fn a_roll_that_lay_unread_until_the_retirement_is_no_failure_of_the_referee() {
    let game = |read: u64| {
        let mut then = until_the_roll(1);
        then.extend([Writes(2), Hears(3, 1, "0")]);
        // The opponent's lane is read first, its retirement included.
        then.extend([Hears(read, 0, "0 0 0 1"), Hears(read, 0, "RETIRE")]);
        judged(UR, 0, &then)
    };
    assert_eq!(verdict(&game(700)), Verdict::Inconclusive);
    assert_eq!(verdict(&game(10)), Verdict::Fail);
}

#[test]
fn a_roll_that_one_lane_never_shows_stays_a_failure_however_long_we_wait_for_it() {
    let mut then = until_the_roll(1);
    then.extend([
        Writes(2),
        Hears(3, 1, "0"),
        Hears(4, 1, "0 0 0 1"),
        Hears(510, 0, "RETIRE"),
    ]);
    assert_eq!(verdict(&judged(UR, 0, &then)), Verdict::Fail);
}

#[test]
fn the_pace_is_no_lateness_of_ours() {
    let mut then = until_the_roll(1);
    then.extend([
        Writes(2),
        Hears(3, 1, "0"),
        Hears(1004, 0, "0 0 0 1"),
        Hears(1004, 1, "0 0 0 1"),
    ]);
    then.extend([Writes(1010), Hears(1011, 0, "RETIRE")]);
    assert_eq!(verdict(&judged(UR, 1000, &then)), Verdict::Fail);
}

#[test]
fn lanes_that_are_dropped_after_our_line_left_too_late_are_no_failure() {
    let game = |sent: u64| {
        let setup = "Cards: Cobra,Eel,Crab,Rabbit,Tiger";
        let mut then = Vec::new();
        for lane in 0..2 {
            let seat = if lane == 0 {
                "You are Top"
            } else {
                "You are Bottom"
            };
            then.extend([seat, setup, "Top starts"].map(|line| Hears(1, lane, line)));
        }
        then.extend([Writes(sent), Ends(sent + 1, 0), Ends(sent + 1, 1)]);
        judged(ONITAMA, 0, &then)
    };
    assert_eq!(verdict(&game(600)), Verdict::Inconclusive);
    assert_eq!(verdict(&game(50)), Verdict::Fail);
}

const IN_EXTRA_TURN: &str = "scenario: t\ngame: royalur\nsubject: referee\nchecks: [ur/handshake/first-player-starts]\nspectators: 0\n\
    turns:\n  - first: 1 1 1 1 > 0\n";

/// Up to the extra turn's roll, the move before it relayed.
fn until_the_extra_turn() -> Vec<Then> {
    let mut then = until_the_roll(1);
    then.truncate(6);
    then.extend([
        Hears(1, 0, "1 1 1 1"),
        Hears(1, 1, "1 1 1 1"),
        Writes(2),
        Hears(3, 1, "0"),
    ]);
    then.extend([Hears(4, 0, "0 0 0 1"), Hears(4, 1, "0 0 0 1")]);
    then
}

#[test]
fn who_is_never_retired_for_silence_is_not_put_down_to_the_rule_of_the_move_before() {
    let text = format!("{IN_EXTRA_TURN}  - first: 0 0 0 1 > silent\n");
    let judgement = judged(&text, 0, &until_the_extra_turn());
    let finding = &judgement.findings[0];
    assert_eq!(
        (finding.verdict, finding.requirement),
        (Verdict::Fail, Some("ur/retire/timeout"))
    );
    let as_if = |note: &String| note.contains("behaves as if");
    assert!(
        !as_if(&finding.title) && !finding.all_notes().any(as_if),
        "{finding:?}"
    );
}

#[test]
fn a_relayed_move_that_comes_late_is_only_late() {
    let text = format!("{IN_EXTRA_TURN}  - first: 0 0 0 1 > 0\n  - second: 0 0 1 1 > 0\n");
    let mut then = until_the_extra_turn();
    then.extend([Writes(5), Hears(6005, 1, "0")]);
    let finding = &judged(&text, 0, &then).findings[0];
    assert_eq!(
        finding.requirement,
        Some("ur/move/relayed-to-opponent"),
        "{finding:?}"
    );
    assert!(finding.title.contains("too late"), "{finding:?}");
}

#[test]
fn an_end_that_does_not_come_is_no_missing_line() {
    let text = "scenario: t\ngame: lines\nsubject: referee\nparticipants: [a, b]\nsteps:\n  - a sends: bye\n  - a sees: end\n";
    let judgement = judged(text, 0, &[Writes(1), Hears(9000, 1, "x")]);
    let finding = &judgement.findings[0];
    assert_eq!(
        finding.title,
        "the stream of a did not end, and its end is due"
    );
    assert!(
        finding.by_silence && judgement.verdict == Verdict::Fail,
        "{finding:?}"
    );
}

#[test]
fn what_only_lag_explains_is_inconclusive_and_not_a_failure() {
    let text = format!("{IN_EXTRA_TURN}  - first: 0 0 0 1 > 0\n  - second: 0 0 1 1 > 0\n");
    // The relayed move does not come within 5 s, nor within the 2 s after them.
    let game = |own: u64, subject: u64| {
        let mut then = until_the_extra_turn();
        then.extend([
            Writes(5),
            Lags(1000, 0, subject / 2),
            Lags(7000, own, subject - subject / 2),
        ]);
        judged(&text, 0, &then)
    };
    let idle = game(0, 0);
    assert_eq!(verdict(&idle), Verdict::Fail, "{:?}", idle.findings);
    assert!(idle.findings[0].by_silence && !idle.has_lagged);
    // The referee had 4.2 s of the 5 s, then 5.2 s.
    for (own, subject, expected) in [
        (0, 3000, Verdict::Inconclusive),
        (3000, 0, Verdict::Inconclusive),
        (0, 2000, Verdict::Fail),
    ] {
        let judgement = game(own, subject);
        assert_eq!(
            verdict(&judgement),
            expected,
            "{own}, {subject}: {:?}",
            judgement.findings
        );
        assert_eq!(judgement.has_lagged, expected == Verdict::Inconclusive);
        assert!(judgement.findings[0].by_silence, "it is played again");
    }
    // Lag before the wait explains nothing.
    let mut then = until_the_extra_turn();
    then.extend([Lags(4, 3000, 3000), Writes(5)]);
    assert_eq!(verdict(&judged(&text, 0, &then)), Verdict::Fail);
}

#[test]
fn a_line_that_is_late_by_lag_alone_is_in_time() {
    let text = format!("{IN_EXTRA_TURN}  - first: 0 0 0 1 > 0\n");
    let game = |lag: u64| {
        let mut then = until_the_extra_turn();
        then.extend([Writes(5), Lags(6000, 0, lag), Hears(6005, 1, "0")]);
        let next = "1 1 0 0";
        then.extend([Hears(6006, 0, next), Hears(6006, 1, next)]);
        judged(&text, 0, &then)
    };
    let busy = game(1100);
    assert_eq!(
        (busy.verdict, busy.has_lagged),
        (Verdict::Pass, true),
        "{:?}",
        busy.findings
    );
    assert!(game(900).findings[0].title.contains("too late"));
}

#[test]
fn a_loss_before_the_timeout_is_early_however_late_the_turn_was_read() {
    let text = UR.replace("second: 0 0 0 1 > 0", "second: 0 0 0 1 > silent");
    let game = |lag: u64| {
        let mut then = until_the_roll(1);
        then.extend([Writes(2), Hears(3, 1, "0")]);
        // The roll that began the turn was read late.
        then.extend([
            Lags(150, lag, 0),
            Hears(150, 1, "0 0 0 1"),
            Hears(150, 0, "0 0 0 1"),
        ]);
        then.extend([Hears(400, 0, "RETIRE")]);
        judged(&text, 0, &then)
    };
    // Its clock started after the move before was handed out, which is no matter of what is read late.
    for lag in [0, 140] {
        let early = game(lag);
        assert_eq!(verdict(&early), Verdict::Fail, "{lag}");
        assert!(
            early.findings[0].title.contains("too early"),
            "{lag}: {:?}",
            early.findings
        );
    }
}

#[test]
fn a_crash_names_the_line_before_it_and_the_exit_status() {
    let crashed = |status: &str, is_success: bool| {
        let status = status.to_owned();
        let mut then = until_the_roll(0);
        then.extend([
            Writes(10),
            Exits(20, status, is_success),
            Ends(20, 0),
            Ends(20, 1),
        ]);
        judged(UR, 0, &then).findings.remove(0).title
    };
    let title = crashed("exit status 3", false);
    assert_eq!(
        title,
        "the referee crashed in mid-game, after \"0\" by Ada (first): exit status 3"
    );
    // Whoever ends in good order may take the game for over.
    assert!(!crashed("exit status 0", true).contains("crashed"));
}
