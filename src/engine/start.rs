//! Starting a subject and finding the ways to its lanes.

use std::path::PathBuf;
use std::time::Duration;

use tokio::sync::watch;

use super::attach::{Attached, Breakdown, Plan, Workspace};
use super::lag::{LagMeter, Meter};
use super::start_budget::{StartBudget, Starting};
use super::telling::{GameNews, Teller, Telling};
use crate::config::{Folder, Program, RollHook, Subject, Values, Word, seconds};
use crate::peers::Conditions;
use crate::rules::{PerSeat, Setup};
use crate::scenario::{PlannedGame, Scenario};
use crate::transport::{Launch, Patience, Process, StartProbe, Supervisors, Wire};

/// Number of starts of a referee that finds its port taken, each with another port.
pub(super) const PORT_TRIES: usize = 3;

/// Spreads small numbers over all that there are, as a number that decides by chance has to be.
const MIXED: u64 = 0x9e37_79b9_7f4a_7c15;

/// The timeout that a subject receives if neither user nor scenario sets one.
const USUAL_TIMEOUT: Duration = Duration::from_secs(90);

/// Error before the game.
#[derive(Debug)]
pub(super) struct Broken {
    pub(super) breakdown: Breakdown,
    /// The standard error of the started process.
    pub(super) stderr: Vec<u8>,
    /// By what the start budget was extended, in words.
    pub(super) extended: Option<String>,
}

impl From<Breakdown> for Broken {
    fn from(breakdown: Breakdown) -> Broken {
        Broken {
            breakdown,
            stderr: Vec::new(),
            extended: None,
        }
    }
}

/// A subject whose first lanes are open, and the meter of its lag where urtext has started it.
pub(super) type Started<'m> = (Attached, Vec<Wire>, Option<LagMeter<'m>>);

/// Settings for starting the subject of one game.
#[derive(Debug)]
pub(super) struct Start<'a, 'm> {
    pub(super) subject: &'a Subject,
    pub(super) scenario: &'a Scenario,
    /// The timeout for a move, where it is known, and the pace.
    pub(super) timing: (Option<Duration>, Duration),
    pub(super) seed: u64,
    /// From the start to the connection of every lane that is there from the beginning.
    pub(super) budget: Duration,
    /// Counts the games that start.
    pub(super) starting: &'a Starting,
    /// Measure the lag meanwhile.
    pub(super) meters: (&'m Meter, &'m StartProbe),
    /// Reaction to a refused connection.
    pub(super) patience: Patience,
    /// Becomes true where the user breaks the run off.
    pub(super) interrupt: &'a watch::Receiver<bool>,
    /// The program of urtext itself: the relay of a seat.
    pub(super) program: Option<&'a PathBuf>,
    /// The supervisors of what it starts.
    pub(super) supervisors: Option<&'a Supervisors>,
    /// Takes what is told of the game.
    pub(super) teller: Option<&'a Teller>,
    /// What is told of it.
    pub(super) tells: Telling,
}

