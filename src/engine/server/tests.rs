//! Games with one server, by a clock that the test turns.

use super::*;
use crate::case_files::assert_lines;
use crate::games::royalur::CodeColosseum;
use crate::scenario::free_game;
use crate::transcript::{Entry, LaneLabel, LaneTranscript};

fn line() -> crate::protocol::Line {
    crate::protocol::Line::new(b"PlayerA")
}

fn outcome(verdict: Verdict, is_untouched: bool) -> Outcome {
    let entry = Entry::new(Direction::Received, line());
    let entries = (!is_untouched).then_some(entry).into_iter().collect();
    let lane = LaneTranscript::new(LaneLabel::Spectator(1), entries);
    let mut outcome = Outcome::new(&free_game(&CodeColosseum, 1));
    outcome.transcript.lanes = vec![lane];
    if verdict == Verdict::Pass {
        return outcome;
    }
    outcome.with(Finding {
        by_silence: verdict == Verdict::Fail,
        ..Finding::new(verdict, "sent nothing")
    })
}

/// A server with which games are played, by a clock that the test turns.
struct Table {
    servers: Servers,
    outcomes: Vec<Outcome>,
    now: Instant,
}

impl Table {
    fn new() -> Table {
        Table {
            servers: Servers::default(),
            outcomes: Vec::new(),
            now: Instant::now(),
        }
    }

    fn visit(&self) -> Visit {
        let budget = Duration::from_secs(10);
        self.servers.visit(Some("h:1"), false, budget, self.now)
    }

    /// The game ends with this verdict; `gone`: the sign that the server has broken off in it.
    fn ends(&mut self, visit: Visit, mut outcome: Outcome, gone: Option<&str>) {
        let signs = Signs {
            gone: gone.map(str::to_owned),
            process: None,
        };
        outcome.name = format!("number {}", visit.number);
        visit.settle(&mut outcome, signs, self.now);
        self.outcomes.push(outcome);
    }

    /// A game of a second that ends with this verdict.
    fn plays(&mut self, verdict: Verdict, gone: Option<&str>) {
        let mut visit = self.visit();
        hears(&mut visit, self.now);
        self.now += Duration::from_secs(1);
        visit.contact.still_open = usize::from(verdict == Verdict::Fail);
        self.ends(visit, outcome(verdict, false), gone);
    }

    /// A game in which nothing comes on connections that stay open.
    fn is_silent(&mut self) {
        let visit = self.visit();
        self.now += visit.glimpse.unwrap_or(Duration::from_secs(10));
        self.ends(visit, outcome(Verdict::Error, true), None);
    }

    /// The verdict on each game, with the first finding's title and its last note.
    fn said(&self) -> Vec<String> {
        let said = |outcome: &Outcome| match outcome.findings.first() {
            Some(first) => {
                let note = first.notes.last().map(|note| format!(", {note}"));
                let (verdict, title) = (outcome.verdict.word(), &first.title);
                format!("{verdict}: {title}{}", note.unwrap_or_default())
            }
            None => outcome.verdict.word().to_owned(),
        };
        self.outcomes.iter().map(said).collect()
    }
}

fn hears(visit: &mut Visit, now: Instant) {
    let received = What::Line {
        lane: 0,
        direction: Direction::Received,
        line: line(),
    };
    for what in [What::Opened { lane: 0 }, received] {
        visit.contact.take(&what, Direction::Received, now);
    }
}

/// Games with one server: some pass, some fail by silence, in some it breaks off, and some never send a line.
#[test]
fn a_server_that_breaks_off_is_one_finding_and_the_games_without_it_are_others() {
    assert_lines("games-with-a-server", |games| {
        let mut table = Table::new();
        for game in games.split(' ') {
            match game {
                "pass" => table.plays(Verdict::Pass, None),
                "fail" => table.plays(Verdict::Fail, None),
                "break" => table.plays(Verdict::Fail, Some("its process has ended")),
                _ => table.is_silent(),
            }
        }
        table.said().join("; ")
    });
}

