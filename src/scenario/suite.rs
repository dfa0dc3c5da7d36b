//! The shipped suites: scenarios and golden transcripts inside the program.
//!
//! A suite is a folder of scenarios, and called by its path: `X/referee`. `X` means all suites below it.

use include_dir::{Dir, include_dir};

use super::{Golden, GoldenName, Scenario, ScenarioFiles, is_scenario_file, resolve};
use crate::diagnostic::{Diagnostic, Diagnostics, Faults, Source, suggest, visible};
use crate::pack::{self, Pack};
use crate::yaml::At;

static SCENARIOS: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/scenarios");

/// A scenario file inside the program.
struct Shipped {
    /// Its path without the ending.
    name: String,
    text: &'static str,
}

/// The names of all suites, sorted.
#[must_use]
pub fn names() -> Vec<String> {
    let mut names: Vec<String> = shipped()
        .iter()
        .filter_map(|file| folder(&file.name))
        .map(str::to_owned)
        .collect();
    names.dedup();
    names
}

/// Returns true if a suite or a shipped scenario has that name.
pub(super) fn has(name: &str) -> bool {
    !name.is_empty() && shipped().iter().any(|file| is_within(&file.name, name))
}

/// The scenarios of the suite of that name, or of all suites below it. Of the name of a scenario, that one.
///
/// A suite that does not exist is an error; the shipped scenarios themselves have none.
#[must_use]
pub fn load(name: &str) -> (Vec<Scenario>, Diagnostics) {
    let (mut scenarios, mut diagnostics) = (Vec::new(), Diagnostics::new());
    let wanted = name.trim_end_matches('/');
    let (file_wanted, _) = wanted.split_once('#').unwrap_or((wanted, ""));
    for file in shipped()
        .iter()
        .filter(|file| is_within(&file.name, file_wanted))
    {
        let source = Source::new(&format!("scenarios/{}.yaml", file.name), file.text);
        let (found, faults) = resolve(&source, &file.name, &Inside(&file.name));
        let is_wanted = |scenario: &Scenario| !wanted.contains('#') || scenario.name == wanted;
        scenarios.extend(found.into_iter().filter(is_wanted));
        diagnostics.append(faults);
    }
    if scenarios.is_empty() && diagnostics.is_empty() {
        diagnostics.push(unknown(name));
    }
    (scenarios, diagnostics)
}

/// All shipped scenarios, in the order of their names.
#[must_use]
pub fn all() -> (Vec<Scenario>, Diagnostics) {
    load("")
}

/// The scenarios of several suites, by name; all shipped ones where none is named.
#[must_use]
pub fn named(names: &[String]) -> (Vec<Scenario>, Diagnostics) {
    if names.is_empty() {
        return all();
    }
    let mut found = (Vec::new(), Diagnostics::new());
    for name in names {
        let (scenarios, problems) = load(name);
        found.0.extend(scenarios);
        found.1.append(problems);
    }
    found
}

fn is_within(name: &str, wanted: &str) -> bool {
    wanted.is_empty()
        || name
            .strip_prefix(wanted)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn folder(name: &str) -> Option<&str> {
    name.rsplit_once('/').map(|(folder, _)| folder)
}

fn unknown(name: &str) -> Diagnostic {
    let names = names();
    if names.is_empty() {
        let fault = Diagnostic::error("suite/unknown", "no suite is shipped with this program");
        return fault.help("name scenario files, or folders of them");
    }
    let title = format!("there is no suite `{}`", visible::plain(name).at_most(60));
    let fault = Diagnostic::error("suite/unknown", title);
    let scenarios = shipped().into_iter().map(|file| file.name);
    let known: Vec<_> = names.iter().cloned().chain(scenarios).collect();
    match suggest(name, known.iter().map(String::as_str)) {
        Some(meant) => fault.help(format!("write `{meant}`")),
        None => fault.help(format!("the suites are {}", names.join(", "))),
    }
}

/// The text of a golden transcript inside the program.
fn shipped_golden(name: &str) -> Option<&'static str> {
    pack::all().find_map(|pack| {
        let path = name.strip_prefix(pack.suite?)?.strip_prefix('/')?;
        pack.goldens?.get_file(path)?.contents_utf8()
    })
}

