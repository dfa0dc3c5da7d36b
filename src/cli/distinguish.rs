//! `urtext distinguish`: writes games that tell wrong readings of the rules apart.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::Status;
use super::output::{broken, print, say};
use crate::diagnostic::{self, Diagnostic, Diagnostics, counted, did_you_mean, visible};
use crate::explore::{self, Distinguishing};
use crate::pack;
use crate::platform::write_whole;
use crate::protocol::Dialect;
use crate::rules::VariantRow;
use crate::scenario::{self, Scenario};

/// Arguments of `urtext distinguish`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct DistinguishArgs {
    /// The game
    #[arg(value_name = "GAME", value_parser = PossibleValuesParser::new(pack::dialects().map(|dialect| dialect.game().name())))]
    game: String,
    /// The readings to tell from the rules and from each other [default: all that an explanation considers, and those that hold under
    /// one more condition]
    #[arg(value_name = "READING")]
    readings: Vec<String>,
    /// Write each game to a file of its own in this folder [default: print them]
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// The greatest number of games
    #[arg(long, value_name = "N", default_value = "1000")]
    most: usize,
    /// The number of random games among which they are sought
    #[arg(long, value_name = "N", default_value = "12000", value_parser = clap::value_parser!(u32).range(1..))]
    tries: u32,
    /// Decides the random games
    #[arg(long, value_name = "NUMBER", default_value = "1")]
    seed: u64,
    /// List the readings and what each means; seek nothing
    #[arg(long)]
    list: bool,
}

const HELP: &str = "\
A reading is a wrong understanding of the rules, by the name that a report or `--list` gives it. Each game is a scenario for a referee \
with forced rolls; its first lines name the readings that it refutes: a referee that plays by one of them fails it. Nothing is played \
with a subject. The same seed writes the same games. A file that this command has not written is not replaced.

Exit status: 0 every reading is told from the rules and from the others; 2 a fault in what you wrote; 3 a file cannot be written; 4 some are not.

Examples:
  urtext distinguish royalur cell-8-capturable no-capture-8 > apart.yaml
  urtext distinguish royalur -o scenarios/royalur/referee/generated";

impl DistinguishArgs {
    /// Seeks the games, and writes them.
    pub(super) fn run(self) -> Status {
        let mut dialects = pack::dialects();
        let of_game = |dialect: &&dyn Dialect| dialect.game().name() == self.game;
        let dialect = dialects.find(of_game).expect("the parser knows the games");
        let known = dialect.game().hypotheses();
        let conditional = dialect.game().conditional();
        if self.list {
            let rows = known.iter().chain(conditional);
            let lines: Vec<_> = rows
                .map(|row| format!("{}: {}", row.name, row.summary))
                .collect();
            print(&lines.join("\n"));
            return Status::Conforms;
        }
        let mut faults = Diagnostics::new();
        let readings = self.readings(known, conditional, &mut faults);
        if faults.has_errors() {
            say(&faults);
            return Status::Usage;
        }
        let tries = self.tries as usize;
        let found = explore::distinguishing_games(dialect, &readings, self.seed, tries, self.most);
        if !self.readings.is_empty() {
            return self.report(found, readings.len());
        }
        let further: Vec<_> = conditional.iter().collect();
        let count = readings.len() + further.len();
        // Most of them take whole games, of which each tells many.
        let found =
            explore::further_games(dialect, found, &further, self.seed, tries / 4, self.most);
        self.report(found, count)
    }

    fn readings(
        &self,
        known: &'static [VariantRow],
        conditional: &'static [VariantRow],
        faults: &mut Diagnostics,
    ) -> Vec<&'static VariantRow> {
        if self.readings.is_empty() {
            return known.iter().collect();
        }
        let mut readings = Vec::new();
        for name in &self.readings {
            if let Some(row) = known
                .iter()
                .chain(conditional)
                .find(|row| row.name == *name)
            {
                readings.push(row);
                continue;
            }
            let title = format!("{} has no reading {}", self.game, visible::quoted(name));
            let meant = did_you_mean(name, known.iter().map(|row| row.name));
            let all = format!("`urtext distinguish {} --list` names them", self.game);
            faults.push(Diagnostic::error("distinguish/reading", title).help(meant.unwrap_or(all)));
        }
        readings
    }

    /// Writes the games, and says what they refute.
    fn report(&self, found: Distinguishing, readings: usize) -> Status {
        let Distinguishing { games, left, alike } = found;
        let mut told = BTreeSet::new();
        let count = games.len();
        for (number, game) in games.into_iter().enumerate() {
            let mut refutes: Vec<_> = game.refutes.clone();
            // What it is the first to tell stands in its title, and of that what is simplest.
            refutes.sort_by_key(|row| (told.contains(row.name), row.general.is_some()));
            let leading = refutes[0].summary;
            let title = match refutes.len() - 1 {
                0 => format!("shows if {leading}"),
                others => format!(
                    "shows if {leading}, and {}",
                    counted(others, "other reading")
                ),
            };
            let name = format!("game-{:02}", number + 1);
            told.extend(refutes.iter().map(|row| row.name));
            let scenario = game.scenario(&name, &title);
            if let Err(status) = self.write(&name, &scenario) {
                return status;
            }
        }
        anstream::eprintln!(
            "{}: {} of {} told from the rules",
            counted(count, "game"),
            readings - left.len(),
            counted(readings, "reading")
        );
        if !left.is_empty() {
            let parts = left.iter().filter(|row| row.general.is_some()).count();
            let whole = left.iter().filter(|row| row.general.is_none());
            let whole: Vec<_> = whole.map(|row| row.name).collect();
            anstream::eprintln!(
                "not told from the rules: {} in some turns only; {} in all: {}",
                parts,
                whole.len(),
                whole.join(", ")
            );
        }
        if !alike.is_empty() {
            let most = alike.iter().take(5);
            let named: Vec<_> = most
                .map(|[one, other]| format!("{} and {}", one.name, other.name))
                .collect();
            let more = if alike.len() > named.len() {
                ", …"
            } else {
                ""
            };
            anstream::eprintln!(
                "not told from each other: {}: {}{more}",
                counted(alike.len(), "pair"),
                named.join(", ")
            );
        }
        if left.is_empty() && alike.is_empty() {
            Status::Conforms
        } else {
            Status::Open
        }
    }

    fn write(&self, name: &str, scenario: &Scenario) -> Result<(), Status> {
        let text = scenario::write(scenario);
        let Some(folder) = &self.output else {
            print(&text);
            return Ok(());
        };
        let path = folder.join(format!("{name}.yaml"));
        if !is_ours(&path) {
            let title = format!(
                "{} is there, and no file that this command has written",
                visible::plain(path.as_os_str().as_encoded_bytes())
            );
            let fault = Diagnostic::error("distinguish/there", title);
            say(&fault.help("name another folder with `--output`").into());
            return Err(Status::Usage);
        }
        let written =
            std::fs::create_dir_all(folder).and_then(|()| write_whole(&path, text.as_bytes()));
        written.map_err(|error| broken(&explore::unwritable(&path, &error)))
    }
}

/// Returns true if there is no such file, or one with such a game.
fn is_ours(path: &Path) -> bool {
    match diagnostic::open(path) {
        Ok(file) => {
            let mut begin = Vec::new();
            let most = explore::REFUTES.len() as u64;
            let read = file.take(most).read_to_end(&mut begin);
            read.is_ok() && begin == explore::REFUTES.as_bytes()
        }
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}