#[test]
fn only_one_game_waits_long_for_a_server_that_is_gone() {
    let mut table = Table::new();
    table.plays(Verdict::Pass, None);
    table.plays(Verdict::Fail, None);
    let began = table.now;
    (0..10).for_each(|_| table.is_silent());
    let took = table.now - began;
    assert!(took <= Duration::from_secs(10 + 9), "{took:?}");
}

#[test]
fn games_that_are_played_at_once_are_cut_short_by_one_break() {
    let mut table = Table::new();
    let mut visits: Vec<_> = (0..3).map(|_| table.visit()).collect();
    visits.iter_mut().for_each(|visit| hears(visit, table.now));
    for visit in visits {
        table.now += Duration::from_millis(100);
        table.ends(visit, outcome(Verdict::Fail, false), Some("nobody listens"));
    }
    let gone = "error: the server was gone, it was last heard in game 1: number 1";
    let broke_off = "fail: the server broke off in game 1, after that: nobody listens";
    assert_eq!(table.said(), [broke_off, gone, gone]);
}

#[test]
fn a_game_that_never_met_the_server_hides_no_break_of_one_that_began_before() {
    let mut table = Table::new();
    let (mut played, unmet) = (table.visit(), table.visit());
    hears(&mut played, table.now);
    table.ends(unmet, outcome(Verdict::Error, true), None);
    table.ends(
        played,
        outcome(Verdict::Fail, false),
        Some("nobody listens"),
    );
    let broke_off = "fail: the server broke off in game 1, after that: nobody listens";
    assert_eq!(table.said()[1], broke_off);
}

#[test]
fn neither_a_wrong_line_nor_a_silence_that_ends_with_our_own_is_a_break() {
    let mut contact = Contact {
        opened: 1,
        still_open: 1,
        ..Contact::default()
    };
    let mut outcome = outcome(Verdict::Fail, false);
    assert!(is_break(&outcome, &contact, false));
    contact.closed.insert(0, true);
    // It closes its lanes when urtext has: it was there.
    assert!(!is_break(&outcome, &contact, false));
    outcome.findings[0].by_silence = false;
    assert!(is_break(&outcome, &contact, false));
    outcome.findings[0].lanes.push(crate::finding::LaneView {
        lane: String::new(),
        line_number: 4,
        expected: LaneText::Words("four coins".to_owned()),
        received: LaneText::Line(b"2".to_vec()),
    });
    assert!(!is_break(&outcome, &contact, false));
}

#[test]
fn a_busy_server_is_tried_again_after_a_millisecond_and_then_less_and_less_often() {
    let mut visit = Table::new().visit();
    let pauses: Vec<_> = (0..8).map(|_| visit.pause().as_millis()).collect();
    assert_eq!(pauses, [1, 2, 4, 8, 16, 32, 50, 50]);
}

#[cfg(target_os = "linux")]
#[test]
fn the_kernel_is_asked_who_listens_once_and_again_after_a_game_that_failed() {
    // Bound and not yet listening, so that nobody else takes the port.
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind(([127, 0, 0, 1], 0).into()).unwrap();
    let address = socket.local_addr().unwrap().to_string();
    let mut table = Table::new();
    let process = |table: &Table| {
        let mut servers = table.servers.servers();
        servers
            .entry("h:1".to_owned())
            .or_default()
            .process(&address)
    };
    assert_eq!(process(&table), None);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()
        .unwrap();
    let _listener = runtime.block_on(async { socket.listen(1).unwrap() });
    table.plays(Verdict::Pass, None);
    assert_eq!(process(&table), None);
    table.plays(Verdict::Fail, None);
    let found = process(&table).unwrap();
    assert_eq!(found.pid.cast_unsigned(), std::process::id());
}
