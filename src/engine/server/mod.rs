//! Servers that run already and play one game after the other: a game can find its server busy with the game before, or gone.

mod contact;
#[cfg(test)]
mod tests;

pub(super) use contact::Contact;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use tokio::time::Instant;

use super::attach::{Endpoints, Opening};
use super::options::Options;
use super::run::GamePlan;
use crate::diagnostic::visible::quoted;
use crate::event::{Outcome, ServerGames, What};
use crate::finding::{Finding, FindingKind, LaneText, Verdict};
use crate::transcript::Direction;
use crate::transport::{Patience, ProcessState, ServerProcess};

/// Wait for a server that was gone for a whole start budget: for a connection, and for the first line.
const GLIMPSE: Duration = Duration::from_secs(1);

/// Longest delay between a line's arrival and its reading, for games that run at the same time.
const DELAY: Duration = Duration::from_secs(1);

/// Shortest and longest pause before a retry with a server that is busy with the game before. Each pause is twice as long as the last one.
const PAUSES: [Duration; 2] = [Duration::from_millis(1), Duration::from_millis(50)];

/// The visits to all servers of a run, in the order in which they began.
#[derive(Debug, Clone, Default)]
pub(super) struct Servers {
    visits: Arc<Mutex<Vec<Visited>>>,
    /// The processes that listen at their addresses; `None` where the platform shows none. Asked once, and again after a game that failed or
    /// a process that has ended: the answer takes some milliseconds of the kernel.
    processes: Arc<Mutex<HashMap<String, Option<ServerProcess>>>>,
}

/// One game with a server that is over, or in progress.
#[derive(Debug)]
struct Visited {
    server: String,
    /// The number of the game in the run.
    game: usize,
    began: Instant,
    ended: Option<Instant>,
    contact: Contact,
    result: Option<Met>,
}

/// Result of a game's contact with its server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Met {
    /// A server that played.
    Player,
    /// A server that broke off in mid-game, or became silent.
    Break,
    /// No server accepted the game.
    Nobody,
}

/// One game with a subject; with a server, what other games have shown of it.
#[derive(Debug)]
pub(super) struct Visit {
    servers: Option<(Servers, usize)>,
    /// Until when the server is tried.
    deadline: Instant,
    /// The next pause before a retry.
    pause: Duration,
    /// True if the server has been gone for so long that its games wait only briefly.
    is_glimpse: bool,
    start_budget: Duration,
    /// True if the server creates a match for every game.
    is_of_matches: bool,
    /// True if the server has played a game of this run.
    has_played: bool,
    /// The server's process, where the platform shows it.
    process: Option<ServerProcess>,
    /// The games of every server.
    games: ServerGames,
    pub(super) contact: Contact,
}

impl Servers {
    /// Begins a game; `number` is its number in the run.
    pub(super) fn visit(
        &self,
        number: usize,
        game: &GamePlan,
        options: &Options,
        now: Instant,
    ) -> Visit {
        let is_of_matches = game.subject.creates_matches();
        match game.subject.server() {
            Some(server) => {
                let mut visit =
                    self.visit_server(server, number, (options.budgets.start, is_of_matches), now);
                visit.process = self.process(server);
                visit.games = options.server_games.clone();
                visit
            }
            None => Visit::new(options.budgets.start, is_of_matches, now),
        }
    }

    fn visit_server(
        &self,
        server: &str,
        number: usize,
        (start_budget, is_of_matches): (Duration, bool),
        began: Instant,
    ) -> Visit {
        let mut visit = Visit::new(start_budget, is_of_matches, began);
        let mut visits = self.visits();
        visit.has_played = visits
            .iter()
            .any(|visited| visited.server == server && visited.contact.has_heard());
        visit.deadline = gone_since(&visits, server).unwrap_or(began) + start_budget;
        visit.is_glimpse = visit.deadline < began + GLIMPSE.min(start_budget);
        visit.servers = Some((self.clone(), visits.len()));
        let (server, contact) = (server.to_owned(), Contact::default());
        visits.push(Visited {
            server,
            game: number,
            began,
            ended: None,
            contact,
            result: None,
        });
        visit
    }

    /// Returns true if the verdict on a game depends on the server's presence in later games.
    pub(super) fn is_undecided(&self, game: usize) -> bool {
        let visits = self.visits();
        visits
            .iter()
            .rfind(|visited| visited.game == game)
            .is_some_and(|visited| visited.result == Some(Met::Break))
    }

