//! The golden transcript of a scenario, held against the game that is played in memory with a subject that does everything right.

use std::sync::Arc;
use std::time::Duration;

use super::play::Play;
use super::prepared::{conditions, first_lanes};
use super::record::Recorder;
use super::simulation::{Network, Simulation};
use crate::config::LateSpectator;
use crate::diagnostic::visible::quoted;
use crate::diagnostic::{Diagnostic, Diagnostics, Source, Span, visible};
use crate::judge::{Budgets, Settings};
use crate::pack::row;
use crate::pack::spoiler::{Reading, Sort, Spoiler};
use crate::peers::{Bot, Farewell, Machine, Policy, Referee};
use crate::scenario::{Choice, Deed, Golden, PlannedGame, Scenario, Side, golden_text};
use crate::transcript::compare::{LaneComparison, compare};
use crate::transcript::{Direction, Entry, Transcript, golden};

/// Code of the fault that a golden transcript belongs to another game.
const OTHER_GAME: &str = "golden/other-game";

/// Reads the golden transcript of a scenario; `None` where there is none yet.
///
/// # Errors
/// Everything that is wrong with it: it is named but not there, cannot be read, or is not that of the game that the scenario determines: then
/// the first line of each lane that differs.
pub fn golden_of(scenario: &Arc<Scenario>) -> Result<Option<Transcript>, Diagnostics> {
    let Some(source) = golden_text(scenario)? else {
        return Ok(None);
    };
    let golden = golden::read(&source)?;
    let (wanted, found) = (scenario.protocol().name(), golden.protocol.name());
    if wanted != found {
        let name = scenario.source.name();
        let title = format!(
            "this golden transcript is in the dialect `{found}`, and the scenario {name} in `{wanted}`"
        );
        let help = "name another golden transcript, or remove it and run with --bless";
        let problem = Diagnostic::error(OTHER_GAME, title).in_file(source.name());
        return Err(problem.help(help).into());
    }
    // Those inside the program are known to be right.
    let is_file = matches!(scenario.golden, Golden::File { .. });
    let chooses = |plan: &PlannedGame| {
        let mut turns = plan.turns();
        turns.any(|(_, turn)| matches!(turn.deed, Deed::Move(Choice::Any { .. })))
    };
    let is_free = scenario.game().is_none_or(chooses);
    let predicted = (is_file && !is_free).then(|| dry_run(scenario)).flatten();
    let lanes = predicted.map_or_else(Vec::new, |predicted| compare(&golden, &predicted));
    let mut problems = Diagnostics::new();
    problems.extend(
        lanes
            .iter()
            .map(|lane| difference(lane, &golden, &source, scenario)),
    );
    match problems.is_empty() {
        true => Ok(Some(golden)),
        false => Err(problems),
    }
}

/// The first difference of a lane.
fn difference(
    lane: &LaneComparison,
    golden: &Transcript,
    source: &Source,
    scenario: &Scenario,
) -> Diagnostic {
    let first = &lane.differences[0];
    let entries = golden
        .lane(lane.label)
        .map_or(&[][..], |lane| &lane.entries);
    let entry = entries.get(first.expected_line - 1).or(entries.last());
    let title = "this golden transcript is not that of the game of its scenario";
    let problem = Diagnostic::error(OTHER_GAME, title);
    let problem = match entry {
        Some(entry) => problem.at(source, line_span(source, entry.number), ""),
        None => problem.in_file(source.name()),
    };
    let name = lane.label.display(scenario.protocol().seat_names());
    let does = match first.direction {
        Direction::Sent => "sends",
        Direction::Received => "receives",
    };
    let line = |entry: &Entry| quoted(&entry.line.text).at_most(80).to_string();
    let differs = match (&first.expected, &first.observed) {
        (_, Some(_)) if entry.is_none() => format!("there is a lane `{name}` as well"),
        (Some(_), Some(other)) => format!("`{name}` {does} {} instead", line(other)),
        (None, Some(more)) => format!("`{name}` {does} {} as well", line(more)),
        (_, None) => format!("`{name}` {does} no such line"),
    };
    let scenario = visible::plain(scenario.source.name());
    problem
        .note(format!("by {scenario}, {differs}"))
        .help("write it anew with `urtext run --bless`, or name another one in the scenario")
}

