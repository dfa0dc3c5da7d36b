//! Options of every game of a run, their clock, and how much of them is reported while they are played.

use std::path::PathBuf;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedSender;

use super::server::Servers;
use super::simulation::network::Network;
use crate::config::{Subject, SubjectBudgets};
use crate::event::{Outcome, What};
use crate::judge::{Budgets, Judge};
use crate::transport::Echo;

/// Default budget of a whole game.
const WHOLE: Duration = Duration::from_secs(600);

/// Options of every game of a run.
#[derive(Debug, Clone)]
pub struct Options {
    /// The judge's budgets.
    pub budgets: Budgets,
    /// For a whole game.
    pub game_budget: Duration,
    /// Time after which no further game of a scenario begins that waits for chance.
    pub wait: Duration,
    /// Folder for a recording of every game.
    pub record: Option<PathBuf>,
    /// What is told of the games while they are played.
    pub tells: Telling,
    /// Clock of the games.
    pub clock: Clock,
    /// The program of urtext itself, which watches over the subjects that are started and relays seats. `None`: no subject can be started.
    pub program: Option<PathBuf>,
    /// The servers that run already.
    pub servers: Servers,
}

impl Options {
    /// The options by the machine's clock, without recordings: the budgets that the user asks for, else those of the subjects, else the
    /// defaults. Of several subjects the longest budget holds, so that nobody is blamed for another one's.
    pub fn new<'s>(
        asked: SubjectBudgets,
        subjects: impl Iterator<Item = &'s Subject> + Clone,
    ) -> Options {
        type Budget = fn(&SubjectBudgets) -> Option<Duration>;
        let said = |of: Budget, usual: Duration| {
            let said = subjects.clone().map(|subject| of(&subject.budgets));
            let is_said = said.clone().any(|said| said.is_some());
            let longest = said.map(|said| said.unwrap_or(usual)).max();
            of(&asked).or(longest.filter(|_| is_said))
        };
        let usual = Budgets::default();
        let start = said(|budgets| budgets.start, usual.start);
        let budget = |of: Budget, usual: Duration| said(of, usual).unwrap_or(usual);
        Options {
            budgets: Budgets {
                start: start.unwrap_or(usual.start),
                handshake: said(|budgets| budgets.handshake, usual.handshake)
                    .or(start)
                    .unwrap_or(usual.handshake),
                answer: budget(|budgets| budgets.answer, usual.answer),
                close: budget(|budgets| budgets.close, usual.close),
                forfeit: budget(|budgets| budgets.forfeit, usual.forfeit),
            },
            game_budget: budget(|budgets| budgets.whole, WHOLE),
            wait: budget(|budgets| budgets.wait, Duration::MAX),
            record: None,
            tells: Telling::default(),
            clock: Clock::Real,
            program: std::env::current_exe().ok(),
            servers: Servers::default(),
        }
    }
}

/// Clock of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Clock {
    /// The machine's.
    #[default]
    Real,
    /// One that jumps to the next alarm: built-in peers are played in memory, without processes, sockets or a real second. The same seed
    /// gives the same game, to the byte and to the nanosecond. Other subjects are played by the machine's clock.
    Virtual(Network),
}

/// How much of each game is reported while it is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Telling {
    /// Its beginning and its end.
    #[default]
    Games,
    /// Also what its subject says on standard error.
    Stderr,
    /// Everything, as someone needs it who looks into the subject. A scenario is one game then, however often it would be tried.
    Everything,
}

impl Telling {
    /// Returns true if everything is reported.
    #[must_use]
    pub fn is_everything(self) -> bool {
        self == Telling::Everything
    }
}

/// What happens in a game.
#[derive(Debug, Clone)]
pub enum GameNews {
    /// The subject runs as this process.
    Started(i32),
    /// The subject has said this line on standard error; without its end, and a long one in pieces.
    Stderr(Vec<u8>),
    /// The subject is silent for a long time.
    Waits {
        /// What it owes.
        owed: &'static str,
        /// How long that is waited for.
        at_most: Duration,
    },
    /// The game before did not go as the scenario needs it: this is the next of so many at most.
    NextTry(u32, u32),
    /// The judge has taken this event; with the name of the lane of a line or a close.
    Event(String, What),
}

/// A message from a thread that plays, with the number of the game.
#[derive(Debug)]
pub(super) enum News {
    /// The game has begun.
    Began(usize),
    /// This has happened in the game.
    Told(usize, GameNews),
    /// The game is over.
    Ended(usize, Box<Outcome>),
}

/// Tells what happens in the game of this number.
#[derive(Debug, Clone)]
pub(super) struct Teller {
    pub(super) number: usize,
    pub(super) to: UnboundedSender<News>,
}

impl Teller {
    pub(super) fn tell(&self, news: GameNews) {
        self.send(News::Told(self.number, news));
    }

    /// Sends a message. Whoever does not listen any more has given up the run.
    pub(super) fn send(&self, news: News) {
        let _ = self.to.send(news);
    }

    /// Tells an event that the judge has taken.
    pub(super) fn tell_event(&self, what: &What, judge: &Judge) {
        let lane = match what {
            What::Line { lane, .. } | What::Closed { lane, .. } => judge.lane_name(*lane),
            _ => String::new(),
        };
        self.tell(GameNews::Event(lane, what.clone()));
    }

    /// Tells what the subject says on standard error.
    pub(super) fn echo(&self) -> Echo {
        let teller = self.clone();
        Echo::new(move |line| teller.tell(GameNews::Stderr(line)))
    }
}
