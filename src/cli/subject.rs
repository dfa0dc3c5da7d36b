//! The subject on the command line, and the built-in ones.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};

use crate::config::{
    CocoUrl, Description, Folder, LateSpectator, Program, RollHook, Spectators, Subject, Template,
    Way, address, file,
};
use crate::diagnostic::{Diagnostic, Diagnostics, did_you_mean, visible};
use crate::pack::{self, Protocol};
use crate::peers;
use crate::platform::is_executable;
use crate::rules::Game;
use crate::scenario::{self, Side};

/// The subject under test, and its transport.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Subject")]
pub(super) struct SubjectArgs {
    /// A subject of urtext.yaml, `built-in`, or coco://HOST:PORT/
    ///
    /// Without a subject, each scenario is for the subject of its side and game in urtext.yaml: the one that stands under `default:`,
    /// or else the only one. Where no such file is found, or with `built-in`, the built-in referee and bot are tested: in memory, on a
    /// clock that jumps to the next event, so that the same seed gives the same report on every machine.
    ///
    /// On a Code Colosseum server a match is created for every game. The address can say more: coco://HOST:PORT/?game=NAME (what the
    /// game is called there), and in the same way password, title, timeout and pace.
    #[arg(long, value_name = "NAME|URL", conflicts_with_all = ["connect", "command"])]
    subject: Option<String>,

    /// Give the built-in peer a fault (`urtext referee GAME --fault list`)
    #[arg(long, value_name = "NAME", requires = "subject")]
    fault: Option<String>,

    /// The file with the subjects [default: urtext.yaml in this folder, or in the nearest one above]
    #[arg(long, hide_short_help = true, value_name = "FILE", conflicts_with_all = ["side", "connect", "command"])]
    config: Option<PathBuf>,

    /// Set a parameter of the subject, instead of what urtext.yaml says
    #[arg(
        long,
        hide_short_help = true,
        value_name = "NAME=VALUE",
        requires = "subject"
    )]
    set: Vec<String>,

    /// What is under test: referee or bot
    ///
    /// Its command follows after `--`, or --connect has its address. With --subject built-in: which of the built-in peers.
    #[arg(
        long = "as",
        value_name = "SIDE",
        value_enum,
        hide_possible_values = true
    )]
    side: Option<SideArg>,

    #[arg(long, value_name = "GAME", help = game_help())]
    game: Option<String>,

    /// Where the players of a running referee connect
    #[arg(long, value_name = "HOST:PORT", requires = "side", conflicts_with = "command", value_parser = address_or_url)]
    connect: Option<String>,

    /// Where the spectators of a running referee connect
    #[arg(long, hide_short_help = true, value_name = "HOST:PORT", requires = "connect", value_parser = address)]
    spectators_at: Option<String>,

    /// The environment variable with forced rolls, such as 0011 1111
    #[arg(long, value_name = "NAME", requires = "command")]
    rolls_env: Option<String>,

    /// How the subject is reached, if its command does not tell
    #[arg(long, hide_short_help = true, value_name = "WAY", requires = "command", value_parser = ways())]
    reach: Option<String>,

    /// Where the command runs: in the current folder, which it can change and delete, or in an empty one for each game [default: current]
    #[arg(
        long,
        hide_short_help = true,
        value_name = "WHERE",
        value_enum,
        requires = "command",
        hide_possible_values = true
    )]
    workdir: Option<WorkdirArg>,

    /// The timeout for a move that the subject was started with
    #[arg(long, hide_short_help = true, value_name = "DURATION", requires = "side", conflicts_with = "subject", value_parser = humantime::parse_duration)]
    timeout: Option<Duration>,

    /// The pace that the subject was started with
    #[arg(long, hide_short_help = true, value_name = "DURATION", requires = "side", conflicts_with = "subject", value_parser = humantime::parse_duration)]
    pace: Option<Duration>,

    /// What the referee shows to a spectator who joins late
    #[arg(long, hide_short_help = true, value_name = "WHAT", requires = "side", conflicts_with = "subject", value_parser = late_words())]
    late_spectator: Option<String>,

    /// The command that starts the subject
    #[arg(last = true, value_name = "COMMAND", requires = "side")]
    command: Vec<String>,
}