impl<'m> Start<'_, 'm> {
    /// Starts the subject and opens the lanes that are there from the beginning, in this order.
    pub(super) async fn start(&self, first: &[usize]) -> Result<Started<'m>, Broken> {
        let mut tries = 0;
        loop {
            tries += 1;
            let mut budget = self.starting.begin(self.budget);
            match self.try_start(first, &mut budget).await {
                Ok((attached, wires)) => return Ok((attached, wires, budget.lag.take())),
                // Another program can have taken the port between our choosing it and the referee's binding it.
                Err((Breakdown::Ended { .. } | Breakdown::EndedUnready { .. }, said))
                    if tries < PORT_TRIES && is_port_taken(&said) => {}
                Err((breakdown, stderr)) => {
                    return Err(Broken {
                        breakdown,
                        stderr,
                        extended: budget.in_words(),
                    });
                }
            }
        }
    }

    async fn try_start(
        &self,
        first: &[usize],
        budget: &mut StartBudget<'m>,
    ) -> Result<(Attached, Vec<Wire>), (Breakdown, Vec<u8>)> {
        let mut attached = self.attach(budget).await?;
        let deadline = budget.deadline.clone();
        match self
            .unless_interrupted(attached.open(first, &deadline), budget)
            .await
        {
            Ok(wires) => Ok((attached, wires)),
            Err(breakdown) => Err((breakdown, last_words(attached.process).await)),
        }
    }

    /// Starts the subject, if it does not run already, and finds the ways to its lanes.
    async fn attach(&self, budget: &mut StartBudget<'m>) -> Result<Attached, (Breakdown, Vec<u8>)> {
        let plain = |breakdown: Breakdown| (breakdown, Vec::new());
        let subject = self.subject;
        let mut values = self.values();
        let mut workspace = Workspace::default();
        let mut environment = self
            .force_rolls(&mut values, &mut workspace)
            .map_err(plain)?;
        let times = (budget.deadline.clone(), self.budget, self.patience);
        let lanes = self.scenario.lanes();
        let making = Plan::make(
            subject,
            lanes,
            &mut values,
            &mut workspace,
            self.program,
            times,
        );
        let plan = making.await.map_err(plain)?;
        environment.extend(plan.environment.clone());
        let mut process = match &subject.program {
            Some(program) => {
                let mut launch = self
                    .launch(program, &values, environment, &mut workspace)
                    .map_err(plain)?;
                launch.input = plan.input();
                match budget.deadline.limit(launch.start()).await {
                    Some(started) => {
                        let process = started.map_err(|error| plain(error.into()))?;
                        self.tell_process(&process);
                        let (meter, probe) = self.meters;
                        budget.lag = Some(LagMeter::new(meter, probe, process.tree()));
                        Some(process)
                    }
                    None => return Err(plain(Breakdown::StartTimeout(self.budget))),
                }
            }
            None => None,
        };
        let who = self.scenario.side().word();
        match self
            .unless_interrupted(plan.endpoints(subject, process.as_mut()), budget)
            .await
        {
            Ok(endpoints) => Ok(Attached {
                who,
                process,
                endpoints,
                _workspace: workspace,
            }),
            Err(breakdown) => Err((breakdown, last_words(process).await)),
        }
    }

    /// Tells which process the subject is, for whoever attaches a debugger.
    fn tell_process(&self, process: &Process) {
        let teller = self.teller.filter(|_| self.tells.is_everything());
        if let (Some(teller), Some(id)) = (teller, process.id()) {
            teller.tell(GameNews::Started(id));
        }
    }

    /// Runs until interrupted, and extends the start budget meanwhile; the caller cleans up.
    async fn unless_interrupted<T>(
        &self,
        doing: impl Future<Output = Result<T, Breakdown>>,
        budget: &mut StartBudget<'_>,
    ) -> Result<T, Breakdown> {
        let mut interrupt = self.interrupt.clone();
        let interrupted = async {
            if interrupt
                .wait_for(|&is_interrupted| is_interrupted)
                .await
                .is_err()
            {
                // Nobody is left who could interrupt.
                std::future::pending::<()>().await;
            }
        };
        tokio::select! {
            done = doing => done,
            () = interrupted => Err(Breakdown::Interrupted),
            never = budget.extend() => match never {},
        }
    }

    /// Returns the values of every command's placeholders.
    fn values(&self) -> Values {
        let (timeout, pace) = self.timing;
        let timeout = timeout.unwrap_or(USUAL_TIMEOUT);
        let plan = self.scenario.game();
        let [first, second] = names_of(plan);
        let mut values = Values::from([
            ("spectators", plan.map_or(0, early_spectators).to_string()),
            ("pace", seconds(pace)),
            ("pace_ms", pace.as_millis().to_string()),
            ("seed", self.seed.to_string()),
            ("timeout", seconds(timeout)),
            ("timeout_ms", timeout.as_millis().to_string()),
            ("first", first),
            ("second", second),
            ("game", self.subject.game_name.clone()),
        ]);
        if let Some(plan) = plan {
            for place in &plan.unset {
                values.insert(*place, "");
            }
            // A subject that is told how the game starts is told so in every game.
            let setup = setup_of(plan, self.seed);
            for (place, value) in plan.dialect.game().setup_values(setup) {
                values.insert(place, value);
            }
        }
        for parameter in &self.subject.parameters {
            values.insert(
                parameter.name.clone(),
                parameter.value.clone().unwrap_or_default(),
            );
        }
        values
    }

    /// Writes the forced rolls where the subject takes them: into places, a file, or the environment.
    fn force_rolls(
        &self,
        values: &mut Values,
        workspace: &mut Workspace,
    ) -> Result<Vec<(String, String)>, Breakdown> {
        let forced = |plan: &PlannedGame| {
            let rolls = plan.forced_rolls().into_iter();
            let game = plan.dialect.game();
            rolls.map(|roll| game.format_roll(roll)).collect()
        };
        let rolls: Vec<_> = self.scenario.game().map(forced).unwrap_or_default();
        let format = &self.subject.roll_format;
        match &self.subject.roll_hook {
            Some(RollHook::Environment(name)) => Ok(vec![(name.clone(), format.line(&rolls))]),
            Some(RollHook::Arguments) => {
                values.insert("rolls", format.line(&rolls));
                if self.subject.takes("rolls_file") {
                    let file = workspace.file("rolls", &format.file(&rolls))?;
                    values.insert("rolls_file", file.to_string_lossy());
                }
                Ok(Vec::new())
            }
            None => Ok(Vec::new()),
        }
    }

    fn launch(
        &self,
        program: &Program,
        values: &Values,
        environment: Vec<(String, String)>,
        workspace: &mut Workspace,
    ) -> Result<Launch, Breakdown> {
        let mut values = values.clone();
        values.insert("here", program.here.to_string_lossy());
        let folder = match &program.folder {
            Folder::Current => None,
            Folder::Clean => Some(workspace.folder("work")?),
            Folder::At(folder) => Some(folder.clone()),
        };
        let unset = self.scenario.game().map_or(&[][..], |plan| &plan.unset);
        let is_set = |word: &&Word| !unset.iter().any(|place| word.takes(place));
        let own = program.environment.iter().map(|(name, word)| {
            let value = word.as_ref().filter(is_set).map(|word| word.fill(&values));
            (name.clone(), value)
        });
        // A scenario that needs something to be left out is not played where that cannot be.
        let command = program.command.without(unset);
        let command = command.as_ref().unwrap_or(&program.command);
        let ours = environment
            .into_iter()
            .map(|(name, value)| (name, Some(value)));
        Ok(Launch {
            words: command.fill(&values),
            environment: own.chain(ours).collect(),
            folder,
            limits: program.limits,
            supervisors: self.supervisors.cloned(),
            remove: workspace.path().map(Into::into),
            echo: self.teller.map(Teller::echo),
            ..Launch::default()
        })
    }
}

