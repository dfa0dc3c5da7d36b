//! The files that a scenario refers to, and its golden transcript: its path on disk, its text, and if it can belong to the scenario.
//!
//! A scenario `…/scenarios/X/NAME.yaml` has it in the tree beside, `…/snapshots/X/NAME.txt`; the nearest folder called `scenarios`
//! counts. Any other `NAME.yaml` has it in the same folder, as `NAME.golden.txt`. A case has its name before the ending, `NAME.CASE.txt`. A name in the scenario replaces the file's name and stays in
//! that folder, whatever links lie on the way: a scenario may come from a stranger, and a golden transcript is written to.

use std::io;
use std::path::{Component, Path, PathBuf};

use super::{Golden, Plan, PlannedGame, Scenario, Side};
use crate::diagnostic::{Diagnostic, Diagnostics, Faults, Source, Span};
use crate::platform::folder_of;
use crate::protocol::RefereeLine;
use crate::rules::{Roll, Seat};
use crate::transcript::{Direction, LaneLabel, Transcript, golden};

/// The folder that holds scenarios.
const SCENARIOS: &str = "scenarios";
/// The folder beside it that holds golden transcripts.
const SNAPSHOTS: &str = "snapshots";

/// The golden transcript of the scenario in that file. A link that leads out of its tree is a fault.
pub(super) fn on_disk(
    scenario: &Path,
    case: Option<&str>,
    named: Option<NamedGolden<'_>>,
    faults: &Faults<'_>,
) -> Golden {
    let (root, folder, is_parallel) = match parallel(scenario) {
        Some((root, folder)) => (root, folder, true),
        None => {
            let folder = scenario.parent().unwrap_or(Path::new("")).to_owned();
            (folder.clone(), folder, false)
        }
    };
    let path = match (named, scenario.file_stem()) {
        (Some(named), _) => folder.join(named.path),
        (None, stem) => {
            let mut name = stem.unwrap_or_default().to_owned();
            if let Some(case) = case {
                name.push(format!(".{case}"));
            }
            name.push(if is_parallel { ".txt" } else { ".golden.txt" });
            folder.join(name)
        }
    };
    let span = named.map(|named| named.span);
    if !stays_inside(&root, &path) {
        refuse(&path, &root, span, faults);
        return Golden::None;
    }
    Golden::File { path, named: span }
}

/// Reads the golden transcript of a scenario; `None` where there is none yet.
///
/// # Errors
/// Everything that is wrong with it: it is named but not there, cannot be read, or belongs to another game.
pub fn golden_of(scenario: &Scenario) -> Result<Option<Transcript>, Diagnostics> {
    let source = match &scenario.golden {
        Golden::None => return Ok(None),
        Golden::Shipped { name, text } => Source::new(name, *text),
        Golden::File { path, named } => match (path.exists(), named) {
            (true, _) => Source::read(path, golden::LARGEST)?,
            (false, None) => return Ok(None),
            (false, Some(span)) => {
                let title = format!("there is no golden transcript {}", path.display());
                let problem =
                    Diagnostic::error("golden/missing", title).at(&scenario.source, *span, "");
                let help = "check the spelling; `urtext run --bless` writes one";
                return Err(problem.help(help).into());
            }
        },
    };
    let golden = golden::read(&source)?;
    let mut problems = Diagnostics::new();
    problems.extend(mismatches(scenario, &golden, &source));
    if problems.has_errors() {
        Err(problems)
    } else {
        Ok(Some(golden))
    }
}

/// The folder that holds both trees, and the one for the golden transcripts of this scenario.
fn parallel(scenario: &Path) -> Option<(PathBuf, PathBuf)> {
    let is_scenarios = |component: &Component<'_>| component.as_os_str() == SCENARIOS;
    // The path as it was typed is kept where it tells, so that messages name short paths.
    let mut whole = scenario.to_owned();
    if !folders(&whole).iter().any(is_scenarios) || folders(&whole).contains(&Component::ParentDir)
    {
        whole = folder_of(scenario)
            .canonicalize()
            .ok()?
            .join(scenario.file_name()?);
    }
    let folders = folders(&whole);
    let place = folders.iter().rposition(is_scenarios)?;
    let root: PathBuf = folders[..place].iter().collect();
    let below: PathBuf = folders[place + 1..].iter().collect();
    let folder = root.join(SNAPSHOTS).join(below);
    Some((root, folder))
}

fn folders(path: &Path) -> Vec<Component<'_>> {
    path.parent()
        .map(|folder| folder.components().collect())
        .unwrap_or_default()
}