/// Kind of subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum SideArg {
    /// urtext plays the players and the spectators
    Referee,
    /// urtext plays the referee and the opponent
    Bot,
}

/// Working folder of a command on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum WorkdirArg {
    /// The folder that urtext runs in
    Current,
    /// An empty one for each game, removed after it
    Empty,
}

/// The words for the ways to reach a subject.
pub(super) fn ways() -> PossibleValuesParser {
    Way::WORDS
        .iter()
        .map(|(word, _)| *word)
        .collect::<Vec<_>>()
        .into()
}

fn game_help() -> String {
    let usual = pack::usual().game.name();
    format!("The game that it plays [default: that of the scenarios, or {usual}]")
}

fn late_words() -> PossibleValuesParser {
    LateSpectator::WORDS.map(|(word, _)| word).into()
}

impl From<SideArg> for Side {
    fn from(side: SideArg) -> Side {
        match side {
            SideArg::Referee => Side::Referee,
            SideArg::Bot => Side::Bot,
        }
    }
}

/// The target of a run.
#[derive(Debug)]
pub(super) enum Tested {
    /// The subject that the command line describes or names, and no other.
    Named(Box<Subject>),
    /// Of the subjects of a file, the usual one of each side and game.
    OfFile(PathBuf, Vec<Subject>),
    /// The built-in peers.
    BuiltIn,
}

impl SubjectArgs {
    /// Returns the target: the subject of the command line, else those of the user's file, else the built-in
    /// peers. `None` where that is at fault.
    pub(super) fn tested(&self, faults: &mut Diagnostics) -> Option<Tested> {
        let before = faults.errors();
        if let Some(subject) = self.subject(faults) {
            return Some(Tested::Named(Box::new(subject)));
        }
        if faults.errors() > before {
            return None;
        }
        if self.subject.is_some() {
            return Some(Tested::BuiltIn);
        }
        let Some(path) = self.config.clone().or_else(|| file::find(Path::new("."))) else {
            return Some(Tested::BuiltIn);
        };
        let path = shortest(path);
        let (mut subjects, found) = file::load(&path);
        if found.has_errors() {
            faults.append(found);
            return None;
        }
        for subject in &mut subjects {
            subject.arguments = named(&subject.name);
        }
        Some(Tested::OfFile(path, subjects))
    }

    /// The subject that the arguments describe, if they describe one.
    fn subject(&self, faults: &mut Diagnostics) -> Option<Subject> {
        let Some(name) = self.subject.as_deref() else {
            return self.described(faults);
        };
        let is_server = CocoUrl::is_meant(name);
        let fault = |title: &str| Diagnostic::error("run/subject", title);
        if name == file::BUILT_IN {
            if self.config.is_some() || !self.set.is_empty() {
                let found = fault("--config and --set are for a subject of urtext.yaml");
                faults.push(found.help("leave them out, or name a subject"));
            }
            self.protocol(faults)?;
            faults.extend(self.unknown_fault());
            return None;
        }
        if self.fault.is_some() {
            let found = fault("only a built-in peer can be given a fault");
            faults.push(found.help("write --subject built-in, or leave --fault out"));
            return None;
        }
        if self.side.is_some() || self.game.is_some() && !is_server {
            let found = fault("a subject with a name says itself what it is");
            let surplus = if is_server { "--as" } else { "--as and --game" };
            faults.push(found.help(format!("leave {surplus} out")));
            return None;
        }
        if is_server {
            self.server(name, faults)
        } else {
            self.named(name, faults)
        }
    }

    /// The error for a fault that none of the built-in peers has.
    fn unknown_fault(&self) -> Option<Diagnostic> {
        let name = self.fault.as_deref()?;
        if self.meant().next().is_some() {
            return None;
        }
        let any = SubjectArgs {
            fault: None,
            ..self.clone()
        };
        let faults = any
            .meant()
            .flat_map(|(game, side)| peers::faults_of(game, side));
        let title = format!("no built-in peer that is meant has the fault `{name}`");
        let meant = did_you_mean(name, faults.map(|row| row.name));
        let help = meant.unwrap_or_else(|| {
            "`urtext referee GAME --fault list` and `urtext bot GAME --fault list` print them"
                .to_owned()
        });
        Some(Diagnostic::error("run/fault", title).help(help))
    }

