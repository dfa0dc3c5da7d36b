//! The games of a run: scenarios that are selected, each with the subject that it is for.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::RunArgs;
use crate::cli::Status;
use crate::cli::output::{checked, print};
use crate::cli::replay_live::{self, ReplayOptions};
use crate::cli::report::read;
use crate::cli::server::stored_matches;
use crate::cli::subject::{Origin, Tested};
use crate::config::file;
use crate::diagnostic::{Diagnostic, Diagnostics, counted, visible};
use crate::engine::{GamePlan, Network, golden_of};
use crate::pack::Protocol;
use crate::peers;
use crate::platform::in_repository;
use crate::report::{Baseline, ScenarioResult, ShardHead};
use crate::scenario::{self, Filter, Scenario, Shard, Side};

/// Options that select scenarios.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Selection")]
pub(super) struct Selection {
    #[command(flatten)]
    filter: Filter,

    /// Only what failed or was flaky in this JSON report
    #[arg(long, value_name = "REPORT")]
    failed: Option<PathBuf>,

    /// Play one part of the run, such as 2/5
    ///
    /// All parts have about the same number of scenarios. `urtext report` joins their JSON reports, and fails if one is missing.
    #[arg(long, value_name = "N/M", hide_short_help = true)]
    shard: Option<Shard>,
}

/// The games of a run.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) games: Vec<GamePlan>,
    /// The first line of the report: the program, the subjects, and what is left out.
    pub(super) heading: String,
    pub(super) shard: Option<ShardHead>,
    /// The known failures.
    pub(super) baseline: Option<Baseline>,
    /// Number of slow scenarios that are left out.
    pub(super) slow_left_out: usize,
}

/// Reasons why scenarios are left out, each with their number.
type LeftOut = BTreeMap<String, usize>;

impl Plan {
    /// Returns true if these are games of the built-in peers, which are played in memory.
    pub(super) fn is_in_memory(&self) -> bool {
        let mut games = self.games.iter();
        games.all(|game| game.subject.built_in.is_some())
    }

    /// Names of the scenarios whose failure is known.
    pub(super) fn spared(&self) -> BTreeSet<String> {
        let baseline = self.baseline.as_ref();
        let scenarios = self.games.iter().map(|game| &game.scenario);
        let known =
            scenarios.filter(|scenario| baseline.is_some_and(|of| of.is_about(&scenario.name)));
        known.map(|scenario| scenario.name.clone()).collect()
    }

    /// Keeps the games of the shard.
    fn keep_shard(&mut self, shard: Shard) {
        let mut parts = vec![Vec::new(); shard.count.get() as usize];
        for (place, game) in self.games.iter().enumerate() {
            parts[shard.part_of(place)].push(game.scenario.name.clone());
        }
        let mut places = 0..;
        self.games
            .retain(|_| places.next().is_some_and(|place| shard.holds(place)));
        let (index, shards) = (shard.index.get(), parts);
        self.shard = Some(ShardHead { index, shards });
    }
}

impl RunArgs {
    /// Returns the games to play.
    ///
    /// # Errors
    /// The status to exit with, after printing the reason.
    pub(super) fn plan(&self) -> Result<Plan, Status> {
        let mut problems = Diagnostics::new();
        let tested = self.tested_scenarios(&mut problems)?;
        let config = self.subject.config_file();
        let baseline = self
            .options
            .baseline
            .read(config.as_deref(), self.update_baseline);
        let baseline = baseline.map_err(|found| problems.append(found));
        if self.bless && is_ci() {
            let title = "goldens are not written under CI (the variable CI is set)";
            let problem = Diagnostic::error("run/bless", title);
            problems.push(problem.help("bless where you work, look at the change, and commit it"));
        }
        let (games, heading) = match tested {
            Some((tested, scenarios)) if !problems.has_errors() => {
                self.pair(scenarios, &tested, &mut problems)
            }
            _ => Default::default(),
        };
        let mut plan = Plan {
            games,
            heading,
            shard: None,
            baseline: baseline.unwrap_or_default(),
            slow_left_out: 0,
        };
        if !self.slow && plan.games.len() > 1 {
            let all = plan.games.len();
            plan.games.retain(|game| !game.scenario.keys.is_slow);
            plan.slow_left_out = all - plan.games.len();
        }
        if self.network != Network::Ideal && !plan.is_in_memory() {
            let problem = Diagnostic::error("run/network", "--network is for the built-in peers");
            problems.push(problem.help("leave it out, or write --subject built-in"));
        }
        if self.debug && (plan.games.len() != 1 || plan.is_in_memory()) {
            let games = counted(plan.games.len(), "game");
            let place = if plan.is_in_memory() {
                " in memory"
            } else {
                ""
            };
            let title =
                format!("--debug plays one game with a process, and this would be {games}{place}");
            let problem = Diagnostic::error("run/debug", title);
            problems.push(problem.help("name one scenario, and a subject: its command after `--as SIDE --`, or --subject NAME"));
        }
        checked(&problems)?;
        if let Some(shard) = self.selection.shard {
            plan.keep_shard(shard);
        }
        Ok(plan)
    }