    /// Names the game in which a server broke off. Other games that were cut short by that, or could not begin after it, only say that the
    /// server was gone.
    pub(super) fn settle(&self, games: &[GamePlan], outcomes: &mut [Outcome]) {
        let visits = self.visits();
        let mut breaks: Vec<_> = (0..visits.len())
            .filter(|&place| visits[place].result == Some(Met::Break))
            .collect();
        breaks.retain(|&place| visits[place].contact.heard.is_some());
        breaks.sort_by_key(|&place| visits[place].broke_at());
        let mut settled: Vec<usize> = Vec::new();
        for place in breaks {
            if settled.contains(&place) {
                continue;
            }
            let broken = &visits[place];
            let Some(outage) = outage(&visits, place) else {
                continue;
            };
            let number = 1 + visits[..place]
                .iter()
                .filter(|other| other.server == broken.server)
                .count();
            let name = games
                .get(broken.game)
                .map(|game| game.scenario.name.clone())
                .unwrap_or_default();
            if let Some(outcome) = outcomes.get_mut(broken.game) {
                broke_off(outcome, broken, number, &outage.why);
            }
            for &other in &outage.games {
                settled.push(other);
                if visits[other].game == broken.game {
                    continue;
                }
                if let Some(outcome) = outcomes.get_mut(visits[other].game) {
                    let seen = match outcome.findings.first() {
                        Some(first) if visits[other].result == Some(Met::Nobody) => {
                            first.notes.first().cloned()
                        }
                        _ => None,
                    };
                    was_gone(outcome, seen);
                    outcome.findings[0]
                        .notes
                        .push(format!("it broke off in game {number}: {name}"));
                }
            }
        }
    }

    fn visits(&self) -> MutexGuard<'_, Vec<Visited>> {
        self.visits
            .lock()
            .expect("nothing panics while it holds the lock")
    }

    fn processes(&self) -> MutexGuard<'_, HashMap<String, Option<ServerProcess>>> {
        self.processes
            .lock()
            .expect("nothing panics while it holds the lock")
    }

    /// The process that listens there, as it was found when it was last alive.
    fn process(&self, server: &str) -> Option<ServerProcess> {
        let mut processes = self.processes();
        let has_ended = |known: &ServerProcess| known.state().is_none();
        match processes.get(server) {
            Some(known) if !known.as_ref().is_some_and(has_ended) => known.clone(),
            _ => {
                let found = ServerProcess::find(server);
                processes.insert(server.to_owned(), found.clone());
                found
            }
        }
    }
}

impl Visited {
    /// Returns the time at which the server broke off in this game.
    fn broke_at(&self) -> Instant {
        let last_heard = self.contact.heard.map(|(_, last)| last);
        self.contact
            .broke_at
            .or(last_heard)
            .or(self.ended)
            .unwrap_or(self.began)
    }
}

/// Since when nobody was met at a server; `None` where the last game that is over was played.
fn gone_since(visits: &[Visited], server: &str) -> Option<Instant> {
    let over = || {
        visits
            .iter()
            .filter(|visited| visited.server == server && visited.ended.is_some())
    };
    let heard = over()
        .filter_map(|visited| visited.contact.heard)
        .map(|(_, last)| last)
        .max();
    let gone = over().filter(|visited| visited.result == Some(Met::Nobody));
    gone.map(|visited| visited.began)
        .filter(|began| heard.is_none_or(|heard| *began > heard))
        .min()
}

/// A time in which a server was gone.
struct Outage {
    /// Sign of the outage, in words.
    why: String,
    /// The games that were cut short, or did not begin.
    games: Vec<usize>,
}

/// The outage that began with this game; `None` where the server has played after it, or nothing shows that it could not have.
fn outage(visits: &[Visited], place: usize) -> Option<Outage> {
    let broken = &visits[place];
    let since = broken.broke_at();
    let others = || {
        let all = visits.iter().enumerate();
        all.filter(move |(other, visited)| *other != place && visited.server == broken.server)
    };
    // Whoever played at the same time heard nothing after it either.
    let is_alive = |visited: &Visited| {
        visited
            .contact
            .heard
            .is_some_and(|(_, last)| visited.began <= since && last > since + DELAY)
    };
    if others().any(|(_, visited)| is_alive(visited)) {
        return None;
    }
    // The first game that began after it and heard something is the end of the outage.
    let back = others()
        .filter(|(_, visited)| visited.began > since && visited.contact.heard.is_some())
        .map(|(_, visited)| visited.began)
        .min();
    let is_within = |at: Instant| at >= since && back.is_none_or(|back| at < back);
    let unmet: Vec<_> = others()
        .filter(|(_, visited)| {
            visited.result == Some(Met::Nobody)
                // Its end may be known earlier than the break.
                && visited.ended.is_some_and(|ended| ended + DELAY > since)
                && is_within(visited.began.max(since))
        })
        .collect();
    let shown = unmet
        .iter()
        .find_map(|(_, visited)| visited.contact.unreached.clone());
    let silent = || {
        unmet
            .first()
            .map(|_| "no connection of a later game brought a line".to_owned())
    };
    let why = broken.contact.gone.clone().or(shown).or_else(silent)?;
    let cut_short = others()
        .filter(|(_, visited)| visited.result == Some(Met::Break) && is_within(visited.broke_at()));
    let games = cut_short
        .map(|(other, _)| other)
        .chain(unmet.iter().map(|(other, _)| *other))
        .collect();
    Some(Outage { why, games })
}