    /// The subject that the options and the command describe, where they do.
    fn described(&self, faults: &mut Diagnostics) -> Option<Subject> {
        let protocol = self.protocol(faults)?;
        let side = self.side?.into();
        let program = self.program(faults).ok()?;
        if let Some(fault) = self.contradiction(side) {
            faults.push(fault);
            return None;
        }
        let description = Description {
            reach: self.reach.clone(),
            players: self.connect.clone(),
            spectators: self
                .spectators_at
                .clone()
                .map_or(Spectators::Unsaid, Spectators::At),
        };
        let (players, spectators) = match description.ways(side, program.as_ref()) {
            Ok(ways) => ways,
            Err(found) => {
                let help = found.help.replace("`reach: ", "`--reach ");
                faults.push(Diagnostic::error("run/subject", found.title).help(help));
                return None;
            }
        };
        let takes_rolls = program
            .as_ref()
            .is_some_and(|program| program.takes("rolls") || program.takes("rolls_file"));
        let name = self
            .command
            .first()
            .or(self.connect.as_ref())
            .cloned()
            .unwrap_or_default();
        let mut subject = Subject::new(name, side, protocol, players);
        subject.program = program;
        subject.spectators = spectators.map(Into::into);
        subject.roll_hook = match &self.rolls_env {
            Some(name) => Some(RollHook::Environment(name.clone())),
            None => takes_rolls.then_some(RollHook::Arguments),
        };
        (subject.timeout, subject.pace) = (self.timeout, self.pace);
        if let Some(Ok(url)) = self
            .connect
            .as_ref()
            .map(|address| address.parse::<CocoUrl>())
        {
            subject.take_over(&url);
        }
        let usual = subject.usual_late_spectator();
        subject.late_spectator = self
            .late_spectator
            .as_deref()
            .and_then(LateSpectator::of)
            .unwrap_or(usual);
        Some(subject)
    }

    /// The built-in peer of that side, as these arguments name it.
    pub(super) fn built_in(&self, game: &str, side: Side) -> Option<Subject> {
        let arguments = self.subject.as_deref().map(named).unwrap_or_default();
        Some(Subject {
            arguments,
            ..peers::subject(game, side, self.fault.as_deref())?
        })
    }

    /// Returns true if the built-in peer of that game and side is meant: it has the fault, if one is given.
    pub(super) fn means(&self, game: &str, side: Side) -> bool {
        let has = |fault: &String| {
            let known = peers::faults_of(game, side);
            known.iter().any(|row| row.name == fault)
        };
        self.is_of_game(game)
            && self.side.is_none_or(|said| Side::from(said) == side)
            && self.fault.as_ref().is_none_or(has)
    }

    /// The game and side of every built-in peer that is meant, those of the usual game first.
    pub(super) fn meant(&self) -> impl Iterator<Item = (&'static str, Side)> {
        let games = peers::all().map(|peers| peers.game().name());
        let all = games.flat_map(|game| Side::ALL.map(|side| (game, side)));
        all.filter(|&(game, side)| self.means(game, side))
    }

    /// The protocol of the game that is named, or of the usual one.
    pub(super) fn protocol(&self, faults: &mut Diagnostics) -> Option<Protocol> {
        let name = self.game.as_deref().unwrap_or(pack::usual().game.name());
        let protocol = Protocol::of_game(name);
        if protocol.is_none() {
            let names = Protocol::game_names();
            let fault = Diagnostic::error("run/game", format!("there is no game `{name}`"));
            let help = did_you_mean(name, names).or_else(|| {
                name.parse::<u64>().ok()?;
                Some("which game of a file is played, `--game-number` says".to_owned())
            });
            faults.push(help.into_iter().fold(fault, Diagnostic::help));
        }
        protocol
    }

    /// The protocol of the game that is named.
    pub(super) fn named_protocol(&self) -> Option<Protocol> {
        self.game.as_deref().and_then(Protocol::of_game)
    }

    /// The side of the subject, where these arguments describe it and do not name one of a file.
    pub(super) fn described_side(&self) -> Option<Side> {
        match &self.subject {
            None => self.side.map(Side::from),
            Some(name) => CocoUrl::is_meant(name).then_some(Side::Referee),
        }
    }

