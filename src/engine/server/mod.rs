//! Servers that run already and play one game after the other: a game can find its server busy with the game before, or gone.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use tokio::time::Instant;

use super::attach::{Endpoints, Opening};
use crate::event::{Outcome, PastGames, What};
use crate::finding::{Finding, LaneText, Verdict};
use crate::judge::Budgets;
use crate::transcript::Direction;
use crate::transport::{Breakdown, FailureKind, Patience, ServerProcess, connect};

/// Wait for a server that was gone for a whole start budget: for a connection, and for the first line.
const GLIMPSE: Duration = Duration::from_secs(1);

/// Shortest and longest pause before a retry with a server that is busy with the game before. Each pause is twice as long as the last one.
const PAUSES: [Duration; 2] = [Duration::from_millis(1), Duration::from_millis(50)];

/// Longest time for the connection that checks if a server of matches still runs.
const PROBE: Duration = Duration::from_secs(1);

/// The number of checks of a server that may have broken off, and the pause between two of them.
const LOOKS: usize = 10;
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// The state of every server, by its address. The runs of one command share it.
#[derive(Debug, Clone, Default)]
pub struct Servers(Arc<Mutex<HashMap<String, Server>>>);

/// The state of one server, as its games have shown it.
#[derive(Debug, Default)]
struct Server {
    /// Since when nobody was met there; `None` while it is up.
    gone: Option<Instant>,
    /// When the last game ended whose finding says that it broke off.
    broke_off: Option<Instant>,
    /// Number of games that have begun, and of those that are in progress.
    begun: usize,
    playing: usize,
    /// The last line: its time, and its game in words.
    heard: Option<(Instant, String)>,
    /// Longest wait for the first line of a game.
    slowest: Duration,
    /// True if the last game left connections that the server had not closed.
    is_busy: bool,
    /// The process that listens there, once it was looked for; `None` where the platform shows none. The answer takes some milliseconds of
    /// the kernel, so it is asked again only after a game that failed or a process that has ended.
    process: Option<Option<ServerProcess>>,
    past: PastGames,
    /// True once games overlapped, or the server broke off: what it keeps of earlier games is not known any more.
    is_mixed: bool,
}

/// One game with a subject; with a server, what other games have shown of it.
#[derive(Debug)]
pub(super) struct Visit {
    server: Option<(Servers, String)>,
    /// The number of the game among those of its server, from 1.
    number: usize,
    began: Instant,
    /// Until when the server is tried.
    deadline: Instant,
    /// The next pause before a retry.
    pause: Duration,
    /// The wait for the first line, if the server has been gone for so long that its games wait only briefly.
    glimpse: Option<Duration>,
    /// True if the server creates a match for every game.
    is_of_matches: bool,
    /// True if the server has played a game before.
    has_played: bool,
    process: Option<ServerProcess>,
    pub(super) contact: Contact,
}

/// Observations of the other side in one game, apart from the judge's.
#[derive(Debug, Default)]
pub(super) struct Contact {
    /// Reason why no connection was made, in words.
    unreached: Option<String>,
    /// Times of the first and the last received line.
    heard: Option<(Instant, Instant)>,
    has_sent: bool,
    opened: usize,
    /// Lanes that were closed, and whether by the other side, before urtext did.
    closed: BTreeMap<usize, bool>,
    /// Number of lanes that the other side still held open when urtext had closed them.
    pub(super) still_open: usize,
}