/// Says of a game that its server broke off in it, instead of what the lines that are missing would break.
fn broke_off(outcome: &mut Outcome, broken: &Visited, number: usize, why: &str) {
    let kind = FindingKind::ServerBrokeOff(number);
    // A second game, which did not begin, says less than the first one.
    let told = outcome
        .findings
        .iter()
        .find(|finding| !finding.tails.is_empty())
        .or(outcome.findings.first());
    let mut finding = told
        .cloned()
        .unwrap_or_else(|| Finding::new(Verdict::Fail, ""));
    if finding.kind == kind {
        return;
    }
    let name = |lane: usize| match finding.tails.get(lane) {
        Some((name, _)) => name.clone(),
        None => format!("lane {}", lane + 1),
    };
    let sent: Vec<_> = broken
        .contact
        .sent
        .iter()
        .map(|(lane, line)| format!("{} by {}", quoted(line).at_most(60), name(*lane)))
        .collect();
    let mut notes = vec![match sent.is_empty() {
        true => "nothing had been sent to it in this game".to_owned(),
        false => format!("last lines sent to it: {}", sent.join(", ")),
    }];
    notes.push(
        broken
            .contact
            .connections(name, broken.ended.unwrap_or(broken.began)),
    );
    notes.extend(broken.contact.process.clone());
    notes.push(format!("after that: {why}"));
    notes.extend(
        finding
            .requirement
            .map(|id| format!("the line that was due rests on {id}")),
    );
    // What a server of matches said of its lanes stays.
    if outcome.verdict == Verdict::Error {
        notes.push(std::mem::take(&mut finding.title));
    }
    finding.set_kind(kind);
    finding.verdict = Verdict::Fail;
    finding.requirement = None;
    finding.by_silence = false;
    finding.notes = notes;
    outcome.verdict = Verdict::Fail;
    outcome.findings = vec![finding];
}

/// Says of a game that there was no server to play it with.
fn was_gone(outcome: &mut Outcome, seen: Option<String>) {
    let mut finding = Finding::new(Verdict::Error, FindingKind::ServerGone);
    finding.notes.extend(seen);
    not_played(outcome, finding);
}

fn not_played(outcome: &mut Outcome, finding: Finding) {
    outcome.verdict = finding.verdict;
    outcome.findings = vec![finding];
    // Nobody is judged by it, and nobody by his silence in it.
    outcome.transcript.lanes.clear();
}

impl Visit {
    fn new(start_budget: Duration, is_of_matches: bool, now: Instant) -> Visit {
        Visit {
            servers: None,
            deadline: now + start_budget,
            pause: PAUSES[0],
            is_glimpse: false,
            start_budget,
            is_of_matches,
            has_played: false,
            process: None,
            games: ServerGames::default(),
            contact: Contact::default(),
        }
    }

    /// Returns the options of this game: with a short start budget if the server has been gone for long.
    pub(super) fn options(&self, options: &Options, now: Instant) -> Options {
        let mut options = options.clone();
        if self.servers.is_some() {
            options.budgets.start = self
                .deadline
                .saturating_duration_since(now)
                .max(GLIMPSE.min(self.start_budget));
        }
        if self.is_glimpse {
            options.budgets.handshake = options.budgets.handshake.min(self.glimpse());
        }
        options
    }

    /// Returns the wait for the first line of a server that was gone.
    fn glimpse(&self) -> Duration {
        let Some((servers, place)) = &self.servers else {
            return GLIMPSE;
        };
        let visits = servers.visits();
        let server = &visits[*place].server;
        let took = visits.iter().filter(|visited| visited.server == *server);
        let slowest = took
            .filter_map(|visited| {
                Some(
                    visited
                        .contact
                        .heard?
                        .0
                        .saturating_duration_since(visited.began),
                )
            })
            .max();
        GLIMPSE.max(4 * slowest.unwrap_or_default())
    }