    /// These arguments with this game, unless they name one.
    pub(super) fn playing(&self, game: Option<&str>) -> SubjectArgs {
        let game = self.game.clone().or(game.map(str::to_owned));
        SubjectArgs {
            game,
            ..self.clone()
        }
    }

    /// Returns true if scenarios of this game are wanted when no subject names its game.
    pub(super) fn is_of_game(&self, game: &str) -> bool {
        self.named_protocol()
            .is_none_or(|named| named.game_name() == game)
    }

    /// The server of matches at that address.
    fn server(&self, address: &str, faults: &mut Diagnostics) -> Option<Subject> {
        let protocol = self.protocol(faults)?;
        let found = address
            .parse::<CocoUrl>()
            .and_then(|url| Ok((url.arena()?, url)));
        let (arena, url) = match found {
            Ok(found) => found,
            Err(found) => {
                faults.push(Diagnostic::error("run/address", found.title).help(found.help));
                return None;
            }
        };
        if self.config.is_some() || !self.set.is_empty() {
            let fault = Diagnostic::error(
                "run/subject",
                "--config and --set are for a subject of urtext.yaml",
            );
            faults.push(fault.help("say it in the address: `coco://HOST:PORT/?pace=300ms`"));
            return None;
        }
        if let Some(longest) = protocol
            .game()
            .and_then(Game::longest_pace)
            .filter(|&longest| url.pace.is_some_and(|pace| pace > longest))
        {
            let title = format!(
                "the longest pace is {}",
                humantime::format_duration(longest)
            );
            faults.push(
                Diagnostic::error("run/pace", title).help("say a shorter one in the address"),
            );
            return None;
        }
        let mut subject = Subject::new(
            url.server.clone(),
            Side::Referee,
            protocol,
            Way::Coco(arena.clone()),
        );
        subject.spectators = Some(Way::Coco(arena).into());
        subject.late_spectator = subject.usual_late_spectator();
        subject.take_over(&url);
        subject.arguments = named(address);
        Some(subject)
    }

    /// The file with the subjects, if there is one.
    pub(super) fn config_file(&self) -> Option<PathBuf> {
        let found = self.config.clone();
        found.or_else(|| file::find(Path::new("."))).map(shortest)
    }

    /// The file that says what is tested, unless these arguments do.
    pub(super) fn subject_file(&self) -> Option<PathBuf> {
        let is_said = |name: &str| name == file::BUILT_IN || CocoUrl::is_meant(name);
        let is_said = self.side.is_some() || self.subject.as_deref().is_some_and(is_said);
        if is_said { None } else { self.config_file() }
    }

    /// The subject of that name in the user's file, with what is set here.
    fn named(&self, name: &str, faults: &mut Diagnostics) -> Option<Subject> {
        let Some(path) = self.config_file() else {
            let title = format!("there is no {} in this folder or above", file::NAME);
            faults.push(Diagnostic::error("run/config", title).help("`urtext init` writes one"));
            return None;
        };
        let mut subject = match file::pick(&path, name) {
            Ok(subject) => subject,
            Err(found) => {
                faults.append(found);
                return None;
            }
        };
        for setting in &self.set {
            if let Err(fault) = set(&mut subject, setting) {
                faults.push(fault);
            }
        }
        subject.arguments = named(name);
        Some(subject)
    }

    /// The command after `--`, where there is one.
    fn program(&self, faults: &mut Diagnostics) -> Result<Option<Program>, ()> {
        if self.command.is_empty() {
            return Ok(None);
        }
        match Template::parse(&self.command) {
            Ok(command) => {
                let here = std::env::current_dir().unwrap_or_default();
                let mut program = Program {
                    here,
                    ..Program::from(command)
                };
                if self.workdir == Some(WorkdirArg::Empty) {
                    self.in_empty_folder(&mut program, faults);
                }
                Ok(Some(program))
            }
            Err(fault) => {
                let fault = Diagnostic::error("run/placeholder", fault.to_string());
                faults.push(fault.help("write {{ for a brace"));
                Err(())
            }
        }
    }

    /// Has the program run in an empty folder, from which its own relative path would not be found.
    fn in_empty_folder(&self, program: &mut Program, faults: &mut Diagnostics) {
        program.folder = Folder::Clean;
        program.locate();
        for word in &self.command[1..] {
            if program.misses(word) {
                let title = format!(
                    "{} is not found from the empty folder that the subject runs in",
                    visible::quoted(word)
                );
                let help = format!("write `{{here}}/{}`", visible::plain(word));
                faults.push(Diagnostic::warning("run/workdir", title).help(help));
            }
        }
    }

