//! Threads that play games from one queue: one for each processor, with a runtime of its own, so that whatever a game waits for wakes
//! the thread that plays it, and no other.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio::task::{JoinError, JoinSet};
use tokio::time::sleep;

use super::attempts::Played;
use super::lag::Meter;
use super::options::Options;
use super::placement::Placement;
use super::play_order::PlayOrder;
use super::run::{Doubt, GamePlan, Round, Run};
use super::server::Servers;
use super::slots::{Jobs, Slot, Slots};
use super::start_budget::Starting;
use super::suspicion::{Lessons, Silence, TellSilence};
use super::telling::{GameNews, Teller, Telling};
use crate::event::Outcome;
use crate::platform::Processor;
use crate::transport::{StartProbe, Supervisors, open_files};

/// The most games that are open at once, those included that only wait for time to pass. A game that is to be played alone has none beside it.
const OPEN_MOST: usize = 512;

/// Files that are open beside those of games: of the threads, and those that this program was started with.
const FILES_BESIDE: usize = 64;

/// Files of a game beside its lanes: what is written of it, listeners, and what keeps its ports.
const FILES_EACH_GAME: usize = 6;

/// Files of a process while it is started: both ends of its streams and of the socket to its supervisor.
const FILES_EACH_PROCESS: usize = 8;

/// Files of a lane: at most two pipes or connections, and what it comes through.
const FILES_EACH_LANE: usize = 3;

/// A message from a thread that plays.
pub(super) enum News {
    /// The game of this number has begun.
    Began(usize),
    /// The subject is silent for longer than usual in the game of this number, or is not any more.
    Silence(usize, Silence),
    /// This has happened in the game of this number.
    Told(usize, GameNews),
    /// The game of this number is over.
    Ended(usize, Box<Outcome>),
}

/// Data shared by all threads of a run.
#[derive(Debug, Clone)]
pub(super) struct Crew {
    games: Arc<[GamePlan]>,
    options: Arc<Options>,
    placement: Placement,
    interrupt: watch::Receiver<bool>,
    /// The servers that games are played with.
    pub(super) servers: Servers,
    /// Measures how late processes start.
    probe: StartProbe,
    starting: Starting,
    /// Response times of the subjects, and what is awaited in vain.
    lessons: Lessons,
    doubt: Doubt,
    /// After what no further game begins.
    order: PlayOrder,
}

/// Data shared by the games of one thread.
#[derive(Debug)]
struct AtHand {
    meter: Arc<Meter>,
    supervisors: Option<Supervisors>,
}

/// Threads at play.
pub(super) struct Playing {
    /// Messages of the threads; the channel closes after the last game.
    pub(super) news: mpsc::UnboundedReceiver<News>,
    threads: Vec<JoinHandle<io::Result<()>>>,
}

impl Crew {
    pub(super) fn new(run: &Run, interrupt: watch::Receiver<bool>) -> Crew {
        let (games, options) = (run.games.clone().into(), Arc::new(run.options.clone()));
        let probe = StartProbe::new(options.program.clone());
        Crew {
            games,
            options,
            placement: run.placement,
            interrupt,
            servers: Servers::default(),
            probe,
            starting: Starting::default(),
            lessons: Lessons::default(),
            doubt: run.doubt,
            order: run.order.clone(),
        }
    }

    /// Waits until processes start in time again, at most 10 s.
    pub(super) async fn until_quiet(&self) {
        const LOOK: Duration = Duration::from_millis(500);
        for _ in 0..20 {
            let before = self.probe.late();
            sleep(LOOK).await;
            let late = self.probe.late().saturating_sub(before);
            if late < LOOK / 10 || *self.interrupt.borrow() {
                return;
            }
        }
    }

    /// Starts to play the games of these numbers, in this order.
    ///
    /// # Errors
    /// Fails if the threads cannot be started or placed.
    pub(super) fn play(&self, order: Vec<usize>, jobs: Jobs, round: Round) -> io::Result<Playing> {
        let wanted = if jobs.most == 1 { 1 } else { OPEN_MOST };
        let open_most = self.openable(&order, wanted.min(order.len()).max(1))?;
        let at_most = |jobs: usize| jobs.clamp(1, order.len().max(1)).min(open_most);
        let [least, most] = [jobs.least, jobs.most].map(at_most);
        let processors = self.placement.threads(least)?;
        let queue = Arc::new(Queue {
            round,
            order,
            begun: AtomicUsize::new(0),
        });
        let (tell, news) = mpsc::unbounded_channel();
        let mut threads = Vec::new();
        for (index, &processor) in processors.iter().enumerate() {
            let share = |whole: usize| (whole + index) / processors.len();
            let jobs = Jobs {
                least: share(least),
                most: share(most),
            };
            let slots = Slots::new(jobs, share(open_most));
            let (crew, queue, tell) = (self.clone(), Arc::clone(&queue), tell.clone());
            let builder = std::thread::Builder::new().name(format!("games {index}"));
            threads.push(builder.spawn(move || crew.play_on(processor, &slots, &queue, &tell))?);
        }
        Ok(Playing { news, threads })
    }