    /// The subjects under test, and the scenarios that are selected. A subject that the command line describes without its game plays that
    /// of the scenarios, where these have one.
    fn tested_scenarios(
        &self,
        problems: &mut Diagnostics,
    ) -> Result<Option<(Tested<'_>, Vec<Scenario>)>, Status> {
        // The paths may be its command, and are not looked for then.
        if let Some(problem) = self.subject.without_a_place(&self.paths) {
            problems.push(problem);
            return Ok(None);
        }
        let described = self.subject.described_side();
        if let Some(side) = described.filter(|_| self.free_games.is_none()) {
            let scenarios = self.scenarios(side, self.subject.game, problems)?;
            let tested = self.subject.tested(game_of(&scenarios, side), problems);
            return Ok(tested.map(|tested| (tested, scenarios)));
        }
        let Some(tested) = self.subject.tested(None, problems) else {
            return Ok(None);
        };
        let scenarios = match self.free_games {
            Some(games) => self.free_scenarios(games, &tested, problems),
            None => {
                let named = tested.subjects.first();
                let named = named.filter(|_| tested.origin.is_one());
                let protocol = named.map(|subject| subject.protocol);
                self.scenarios(self.side(&tested), protocol, problems)?
            }
        };
        Ok(Some((tested, scenarios)))
    }

    /// The side that plays finished games again.
    fn side(&self, tested: &Tested<'_>) -> Side {
        let is_in_file = matches!(tested.origin, Origin::File(_));
        let mut sides = tested.subjects.iter().map(|subject| subject.side);
        match sides.any(|side| side == Side::Referee)
            && (!is_in_file || self.replayed.seat.is_none())
        {
            true => Side::Referee,
            false => Side::Bot,
        }
    }

    /// The scenarios that are selected: of the named files or suites, or else of the shipped suites. A finished game becomes one for a
    /// subject of this side and protocol.
    fn scenarios(
        &self,
        side: Side,
        protocol: Option<Protocol>,
        problems: &mut Diagnostics,
    ) -> Result<Vec<Scenario>, Status> {
        let failed = self.failed()?;
        let paths = self.paths.iter().cloned();
        let (finished, paths): (Vec<_>, Vec<_>) =
            paths.partition(|path| replay_live::is_finished_game(path));
        let matches = stored_matches(&finished)?;
        let (mut scenarios, found) = match (paths.is_empty(), finished.is_empty()) {
            (false, _) => scenario::load(&paths),
            (true, true) => scenario::suite::named(&self.suite),
            (true, false) => Default::default(),
        };
        problems.append(found);
        if finished.is_empty() && self.replayed != ReplayOptions::default() {
            let title = "--from, --seat and --game-number go with a finished game";
            let example =
                "name the recording: urtext run game.jsonl --from 12 --as bot -- python3 mybot.py";
            problems.push(Diagnostic::error("run/recording", title).help(example));
        }
        for game in finished {
            match self.replayed.scenario((side, protocol), &game, &matches) {
                Ok(scenario) => scenarios.push(scenario),
                Err(found) => problems.append(found),
            }
        }
        problems.extend(self.selection.filter.unmet(&scenarios));
        let count = scenarios.len();
        scenarios.retain(|scenario| {
            let has_failed = |failed: &BTreeSet<_>| failed.contains(&scenario.name);
            self.selection.filter.takes(scenario) && failed.as_ref().is_none_or(has_failed)
        });
        if scenarios.is_empty() && count > 0 {
            let title = format!("of {}, none is selected", counted(count, "scenario"));
            let help = "`urtext run --list` shows what a selection takes";
            problems.push(Diagnostic::error("run/nothing", title).help(help));
        }
        Ok(scenarios)
    }

    /// The names of what failed in the report of `--failed`.
    fn failed(&self) -> Result<Option<BTreeSet<String>>, Status> {
        let Some(path) = &self.selection.failed else {
            return Ok(None);
        };
        let report = read(path).map_err(|_| Status::Usage)?;
        let results = report.scenarios.into_iter();
        let failed = results.filter(ScenarioResult::has_failed);
        let failed: BTreeSet<_> = failed.map(|result| result.name).collect();
        if failed.is_empty() && report.end.is_some() {
            print(&format!("nothing failed in {}", visible::path(path)));
            return Err(Status::Conforms);
        }
        Ok(Some(failed))
    }

    /// Free games by the rules of the referee under test.
    fn free_scenarios(
        &self,
        games: u32,
        tested: &Tested<'_>,
        problems: &mut Diagnostics,
    ) -> Vec<Scenario> {
        let subjects = tested.subjects.iter();
        let referees = subjects.filter(|subject| {
            subject.side == Side::Referee && self.subject.is_of_game(subject.protocol.game_name())
        });
        let mut dialects: Vec<_> = referees
            .filter_map(|subject| subject.protocol.dialect())
            .collect();
        dialects.dedup_by_key(|dialect| dialect.game().name());
        let [dialect] = dialects[..] else {
            let title = "--free-games plays by the rules of a game against its referee, and it is open which one is meant";
            problems.push(Diagnostic::error("run/free-games", title).help(
                "name a referee with --subject, or describe it with --as referee; --game GAME alone means the built-in one",
            ));
            return Vec::new();
        };
        let game = |number| scenario::free_game(dialect, number);
        (1..=games).map(game).collect()
    }