/// The line of that number, counted from 1.
fn line_span(source: &Source, number: usize) -> Span {
    let mut lines = source.bytes().split_inclusive(|&byte| byte == b'\n');
    let start = lines.by_ref().take(number - 1).map(<[u8]>::len).sum();
    let length = lines.next().map_or(0, <[u8]>::len);
    source.first_line(Span::new(start, start + length))
}

/// Timeout of scenarios that set none.
const TIMEOUT: Duration = Duration::from_secs(1);

/// Longest game, on the virtual clock.
const BUDGET: Duration = Duration::from_secs(24 * 3600);

/// Of what the specification leaves open, the subject takes for a move what may be one.
const LENIENT: &[Spoiler] = &[Spoiler::Reads(Sort::Open, Reading::Move)];

/// The game of a scenario whose every turn is determined, as the model predicts it; `None` where something is left open or to chance.
#[must_use]
pub fn dry_run(scenario: &Arc<Scenario>) -> Option<Transcript> {
    let plan = scenario.game()?;
    let is_dealt = plan.setup.is_some() || plan.dialect.game().setup_keys().is_empty();
    if !is_dealt || plan.is_adaptive() || plan.plays_to_the_end() {
        return None;
    }
    let settings = Settings {
        budgets: Budgets::default(),
        timeout: Some(plan.timeout.unwrap_or(TIMEOUT)),
        pace: Duration::ZERO,
        lag: Duration::ZERO,
        late_spectator: LateSpectator::Nothing,
        seed: 1,
    };
    let peer = (plan.side, subject(plan, &settings));
    let play = Play::new(scenario, settings, None, Recorder::default());
    let links = (1, Network::Ideal, plan.side == Side::Bot);
    let simulation = Simulation::new(play, peer, &first_lanes(scenario), links);
    let (play, ..) = simulation.play(BUDGET);
    play.judge.conclude().prediction
}

/// The subject; a bot gives the answers of the scenario.
fn subject(plan: &PlannedGame, settings: &Settings) -> Machine<'static, Farewell> {
    let conditions = conditions(plan, settings);
    match plan.side {
        Side::Referee => {
            let fault = row("reads-open-lines", "", "", LENIENT);
            let referee = Referee::new(plan.dialect, &conditions);
            referee
                .with_fault(Some(fault))
                .machine(conditions.spectators)
        }
        Side::Bot => {
            let of_bot = plan.turns().filter(|(_, turn)| turn.seat == plan.bot_seat);
            let answer = |deed: &Deed| match deed {
                Deed::Move(Choice::This(mv)) => Some(Some(*mv)),
                Deed::Move(Choice::Any { .. }) => Some(None),
                _ => None,
            };
            let answers = of_bot.filter_map(|(_, turn)| answer(&turn.deed)).collect();
            let bot = Bot::new(plan.dialect, Policy::First, settings.seed, Duration::ZERO);
            bot.with_answers(answers).machine()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::suite;

    /// Returns true if no player is free in it.
    fn is_fixed(scenario: &Scenario) -> bool {
        let mut turns = scenario.game().unwrap().turns();
        turns.all(|(_, turn)| !matches!(turn.deed, Deed::Move(Choice::Any { .. })))
    }

    #[test]
    fn agrees_with_the_golden_transcripts_of_the_shipped_scenarios() {
        let (scenarios, problems) = suite::all();
        assert!(!problems.has_errors());
        let (mut agreeing, mut refused) = ([0, 0], Vec::new());
        for scenario in scenarios.into_iter().filter(is_fixed).map(Arc::new) {
            let Ok(Some(golden)) = golden_of(&scenario) else {
                continue;
            };
            match dry_run(&scenario) {
                Some(checked) => {
                    let comparison = compare(&golden, &checked);
                    assert!(comparison.is_empty(), "{}: {comparison:?}", scenario.name);
                    agreeing[usize::from(scenario.side() == Side::Bot)] += 1;
                }
                None => refused.push(scenario.name.clone()),
            }
        }
        assert!(
            agreeing[0] > 60 && agreeing[1] > 1,
            "{agreeing:?}, none of {refused:?}"
        );
    }
}
