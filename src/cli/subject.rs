//! The subject on the command line, and the built-in ones.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{ArgGroup, Args};

use crate::config::file::{self, Setting, quoted};
use crate::config::{CocoUrl, Subject, address};
use crate::diagnostic::{Diagnostic, Diagnostics, did_you_mean};
use crate::pack::{self, Protocol};
use crate::peers;
use crate::platform::is_executable;
use crate::scenario::{self, Side};

/// The subject under test, and its transport.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Subject", group = ArgGroup::new("said").args(["subject", "side"]).multiple(true))]
pub(super) struct SubjectArgs {
    /// A subject of urtext.yaml, `built-in`, or coco://HOST:PORT/
    ///
    /// Without a subject, each scenario is for the subject of its side and game in urtext.yaml: the one under `default:`, or else the
    /// only one. Where there is no such file, or with `built-in`, the built-in peers are tested in memory.
    ///
    /// On a Code Colosseum server, every game is a new match. coco://HOST:PORT/?game=NAME says what the game is called there; password,
    /// title, timeout and pace are given in the same way.
    #[arg(long, value_name = "NAME|URL", conflicts_with_all = ["connect", "command"])]
    subject: Option<String>,

    /// Give the built-in peer a fault (`urtext referee GAME --fault list`)
    #[arg(long, value_name = "NAME", requires = "subject")]
    fault: Option<String>,

    /// The file with the subjects [default: urtext.yaml in this folder, or in the nearest one above]
    #[arg(long, hide_short_help = true, value_name = "FILE", conflicts_with_all = ["side", "connect", "command"])]
    config: Option<PathBuf>,

    /// Set a key of the subject, such as timeout=5s; may be repeated
    ///
    /// KEY is a key of the subject in urtext.yaml, or one of its parameters. A dot leads to a key below another:
    /// rolls.environment=MY_ROLLS. A command given here runs in the current folder, which it can change and delete; folder=empty gives
    /// it an empty one for each game.
    #[arg(
        long,
        hide_short_help = true,
        value_name = "KEY=VALUE",
        value_parser = key_and_value,
        requires = "said"
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
    side: Option<Side>,

    #[arg(long, value_name = "GAME", help = game_help())]
    game: Option<String>,

    /// Where the players of a running referee connect
    #[arg(
        long,
        value_name = "HOST:PORT",
        requires = "side",
        conflicts_with = "command"
    )]
    connect: Option<String>,

    /// The command that starts the subject
    #[arg(last = true, value_name = "COMMAND", requires = "side")]
    command: Vec<String>,
}

fn game_help() -> String {
    let usual = pack::usual().game.name();
    format!("The game that it plays [default: that of the scenarios, or {usual}]")
}

/// The subjects under test. Each side of a game has its usual one.
#[derive(Debug)]
pub(super) struct Tested {
    pub(super) subjects: Vec<Arc<Subject>>,
    pub(super) origin: Origin,
}

/// The source of the subjects.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// The command line describes or names the one.
    CommandLine,
    /// They are all those of a file.
    File(PathBuf),
    /// They are the built-in peers that are meant, those of the usual game first.
    BuiltIn,
}

impl SubjectArgs {
    /// Returns the target: the subject of the command line, else those of the user's file, else the built-in
    /// peers. `None` where that is at fault.
    pub(super) fn tested(&self, faults: &mut Diagnostics) -> Option<Tested> {
        let before = faults.errors();
        if let Some(subject) = self.subject(faults) {
            return Some(Tested {
                subjects: vec![Arc::new(subject)],
                origin: Origin::CommandLine,
            });
        }
        if faults.errors() > before {
            return None;
        }
        let file = self.config_file().filter(|_| self.subject.is_none());
        let Some(path) = file else {
            return Some(Tested {
                subjects: self.built_in().into_iter().map(Arc::new).collect(),
                origin: Origin::BuiltIn,
            });
        };
        let (mut subjects, found) = file::load(&path);
        if found.has_errors() {
            faults.append(found);
            return None;
        }
        for subject in &mut subjects {
            subject.arguments = named(&subject.name);
        }
        Some(Tested {
            subjects: subjects.into_iter().map(Arc::new).collect(),
            origin: Origin::File(path),
        })
    }

    /// The subject that the arguments describe, if they describe one.
    fn subject(&self, faults: &mut Diagnostics) -> Option<Subject> {
        let Some(name) = self.subject.as_deref() else {
            return self.described(faults);
        };
        let (is_server, is_built_in) = (CocoUrl::is_meant(name), name == file::BUILT_IN);
        let fault = |title: &str, help: &str| Diagnostic::error("run/subject", title).help(help);
        if self.config.is_some() && (is_server || is_built_in) {
            let title = "--config is for a subject of urtext.yaml";
            faults.push(fault(title, "leave it out, or name a subject"));
            return None;
        }
        if is_built_in {
            if !self.set.is_empty() {
                let title = "--set is for a subject of yours, and not for the built-in peers";
                faults.push(fault(title, "leave it out, or name a subject"));
            }
            self.protocol(faults)?;
            faults.extend(self.unknown_fault());
            return None;
        }
        if self.fault.is_some() {
            let title = "only a built-in peer can be given a fault";
            faults.push(fault(
                title,
                "write --subject built-in, or leave --fault out",
            ));
            return None;
        }
        if self.side.is_some() || self.game.is_some() && !is_server {
            let surplus = if is_server { "--as" } else { "--as and --game" };
            let title = "a subject with a name says itself what it is";
            faults.push(fault(title, &format!("leave {surplus} out")));
            return None;
        }
        let subject = match is_server {
            true => self.described(faults)?,
            false => self.named(name, faults)?,
        };
        Some(Subject {
            arguments: named(name),
            ..subject
        })
    }