/// Returns the name of the scenario in that file: its path below the folder `scenarios`, or else as it was
/// typed, without the extension.
pub(super) fn scenario_name(path: &Path) -> String {
    let is_around = path.components().any(|part| part == Component::ParentDir);
    let whole = if is_around {
        path.canonicalize().ok()
    } else {
        None
    };
    let path = whole.as_deref().unwrap_or(path).with_extension("");
    let parts: Vec<Component<'_>> = path.components().collect();
    let folders = &parts[..parts.len().saturating_sub(1)];
    let below = folders
        .iter()
        .rposition(|part| part.as_os_str() == SCENARIOS)
        .map_or(0, |place| place + 1);
    let names = parts[below..]
        .iter()
        .filter(|part| matches!(part, Component::Normal(_)));
    names
        .map(|part| part.as_os_str().to_string_lossy())
        .collect::<Vec<_>>()
        .join("/")
}

/// Returns true if the file, or the part of its path that exists, is inside the folder after links are
/// followed.
pub(super) fn stays_inside(root: &Path, path: &Path) -> bool {
    let root = if root.as_os_str().is_empty() {
        Path::new(".")
    } else {
        root
    };
    let Ok(root) = root.canonicalize() else {
        return false;
    };
    let mut part = path;
    loop {
        let shown = if part.as_os_str().is_empty() {
            Path::new(".")
        } else {
            part
        };
        match shown.symlink_metadata() {
            // A link to nothing cannot be followed, so canonicalize refuses it, and so does this.
            Ok(_) => {
                return shown
                    .canonicalize()
                    .is_ok_and(|whole| whole.starts_with(&root));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(_) => return false,
        }
        match part.parent() {
            Some(parent) => part = parent,
            None => return false,
        }
    }
}

fn refuse(path: &Path, root: &Path, named: Option<Span>, faults: &Faults<'_>) {
    let root = if root.as_os_str().is_empty() {
        Path::new(".")
    } else {
        root
    };
    let title = format!(
        "the golden transcript {} is not inside {}",
        path.display(),
        root.display()
    );
    let fault = Diagnostic::error("scenario/golden", title);
    let fault = match named {
        Some(span) => fault.at(faults.source(), span, "a link on the way leads elsewhere"),
        None => fault
            .in_file(faults.source().name())
            .note("a link on the way leads elsewhere, or to nothing"),
    };
    faults.push(fault.help("replace the link by the file or the folder that it leads to"));
}

/// A scenario's reference to its golden transcript: a relative path inside its folder, with the span.
#[derive(Debug, Clone, Copy)]
pub struct NamedGolden<'n> {
    /// The path.
    pub path: &'n str,
    /// Span of the path.
    pub span: Span,
}

/// Access to a scenario's files: its golden transcripts, and the files that it includes.
pub trait ScenarioFiles {
    /// Locates the golden transcript, by the name that the scenario gives. `case` is the case, in a file of
    /// several. It is asked only where there can be a golden transcript, and may push faults. By default there is none.
    fn golden(
        &self,
        _case: Option<&str>,
        _named: Option<NamedGolden<'_>>,
        _faults: &Faults<'_>,
    ) -> Golden {
        Golden::None
    }

    /// The file at a path that is relative to the scenario's folder and stays in it.
    ///
    /// # Errors
    /// Why it cannot be had, in words that follow a colon.
    fn include(&self, path: &str) -> Result<Source, String>;

    /// Returns true if the scenario is known to exercise the requirements that it checks. To find that out
    /// takes most of the time of reading it.
    fn has_proven_checks(&self) -> bool {
        false
    }
}

/// Nothing lies around the scenario: it has no golden transcript, and can include nothing.
#[derive(Debug, Clone, Copy)]
pub struct Alone;

impl ScenarioFiles for Alone {
    fn include(&self, _path: &str) -> Result<Source, String> {
        Err("there are no files beside this scenario".to_owned())
    }
}

/// Code of the fault that a golden transcript belongs to another game.
const OTHER_GAME: &str = "golden/other-game";