    /// Returns the number of these games that can be open at once, up to `wanted`, within the limit on open
    /// files.
    fn openable(&self, order: &[usize], wanted: usize) -> io::Result<usize> {
        let files = |&number: &usize| {
            let GamePlan {
                scenario, subject, ..
            } = &self.games[number];
            let (players, spectators) = scenario.lanes();
            let process = if subject.program.is_some() {
                FILES_EACH_PROCESS
            } else {
                0
            };
            (players + spectators) * FILES_EACH_LANE + FILES_EACH_GAME + process
        };
        let each = order.iter().map(files).max().unwrap_or(FILES_EACH_GAME);
        let room = open_files::make_room((FILES_BESIDE + wanted * each) as u64)?;
        let openable = usize::try_from(room)
            .unwrap_or(usize::MAX)
            .saturating_sub(FILES_BESIDE)
            / each;
        Ok(openable.clamp(1, wanted))
    }

    /// One thread's work.
    fn play_on(
        &self,
        processor: Option<Processor>,
        slots: &Arc<Slots>,
        queue: &Arc<Queue>,
        tell: &mpsc::UnboundedSender<News>,
    ) -> io::Result<()> {
        if let Some(processor) = processor {
            processor.keep()?;
        }
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        runtime.block_on(async {
            let meter = Arc::new(Meter::new());
            let measuring = Arc::clone(&meter);
            tokio::spawn(async move { measuring.run().await });
            let supervisors = self.options.supervisors();
            let mut games = JoinSet::new();
            loop {
                let slot = tokio::select! {
                    biased;
                    slot = slots.take() => slot,
                    Some(ended) = games.join_next() => {
                        whole(ended);
                        continue;
                    }
                };
                if queue.round == Round::First && self.order.is_over() {
                    queue.end();
                }
                let Some(number) = queue.next() else { break };
                let at_hand = AtHand {
                    meter: Arc::clone(&meter),
                    supervisors: supervisors.clone(),
                };
                games.spawn(self.clone().game(
                    number,
                    Arc::clone(queue),
                    at_hand,
                    slot,
                    tell.clone(),
                ));
            }
            while let Some(ended) = games.join_next().await {
                whole(ended);
            }
            if let Some(supervisors) = supervisors {
                supervisors.close().await;
            }
        });
        Ok(())
    }

    async fn game(
        self,
        number: usize,
        queue: Arc<Queue>,
        AtHand { meter, supervisors }: AtHand,
        slot: Slot,
        tell: mpsc::UnboundedSender<News>,
    ) {
        // Whoever does not listen any more has given up the run.
        let _ = tell.send(News::Began(number));
        let (game, round) = (&self.games[number], queue.round);
        let is_looked_at = round == Round::First && self.doubt == Doubt::PlayAgain;
        let silent = is_looked_at.then(|| -> TellSilence {
            let tell = tell.clone();
            Box::new(move |silence| drop(tell.send(News::Silence(number, silence))))
        });
        let watch = self.lessons.watch(&game.subject, silent);
        let options = &self.options;
        let teller = (options.tells != Telling::Games).then(|| {
            let tell = tell.clone();
            Teller::new(move |news| drop(tell.send(News::Told(number, news))))
        });
        let played = Played {
            round,
            options,
            meter: &meter,
            probe: &self.probe,
            starting: &self.starting,
            servers: &self.servers,
            supervisors: supervisors.as_ref(),
            teller: teller.as_ref(),
            interrupt: self.interrupt.clone(),
        };
        let mut slot = slot;
        let outcome = played.play(&mut slot, (number, game), watch).await;
        if let Some(limit) = &self.order.limit {
            limit.count(outcome.took);
        }
        // Before the slot is free for the next game.
        if round == Round::First && self.order.is_fatal(&outcome) {
            queue.end();
        }
        drop(slot);
        let _ = tell.send(News::Ended(number, Box::new(outcome)));
    }
}

impl Playing {
    /// Waits for the end of the threads.
    ///
    /// # Errors
    /// Fails if a thread could not begin.
    pub(super) fn join(self) -> io::Result<()> {
        for thread in self.threads {
            match thread.join() {
                Ok(result) => result?,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok(())
    }
}

/// Games that are to begin.
#[derive(Debug)]
struct Queue {
    round: Round,
    /// Their numbers.
    order: Vec<usize>,
    begun: AtomicUsize,
}

impl Queue {
    fn next(&self) -> Option<usize> {
        self.order
            .get(self.begun.fetch_add(1, Ordering::Relaxed))
            .copied()
    }

    /// Begins no further game.
    fn end(&self) {
        self.begun.store(self.order.len(), Ordering::Relaxed);
    }
}

/// A panic in a game is one of the run.
fn whole(ended: Result<(), JoinError>) {
    if let Err(error) = ended {
        std::panic::resume_unwind(error.into_panic());
    }
}
