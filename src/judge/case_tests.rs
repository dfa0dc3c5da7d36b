//! Games by a clock that the test turns: `tests/cases/judge/NAME.txt`, and what the judge says of them in `snapshots/judge/NAME.snap`.
//!
//! Lines of `---` separate three parts of a file:
//!
//! 1. A sentence, and the rows of the case ([`each_row`]).
//! 2. The scenario.
//! 3. Settings, as `timeout: 2s` or `none`, and events, each after its time in milliseconds: `1 0 LINE` is a line that lane 0 receives,
//!    `1 01 LINE` one of both lanes, `1 - LINE` one of none. `HALF LINE` lacks its newline; `ENDS`, `IS RESET` and `IS LOST` close a lane.
//!    `1 writes`: the lines that were handed out are written, unless `writes: at once`. `1 lag OWN SUBJECT` and `1 exits STATUS` are events
//!    of the machine and the subject.
//!
//! `bot: WORDS` plays a bot instead of events. It `says: LINE` as soon as it can, or `says: LINE after TIME`.

use std::fmt::Write;
use std::time::Duration;

use proptest::prelude::*;

use super::table_tests::{Table, closed, line, said, settings};
use crate::case_files::{assert_all, each_row, unescaped};
use crate::config::LateSpectator;
use crate::event::{Lag, Outcome, Processes, What};
use crate::finding::{Finding, LaneText};
use crate::protocol::{Line, LineEnding};
use crate::scenario::Scenario;
use crate::transcript::{Close, Direction};
use crate::yaml::Words;

#[test]
fn the_judge_says_of_each_game_what_is_kept() {
    assert_all("judge", |case| each_row(case, said_of_game));
}

/// The alarm of a wait can come late: a line that was read after its time, and before the alarm, has ended the game.
#[test]
fn a_wait_that_is_over_says_nothing_of_a_game_that_a_late_line_has_ended() {
    let text = "scenario: t\ngame: royalur\nsubject: referee\nspectators: 0\nchecks: [ur/roll/line]\nturns:\n  - first: 0 0 0 1 > 0\n";
    let mut table = Table::new(text, settings());
    for (lane, seat) in ["0", "1"].into_iter().enumerate() {
        for text in ["PlayerA", "PlayerB", seat] {
            table.take(line(lane, Direction::Received, text));
        }
    }
    table.take(closed(1, Direction::Received, Close::End));
    table.now = 2 * super::clock::AFTERMATH;
    table.take(line(0, Direction::Received, "nothing of the protocol"));
    assert!(table.judge.is_finished());
}

/// Lines that are no roll, and no move and no loss either.
fn malformed_roll() -> impl Strategy<Value = String> {
    let is_malformed = |line: &String| {
        let is_coin = |word: &str| matches!(word, "0" | "1");
        let coins: Vec<_> = line.split(' ').collect();
        let is_roll = coins.len() == 4 && coins.iter().all(|coin| is_coin(coin));
        let is_move = line.parse::<u32>().is_ok();
        !is_roll && !is_move && line != "RETIRE"
    };
    "[01 ]{2,9}|[0-4x,-]{0,2}( [0-4x,-]{0,2}){0,5}|[a-z0-9! ]{1,8}"
        .prop_filter("no roll", is_malformed)
}

proptest! {
    /// Also after a skipped turn, and in scenarios about skipped turns.
    #[test]
    fn a_malformed_roll_is_about_the_line_and_never_about_a_skipped_turn(
        line in malformed_roll(),
        skips in 0..3_usize,
        check in prop::sample::select(vec!["ur/skip/roll-0", "ur/roll/line", "ur/skip/roll-follows-for-other"]),
        lane in 0..2_usize,
    ) {
        let seats = ["first", "second"];
        let turn = |number: usize, rest: &str| format!("  - {}: {rest}\n", seats[number % 2]);
        let mut turns: String = (0..skips).map(|number| turn(number, "0 0 0 0")).collect();
        turns += &turn(skips, "0 0 0 1 > 0");
        turns += &turn(skips + 1, "0 0 0 0");
        turns += &turn(skips, "0 0 0 1 > 0");
        let head = "scenario: t\ngame: royalur\nsubject: referee\nspectators: 0";
        let handshake = "1 01 PlayerA\n1 01 PlayerB\n1 0 0\n1 1 1\n";
        let rolls: String = (0..skips).map(|number| format!("{} 01 0 0 0 0\n", number + 2)).collect();
        let game = format!("{head}\nchecks: [{check}]\nturns:\n{turns}---\n{handshake}{rolls}10 {lane} {line}\n");
        let said = said_of_game(&game);
        let about = said.split_whitespace().find(|word| word.starts_with("ur/")).unwrap();
        prop_assert!(["ur/roll/line", "ur/roll/four-coins"].contains(&about.trim_end_matches(':')), "{}", said);
    }
}