/// Says where a golden transcript belongs to another game than the scenario: by its protocol, its lanes, or its rolls.
///
/// It compares what a scenario fixes and nothing more, so a transcript that passes may still differ from what is observed.
fn mismatches(scenario: &Scenario, golden: &Transcript, source: &Source) -> Vec<Diagnostic> {
    let of = format!("the scenario {}", scenario.source.name());
    let (wanted, found) = (scenario.protocol().name(), golden.protocol.name());
    if wanted != found {
        let title =
            format!("this golden transcript is in the dialect `{found}`, and {of} in `{wanted}`");
        return vec![
            Diagnostic::error(OTHER_GAME, title)
                .in_file(source.name())
                .help(
                    "name another golden transcript, or remove it and run with --bless".to_owned(),
                ),
        ];
    }
    let mut mismatches = Vec::new();
    let seat_names = scenario.protocol().seat_names();
    for label in golden
        .lanes
        .iter()
        .map(|lane| lane.label)
        .filter(|label| !has_lane(scenario, *label))
    {
        let title = format!("{of} has no lane of `{}`", label.display(seat_names));
        let help = "remove its block, or name another golden transcript";
        mismatches.push(
            Diagnostic::error(OTHER_GAME, title)
                .in_file(source.name())
                .help(help),
        );
    }
    if let Some(plan) = scenario.game() {
        wrong_rolls(plan, golden, source, &of, &mut mismatches);
    }
    mismatches
}

/// Adds, for each lane, the first roll that is not the one that the scenario forces; `of` names the scenario.
fn wrong_rolls(
    plan: &PlannedGame,
    golden: &Transcript,
    source: &Source,
    of: &str,
    mismatches: &mut Vec<Diagnostic>,
) {
    let rolls: Vec<Roll> = plan.forced_rolls();
    for lane in &golden.lanes {
        let greeting = plan
            .dialect
            .greeting(matches!(lane.label, LaneLabel::Spectator(_)))
            .len();
        let received = lane
            .entries
            .iter()
            .filter(|entry| entry.direction == Direction::Received);
        let shown =
            received
                .skip(greeting)
                .filter_map(|entry| match plan.dialect.hear(&entry.line.text) {
                    RefereeLine::Roll(roll) => Some((roll, entry.number)),
                    _ => None,
                });
        for (number, (roll, line)) in shown.enumerate() {
            let wanted = rolls.get(number);
            if wanted == Some(&roll) {
                continue;
            }
            let title = "this golden transcript is of another game than its scenario".to_owned();
            let fault =
                Diagnostic::error(OTHER_GAME, title).at(source, line_span(source, line), "");
            let game = plan.dialect.game();
            let fault = fault.help(
                "write it anew with `urtext run --bless`, or name another one in the scenario"
                    .to_owned(),
            );
            mismatches.push(match wanted {
                Some(wanted) => fault.note(format!(
                    "roll {} is {} here, and {} in {of}",
                    number + 1,
                    game.format_roll(roll),
                    game.format_roll(*wanted)
                )),
                None => fault.note(format!("{of} has only {} rolls", rolls.len())),
            });
            break;
        }
    }
}

fn has_lane(scenario: &Scenario, label: LaneLabel) -> bool {
    let plan = match &scenario.plan {
        Plan::Game(plan) => plan,
        Plan::Dialogue(dialogue) => {
            return matches!(label, LaneLabel::Unseated(number) if number as usize <= dialogue.participants.len());
        }
    };
    match (plan.side, label) {
        (Side::Referee, LaneLabel::Player(Seat::First | Seat::Second)) => true,
        (Side::Referee, LaneLabel::Spectator(number)) => number <= plan.spectators,
        (Side::Bot, LaneLabel::Player(seat)) => seat == plan.bot_seat,
        (Side::Bot, LaneLabel::Spectator(_)) | (_, LaneLabel::Unseated(_)) => false,
    }
}

/// The line of that number, counted from 1.
fn line_span(source: &Source, number: usize) -> Span {
    let mut start = 0;
    for (index, line) in source.bytes().split(|&byte| byte == b'\n').enumerate() {
        if index + 1 == number {
            return source.first_line(Span::new(start, start + line.len()));
        }
        start += line.len() + 1;
    }
    Span::at(source.bytes().len())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_scenario_is_called_by_its_path_below_the_folder_of_scenarios() {
        for (path, name) in [
            ("scenarios/x/referee/a.yaml", "x/referee/a"),
            ("/x/scenarios/y/scenarios/a.yml", "a"),
            ("./mine/a.b.yaml", "mine/a.b"),
            ("scenarios.yaml", "scenarios"),
            ("/x/a.yaml", "x/a"),
        ] {
            assert_eq!(scenario_name(Path::new(path)), name, "{path}");
        }
        let folder = tempfile::tempdir().unwrap();
        let mine = folder.path().join("scenarios/mine");
        fs::create_dir_all(&mine).unwrap();
        fs::write(mine.join("a.yaml"), "").unwrap();
        assert_eq!(scenario_name(&mine.join("../mine/a.yaml")), "mine/a");
    }
}
