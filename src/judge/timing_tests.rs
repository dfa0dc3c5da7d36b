//! Games by a clock that the test turns: when lines come, and when those of urtext are written.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use crate::config::LateSpectator;
use crate::diagnostic::Source;
use crate::event::{Event, Lag, What};
use crate::finding::Verdict;
use crate::judge::{Budgets, Command, Judge, Judgement, Settings};
use crate::protocol::{Framer, Line};
use crate::scenario::{Alone, Scenario, Side, resolve};
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
pub(crate) fn settings() -> Settings {
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

/// A game between the judge and a subject that the test plays.
pub(crate) struct Table {
    pub(crate) judge: Judge,
    pub(super) scenario: Arc<Scenario>,
    pub(crate) now: Duration,
    pub(super) alarm: Option<Duration>,
    /// Events that come before any alarm: those that follow from the commands of the judge, and others.
    pub(crate) next: VecDeque<What>,
    /// Whether the judge has ended the input of the subject.
    pub(super) has_closed: bool,
    /// Number of events, number of lines and bytes that were sent, and maximum number of actions of one event.
    pub(super) events: usize,
    pub(super) sent: (usize, usize),
    pub(super) most: usize,
    framers: [Framer; 4],
}

impl Table {
    pub(crate) fn new(text: &str, settings: Settings) -> Table {
        let (mut scenarios, problems) = resolve(&Source::new("s.yaml", text), "s", &Alone);
        let scenario = Arc::new(scenarios.pop().unwrap_or_else(|| panic!("{problems:?}")));
        let (players, spectators) = scenario.lanes();
        let mut table = Table {
            judge: Judge::new(Arc::clone(&scenario), settings, None),
            scenario: Arc::clone(&scenario),
            now: Duration::ZERO,
            alarm: None,
            next: VecDeque::new(),
            has_closed: false,
            events: 0,
            sent: (0, 0),
            most: 0,
            framers: Default::default(),
        };
        for lane in (0..players + spectators).filter(|&lane| scenario.opens_at_start(lane)) {
            table.take(What::Opened { lane });
        }
        table
    }

    /// The judge hears of an event, and what it hands out is next.
    pub(crate) fn take(&mut self, what: What) {
        // To a bot, urtext is the referee.
        let direction = match self.scenario.side() {
            Side::Referee => Direction::Sent,
            Side::Bot => Direction::Received,
        };
        let commands = self.judge.take(&Event { at: self.now, what });
        self.events += 1;
        self.most = self.most.max(commands.len());
        for command in commands {
            match command {
                Command::Send { lane, bytes } => {
                    self.sent.1 += bytes.len();
                    self.framers[lane].push(&bytes, |line| {
                        self.sent.0 += 1;
                        self.next.push_back(What::Line {
                            lane,
                            direction,
                            line,
                        });
                    });
                }
                Command::Leave { lane, .. } => self.next.push_back(What::Closed {
                    lane,
                    direction: Direction::Sent,
                    close: Close::End,
                }),
                Command::Open { lane } => self.next.push_back(What::Opened { lane }),
                Command::Close { .. } => self.has_closed = true,
                Command::WakeAt(at) => self.alarm = Some(at),
                _ => {}
            }
        }
    }

    /// What was handed out is written.
    pub(crate) fn write(&mut self) {
        for what in std::mem::take(&mut self.next) {
            self.take(what);
        }
    }
}

/// A line of the first lane.
pub(crate) fn said(direction: Direction, text: &str) -> What {
    What::Line {
        lane: 0,
        direction,
        line: Line::new(text),
    }
}

/// Judges a game.
pub(super) fn judged_with(text: &str, settings: Settings, then: &[Then]) -> Judgement {
    let mut table = Table::new(text, settings);
    for then in then {
        let direction = Direction::Received;
        let (Hears(now, ..) | Ends(now, _) | Exits(now, ..) | Writes(now) | Lags(now, ..)) = *then;
        let now = Duration::from_millis(now);
        while let Some(at) = table.alarm.take_if(|at| *at <= now) {
            table.now = at;
            table.take(What::Alarm);
        }
        table.now = now;
        let what = match *then {
            Hears(_, lane, line) => What::Line {
                lane,
                direction,
                line: Line::new(line),
            },
            Ends(_, lane) => What::Closed {
                lane,
                direction,
                close: Close::End,
            },
            Lags(_, own, subject) => What::Lag(Lag {
                own: Duration::from_millis(own),
                subject: Duration::from_millis(subject),
                start: Duration::ZERO,
            }),
            Exits(_, ref status, is_success) => What::Exited {
                status: status.clone(),
                is_success,
            },
            Writes(_) => {
                table.write();
                continue;
            }
        };
        table.take(what);
    }
    // What may follow has its time.
    while let Some(at) = table.alarm.take().filter(|_| !table.judge.is_finished()) {
        table.now = at;
        table.take(What::Alarm);
    }
    table.judge.conclude()
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

/// The greeting of Onitama, to both players.
pub(super) fn greeted_by_onitama() -> Vec<Then> {
    let cards = "Cards: Cobra,Eel,Crab,Rabbit,Tiger";
    let of = |lane, seat| [seat, cards, "Top starts"].map(move |line| Hears(1, lane, line));
    [of(0, "You are Top"), of(1, "You are Bottom")]
        .into_iter()
        .flatten()
        .collect()
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
        let mut then = greeted_by_onitama();
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
