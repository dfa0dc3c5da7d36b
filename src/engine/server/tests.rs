//! Games with one server, by a clock that the test turns.

use super::*;
use crate::case_files::assert_lines;
use crate::games::royalur::CodeColosseum;
use crate::scenario::free_game;
use crate::transcript::{Close, Entry, LaneLabel, LaneTranscript};

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
        ..Finding::new(verdict, "never said a byte")
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

    fn visit(&self, number: usize) -> Visit {
        self.servers
            .visit_server("h:1", number, (Duration::from_secs(10), false), self.now)
    }

    /// A game of a second that ends with this verdict.
    fn plays(&mut self, verdict: Verdict) {
        let mut visit = self.visit(self.outcomes.len());
        hears(&mut visit, self.now);
        let sent = What::Line {
            lane: 0,
            direction: Direction::Sent,
            line: line(),
        };
        visit.contact.take(&sent, Direction::Received, self.now);
        self.now += Duration::from_secs(1);
        visit.contact.parted(usize::from(verdict == Verdict::Fail));
        let mut outcome = outcome(verdict, false);
        visit.end(&mut outcome, self.now);
        self.outcomes.push(outcome);
    }

    /// A game in which nothing comes on connections that stay open.
    fn is_silent(&mut self) {
        let mut visit = self.visit(self.outcomes.len());
        let waits = if visit.is_glimpse {
            visit.glimpse()
        } else {
            Duration::from_secs(10)
        };
        visit
            .contact
            .take(&What::Opened { lane: 0 }, Direction::Received, self.now);
        self.now += waits;
        let mut outcome = outcome(Verdict::Error, true);
        visit.end(&mut outcome, self.now);
        self.outcomes.push(outcome);
    }

    fn settled(mut self) -> Vec<(Verdict, String)> {
        self.servers.settle(&[], &mut self.outcomes);
        let first = |outcome: &Outcome| outcome.findings.first().map(|first| first.title.clone());
        self.outcomes
            .iter()
            .map(|outcome| (outcome.verdict, first(outcome).unwrap_or_default()))
            .collect()
    }
}

fn closed(close: Close) -> What {
    let (lane, direction) = (0, Direction::Received);
    What::Closed {
        lane,
        direction,
        close,
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

/// Games with one server: some pass, some fail by silence, and some never send a line.
#[test]
fn a_server_that_breaks_off_is_one_finding_and_the_games_without_it_are_others() {
    assert_lines("games-with-a-server", |games| {
        let mut table = Table::new();
        for game in games.split(' ') {
            match game {
                "pass" => table.plays(Verdict::Pass),
                "fail" => table.plays(Verdict::Fail),
                _ => table.is_silent(),
            }
        }
        let settled = table.settled().into_iter();
        let said = settled.map(|(verdict, title)| format!("{}: {title}", verdict.word()));
        said.collect::<Vec<_>>().join("; ")
    });
}

#[test]
fn only_one_game_waits_long_for_a_server_that_is_stopped() {
    let mut table = Table::new();
    table.plays(Verdict::Pass);
    table.plays(Verdict::Fail);
    let began = table.now;
    (0..10).for_each(|_| table.is_silent());
    let took = table.now - began;
    assert!(took <= Duration::from_secs(10 + 9), "{took:?}");
}

#[test]
fn games_that_are_played_at_once_are_cut_short_by_one_break() {
    let mut table = Table::new();
    let mut visits: Vec<_> = (0..3).map(|number| table.visit(number)).collect();
    visits.iter_mut().for_each(|visit| hears(visit, table.now));
    table.now += Duration::from_millis(100);
    for number in [1, 0, 2] {
        let contact = &mut visits[number].contact;
        contact.take(&closed(Close::Broken), Direction::Received, table.now);
        contact.gone("nobody listens".to_owned());
        table.now += Duration::from_millis(10);
    }
    for visit in visits {
        let mut outcome = outcome(Verdict::Fail, false);
        outcome.findings[0].by_silence = false;
        visit.end(&mut outcome, table.now);
        table.outcomes.push(outcome);
    }
    let gone = "the server was gone";
    let titles: Vec<_> = table
        .settled()
        .into_iter()
        .map(|(_, title)| title)
        .collect();
    assert_eq!(titles, [gone, "the server broke off in game 2", gone]);
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
    contact.closed.insert(0, Close::End);
    // It closes its lanes when urtext has: it was there.
    assert!(!is_break(&outcome, &contact, false));
    outcome.findings[0].by_silence = false;
    assert!(is_break(&outcome, &contact, false));
    outcome.findings[0].lanes.push(crate::finding::LaneView {
        lane: String::new(),
        line_number: 4,
        expected: LaneText::Words("four coins".to_owned()),
        received: LaneText::Line(b"2".to_vec()),
        agrees: false,
    });
    assert!(!is_break(&outcome, &contact, false));
}

#[test]
fn a_second_game_that_does_not_begin_shows_that_the_server_broke_off_in_the_first() {
    let mut table = Table::new();
    table.plays(Verdict::Fail);
    let first = table.outcomes.remove(0);
    table.is_silent();
    table.outcomes[0].findings.extend(first.findings);
    assert_eq!(
        table.settled(),
        [(Verdict::Fail, "the server broke off in game 1".to_owned())]
    );
}

#[test]
fn a_busy_server_is_tried_again_after_a_millisecond_and_then_less_and_less_often() {
    let mut visit = Table::new().visit(0);
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
    assert_eq!(table.servers.process(&address), None);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()
        .unwrap();
    let _listener = runtime.block_on(async { socket.listen(1).unwrap() });
    table.plays(Verdict::Pass);
    assert_eq!(table.servers.process(&address), None);
    table.plays(Verdict::Fail);
    let found = table.servers.process(&address).unwrap();
    assert_eq!(found.pid.cast_unsigned(), std::process::id());
}

#[cfg(target_os = "linux")]
#[test]
fn the_kernel_is_asked_for_unread_bytes_only_where_the_server_has_closed_nothing() {
    use std::io::Write;

    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let mut client = std::net::TcpStream::connect(&address).unwrap();
    let _accepted = listener.accept().unwrap();
    client.write_all(b"3\n").unwrap();
    let table = Table::new();
    let mut visit = table.visit(0);
    visit.process = table.servers.process(&address);
    let mut finished = table.visit(0);
    finished.process.clone_from(&visit.process);
    let contact = &mut finished.contact;
    contact.take(&closed(Close::End), Direction::Received, table.now);
    finished.given_up();
    visit.given_up();
    assert_eq!((finished.contact.unread, visit.contact.unread), (0, 2));
}

#[test]
fn what_is_said_of_connections_names_how_each_ended() {
    let mut contact = Contact::default();
    contact
        .closed
        .extend([(0, Close::End), (1, Close::Reset), (2, Close::End)]);
    let said = contact.connections(|lane| format!("lane {lane}"), Instant::now());
    assert_eq!(
        said,
        "its connections were closed (lane 0, lane 2), reset (lane 1)"
    );
}