impl Servers {
    /// Begins a game, whose lanes have this budget to open. `server`: the address of the subject, if that runs already. `is_of_matches`:
    /// whether it creates a match for every game.
    pub(super) fn visit(
        &self,
        server: Option<&str>,
        is_of_matches: bool,
        start_budget: Duration,
        began: Instant,
    ) -> Visit {
        let mut visit = Visit {
            server: None,
            number: 0,
            began,
            deadline: began + start_budget,
            pause: PAUSES[0],
            glimpse: None,
            is_of_matches,
            has_played: false,
            process: None,
            contact: Contact::default(),
        };
        let Some(address) = server else {
            return visit;
        };
        let mut servers = self.servers();
        let server = servers.entry(address.to_owned()).or_default();
        server.begun += 1;
        server.playing += 1;
        server.is_mixed |= server.playing > 1;
        if let Some(since) = server.gone {
            let at_least = visit.began + GLIMPSE.min(start_budget);
            visit.deadline = since + start_budget;
            if visit.deadline < at_least {
                visit.deadline = at_least;
                visit.glimpse = Some(GLIMPSE.max(4 * server.slowest));
            }
        }
        visit.number = server.begun;
        visit.has_played = server.heard.is_some();
        visit.process = server.process(address);
        visit.server = Some((self.clone(), address.to_owned()));
        visit
    }

    fn servers(&self) -> MutexGuard<'_, HashMap<String, Server>> {
        self.0
            .lock()
            .expect("nothing panics while it holds the lock")
    }
}

impl Server {
    /// The process that listens there, as it was found when it was last alive.
    fn process(&mut self, address: &str) -> Option<ServerProcess> {
        let has_ended = |known: &ServerProcess| known.state().is_none();
        if self
            .process
            .as_ref()
            .is_none_or(|known| known.as_ref().is_some_and(has_ended))
        {
            self.process = Some(ServerProcess::find(address));
        }
        self.process.clone().flatten()
    }
}

impl Contact {
    /// Takes what happened on a lane. `of_subject` is the direction in which the subject writes.
    pub(super) fn take(&mut self, what: &What, of_subject: Direction, now: Instant) {
        match *what {
            What::Opened { .. } => self.opened += 1,
            What::Line { direction, .. } | What::Unfinished { direction, .. }
                if direction == of_subject =>
            {
                self.heard = Some((self.heard.map_or(now, |(first, _)| first), now));
            }
            What::Line { .. } => self.has_sent = true,
            What::Closed {
                lane, direction, ..
            } => {
                let is_theirs = direction == of_subject;
                self.closed.entry(lane).or_insert(is_theirs);
            }
            _ => {}
        }
    }

    /// Returns true if a lane was closed first by the other side, or by urtext.
    fn has_closed(&self, is_theirs: bool) -> bool {
        self.closed.values().any(|by| *by == is_theirs)
    }

    /// Notes why the game could not begin.
    pub(super) fn unreached(&mut self, breakdown: &Breakdown) {
        let is_unreached = breakdown.kind == FailureKind::Unreached;
        self.unreached = is_unreached.then(|| breakdown.title.clone());
    }

    /// Returns true if the other side sent a line, or a part of one.
    pub(super) fn has_heard(&self) -> bool {
        self.heard.is_some()
    }

    /// Returns true if every lane was closed, and at least one of them by the other side.
    fn is_over(&self) -> bool {
        self.has_closed(true) && self.closed.len() >= self.opened
    }
}

impl Visit {
    /// Returns the budgets of this game: with a short wait if the server has been gone for long.
    pub(super) fn budgets(&self, budgets: Budgets, now: Instant) -> Budgets {
        Budgets {
            start: match self.server {
                Some(_) => self.deadline.saturating_duration_since(now),
                None => budgets.start,
            },
            handshake: self
                .glimpse
                .unwrap_or(budgets.handshake)
                .min(budgets.handshake),
            ..budgets
        }
    }

    /// Returns the reaction to a refused connection.
    pub(super) fn patience(&self) -> Patience {
        if self.glimpse.is_some() {
            Patience::Once
        } else {
            Patience::Retry
        }
    }

    /// Returns true if a lane was closed before any line on any lane, and is opened again: the server may
    /// still be busy with the game before. The connections that it has accepted stay, since they may have a
    /// seat already.
    pub(super) fn is_turned_away(&self, what: &What, of_subject: Direction, now: Instant) -> bool {
        let is_closed = matches!(what, What::Closed { direction, .. } if *direction == of_subject);
        is_closed
            && self.server.is_some()
            && !self.is_of_matches
            && self.glimpse.is_none()
            && self.contact.heard.is_none()
            && !self.contact.has_sent
            && !self.contact.has_closed(false)
            && now + self.pause < self.deadline
    }