    /// Returns the error for options that contradict each other.
    fn contradiction(&self, side: Side) -> Option<Diagnostic> {
        let fault =
            |title: String, help: &str| Some(Diagnostic::error("run/subject", title).help(help));
        match (side, &self.connect, self.command.is_empty()) {
            (Side::Bot, Some(_), _) => fault(
                "a bot is started by urtext, it is not connected to".to_owned(),
                "write its command after --",
            ),
            (_, None, true) => {
                let title = format!(
                    "--as {} says what is tested, but not where it is",
                    side.word()
                );
                let help = match side {
                    Side::Referee => {
                        "add --connect HOST:PORT, or its command after --; for the built-in one, --subject built-in"
                    }
                    Side::Bot => {
                        "write its command after --, as in `-- python3 mybot.py`; for the built-in one, --subject built-in"
                    }
                };
                fault(title, help)
            }
            _ => None,
        }
    }

    /// The fault of a command that was written without `--` before it, so that its words are taken for paths of scenarios.
    pub(super) fn command_among(&self, paths: &[PathBuf]) -> Option<Diagnostic> {
        self.side
            .filter(|_| self.connect.is_none() && self.command.is_empty())?;
        let is_program = |path: &PathBuf| match path.metadata() {
            Ok(found) => found.is_file() && is_executable(&found),
            Err(_) => !scenario::is_scenario_file(path),
        };
        let at = paths.iter().position(is_program)?;
        let word = |path: &PathBuf| quote(&path.to_string_lossy());
        let [before, words] =
            [&paths[..at], &paths[at..]].map(|part| part.iter().map(word).collect::<Vec<_>>());
        let side = if self.side == Some(SideArg::Referee) {
            "referee"
        } else {
            "bot"
        };
        let title = format!("`{}` was read as a path of scenarios", words[0]);
        let words = [
            &before[..],
            &["--as", side, "--"].map(str::to_owned),
            &words,
        ]
        .concat()
        .join(" ");
        Some(Diagnostic::error("run/path", title).help(format!(
            "a command is written after `--`: `urtext run {words}`"
        )))
    }
}

/// A path as short as it can be said from here.
fn shortest(path: PathBuf) -> PathBuf {
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    let relative = here
        .ok()
        .and_then(|here| path.strip_prefix(here).ok().map(Path::to_owned));
    relative.unwrap_or(path)
}

/// Sets one parameter, `NAME=VALUE`.
fn set(subject: &mut Subject, setting: &str) -> Result<(), Diagnostic> {
    let fault = |title: String| Diagnostic::error("run/set", title);
    let Some((name, value)) = setting.split_once('=') else {
        return Err(fault(format!("`{setting}` sets nothing")).help("write NAME=VALUE"));
    };
    let names: Vec<_> = subject
        .parameters
        .iter()
        .map(|parameter| parameter.name.clone())
        .collect();
    let Some(parameter) = subject
        .parameters
        .iter_mut()
        .find(|parameter| parameter.name == name)
    else {
        let fault = fault(format!("the subject has no parameter `{name}`"));
        let meant = did_you_mean(name, names.iter().map(String::as_str));
        return Err(fault.help(meant.unwrap_or(
            "urtext.yaml says which parameters a subject has, under `parameters`".into(),
        )));
    };
    match parameter.kind.read(value) {
        Some(value) => parameter.value = Some(value),
        None => {
            return Err(fault(format!(
                "`{name}` has to be {}",
                parameter.kind.due()
            )));
        }
    }
    Ok(())
}

/// The arguments that name a subject.
fn named(name: &str) -> String {
    format!("--subject {}", quote(name))
}

/// A word as a shell reads it.
pub(super) fn quote(word: &str) -> String {
    shell_words::quote(word).into_owned()
}

/// An address, or that of a server of matches.
pub(super) fn address_or_url(text: &str) -> Result<String, &'static str> {
    if CocoUrl::is_meant(text) {
        Ok(text.to_owned())
    } else {
        address(text)
    }
}
