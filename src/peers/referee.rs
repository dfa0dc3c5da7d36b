//! The built-in referee, across its games.

use std::future::pending;
use std::iter;
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use tokio::time::timeout;

use super::drive::drive;
use super::output::{Occasion, Output};
use super::session::Session;
use super::{Desk, Farewell, Machine, Participants};
use crate::pack::FaultRow;
use crate::pack::spoiler::{Begun, Code, Spoiler, To};
use crate::protocol::{Dialect, GameEvent, Party};
use crate::rules::{Game, PerSeat, Roll, RollSource, Seat, Setup, Table};
use crate::transport::Ended;

/// Longest time for a bot to end by itself after its lane is closed.
const GRACE: Duration = Duration::from_millis(500);

/// Conditions of the games of a built-in peer.
#[derive(Debug, Clone)]
pub struct Conditions {
    /// The players' names.
    pub names: PerSeat<Vec<u8>>,
    /// The time for a move.
    pub timeout: Duration,
    /// The least time between two turns.
    pub pace: Duration,
    /// Number of spectators from the start.
    pub spectators: usize,
    /// The rolls that come first.
    pub rolls: Vec<Roll>,
    /// Setup of every game; drawn for each where there is none.
    pub setup: Option<Setup>,
    /// Decides everything else.
    pub seed: u64,
}

/// Exit of a bot.
#[derive(Debug)]
pub struct Departure {
    /// Its status; `None` where it did not end by itself.
    pub ended: Option<Ended>,
    /// The end of what it said on standard error.
    pub said: Vec<u8>,
}

/// A referee of any game; honest unless it was given a fault.
///
/// Choices where the specification is silent: a line that may be ignored is ignored, any other line that is not exactly a
/// move loses. A move without its newline is no line. Lines off turn are ignored where the specification says so, else kept for
/// their sender's turn. A player who disconnects on turn loses at once; off turn, when its turn begins. The loser receives no
/// further lines. The timeout starts with the line that begins the turn. The pace applies after each turn, skipped ones
/// included.
#[derive(Debug)]
pub struct Referee {
    pub(super) output: Output,
    pub(super) conditions: Conditions,
    pub(super) rolls: RollSource,
    setups: ChaCha8Rng,
    fault: Option<FaultRow>,
}

impl Referee {
    /// An honest referee. The rolls go on from game to game; a given setup is the same in each.
    #[must_use]
    pub fn new(dialect: &'static dyn Dialect, conditions: &Conditions) -> Referee {
        Referee {
            output: Output::honest(dialect),
            conditions: conditions.clone(),
            rolls: RollSource::new(conditions.rolls.iter().copied(), conditions.seed),
            setups: ChaCha8Rng::seed_from_u64(conditions.seed),
            fault: None,
        }
    }

    /// This referee with a fault, if one is given.
    #[must_use]
    pub fn with_fault(mut self, fault: Option<FaultRow>) -> Referee {
        self.output.spoilers = fault.map_or(&[], |fault| fault.spoilers);
        Referee { fault, ..self }
    }

    fn game(&self) -> &'static dyn Game {
        self.output.dialect.game()
    }

    /// The time for a move in a turn that begins; `None`: no end.
    pub(super) fn time(&self, turn: &Begun<'_>) -> Option<Duration> {
        let mut spoilers = self.output.spoilers.iter();
        let clock = spoilers.find_map(|spoiler| match spoiler {
            Spoiler::Clock(Code(clock)) => Some(clock),
            _ => None,
        });
        clock.map_or(Some(turn.timeout), |clock| clock(turn))
    }

    /// The least time between two turns.
    pub(super) fn pace(&self) -> Duration {
        let pace = self.conditions.pace;
        let is_default = Some(pace) == self.game().data().default_pace;
        let drops = |spoiler: &Spoiler| matches!(spoiler, Spoiler::NoPace(only_default) if is_default || !only_default);
        match self.output.any(drops) {
            true => Duration::ZERO,
            false => pace,
        }
    }

    /// The setup of the next game.
    pub(super) fn next_setup(&mut self) -> Setup {
        let drawn = self.game().draw_setup(self.setups.next_u64());
        self.conditions.setup.unwrap_or(drawn)
    }

    /// A game as the referee plays it.
    pub(super) fn table(&self, setup: Setup) -> Box<dyn Table> {
        let game = self.game();
        match self.fault.and_then(|fault| fault.variant()) {
            Some(name) => game
                .mistakes()
                .table(setup, name)
                .expect("the rules have the variants of the faults"),
            None => game.table(setup),
        }
    }

    /// Conducts one game from the greeting to the closing of the lanes, as a [`Machine`](super::Machine) does: the first two lanes
    /// of the desk are the players', the others the spectators'. Returns the event that ended the game; `None` if the referee gave
    /// up, as its fault demands.
    pub async fn play(&mut self, desk: Desk, spectators: usize) -> Option<GameEvent> {
        let end = Session::new(self, desk.clone(), spectators).play().await?;
        for spoiler in self.output.spoilers {
            match spoiler {
                Spoiler::Resets => return Some(end),
                Spoiler::ClosesOnly(on, to) if on.matches(Occasion::Event(end)) => {
                    // The other lanes are held until somebody ends the process.
                    close_only(&desk, spectators, *to, end);
                    pending::<()>().await;
                }
                _ => {}
            }
        }
        desk.close().await;
        Some(end)
    }

    /// This referee as a machine for one game.
    #[must_use]
    pub fn machine(mut self, spectators: usize) -> Machine<'static, Farewell> {
        Machine::new(2 + spectators, async move |desk| {
            let end = self.play(desk, spectators).await;
            Farewell {
                status: if end.is_none() { 3 } else { 0 },
                resets: self.resets(),
                ..Farewell::default()
            }
        })
    }

    /// Conducts one game over real lanes; tells as well how the bots ended, if there were some. What does not end by itself after the
    /// game is ended.
    pub async fn conduct(
        &mut self,
        participants: Participants,
    ) -> (Option<GameEvent>, Vec<Departure>) {
        let Participants { mut lanes, bots } = participants;
        let spectators = lanes.len() - 2;
        let machine = Machine::new(lanes.len(), |desk| self.play(desk, spectators));
        let end = drive(machine, &mut lanes).await;
        for lane in lanes {
            match self.resets() {
                true => lane.reset(),
                false => lane.abandon(),
            }
        }
        let mut departures = Vec::new();
        for mut bot in bots {
            let ended = timeout(GRACE, bot.ended()).await.ok();
            departures.push(Departure {
                ended,
                said: bot.end(Duration::ZERO).await.stderr,
            });
        }
        (end, departures)
    }

    /// Returns true if the referee resets its connections instead of closing them.
    fn resets(&self) -> bool {
        self.output.has(Spoiler::Resets)
    }
}

/// Every lane of a desk with whose it is: the players', then as many spectators'.
pub(super) fn parties(spectators: usize) -> impl Iterator<Item = (Party, usize)> {
    let players = Seat::BOTH.map(Party::Player).into_iter();
    let spectators = iter::repeat_n(Party::Spectator, spectators);
    players.chain(spectators).zip(0..)
}

fn close_only(desk: &Desk, spectators: usize, to: To, end: GameEvent) {
    for (party, lane) in parties(spectators) {
        if to.means(party, Some(end.by())) {
            desk.end(lane);
        }
    }
}
