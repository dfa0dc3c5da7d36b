//! Round trips per second through the engine, with judging, comparison and recording on, beside a bare loop over the same dialogue.
//!
//! `cargo bench --bench engine`. Every row says where it runs: *pinned*, the program and its subject on one processor, or *free*,
//! wherever the system puts them. The subjects are this program itself; the bare loop and pexpect talk to the same ones.
//! The rows of a round run one after the other; a figure is the median of the rounds, and so is a ratio, which is to the bare loop
//! of the same round.

mod baseline;
mod dialogue;
mod subject;
mod table;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use urtext::config::{Address, RollHook, Subject, Template, Way};
use urtext::engine::{self, Doubt, GamePlan, Options, Placement, PlayOrder, Run};
use urtext::event::Outcome;
use urtext::games::royalur::CodeColosseum;
use urtext::judge::Budgets;
use urtext::pack::Protocol;
use urtext::scenario::{Scenario, Side};

use baseline::Baselines;
use dialogue::Play;
use table::Table;

/// How much is played.
struct Sizes {
    /// Round trips of a dialogue.
    turns: usize,
    /// Whole games.
    games: usize,
    rounds: usize,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [role, name, rest @ ..] = arguments.as_slice()
        && role == subject::ROLE
    {
        subject::play(
            name,
            rest.first()
                .map_or(0, |number| number.parse().expect("a number")),
        );
    }
    // Without the word from `cargo bench` it only shows that it works.
    let sizes = match arguments.iter().any(|argument| argument == "--bench") {
        true => Sizes {
            turns: 20_000,
            games: 300,
            rounds: 3,
        },
        false => Sizes {
            turns: 400,
            games: 4,
            rounds: 1,
        },
    };
    let folder = tempfile::tempdir().expect("a folder for scripts and recordings");
    let bench = Bench {
        me: own_path(),
        baselines: Baselines::new(),
        folder,
    };
    let wanted = arguments.iter().find(|argument| !argument.starts_with('-'));
    let is_wanted = |name: &str| wanted.is_none_or(|wanted| name.contains(wanted.as_str()));
    for (name, measure) in Bench::PARTS.iter().filter(|(name, _)| is_wanted(name)) {
        for placement in [Placement::Pinned, Placement::Free] {
            let title = match placement {
                Placement::Pinned => format!("{name}, pinned to one processor"),
                Placement::Free => format!("{name}, free"),
            };
            measure(&bench, &sizes, placement, Table::new(title, "round trips")).print();
        }
    }
    if is_wanted("side by side") {
        bench.side_by_side(&sizes).print();
    }
}

/// Games, as scenarios for the engine and as a script for a bare loop, with the round trips that they are.
struct Played {
    scenarios: Vec<Arc<Scenario>>,
    script: PathBuf,
    trips: usize,
}

struct Bench {
    me: String,
    baselines: Baselines,
    folder: TempDir,
}

type Measure = fn(&Bench, &Sizes, Placement, Table) -> Table;