/// Every scenario inside the program for its packs, sorted by folder and name: what a folder holds stands before the folders in it.
fn shipped() -> Vec<Shipped> {
    let mut files = Vec::new();
    let of_pack = |pack: &'static Pack| SCENARIOS.get_dir(pack.suite?);
    let mut folders: Vec<_> = pack::all().filter_map(of_pack).collect();
    while let Some(folder) = folders.pop() {
        folders.extend(folder.dirs());
        for file in folder.files().filter(|file| is_scenario_file(file.path())) {
            let name = file
                .path()
                .with_extension("")
                .to_string_lossy()
                .into_owned();
            files.extend(file.contents_utf8().map(|text| Shipped { name, text }));
        }
    }
    files.sort_by(|one, other| {
        let key = |file: &Shipped| (folder(&file.name).map(str::to_owned), file.name.clone());
        key(one).cmp(&key(other))
    });
    files
}

/// The surroundings of the scenario of that name.
struct Inside<'n>(&'n str);

impl Inside<'_> {
    fn beside(&self, path: &str) -> String {
        folder(self.0).map_or_else(|| path.to_owned(), |folder| format!("{folder}/{path}"))
    }
}

impl ScenarioFiles for Inside<'_> {
    fn golden(&self, case: Option<&str>, named: Option<&At<GoldenName>>, _: &Faults) -> Golden {
        let name = match (named, case) {
            (Some(named), _) => self.beside(&named.is.0),
            (None, Some(case)) => format!("{}.{case}.txt", self.0),
            (None, None) => format!("{}.txt", self.0),
        };
        match shipped_golden(&name) {
            Some(text) => Golden::Shipped {
                name: format!("snapshots/{name}"),
                text,
            },
            None => Golden::None,
        }
    }

    fn include(&self, path: &str) -> Result<Source, String> {
        let path = self.beside(path);
        let text = SCENARIOS
            .get_file(&path)
            .and_then(|file| file.contents_utf8());
        let text = text.ok_or_else(|| "there is no such file".to_owned())?;
        Ok(Source::new(&format!("scenarios/{path}"), text))
    }

    /// A test reads every shipped scenario from its file, where this is found out.
    fn has_proven_checks(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Paint;
    use crate::protocol::{OffTurn, PlayerLine};
    use crate::scenario::{Act, Choice, Deed, Participant, SendPart, Side, Turn};

    #[test]
    fn every_shipped_scenario_is_without_a_fault() {
        let (scenarios, diagnostics) = all();
        assert_eq!(diagnostics.draw(Paint::Plain), "");
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
        let (from_files, diagnostics) = crate::scenario::load(&[folder]);
        assert_eq!(diagnostics.draw(Paint::Plain), "");
        assert_eq!(from_files.len(), scenarios.len());
        let files: std::collections::HashSet<_> = scenarios
            .iter()
            .map(|scenario| scenario.source.name().to_owned())
            .collect();
        assert_eq!(files.len(), shipped().len());
    }

    #[test]
    fn a_suite_holds_what_is_in_its_folder_and_says_which_side_is_tested() {
        let names = names();
        assert!(!names.is_empty());
        for name in names {
            let (scenarios, _) = load(&name);
            assert!(scenarios.len() >= 4, "{name}");
            let side = if name.contains("/bot") {
                Side::Bot
            } else {
                Side::Referee
            };
            for scenario in scenarios {
                assert_eq!(scenario.side(), side, "{}", scenario.name);
                let folder = folder(&scenario.name).unwrap();
                assert!(is_within(folder, &name), "{folder} in {name}");
            }
        }
    }

    #[test]
    fn a_name_means_all_below_it_and_nothing_that_only_begins_alike() {
        let suites = names();
        let outer = suites[0].split('/').next().unwrap();
        // A suite inside another one is counted with that.
        let is_inner = |name: &str| {
            let mut others = suites.iter().filter(|other| *other != name);
            others.any(|other| is_within(name, other))
        };
        let below = suites.iter().filter(|name| is_within(name, outer));
        let below = below.filter(|name| !is_inner(name));
        let count: usize = below.map(|name| load(name).0.len()).sum();
        assert_eq!(load(outer).0.len(), count);
        assert_eq!(load(&format!("{outer}/")).0.len(), count);
        assert!(load(&outer[..outer.len() - 1]).1.has_errors());
        let one = &load(&suites[0]).0[0].name;
        assert_eq!(load(one).0.len(), 1);
    }

    #[test]
    fn suggests_the_suite_that_was_meant() {
        let name = &names()[0];
        let slip = format!("{}x", &name[..name.len() - 1]);
        let (_, diagnostics) = load(&slip);
        assert!(
            diagnostics
                .draw(Paint::Plain)
                .contains(&format!("help: write `{name}`"))
        );
    }

    #[test]
    fn a_shipped_scenario_has_its_golden_transcript_unless_something_in_it_is_left_open() {
        for scenario in all().0 {
            let plan = scenario.game().unwrap();
            let read = |line: &Vec<u8>| plan.dialect.read_player_line(line);
            let chooses = |turn: &Turn| {
                let is_bot = scenario.side() == Side::Bot && turn.seat == plan.bot_seat;
                !is_bot && matches!(turn.deed, Deed::Move(Choice::Any { .. }))
            };
            let is_pause = |part: &SendPart| matches!(part, SendPart::Pause(_));
            let is_left_open = |act: &Act| match (&act.deed, plan.dialect.off_turn()) {
                (Deed::Send(parts), _) if parts.iter().all(is_pause) => false,
                (Deed::Send(parts), OffTurn::Ignored(_)) if SendPart::leaving(parts).is_none() => {
                    false
                }
                _ => matches!(act.who, Participant::Player(_)),
            };
            let is_open = |turn: &Turn| {
                let by_a_player = turn.meanwhile.iter().any(is_left_open);
                let Deed::Send(parts) = &turn.deed else {
                    return by_a_player;
                };
                let (mut lines, _) = SendPart::lines(parts);
                lines.retain(|line| !matches!(read(line), PlayerLine::Ignored(_)));
                by_a_player
                    || lines.len() > 1
                    || SendPart::leaving(parts).is_some()
                    || matches!(lines.first().map(read), Some(PlayerLine::Open(..)))
            };
            let is_dealt = plan.setup.is_none() && !plan.dialect.game().setup_keys().is_empty();
            let mut turns = plan.turns().map(|(_, turn)| turn);
            let is_free = is_dealt
                || plan.is_adaptive()
                || plan.plays_to_the_end()
                || turns.any(|turn| chooses(turn) || is_open(turn));
            assert_eq!(
                scenario.golden == Golden::None,
                is_free,
                "{}",
                scenario.name
            );
        }
    }

    #[test]
    fn every_shipped_golden_transcript_belongs_to_a_scenario() {
        let (scenarios, _) = all();
        let owned = scenarios
            .iter()
            .filter_map(|scenario| match scenario.golden {
                Golden::Shipped { text, .. } => Some(text),
                _ => None,
            });
        let owned: Vec<_> = owned.collect();
        let mut folders: Vec<_> = pack::all().filter_map(|pack| pack.goldens).collect();
        assert!(!folders.is_empty());
        while let Some(folder) = folders.pop() {
            folders.extend(folder.dirs());
            for file in folder.files() {
                let text = file.contents_utf8().unwrap();
                let path = file.path().display();
                assert!(
                    owned.iter().any(|known| std::ptr::eq(*known, text)),
                    "{path} is the golden transcript of no scenario"
                );
            }
        }
    }
}