/// A bot by its words.
#[derive(Default)]
struct Bot {
    words: Vec<String>,
    /// The lines that it sends, not before these times.
    says: Vec<(Duration, String)>,
}

impl Bot {
    fn is(&self, word: &str) -> bool {
        self.words.iter().any(|known| known == word)
    }

    /// The rest of the word that begins so.
    fn value(&self, start: &str) -> Option<&str> {
        self.words.iter().find_map(|word| word.strip_prefix(start))
    }
}

fn milliseconds(text: &str) -> Duration {
    Duration::from_millis(text.parse().unwrap())
}

fn said_of_game(game: &str) -> String {
    let (scenario, rest) = game.split_once("---\n").unwrap();
    let duration = |text: &str| humantime::parse_duration(text).unwrap();
    let mut settings = settings();
    let (mut bot, mut is_written_at_once) = (None::<Bot>, false);
    let is_event = |line: &&str| line.as_bytes()[0].is_ascii_digit();
    let (events, keys): (Vec<_>, Vec<_>) = rest.lines().partition(is_event);
    for key in keys {
        match key.split_once(": ").unwrap() {
            ("timeout", "none") => settings.timeout = None,
            ("timeout", text) => settings.timeout = Some(duration(text)),
            ("pace", text) => settings.pace = duration(text),
            ("lag", text) => settings.lag = duration(text),
            ("late-spectator", text) => settings.late_spectator = LateSpectator::of(text).unwrap(),
            ("writes", "at once") => is_written_at_once = true,
            ("bot", words) => {
                let words = words.split(' ').map(str::to_owned).collect();
                bot = Some(Bot {
                    words,
                    ..Bot::default()
                });
            }
            ("says", text) => {
                let (text, after) = text.split_once(" after ").unwrap_or((text, "0s"));
                let bot = bot.as_mut().expect("the bot is described before");
                bot.says.push((duration(after), text.to_owned()));
            }
            _ => panic!("{key}"),
        }
    }
    let mut table = Table::new(scenario, settings);
    match bot {
        Some(bot) => play_bot(&mut table, bot),
        None => play(&mut table, &events, is_written_at_once),
    }
    let (now, scenario) = (table.now, table.scenario.clone());
    told(&table.judge.conclude(), &scenario, now)
}

/// Plays events, then what may follow.
fn play(table: &mut Table, events: &[&str], is_written_at_once: bool) {
    let advance = |table: &mut Table, until| match is_written_at_once {
        true => while table.step(until) {},
        false => while table.ring(until) {},
    };
    for event in events {
        let (at, what) = event.split_once(' ').unwrap();
        let at = milliseconds(at);
        advance(table, at);
        table.now = at;
        if what == "writes" {
            table.write();
        } else {
            events_of(what)
                .into_iter()
                .for_each(|what| table.take(what));
        }
        advance(table, at);
    }
    advance(table, Duration::MAX);
}

/// The events of a line in a case, without its time.
fn events_of(words: &str) -> Vec<What> {
    let (who, what) = words.split_once(' ').unwrap();
    let what = unescaped(what);
    let lanes: Vec<usize> = match who {
        "lag" => {
            let (own, subject) = what.split_once(' ').unwrap();
            return vec![What::Lag(Lag {
                own: milliseconds(own),
                subject: milliseconds(subject),
            })];
        }
        "exits" => {
            let is_success = what == "exit status 0";
            return vec![What::Exited {
                status: what,
                is_success,
            }];
        }
        "-" => Vec::new(),
        digits => digits.bytes().map(|digit| (digit - b'0').into()).collect(),
    };
    let direction = Direction::Received;
    let event = |lane| match what.as_str() {
        "ENDS" => closed(lane, direction, Close::End),
        "IS RESET" => closed(lane, direction, Close::Reset),
        "IS LOST" => closed(lane, direction, Close::Lost),
        text => match text.strip_prefix("HALF ") {
            Some(half) => What::Line {
                lane,
                direction,
                line: Line {
                    ending: LineEnding::Missing,
                    ..Line::new(half)
                },
            },
            None => line(lane, direction, text),
        },
    };
    lanes.into_iter().map(event).collect()
}