    /// Each scenario with the subject it is for, and the first line of the report.
    fn pair(
        &self,
        scenarios: Vec<Scenario>,
        tested: &Tested<'_>,
        problems: &mut Diagnostics,
    ) -> (Vec<GamePlan>, String) {
        let (mut games, mut left_out) = (Vec::new(), LeftOut::new());
        let total = scenarios.len();
        for scenario in scenarios {
            let (game, side) = (scenario.protocol().game_name(), scenario.side());
            if !self.subject.is_of_game(game) {
                continue;
            }
            let subject = match file::usual(&tested.subjects, side, game) {
                Ok(subject) => Arc::clone(subject),
                Err(names) => {
                    // Of the built-in peers, the user asked for others.
                    if tested.origin != Origin::BuiltIn || peers::find(game).is_none() {
                        let mut reason = format!("for the {game} {}", side.word());
                        if !names.is_empty() {
                            let names = names.join("`, `");
                            reason += &format!(", and no `default:` decides between `{names}`");
                        }
                        *left_out.entry(reason).or_default() += 1;
                    }
                    continue;
                }
            };
            problems.extend(subject.unset_parameters());
            let scenario = Arc::new(subject.as_played(scenario));
            // A golden transcript that is written anew may be wrong or missing.
            let golden = match self.bless {
                true => Ok(None),
                false => golden_of(&scenario),
            };
            match golden {
                Ok(golden) => games.push(GamePlan {
                    scenario,
                    subject,
                    golden: golden.map(Arc::new),
                    seed: self.seed.wrapping_add(games.len() as u64),
                }),
                Err(found) => problems.append(found),
            }
        }
        if games.is_empty() && !problems.has_errors() {
            let title = format!("of {}, none has a subject", counted(total, "scenario"));
            let problem = Diagnostic::error("run/nothing", title);
            let reasons = left_out.keys().cloned();
            problems.push(reasons.fold(problem, Diagnostic::note).help(
                "a scenario says `subject: referee` or `subject: bot`, and its game; compare --as and --game, or name a subject with --subject",
            ));
        }
        let heading = heading(tested, &games, &left_out);
        (games, heading)
    }
}

/// The name of the game of these scenarios, where those for this side are of one game.
fn game_of(scenarios: &[Scenario], side: Side) -> Option<&'static str> {
    let of_side = scenarios.iter().filter(|scenario| scenario.side() == side);
    let mut names = of_side.map(|scenario| scenario.protocol().game_name());
    let first = names.next()?;
    names.all(|name| name == first).then_some(first)
}

/// The first line of a report: the program, the subjects, and what is left out.
fn heading(tested: &Tested<'_>, games: &[GamePlan], left_out: &LeftOut) -> String {
    let mut labels: Vec<String> = Vec::new();
    for GamePlan { subject, .. } in games {
        let mut label = format!("{} {}", subject.protocol.game_name(), subject.side.word());
        match &subject.built_in {
            None => label += &format!(" {}", subject.label()),
            Some(built_in) => {
                let fault = built_in.fault.iter();
                label.extend(fault.map(|fault| format!(" with the fault {fault}")));
            }
        }
        if !labels.contains(&label) {
            labels.push(label);
        }
    }
    let mut heading = labels.join(", ");
    let by_chance = games.iter().filter(|game| game.scenario.is_by_chance());
    let by_chance = by_chance.count();
    match &tested.origin {
        Origin::BuiltIn => {
            heading = format!("the built-in {heading}, in memory on a virtual clock");
        }
        Origin::File(path) => {
            heading += &format!(", from {}", visible::path(&in_repository(path)));
        }
        Origin::Named(_) | Origin::Described(..) => {}
    }
    if by_chance > 0 {
        let scenarios = counted(by_chance, "scenario");
        heading += &format!("; {scenarios} by chance, which a hook would force");
    }
    let reasons: Vec<_> = match left_out.len() {
        1 => left_out.keys().cloned().collect(),
        _ => left_out
            .iter()
            .map(|(reason, count)| format!("{count} {reason}"))
            .collect(),
    };
    let count: usize = left_out.values().sum();
    if count > 0 {
        heading += &format!("; {} left out: ", counted(count, "scenario"));
    }
    let (version, reasons) = (env!("CARGO_PKG_VERSION"), reasons.join(", "));
    format!("urtext {version}: {heading}{reasons}\n")
}

/// Returns true under a CI service, by the variable that all of them set.
fn is_ci() -> bool {
    std::env::var_os("CI")
        .is_some_and(|value| !value.is_empty() && value != "false" && value != "0")
}