impl Bench {
    const PARTS: [(&'static str, Measure); 5] = [
        ("lines over pipes", Bench::lines_over_pipes),
        ("lines over TCP", Bench::lines_over_tcp),
        ("one long game of Ur over TCP", Bench::long_game_over_tcp),
        ("games of Ur in a row over TCP", Bench::games_over_tcp),
        (
            "games of Ur in a row over pipes, a process each",
            Bench::games_over_pipes,
        ),
    ];

    fn lines_over_pipes(&self, sizes: &Sizes, placement: Placement, mut table: Table) -> Table {
        let scenario = dialogue::lines(Side::Bot, sizes.turns);
        let scenarios = std::slice::from_ref(&scenario);
        let command = [self.me.as_str(), subject::ROLE, "echo"];
        let subject = bot(&command);
        let goldens = self.goldens(scenarios, &subject);
        let script = self.script(&dialogue::lines_script(sizes.turns));
        let turns = sizes.turns;
        for _ in 0..sizes.rounds {
            table.row("bare loop", turns, || {
                self.baselines.bare_pipes(&script, &command, placement)
            });
            table.row("urtext", turns, || {
                self.engine(scenarios, &subject, &goldens, 1, placement)
            });
            // It is so slow that fewer turns show the same.
            let few = turns / 25;
            table.row("pexpect", few, || {
                self.baselines.pexpect(few, &command, placement)
            });
        }
        table
    }

    fn lines_over_tcp(&self, sizes: &Sizes, placement: Placement, table: Table) -> Table {
        let scenario = dialogue::lines(Side::Referee, sizes.turns);
        let script = self.script(&dialogue::lines_script(sizes.turns));
        let played = Played {
            scenarios: vec![scenario],
            script,
            trips: sizes.turns,
        };
        self.beside_bare_tcp(
            table,
            sizes.rounds,
            (&["echo-server"], 1),
            &played,
            placement,
        )
    }

    /// Each turn of either player is a round trip: the roll goes to both of them, and the move to the other.
    fn long_game_over_tcp(&self, sizes: &Sizes, placement: Placement, table: Table) -> Table {
        let turns = sizes.turns / 2;
        let played = self.played(&[Play::dialogue(turns)], Side::Referee);
        let role = ["long-game", &turns.to_string()];
        self.beside_bare_tcp(table, sizes.rounds, (&role, 2), &played, placement)
    }

    fn games_over_tcp(&self, sizes: &Sizes, placement: Placement, table: Table) -> Table {
        let plays: Vec<_> = (0..sizes.games as u64).map(Play::whole).collect();
        let played = self.played(&plays, Side::Referee);
        self.beside_bare_tcp(table, sizes.rounds, (&["referee"], 2), &played, placement)
    }

    /// The start of each process is measured as well, on both sides.
    fn games_over_pipes(&self, sizes: &Sizes, placement: Placement, mut table: Table) -> Table {
        let plays: Vec<_> = (0..sizes.games as u64).map(Play::whole).collect();
        let Played {
            scenarios,
            script,
            trips,
        } = self.played(&plays, Side::Bot);
        let command = [self.me.as_str(), subject::ROLE, "bot"];
        let subject = bot(&command);
        let goldens = self.goldens(&scenarios, &subject);
        for _ in 0..sizes.rounds {
            table.row("bare loop", trips, || {
                self.baselines.bare_pipes(&script, &command, placement)
            });
            table.row("urtext", trips, || {
                self.engine(&scenarios, &subject, &goldens, 1, placement)
            });
        }
        table
    }

    /// Many games at once, as `urtext run` plays them.
    fn side_by_side(&self, sizes: &Sizes) -> Table {
        let plays: Vec<_> = (0..sizes.games as u64).map(Play::whole).collect();
        let Played {
            scenarios,
            script,
            trips,
        } = self.played(&plays, Side::Bot);
        let command = [self.me.as_str(), subject::ROLE, "bot"];
        let subject = bot(&command);
        let goldens = self.goldens(&scenarios, &subject);
        let jobs = 8 * std::thread::available_parallelism().map_or(1, usize::from);
        let (free, pinned) = (Placement::Free, Placement::Pinned);
        let mut table = Table::new(
            format!("games of Ur over pipes, {jobs} side by side, a process each"),
            "round trips",
        );
        for _ in 0..sizes.rounds {
            table.row("bare loop, one by one", trips, || {
                self.baselines.bare_pipes(&script, &command, free)
            });
            table.row("urtext", trips, || {
                self.engine(&scenarios, &subject, &goldens, jobs, free)
            });
            table.row("urtext --pin", trips, || {
                self.engine(&scenarios, &subject, &goldens, jobs, pinned)
            });
        }
        table
    }

    fn beside_bare_tcp(
        &self,
        mut table: Table,
        rounds: usize,
        (role, lanes): (&[&str], usize),
        played: &Played,
        placement: Placement,
    ) -> Table {
        // A referee counts its games, so that each row has a fresh one.
        let serve = || self.baselines.serve(&self.me, role, placement);
        let scenarios = &played.scenarios;
        let server = serve();
        let goldens = self.goldens(scenarios, &referee(&server.address));
        for _ in 0..rounds {
            let server = serve();
            let address = &server.address;
            let bare = || {
                self.baselines
                    .bare_tcp(&played.script, address, lanes, placement)
            };
            table.row("bare loop", played.trips, bare);
            let server = serve();
            let subject = referee(&server.address);
            table.row("urtext", played.trips, || {
                self.engine(scenarios, &subject, &goldens, 1, placement)
            });
        }
        table
    }

    fn played(&self, plays: &[Play], side: Side) -> Played {
        let mut script = String::new();
        plays.iter().for_each(|play| play.script(side, &mut script));
        let named = plays.iter().enumerate();
        Played {
            scenarios: named
                .map(|(number, play)| play.scenario(side, &format!("game-{number}")))
                .collect(),
            script: self.script(&script),
            trips: plays.iter().map(|play| play.round_trips(side)).sum(),
        }
    }

    fn script(&self, text: &str) -> PathBuf {
        let path = self.folder.path().join("script");
        std::fs::write(&path, text).expect("the script is written");
        path
    }

    /// What the games have to show: what they showed once.
    fn goldens(&self, scenarios: &[Arc<Scenario>], subject: &Arc<Subject>) -> Vec<Outcome> {
        let nothing = vec![None; scenarios.len()];
        play(
            self.games(scenarios, subject, nothing),
            self.options(),
            1,
            Placement::Free,
        )
    }

    /// How long the engine takes for all games.
    fn engine(
        &self,
        scenarios: &[Arc<Scenario>],
        subject: &Arc<Subject>,
        goldens: &[Outcome],
        jobs: usize,
        placement: Placement,
    ) -> Option<Duration> {
        let goldens = goldens
            .iter()
            .map(|outcome| outcome.prediction.clone())
            .collect();
        let games = self.games(scenarios, subject, goldens);
        let began = Instant::now();
        play(games, self.options(), jobs, placement);
        Some(began.elapsed())
    }

    fn games(
        &self,
        scenarios: &[Arc<Scenario>],
        subject: &Arc<Subject>,
        goldens: Vec<Option<urtext::transcript::Transcript>>,
    ) -> Vec<GamePlan> {
        let game = |(scenario, golden): (&Arc<Scenario>, Option<_>)| GamePlan {
            scenario: Arc::clone(scenario),
            subject: Arc::clone(subject),
            golden: golden.map(Arc::new),
            seed: 1,
        };
        scenarios.iter().zip(goldens).map(game).collect()
    }

    /// With recordings.
    fn options(&self) -> Options {
        Options {
            budgets: Budgets::default(),
            game_budget: Duration::from_secs(600),
            wait: Duration::MAX,
            record: Some(self.folder.path().join("recordings")),
            tells: engine::Telling::default(),
            clock: engine::Clock::Real,
            program: Some(env!("CARGO_BIN_EXE_urtext").into()),
            servers: urtext::engine::Servers::default(),
        }
    }
}

/// Plays games, all of which have to pass.
fn play(games: Vec<GamePlan>, options: Options, jobs: usize, placement: Placement) -> Vec<Outcome> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    let (_interrupt, interrupted) = tokio::sync::watch::channel(false);
    let run = Run {
        games,
        options,
        jobs,
        placement,
        doubt: Doubt::PlayAgain,
        order: PlayOrder::default(),
        has_spoken: false,
    };
    let outcomes = runtime
        .block_on(engine::run(run, interrupted, |_| {}))
        .expect("the run begins");
    for outcome in &outcomes {
        assert!(
            outcome.findings.is_empty(),
            "{}: {:#?}",
            outcome.name,
            outcome.findings
        );
        assert!(outcome.prediction.is_some(), "{} is compared", outcome.name);
    }
    outcomes
}

/// A bot that this program plays over its standard streams.
fn bot(words: &[&str]) -> Arc<Subject> {
    let words: Vec<_> = words.iter().map(|word| word.replace('{', "{{")).collect();
    let command = Template::parse(&words).expect("there are no places in it");
    Arc::new(
        Subject::started("bot", Side::Bot, Protocol::Game(&CodeColosseum), command)
            .expect("a bot has standard streams"),
    )
}

/// A referee that listens already, and knows its rolls beforehand.
fn referee(address: &str) -> Arc<Subject> {
    let way = Way::Connect(Address::At(address.to_owned()));
    let mut subject = Subject::new(
        "referee",
        Side::Referee,
        Protocol::Game(&CodeColosseum),
        way,
    );
    subject.roll_hook = Some(RollHook::Arguments);
    Arc::new(subject)
}

fn own_path() -> String {
    std::env::current_exe()
        .expect("it runs")
        .to_str()
        .expect("a path that is text")
        .to_owned()
}
