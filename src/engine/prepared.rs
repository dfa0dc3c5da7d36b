//! A game with what is known before it: what its subject is given, and the rolls that it is forced to.

use std::sync::Arc;
use std::time::Duration;

use super::attach::Given;
use super::run_plan::GamePlan;
use crate::config::{Folder, Program, RollHook, Subject, Values, Word, seconds};
use crate::diagnostic::visible::quoted;
use crate::event::Outcome;
use crate::finding::Verdict;
use crate::judge::Settings;
use crate::peers::Conditions;
use crate::protocol::{GameEvent, LaneKind};
use crate::requirement::Role;
use crate::rules::{PerSeat, Setup};
use crate::scenario::{PlannedGame, Scenario};
use crate::transport::{Breakdown, Patience, Spawn};

/// Spreads small numbers over all that there are, as a number that decides by chance has to be.
const MIXED: u64 = 0x9e37_79b9_7f4a_7c15;

/// The timeout that a subject receives if neither user nor scenario sets one.
const USUAL_TIMEOUT: Duration = Duration::from_secs(90);

/// A game with what is known before it.
pub(super) struct Prepared<'g> {
    pub(super) game: &'g GamePlan,
    /// The scenario, with the spectators that the subject lets in.
    pub(super) scenario: Arc<Scenario>,
    pub(super) settings: Settings,
    /// The lanes that are open from the start, in the order of their connections.
    pub(super) first_lanes: Vec<usize>,
    /// The time in which they open.
    pub(super) start_budget: Duration,
    /// Reaction to a refused connection.
    pub(super) patience: Patience,
}