    /// Opens such a lane once more, after a pause.
    pub(super) fn reopen(&mut self, lane: usize, endpoints: &mut Endpoints) -> Opening {
        let opening = endpoints.open(lane, self.deadline);
        let pause = self.pause();
        Box::pin(async move {
            tokio::time::sleep(pause).await;
            opening.await
        })
    }

    /// Returns the pause before the next retry.
    pub(super) fn pause(&mut self) -> Duration {
        let pause = self.pause;
        self.pause = (2 * pause).min(PAUSES[1]);
        pause
    }

    /// Returns true if the game is begun again: the server closed its connections before any line, and may
    /// still be busy with the game before.
    pub(super) fn is_repeated(&mut self, outcome: &Outcome, now: Instant) -> bool {
        let is_closed =
            self.is_of_matches && self.contact.is_over() || self.contact.unreached.is_some();
        let is_repeated = self.has_played
            && self.glimpse.is_none()
            && is_untouched(outcome)
            && is_closed
            && now < self.deadline;
        if is_repeated {
            self.contact = Contact::default();
        }
        is_repeated
    }

    /// Ends the game. It is an *error* if there was no server to play it with, and says so if the server broke off in it.
    pub(super) async fn end(self, outcome: &mut Outcome) {
        let signs = self.look(outcome).await;
        self.settle(outcome, signs, Instant::now());
    }

    /// Looks right after a game that failed if the server is still there. A server that ends closes its connections first, so it is looked at
    /// for some time.
    async fn look(&self, outcome: &Outcome) -> Signs {
        let mut signs = Signs::default();
        let Some((_, address)) = &self.server else {
            return signs;
        };
        if outcome.verdict < Verdict::Inconclusive {
            return signs;
        }
        let is_break = is_break(outcome, &self.contact, self.is_of_matches);
        for look in 0..LOOKS {
            if look > 0 {
                tokio::time::sleep(LOOK_AGAIN).await;
            }
            let process = self.process.as_ref().map(look_at);
            if let Some((does, true)) = process.clone().filter(|_| is_break) {
                signs.gone = Some(does);
            } else if is_break && self.is_of_matches && self.contact.has_closed(true) {
                let connected = connect(address, Patience::Once, Instant::now() + PROBE).await;
                signs.gone = connected.err().map(|error| error.to_string());
            }
            if signs.gone.is_some() {
                break;
            }
            signs.process = process.map(|(does, _)| does);
            if !is_break {
                break;
            }
        }
        signs
    }

    fn settle(self, outcome: &mut Outcome, signs: Signs, now: Instant) {
        let Some((servers, address)) = &self.server else {
            return;
        };
        let mut servers = servers.servers();
        let server = servers.entry(address.clone()).or_default();
        server.playing -= 1;
        let has_failed = outcome.verdict >= Verdict::Inconclusive;
        if has_failed {
            server.process.take_if(|process| process.is_none());
        }
        // A server of matches that has let players in is there.
        let has_let_in = self.is_of_matches && self.contact.unreached.is_none();
        let is_unmet =
            has_failed && !self.contact.has_heard() && is_untouched(outcome) && !has_let_in;
        let is_known = server.broke_off.is_some_and(|when| when >= self.began);
        if is_unmet || is_known && signs.gone.is_some() {
            if server
                .heard
                .as_ref()
                .is_none_or(|(last, _)| *last < self.began)
            {
                server.gone.get_or_insert(self.began);
            }
            if let Some((_, game)) = &server.heard {
                let mut finding = self.not_played(signs, now);
                if server.is_busy {
                    finding.notes.push(
                        "it had not closed its connections of the game before: is it still busy with that?"
                            .to_owned(),
                    );
                }
                finding.notes.push(format!("it was last heard in {game}"));
                outcome.verdict = finding.verdict;
                outcome.findings = vec![finding];
                // Nobody is judged by it, and nobody by his silence in it.
                outcome.transcript.lanes.clear();
            }
            return;
        }
        server.is_busy = self.contact.still_open > 0;
        if let Some((first, last)) = self.contact.heard {
            server.slowest = server
                .slowest
                .max(first.saturating_duration_since(self.began));
            server.gone.take_if(|since| *since < last);
            let game = format!("game {}: {}", self.number, outcome.name);
            let heard = server.heard.get_or_insert((last, game.clone()));
            if heard.0 < last {
                *heard = (last, game);
            }
        }
        if let Some(why) = signs.gone {
            server.gone = Some(now);
            server.broke_off = Some(now);
            // It is another one when it is back.
            server.is_mixed = true;
            broke_off(outcome, self.number, why);
        } else if !server.is_mixed {
            outcome.earlier = server.past.add(outcome.past());
        }
    }