/// Plays a bot. It `computes` or is `stopped`; its input may be `deaf`; it `ends` with its input or `ends-first`, with `status=3`, and
/// `leaves=sleep` behind; `sleeps=0` in a read of that lane, or in no lane; `lag=400` ms pass before each alarm. `unseen`: the platform
/// does not show its processes.
fn play_bot(table: &mut Table, bot: Bot) {
    let mut says = bot.says.iter().peekable();
    let mut is_there = true;
    if bot.is("deaf") {
        let closed = closed(0, Direction::Received, Close::Reset);
        table.next.push_front(closed);
    }
    while !table.judge.is_finished() {
        if let Some(what) = table.next.pop_front() {
            table.take(what);
        } else {
            let alarm = table.alarm.unwrap_or(Duration::MAX);
            if let Some((at, text)) = says.next_if(|(at, _)| *at <= alarm) {
                table.now = table.now.max(*at);
                table.next.push_back(said(Direction::Sent, text));
            } else if !(bot.is("ends-first") && is_there) {
                table.now = table.now.max(alarm);
                let lag = bot.value("lag=").map(|subject| {
                    What::Lag(Lag {
                        own: Duration::ZERO,
                        subject: milliseconds(subject),
                    })
                });
                let looks = (!bot.is("unseen"))
                    .then(|| What::Processes(processes(&bot, table.now, is_there)));
                table.next.extend(lag.into_iter().chain(looks));
                table.next.push_back(What::Alarm);
            }
        }
        let is_left = std::mem::take(&mut table.has_closed) && bot.is("ends");
        let ends_first = bot.is("ends-first") && table.next.is_empty() && says.len() == 0;
        if is_there && (is_left || ends_first) {
            is_there = false;
            let status = bot.value("status=").unwrap_or("0");
            table.next.push_back(What::Exited {
                status: format!("exit status {status}"),
                is_success: status == "0",
            });
            let end = closed(0, Direction::Sent, Close::End);
            table
                .next
                .extend(bot.value("leaves=").is_none().then_some(end));
        }
    }
}

fn processes(bot: &Bot, now: Duration, is_there: bool) -> Processes {
    Processes {
        lives: is_there,
        is_stopped: bot.is("stopped"),
        computed: if bot.is("computes") {
            now
        } else {
            Duration::from_millis(20)
        },
        started: bot
            .value("leaves=")
            .map(str::to_owned)
            .into_iter()
            .collect(),
    }
}

/// All that a judgement says: the verdict, the findings and the choices of the subject.
fn told(judgement: &Outcome, scenario: &Scenario, now: Duration) -> String {
    let lagged = if judgement.has_lagged { ", lagged" } else { "" };
    let mut all = format!("{}{lagged} at {now:?}\n", judgement.verdict.word());
    for finding in &judgement.findings {
        told_of(finding, scenario, &mut all);
    }
    for choice in &judgement.open {
        let time = choice.millis.map(|time| format!(" {time} ms"));
        let (id, seen, time) = (&choice.requirement, &choice.seen, time.unwrap_or_default());
        writeln!(all, "  open {id}: {seen}{time}").unwrap();
    }
    all
}

fn told_of(finding: &Finding, scenario: &Scenario, all: &mut String) {
    let place = finding.span.map_or(String::new(), |span| {
        format!(" line {}", scenario.source.position(span.start).line)
    });
    let id = finding.requirement.unwrap_or("-");
    let flags = [
        ("by silence", finding.by_silence),
        ("by the network", finding.by_network),
        ("needs a setting", finding.needs_setting),
    ];
    let flags = flags.iter().filter(|(_, is_set)| *is_set);
    let mut facts: Vec<_> = flags.map(|(flag, _)| (*flag).to_owned()).collect();
    facts.extend(
        finding
            .crash
            .iter()
            .map(|status| format!("crash: {status}")),
    );
    facts.extend(finding.stray.map(|line| format!("{:?} line", line.fault)));
    let facts = match facts.join(", ") {
        facts if facts.is_empty() => facts,
        facts => format!(" ({facts})"),
    };
    writeln!(
        all,
        "  {} {id}{place}: {}{facts}",
        finding.verdict.word(),
        finding.title
    )
    .unwrap();
    let text = |text: &LaneText| match text {
        LaneText::Line(line) => format!("{:?}", String::from_utf8_lossy(line)),
        LaneText::Words(words) => words.clone(),
        LaneText::Nothing => "nothing".to_owned(),
    };
    for view in &finding.lanes {
        let (expected, received) = (text(&view.expected), text(&view.received));
        writeln!(
            all,
            "    {}: expected {expected}, received {received}",
            view.lane
        )
        .unwrap();
    }
    for note in &finding.notes {
        writeln!(all, "    {note}").unwrap();
    }
}
