//! Threads that play games from one queue: one for each processor, with a runtime of its own, so that whatever a game waits for wakes
//! the thread that plays it, and no other.

use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{mpsc, watch};
use tokio::task::{JoinError, JoinSet};

use super::game::GamePlayer;
use super::lag::Meter;
use super::options::{News, Teller};
use super::patience::Lessons;
use super::run_plan::{Doubt, Progress, Round, Run, interrupted};
use super::slots::{Slot, Slots};
use crate::event::Outcome;
use crate::platform::{Processor, make_room_for_files};
use crate::transport::Supervisors;

/// The most games that are open at once, those included that only wait for time to pass. A game that is to be played alone has none beside it.
const OPEN_MOST: usize = 512;

/// Files that are open beside those of games: of the threads, and those that this program was started with.
const FILES_BESIDE: usize = 64;

/// Files of a game beside its lanes: what is written of it, listeners, what keeps its ports, and while its subject is started both ends of
/// the streams and of the socket to its supervisor.
const FILES_EACH_GAME: usize = 14;

/// Files of a lane: at most two pipes or connections, and what it comes through.
const FILES_EACH_LANE: usize = 3;

/// Data shared by all threads of a run.
#[derive(Debug)]
pub(super) struct Crew {
    run: Arc<Run>,
    /// The user's wish to end the run.
    interrupt: watch::Receiver<bool>,
    /// Ends all games.
    pub(super) stop: watch::Sender<bool>,
    lessons: Lessons,
}

impl Crew {
    pub(super) fn new(run: Arc<Run>, interrupt: watch::Receiver<bool>) -> Crew {
        Crew {
            run,
            interrupt,
            stop: watch::channel(false).0,
            lessons: Lessons::default(),
        }
    }

    /// Plays the games of these numbers, which begin in this order, and tells of them. `ended` takes the number and the outcome of each that
    /// is over.
    ///
    /// # Errors
    /// Fails if the threads cannot be started or placed.
    pub(super) async fn play(
        &self,
        order: Vec<usize>,
        jobs: usize,
        round: Round,
        tell: impl Fn(Progress<'_>),
        mut ended: impl FnMut(usize, Outcome),
    ) -> io::Result<()> {
        let wanted = if jobs == 1 { 1 } else { OPEN_MOST };
        let open_most = self.openable(&order, wanted.min(order.len()).max(1))?;
        let jobs = jobs.clamp(1, order.len().max(1)).min(open_most);
        let processors = self.run.placement.threads(jobs)?;
        let is_played_again = round == Round::First && self.run.doubt == Doubt::PlayAgain;
        let (to, mut news) = mpsc::unbounded_channel();
        let player = GamePlayer {
            run: Arc::clone(&self.run),
            round,
            meter: Arc::default(),
            lessons: is_played_again.then(|| self.lessons.clone()),
            supervisors: None,
            teller: Teller { number: 0, to },
            interrupt: self.stop.subscribe(),
        };
        let queue = Arc::new(Queue {
            order,
            begun: AtomicUsize::new(0),
        });
        let mut threads = Vec::new();
        for (index, &processor) in processors.iter().enumerate() {
            let share = |whole: usize| (whole + index) / processors.len();
            let (slots, open_most) = (Slots::new(share(jobs)), share(open_most));
            let (player, queue) = (player.clone(), Arc::clone(&queue));
            let builder = std::thread::Builder::new().name(format!("games {index}"));
            threads
                .push(builder.spawn(move || player.play_on(processor, &slots, open_most, queue))?);
        }
        // The channel closes after the last game.
        drop(player);
        let mut interrupted = pin!(interrupted(self.interrupt.clone()));
        let mut is_interrupted = false;
        loop {
            let news = tokio::select! {
                news = news.recv() => news,
                () = &mut interrupted, if !is_interrupted => {
                    is_interrupted = true;
                    self.stop.send_replace(true);
                    continue;
                }
            };
            match news {
                Some(News::Began(number)) => tell(Progress::Began(&self.run.games[number])),
                Some(News::Told(number, news)) => {
                    tell(Progress::News(&self.run.games[number], &news));
                }
                Some(News::Ended(number, outcome)) => ended(number, *outcome),
                None => break,
            }
        }
        for thread in threads {
            match thread.join() {
                Ok(result) => result?,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok(())
    }

    /// Returns the number of these games that can be open at once, up to `wanted`, within the limit on open
    /// files.
    fn openable(&self, order: &[usize], wanted: usize) -> io::Result<usize> {
        let lanes = |&number: &usize| {
            let (players, spectators) = self.run.games[number].scenario.lanes();
            players + spectators
        };
        let lanes = order.iter().map(lanes).max().unwrap_or_default();
        let each = lanes * FILES_EACH_LANE + FILES_EACH_GAME;
        let room = make_room_for_files((FILES_BESIDE + wanted * each) as u64)?;
        let openable = usize::try_from(room)
            .unwrap_or(usize::MAX)
            .saturating_sub(FILES_BESIDE)
            / each;
        Ok(openable.clamp(1, wanted))
    }
}

impl GamePlayer {
    /// One thread's work.
    fn play_on(
        mut self,
        processor: Option<Processor>,
        slots: &Arc<Slots>,
        open_most: usize,
        queue: Arc<Queue>,
    ) -> io::Result<()> {
        if let Some(processor) = processor {
            processor.keep()?;
        }
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        runtime.block_on(async {
            // This thread's own lag, and its own supervisors.
            self.meter = Arc::new(Meter::default());
            let measuring = Arc::clone(&self.meter);
            tokio::spawn(async move { measuring.run().await });
            self.supervisors = self.run.options.program.clone().map(Supervisors::new);
            let mut games = JoinSet::new();
            loop {
                let slot = tokio::select! {
                    biased;
                    slot = slots.take(), if games.len() < open_most => slot,
                    Some(ended) = games.join_next() => {
                        whole(ended);
                        continue;
                    }
                };
                if self.round == Round::First && self.run.order.is_over() {
                    queue.end();
                }
                let Some(number) = queue.next() else {
                    break;
                };
                games.spawn(self.clone().game(number, slot, Arc::clone(&queue)));
            }
            while let Some(ended) = games.join_next().await {
                whole(ended);
            }
            if let Some(supervisors) = self.supervisors {
                supervisors.close().await;
            }
        });
        Ok(())
    }

    async fn game(mut self, number: usize, mut slot: Slot, queue: Arc<Queue>) {
        self.teller.number = number;
        self.teller.send(News::Began(number));
        let run = Arc::clone(&self.run);
        let outcome = self.play(&mut slot, &run.games[number]).await;
        if let Some(limit) = &run.order.limit {
            limit.count(outcome.took);
        }
        // Before the slot is free for the next game.
        if self.round == Round::First && run.order.is_fatal(&outcome) {
            queue.end();
        }
        drop(slot);
        self.teller.send(News::Ended(number, Box::new(outcome)));
    }
}

/// Games that are to begin.
#[derive(Debug)]
struct Queue {
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