    /// The finding of a game that could not be played.
    fn not_played(&self, signs: Signs, now: Instant) -> Finding {
        let (kind, seen) = match signs.gone.or_else(|| self.contact.unreached.clone()) {
            Some(why) => ("the server was gone", why),
            None => {
                let how = match self.contact.is_over() {
                    true => "it closed every connection before a line came",
                    false => "its connections stayed open, and nothing came",
                };
                let waited = now.saturating_duration_since(self.began).as_secs_f64();
                (
                    "the server did not begin this game",
                    format!("{how}, for {waited:.1} s"),
                )
            }
        };
        let mut finding = Finding::new(Verdict::Error, kind);
        finding.notes.push(seen);
        finding.notes.extend(signs.process);
        finding
            .notes
            .push("--budget start=DURATION gives it more time to begin the next game".to_owned());
        finding
    }
}

/// Observations of a server right after a game that failed, in words.
#[derive(Debug, Default)]
struct Signs {
    /// The sign that it broke off in the game.
    gone: Option<String>,
    /// Activity of its process.
    process: Option<String>,
}

/// Says what a server's process does, and if it plays no more.
fn look_at(process: &ServerProcess) -> (String, bool) {
    let (does, is_gone) = process.state().unwrap_or(("has ended", true));
    let text = format!("its process {} ({}) {does}", process.pid, process.name);
    (text, is_gone)
}

/// Says of a game that its server broke off in it, instead of what the lines that are missing would break.
fn broke_off(outcome: &mut Outcome, number: usize, why: String) {
    outcome.verdict = Verdict::Fail;
    outcome.findings.truncate(1);
    for finding in &mut outcome.findings {
        let due = finding.requirement.take();
        let due = due.map(|id| format!("the line that was due rests on {id}"));
        let seen = finding.title.to_string();
        finding.notes = [seen, format!("after that: {why}")]
            .into_iter()
            .chain(due)
            .collect();
        finding.retitle(format!("the server broke off in game {number}"));
        finding.verdict = Verdict::Fail;
        finding.by_silence = false;
    }
}

/// Returns true if no line was sent on any lane, and urtext was not interrupted.
fn is_untouched(outcome: &Outcome) -> bool {
    let mut lanes = outcome.transcript.lanes.iter();
    matches!(outcome.verdict, Verdict::Error | Verdict::Fail)
        && lanes.all(|lane| lane.entries.is_empty())
}

/// Returns true if a game may have ended with its server, and no wrong line was seen: a lane was closed,
/// or nothing arrived any more, not even the close of a lane after urtext's own half-close.
fn is_break(outcome: &Outcome, contact: &Contact, is_of_matches: bool) -> bool {
    let Some(first) = outcome.findings.first() else {
        return false;
    };
    let is_wrong_line = first
        .lanes
        .iter()
        .any(|lane_view| matches!(lane_view.received, LaneText::Line(_)));
    let has_closed = contact.has_closed(true);
    let is_mute = !has_closed && (is_of_matches || contact.still_open > 0);
    !is_wrong_line
        && if first.by_silence {
            is_mute
        } else {
            // The judge does not wait for the other lanes, which close one after the other.
            has_closed
        }
}