impl Prepared<'_> {
    /// Gives the subject the values of the places of its command, and the forced rolls.
    pub(super) fn give(&self, given: &mut Given) -> Result<(), Breakdown> {
        given.values = self.values();
        self.force_rolls(given)
    }

    fn values(&self) -> Values {
        let Settings {
            timeout,
            pace,
            seed,
            ..
        } = self.settings;
        let timeout = timeout.unwrap_or(USUAL_TIMEOUT);
        let subject = &self.game.subject;
        let plan = self.scenario.game();
        let [first, second] = names_of(plan);
        let mut values = Values::from([
            ("spectators", plan.map_or(0, early_spectators).to_string()),
            ("pace", seconds(pace)),
            ("pace_ms", pace.as_millis().to_string()),
            ("seed", seed.to_string()),
            ("timeout", seconds(timeout)),
            ("timeout_ms", timeout.as_millis().to_string()),
            ("first", first),
            ("second", second),
            ("game", subject.game_name.clone()),
        ]);
        if let Some(plan) = plan {
            for place in &plan.unset {
                values.insert(*place, "");
            }
            // A subject that is told how the game starts is told so in every game.
            let setup = setup_of(plan, seed);
            for (place, value) in plan.dialect.game().setup_values(setup) {
                values.insert(place, value);
            }
        }
        for parameter in &subject.parameters {
            values.insert(
                parameter.name.clone(),
                parameter.value.clone().unwrap_or_default(),
            );
        }
        values
    }

    /// Writes the forced rolls where the subject takes them: into places, a file, or the environment.
    fn force_rolls(&self, given: &mut Given) -> Result<(), Breakdown> {
        let forced = |plan: &PlannedGame| {
            let rolls = plan.forced_rolls().into_iter();
            let game = plan.dialect.game();
            rolls.map(|roll| game.format_roll(roll)).collect()
        };
        let rolls: Vec<_> = self.scenario.game().map(forced).unwrap_or_default();
        let subject = &self.game.subject;
        let format = &subject.roll_format;
        match &subject.roll_hook {
            Some(RollHook::Environment(name)) => {
                let variable = (name.clone(), format.line(&rolls));
                given.environment.push(variable);
            }
            Some(RollHook::Arguments) => {
                given.values.insert("rolls", format.line(&rolls));
                if subject.takes("rolls_file") {
                    let file = given.workspace.file("rolls", &format.file(&rolls))?;
                    given.values.insert("rolls_file", file.to_string_lossy());
                }
            }
            None => {}
        }
        Ok(())
    }

    /// Describes the process that is started for the subject.
    pub(super) fn spawn(&self, program: &Program, given: &mut Given) -> Result<Spawn, Breakdown> {
        let mut values = given.values.clone();
        values.insert("here", program.here.to_string_lossy());
        let folder = match &program.folder {
            Folder::Current => None,
            Folder::Clean => Some(given.workspace.folder("work")?),
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
        let ours = given.environment.iter();
        let ours = ours.map(|(name, value)| (name.clone(), Some(value.clone())));
        Ok(Spawn {
            words: command.fill(&values),
            environment: own.chain(ours).collect(),
            folder: folder.map(Into::into),
            limits: program.limits.into(),
            remove: given.workspace.path().map(Into::into),
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
    match plan.and_then(|plan| plan.keys.names.as_ref()) {
        Some(names) => names.0.clone(),
        None => ["PlayerA".to_owned(), "PlayerB".to_owned()],
    }
}

/// Returns the number of spectators that the referee waits for: those present from the start.
fn early_spectators(plan: &PlannedGame) -> usize {
    (plan.spectators as usize).saturating_sub(plan.late_spectators().count())
}

/// Returns the conditions of a game in memory for a built-in peer, equal to those on its command line.
pub(super) fn conditions(plan: &PlannedGame, settings: &Settings) -> Conditions {
    let game = plan.dialect.game();
    let is_unset = |place: &str| plan.leaves(place);
    let given = settings.timeout.filter(|_| !is_unset("timeout"));
    let pace = if is_unset("pace") {
        game.data().default_pace.unwrap_or_default()
    } else {
        settings.pace
    };
    Conditions {
        names: PerSeat(names_of(Some(plan)).map(String::into_bytes)),
        timeout: given
            .or(game.data().default_timeout)
            .unwrap_or(USUAL_TIMEOUT),
        pace,
        spectators: early_spectators(plan),
        rolls: plan.forced_rolls(),
        setup: Some(setup_of(plan, settings.seed)),
        seed: settings.seed,
    }
}

/// The lanes that are there from the beginning, in the order in which they are opened: that of the scenario, or players first.
pub(super) fn first_lanes(scenario: &Scenario) -> Vec<usize> {
    let (players, spectators) = scenario.lanes();
    let present = (0..players + spectators).filter(|&lane| scenario.opens_at_start(lane));
    let order = scenario
        .game()
        .and_then(|plan| plan.keys.connect.as_deref());
    let order = order.unwrap_or_default();
    in_order(order, players, present)
}

fn in_order(order: &[LaneKind], players: usize, lanes: impl Iterator<Item = usize>) -> Vec<usize> {
    let (playing, watching): (Vec<_>, Vec<_>) = lanes.partition(|&lane| lane < players);
    let (mut playing, mut watching) = (playing.into_iter(), watching.into_iter());
    let mut lanes: Vec<_> = order
        .iter()
        .filter_map(|kind| {
            if *kind == LaneKind::Player {
                playing.next()
            } else {
                watching.next()
            }
        })
        .collect();
    lanes.extend(playing.chain(watching));
    lanes
}

/// Adds to a finding about forced rolls what was written to the hook, and what came.
pub(super) fn explain_rolls(outcome: &mut Outcome, subject: &Subject, plan: &PlannedGame) {
    let game = plan.dialect.game();
    let rolls: Vec<_> = plan
        .forced_rolls()
        .into_iter()
        .map(|roll| game.format_roll(roll))
        .collect();
    let roll_line = plan.dialect.id(Role::Roll);
    let shown: Vec<_> = outcome
        .history
        .iter()
        .filter_map(|happening| match happening {
            GameEvent::Rolled { roll, .. } => Some(game.format_roll(*roll)),
            GameEvent::Moved { .. } | GameEvent::Lost { .. } => None,
        })
        .collect();
    let (Some(hook), Some(finding)) = (&subject.roll_hook, outcome.findings.first_mut()) else {
        return;
    };
    // A first roll that is none at all may come of a text that the subject reads in another way.
    let is_no_roll = finding.verdict == Verdict::Fail
        && finding.requirement == Some(roll_line)
        && shown.is_empty();
    if rolls.is_empty() || !(finding.by_hook || is_no_roll) {
        return;
    }
    let format = &subject.roll_format;
    let (place, text) = match hook {
        RollHook::Environment(name) => (format!("the variable {name}"), format.line(&rolls)),
        RollHook::Arguments if subject.takes("rolls_file") => {
            ("the file {rolls_file}".to_owned(), format.file(&rolls))
        }
        RollHook::Arguments => ("the argument {rolls}".to_owned(), format.line(&rolls)),
    };
    finding.notes.push(format!(
        "the forced rolls were written to {place}: {}",
        quoted(&text)
    ));
    if !shown.is_empty() {
        let came = format!("what came: {}", shown.join(", "));
        finding.notes.push(came);
    }
    finding.notes.push(format!(
        "check that the referee reads {place}; if it reads rolls in another form, say so under `rolls` (between-rolls, between-digits, \
         digits); without a hook (`rolls: none`), `--free-games` judges what it rolls itself"
    ));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Address, Way};
    use crate::finding::Finding;
    use crate::pack::{self, Protocol};
    use crate::rules::Seat;
    use crate::scenario::{Side, suite};

    #[test]
    fn lanes_are_opened_in_the_order_of_the_scenario_and_otherwise_players_first() {
        let (player, spectator) = (LaneKind::Player, LaneKind::Spectator);
        assert_eq!(in_order(&[], 2, [0, 1, 2, 4].into_iter()), [0, 1, 2, 4]);
        let order = [spectator, player, spectator, player];
        assert_eq!(in_order(&order, 2, [0, 1, 2, 4].into_iter()), [2, 0, 4, 1]);
        // A subject may have no spectators.
        assert_eq!(in_order(&order, 2, [0, 1].into_iter()), [0, 1]);
    }

    #[test]
    fn says_what_was_written_what_came_and_what_to_check() {
        let game = pack::usual().game;
        let scenarios = suite::all().0;
        let plans = scenarios
            .iter()
            .map(|scenario| (scenario, scenario.game().unwrap()));
        let (scenario, plan) = plans
            .into_iter()
            .find(|(_, plan)| {
                plan.side == Side::Referee
                    && plan.dialect.game().name() == pack::usual().game.name()
                    && plan.forced_rolls().len() > 2
                    && !game
                        .format_roll(plan.forced_rolls()[0])
                        .starts_with("1 1 1 1")
            })
            .unwrap();
        let protocol = Protocol::Game(plan.dialect);
        let mut subject = Subject::new("s", Side::Referee, protocol, Way::Connect(Address::Chosen));
        subject.roll_hook = Some(RollHook::Environment("MY_ROLLS".to_owned()));
        let mut finding = Finding::new(Verdict::Error, "the roll hook does not work");
        finding.by_hook = true;
        let mut outcome = Outcome::new(scenario).with(finding);
        let roll = game.parse_roll("1 1 1 1").unwrap();
        outcome.history.push(GameEvent::Rolled {
            by: Seat::First,
            roll,
            skipped: false,
        });
        explain_rolls(&mut outcome, &subject, plan);
        let [written, came, check] = &outcome.findings[0].notes[..] else {
            panic!("three notes")
        };
        let first = game.format_roll(plan.forced_rolls()[0]).replace(' ', "");
        assert!(
            written.starts_with(&format!(
                "the forced rolls were written to the variable MY_ROLLS: \"{first} "
            )),
            "{written}"
        );
        assert_eq!(came, "what came: 1 1 1 1");
        assert!(check.contains("between-digits"), "{check}");
    }
}