    /// Returns the reaction to a refused connection.
    pub(super) fn patience(&self) -> Patience {
        if self.is_glimpse {
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
            && self.servers.is_some()
            && !self.is_of_matches
            && !self.is_glimpse
            && self.contact.heard.is_none()
            && self.contact.sent.is_empty()
            && self.contact.left.is_empty()
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
            && !self.is_glimpse
            && is_untouched(outcome)
            && is_closed
            && now < self.deadline;
        if is_repeated {
            self.contact = Contact::default();
        }
        is_repeated
    }

    /// Notes what the server has not read, before its connections are closed. Only a server that has closed none of them is asked: the
    /// kernel walks all its connections for the answer.
    pub(super) fn given_up(&mut self) {
        if self.contact.closed.is_empty() {
            self.contact.unread = self.process.as_ref().map_or(0, ServerProcess::unread);
        }
    }

    /// Notes what the server's process shows right after the game.
    fn look(&mut self) {
        let Some(process) = &self.process else { return };
        let ServerProcess { pid, name, .. } = process;
        let does = match process.state() {
            None => {
                self.contact.gone = Some(format!("its process {pid} ({name}) has ended"));
                return;
            }
            Some(ProcessState::Stopped) => "stopped by a signal",
            Some(ProcessState::Running) => "computing",
            Some(_) => "waiting",
        };
        self.contact.process = Some(format!("its process {pid} ({name}) was {does}"));
    }

    /// Ends the game: says what it was, as far as it shows now.
    pub(super) fn end(mut self, outcome: &mut Outcome, ended: Instant) {
        if outcome.verdict >= Verdict::Inconclusive {
            self.look();
        }
        let Some((servers, place)) = self.servers else {
            return;
        };
        let has_failed = outcome.verdict >= Verdict::Inconclusive;
        if has_failed && self.process.is_none() {
            servers.processes().retain(|_, process| process.is_some());
        }
        let mut visits = servers.visits();
        let result = if !has_failed {
            Met::Player
        } else if self.contact.heard.is_none() && is_untouched(outcome) {
            // Whoever lets players into a match is there.
            let is_there = self.is_of_matches && self.contact.unreached.is_none();
            if is_there { Met::Break } else { Met::Nobody }
        } else if is_break(outcome, &self.contact, self.is_of_matches) {
            Met::Break
        } else {
            Met::Player
        };
        let server = visits[place].server.clone();
        let before = visits[..place]
            .iter()
            .rfind(|visited| visited.server == server && visited.contact.heard.is_some());
        if let (Met::Nobody, Some(before)) = (result, before) {
            let waited = ended
                .saturating_duration_since(visits[place].began)
                .as_secs_f64();
            let (kind, seen) = match &self.contact.unreached {
                Some(why) => (FindingKind::ServerGone, why.clone()),
                None if self.contact.is_over() => (
                    FindingKind::ServerIdle,
                    format!("it closed every connection before a line came, for {waited:.1} s"),
                ),
                None => (
                    FindingKind::ServerIdle,
                    format!("its connections stayed open, and nothing came for {waited:.1} s"),
                ),
            };
            let mut finding = Finding::new(Verdict::Error, kind);
            finding.notes.push(seen);
            finding.notes.extend(self.contact.process.clone());
            if before.contact.still_open > 0 {
                finding.notes.push(
                    "it had not closed its connections of the game before: is it still busy with that?"
                        .to_owned(),
                );
            }
            finding.notes.push(
                "--budget start=DURATION gives it more time to begin the next game".to_owned(),
            );
            not_played(outcome, finding);
        }
        let is_alone = visits.iter().enumerate().all(|(other, visited)| {
            let is_over = visited
                .ended
                .is_some_and(|ended| ended <= visits[place].began);
            other == place || visited.server != server || is_over
        });
        if result != Met::Nobody {
            // A server that broke off is another one when it is back.
            let is_certain = is_alone && result == Met::Player;
            outcome.earlier = self.games.add(&server, outcome.past(), is_certain);
        }
        let visited = &mut visits[place];
        (visited.ended, visited.contact, visited.result) =
            (Some(ended), self.contact, Some(result));
    }
}

/// Returns true if no line was sent on any lane, and urtext was not interrupted.
fn is_untouched(outcome: &Outcome) -> bool {
    let is_meant = matches!(outcome.verdict, Verdict::Error | Verdict::Fail);
    is_meant
        && outcome
            .transcript
            .lanes
            .iter()
            .all(|lane| lane.entries.is_empty())
}

/// Returns true if a game may have ended with its server, and no wrong line was seen: every lane was closed,
/// or nothing arrived any more, not even the close of a lane after urtext's own half-close.
fn is_break(outcome: &Outcome, contact: &Contact, is_of_matches: bool) -> bool {
    let Some(first) = outcome.findings.first() else {
        return false;
    };
    let is_wrong_line = first
        .lanes
        .iter()
        .any(|lane_view| !lane_view.agrees && matches!(lane_view.received, LaneText::Line(_)));
    let is_mute = contact.closed.is_empty() && (is_of_matches || contact.still_open > 0);
    !is_wrong_line
        && if first.by_silence {
            is_mute
        } else {
            contact.is_over()
        }
}