/// Returns the setup of a game: the scenario's, or a random one by the seed.
fn setup_of(plan: &PlannedGame, seed: u64) -> Setup {
    plan.setup
        .unwrap_or_else(|| plan.dialect.game().draw_setup(seed.wrapping_mul(MIXED)))
}

/// The players' names: the scenario's, or the usual ones.
fn names_of(plan: Option<&PlannedGame>) -> [String; 2] {
    match plan.and_then(|plan| plan.names.as_ref()) {
        Some(names) => names.0.clone(),
        None => ["PlayerA".to_owned(), "PlayerB".to_owned()],
    }
}

/// Returns the number of spectators that the referee waits for: those present from the start.
fn early_spectators(plan: &PlannedGame) -> usize {
    (plan.spectators as usize).saturating_sub(plan.late_spectators().count())
}

/// Returns the conditions of a game in memory for a built-in peer, equal to those on its command line.
pub(super) fn conditions(
    plan: &PlannedGame,
    timing: (Option<Duration>, Duration),
    seed: u64,
) -> Conditions {
    let game = plan.dialect.game();
    let is_unset = |place: &str| plan.leaves(place);
    let given = timing.0.filter(|_| !is_unset("timeout"));
    let pace = if is_unset("pace") {
        game.default_pace().unwrap_or_default()
    } else {
        timing.1
    };
    Conditions {
        names: PerSeat(names_of(Some(plan)).map(String::into_bytes)),
        timeout: given.or(game.default_timeout()).unwrap_or(USUAL_TIMEOUT),
        pace,
        spectators: early_spectators(plan),
        rolls: plan.forced_rolls(),
        setup: Some(setup_of(plan, seed)),
        seed,
    }
}

/// Returns true if a subject that has ended complained that its port is taken.
pub(super) fn is_port_taken(said: &[u8]) -> bool {
    String::from_utf8_lossy(said)
        .to_lowercase()
        .contains("in use")
}

async fn last_words(process: Option<Process>) -> Vec<u8> {
    match process {
        Some(process) => process.end(Duration::ZERO).await.stderr,
        None => Vec::new(),
    }
}