    /// The error for a fault that none of the built-in peers has.
    fn unknown_fault(&self) -> Option<Diagnostic> {
        let name = self
            .fault
            .as_deref()
            .filter(|_| self.built_in().is_empty())?;
        let known = self.peers();
        let known = known.flat_map(|(game, side)| peers::faults_of(game, side));
        let title = format!("no built-in peer that is meant has the fault `{name}`");
        let meant = did_you_mean(name, known.map(|row| row.name));
        let help = meant.unwrap_or_else(|| {
            "`urtext referee GAME --fault list` and `urtext bot GAME --fault list` print them"
                .to_owned()
        });
        Some(Diagnostic::error("run/fault", title).help(help))
    }

    /// The game and side of each built-in peer that is meant, with the fault or without it.
    fn peers(&self) -> impl Iterator<Item = (&'static str, Side)> {
        let games = peers::all().map(|peers| peers.game().name());
        let all = games.flat_map(|game| Side::ALL.map(|side| (game, side)));
        all.filter(|&(game, side)| self.is_of(game, side))
    }

    /// The built-in peers that are meant. Each has the fault, if one is given.
    fn built_in(&self) -> Vec<Subject> {
        let fault = self.fault.as_deref();
        let arguments = self.subject.as_deref().map(named).unwrap_or_default();
        let peers = self.peers().filter(|&(game, side)| {
            let known = peers::faults_of(game, side);
            fault.is_none_or(|fault| known.iter().any(|row| row.name == fault))
        });
        let subjects = peers.filter_map(|(game, side)| peers::subject(game, side, fault));
        let named = subjects.map(|subject| Subject {
            arguments: arguments.clone(),
            ..subject
        });
        named.collect()
    }

    /// The subject that the options and the command describe, where they do: a server of matches is a referee.
    fn described(&self, faults: &mut Diagnostics) -> Option<Subject> {
        let protocol = self.protocol(faults)?;
        let side = self.described_side()?;
        let address = self.subject.as_ref().or(self.connect.as_ref());
        if let Some(fault) = self.contradiction(side, address) {
            faults.push(fault);
            return None;
        }
        let mut settings = vec![
            ("as", side.word().to_owned()),
            ("game", protocol.game_name().to_owned()),
        ];
        settings.extend(address.map(|address| ("players.at", quoted(address))));
        settings.extend(self.settings());
        let words: Vec<_> = self.command.iter().map(|word| quoted(word)).collect();
        if !words.is_empty() {
            settings.push(("command", format!("[{}]", words.join(", "))));
        }
        let server = address.and_then(|address| address.parse::<CocoUrl>().ok());
        let name = match (&server, address) {
            (Some(url), _) => url.server.as_str(),
            (None, address) => self
                .command
                .first()
                .or(address)
                .map_or(side.word(), String::as_str),
        };
        let (subject, found) = file::described(name, &settings);
        faults.append(found);
        subject
    }

    /// The keys that are set.
    fn settings(&self) -> impl Iterator<Item = Setting<'_>> {
        let settings = self.set.iter();
        let settings = settings.filter_map(|setting| setting.split_once('='));
        settings.map(|(key, value)| (key, value.to_owned()))
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
            None => self.side,
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

    /// Returns true if these arguments leave the game and the side open, or name them.
    pub(super) fn is_of(&self, game: &str, side: Side) -> bool {
        self.is_of_game(game) && self.side.is_none_or(|said| said == side)
    }

    /// Returns true if scenarios of this game are wanted when no subject names its game.
    pub(super) fn is_of_game(&self, game: &str) -> bool {
        self.named_protocol()
            .is_none_or(|named| named.game_name() == game)
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
        let settings: Vec<_> = self.settings().collect();
        let picked = file::pick(&path, name, &settings);
        picked.map_err(|found| faults.append(found)).ok()
    }

    /// Returns the error for options that contradict each other.
    fn contradiction(&self, side: Side, address: Option<&String>) -> Option<Diagnostic> {
        let fault =
            |title: String, help: &str| Some(Diagnostic::error("run/subject", title).help(help));
        match (side, address, self.command.is_empty()) {
            (Side::Bot, Some(_), _) => fault(
                "a bot is started by urtext, it is not connected to".to_owned(),
                "write its command after --",
            ),
            (_, None, true) if self.set.is_empty() => {
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
        let is_described = self.connect.is_some() || !self.command.is_empty();
        let side = self.side.filter(|_| !is_described)?.word();
        let is_program = |path: &PathBuf| match path.metadata() {
            Ok(found) => found.is_file() && is_executable(&found),
            Err(_) => !scenario::is_scenario_file(path),
        };
        let at = paths.iter().position(is_program)?;
        let word = |path: &PathBuf| quote(&path.to_string_lossy());
        let [before, words] =
            [&paths[..at], &paths[at..]].map(|part| part.iter().map(word).collect::<Vec<_>>());
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

fn key_and_value(text: &str) -> Result<String, &'static str> {
    let is_setting = text.split_once('=').is_some_and(|(key, _)| !key.is_empty());
    is_setting
        .then(|| text.to_owned())
        .ok_or("write KEY=VALUE, such as timeout=5s")
}
