//! The subject on the command line, and the built-in ones.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use crate::config::file::{self, Setting};
use crate::config::{CocoUrl, Subject, Way, address};
use crate::diagnostic::{Diagnostic, Diagnostics, did_you_mean, visible};
use crate::event::Outcome;
use crate::finding::Verdict;
use crate::pack::{self, Protocol};
use crate::peers;
use crate::scenario::{Side, is_scenario_file};
use crate::yaml::entry;

/// The subject under test, and its transport.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Subject")]
pub(super) struct SubjectArgs {
    /// One of urtext.yaml, built-in or coco://HOST:PORT/
    ///
    /// Without a subject, each scenario tests the subject of its side and game in urtext.yaml: the one under `default:`, or the only one.
    /// Without that file, and with `built-in`, urtext tests the built-in peers in memory.
    ///
    /// On a Code Colosseum server, every game is a new match. In coco://HOST:PORT/?game=NAME, NAME is the game on that server; password,
    /// title, timeout and pace are written in the same way.
    #[arg(long, value_name = "NAME|URL", conflicts_with_all = ["connect", "command"])]
    subject: Option<String>,

    /// Test the built-in peer with this fault
    ///
    /// `urtext referee GAME --fault list` and `urtext bot GAME --fault list` name the faults.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["config", "set", "connect", "command"])]
    fault: Option<String>,

    /// The file with the subjects [default: urtext.yaml in this folder, or in the nearest one above]
    #[arg(long, hide_short_help = true, value_name = "FILE", conflicts_with_all = ["side", "connect", "command"])]
    config: Option<PathBuf>,

    /// Set a key of the subject, such as timeout=5s; may be repeated
    ///
    /// KEY is a key of the subject in urtext.yaml, or a parameter. A dot leads to a key below another: rolls.environment=MY_ROLLS. A
    /// command after `--` runs in the current folder; folder=DIR names another one, and folder=empty an empty one for each game.
    #[arg(
        long,
        hide_short_help = true,
        value_name = "KEY=VALUE",
        value_parser = key_and_value
    )]
    set: Vec<(String, String)>,

    /// What is under test: referee or bot
    ///
    /// Write its command after `--`, or its address after --connect. With --subject built-in, it selects the built-in peer.
    #[arg(
        long = "as",
        value_name = "SIDE",
        value_enum,
        hide_possible_values = true
    )]
    side: Option<Side>,

    #[arg(long, value_name = "GAME", help = game_help())]
    pub(super) game: Option<Protocol>,

    /// Address of a running subject (its port for players)
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
    format!("Its game [default: as the scenarios, or {usual}]")
}

/// The subjects under test.
#[derive(Debug)]
pub(super) struct Tested<'a> {
    pub(super) subjects: Vec<Arc<Subject>>,
    pub(super) origin: Origin<'a>,
}

/// The source of the subjects.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Origin<'a> {
    /// The built-in peers that are meant, those of the usual game first.
    BuiltIn,
    /// All subjects of a file.
    File(PathBuf),
    /// The one of this name in the user's file.
    Named(&'a str),
    /// The one that options and a command describe, or that is at this address, of a server of matches too.
    Described(Side, Option<&'a str>),
}

impl Origin<'_> {
    /// Returns true if the command line names or describes the one subject.
    pub(super) fn is_one(&self) -> bool {
        matches!(self, Origin::Named(_) | Origin::Described(..))
    }
}

impl SubjectArgs {
    /// Returns the subject of the command line, else those of the user's file, else the built-in peers. `None` where that is at fault.
    /// `game`: the game of a subject that is described without one; without it, the usual game.
    pub(super) fn tested(
        &self,
        game: Option<&'static str>,
        problems: &mut Diagnostics,
    ) -> Option<Tested<'_>> {
        if let Some(option) = self.misfit() {
            let name = self.subject.as_deref().unwrap_or_default();
            let name = visible::plain(name).at_most(80);
            let title = format!("{option} does not go with --subject {name}");
            problems.push(Diagnostic::error("run/subject", title).help("leave one of the two out"));
            return None;
        }
        let origin = self.origin();
        let mut subjects = match &origin {
            Origin::Described(side, address) => {
                vec![self.described(*side, *address, game, problems)?]
            }
            Origin::Named(name) => vec![self.in_file(name, problems)?],
            Origin::BuiltIn if !self.set.is_empty() => {
                problems.push(none_is_named());
                return None;
            }
            Origin::BuiltIn => self.built_in(problems)?,
            Origin::File(path) => {
                let read = file::load(path, false);
                let is_sound = !read.problems.has_errors();
                problems.append(read.problems);
                let subjects = is_sound.then_some(read.subjects)?;
                match &subjects[..] {
                    _ if self.set.is_empty() => subjects,
                    [only] => vec![self.in_file(&only.name, problems)?],
                    _ => {
                        problems.push(none_is_named());
                        return None;
                    }
                }
            }
        };
        for subject in &mut subjects {
            let name = match origin {
                Origin::File(_) => Some(&subject.name),
                _ => self.subject.as_ref(),
            };
            let arguments = name.map(|name| format!("--subject {}", quote(name)));
            subject.arguments = arguments.unwrap_or_default();
        }
        let subjects = subjects.into_iter().map(Arc::new).collect();
        Some(Tested { subjects, origin })
    }

    /// The source of the subjects. Where nothing names them, `urtext.yaml` decides, or the built-in peers are meant.
    fn origin(&self) -> Origin<'_> {
        match (self.subject.as_deref(), self.side) {
            (Some(file::BUILT_IN), _) => Origin::BuiltIn,
            (None, _) if self.fault.is_some() => Origin::BuiltIn,
            (Some(url), _) if CocoUrl::is_meant(url) => Origin::Described(Side::Referee, Some(url)),
            (Some(name), _) => Origin::Named(name),
            (None, Some(side)) => Origin::Described(side, self.connect.as_deref()),
            (None, None) => self.config_file().map_or(Origin::BuiltIn, Origin::File),
        }
    }

    /// An option that does not go with the subject that is named.
    fn misfit(&self) -> Option<&'static str> {
        // The parser of the arguments refuses what does not go without it.
        self.subject.as_ref()?;
        let fitting: &[&str] = match self.origin() {
            Origin::BuiltIn => &["--as", "--game", "--fault"],
            Origin::Named(_) => &["--set", "--config"],
            Origin::File(_) | Origin::Described(..) => &["--game", "--set"],
        };
        let given = [
            ("--as", self.side.is_some()),
            ("--game", self.game.is_some()),
            ("--fault", self.fault.is_some()),
            ("--set", !self.set.is_empty()),
            ("--config", self.config.is_some()),
        ];
        let given = given.into_iter().filter(|(_, is_given)| *is_given);
        let mut options = given.map(|(option, _)| option);
        options.find(|option| !fitting.contains(option))
    }

    /// The built-in peers that are meant. Each has the fault, if one is given.
    fn built_in(&self, problems: &mut Diagnostics) -> Option<Vec<Subject>> {
        let games = peers::all().map(|peers| peers.game().name());
        let all = games.flat_map(|game| Side::ALL.map(|side| (game, side)));
        let (mut subjects, mut known) = (Vec::new(), Vec::new());
        for (game, side) in all.filter(|&(game, side)| self.is_of(game, side)) {
            let faults: Vec<_> = peers::faults_of(game, side)
                .iter()
                .map(|row| row.name)
                .collect();
            let fault = self.fault.as_deref();
            if fault.is_none_or(|fault| faults.contains(&fault)) {
                subjects.extend(peers::subject(game, side, fault));
            }
            known.extend(faults);
        }
        if let Some(name) = self.fault.as_ref().filter(|_| subjects.is_empty()) {
            problems.push(unknown_fault(name, known));
            return None;
        }
        Some(subjects)
    }

    /// The subject that the options and the command describe.
    fn described(
        &self,
        side: Side,
        address: Option<&str>,
        game: Option<&'static str>,
        problems: &mut Diagnostics,
    ) -> Option<Subject> {
        if let Some(problem) = self.without_a_place(&[]) {
            problems.push(problem);
            return None;
        }
        let game = self.game.map(Protocol::game_name).or(game);
        let game = game.unwrap_or(pack::usual().game.name());
        let mut settings = vec![("as", side.word().to_owned()), ("game", game.to_owned())];
        settings.extend(address.map(|address| ("players.at", entry(address))));
        settings.extend(self.settings());
        let words: Vec<_> = self.command.iter().map(|word| entry(word)).collect();
        if !words.is_empty() {
            settings.push(("command", format!("[{}]", words.join(", "))));
        }
        let server = address.and_then(|address| address.parse::<CocoUrl>().ok());
        let server = server.as_ref().map(|url| url.server.as_str());
        let program = self.command.first().map(String::as_str);
        let name = server.or(program).or(address).unwrap_or(side.word());
        let (subject, found) = file::described(name, &settings);
        problems.append(found);
        let says_spectators = self
            .set
            .iter()
            .any(|(key, _)| key.starts_with("spectators"));
        let missing = |subject| missing_places(subject, says_spectators);
        problems.extend(subject.iter().flat_map(missing));
        subject
    }

    /// The error of `--as` without a command and without an address. `words`: those that may be the command.
    pub(super) fn without_a_place(&self, words: &[PathBuf]) -> Option<Diagnostic> {
        let side = self
            .side
            .filter(|_| self.subject.is_none() && self.fault.is_none())?;
        if self.connect.is_some() || !self.command.is_empty() || !self.set.is_empty() {
            return None;
        }
        let is_command = words.first().is_some_and(|first| !is_scenario_file(first));
        let words = words.iter().map(|word| quote(&word.to_string_lossy()));
        let command = match side {
            _ if is_command => words.collect::<Vec<_>>().join(" "),
            Side::Bot => "python3 mybot.py".to_owned(),
            Side::Referee => "./myreferee {port} {spectators}".to_owned(),
        };
        let (side, command) = (side.word(), visible::plain(&command).at_most(80));
        let title = format!("--as {side} says what is tested, but not where it is");
        let help = format!(
            "write its command after --, as in `--as {side} -- {command}`, or --connect HOST:PORT; for the built-in one, --subject built-in"
        );
        Some(Diagnostic::error("run/subject", title).help(help))
    }

    /// The keys that are set.
    fn settings(&self) -> impl Iterator<Item = Setting<'_>> {
        let settings = self.set.iter();
        settings.map(|(key, value)| (key.as_str(), value.clone()))
    }

    /// The subject of that name in the user's file, with what is set here.
    fn in_file(&self, name: &str, problems: &mut Diagnostics) -> Option<Subject> {
        let Some(path) = self.config_file() else {
            let title = format!("there is no {} in this folder or above", file::NAME);
            problems.push(Diagnostic::error("run/config", title).help("`urtext init` writes one"));
            return None;
        };
        let settings: Vec<_> = self.settings().collect();
        let picked = file::pick(&path, name, &settings);
        picked.map_err(|found| problems.append(found)).ok()
    }

    /// The side of the subject, where these arguments describe it and do not name one of a file.
    pub(super) fn described_side(&self) -> Option<Side> {
        match self.origin() {
            Origin::Described(side, _) => Some(side),
            _ => None,
        }
    }

    /// Returns true if these arguments leave the game and the side open, or name them.
    pub(super) fn is_of(&self, game: &str, side: Side) -> bool {
        self.is_of_game(game) && self.side.is_none_or(|named| named == side)
    }

    /// Returns true if these arguments leave the game open, or name it.
    pub(super) fn is_of_game(&self, game: &str) -> bool {
        self.game.is_none_or(|named| named.game_name() == game)
    }

    /// Adds what these arguments may lack, if the bot sent nothing. `is_of_any_game`: the scenarios do not decide its game.
    pub(super) fn advise(&self, outcome: &mut Outcome, subject: &Subject, is_of_any_game: bool) {
        let Some(finding) = outcome.findings.first_mut() else {
            return;
        };
        if subject.side != Side::Bot
            || finding.verdict != Verdict::Error
            || !finding.has_questions()
        {
            return;
        }
        if subject.program.is_some() && matches!(subject.players.way, Way::Stdio) {
            let note = "urtext writes to the bot's standard input and reads its standard output; for a bot that connects by TCP, add `{host} {port}` to its command";
            finding.notes.push(note.to_owned());
        }
        let is_open = is_of_any_game && self.game.is_none() && self.described_side().is_some();
        let others = pack::all().map(|pack| pack.game.name());
        let others = others.filter(|game| *game != subject.protocol.game_name());
        let others: Vec<_> = others.map(|game| format!("`--game {game}`")).collect();
        if is_open && !others.is_empty() {
            let others = others.join(" or ");
            finding
                .notes
                .push(format!("for a bot for another game, add {others}"));
        }
    }

    /// The file with the subjects, if there is one.
    pub(super) fn config_file(&self) -> Option<PathBuf> {
        let found = self.config.clone();
        found.or_else(|| file::find(Path::new("."))).map(shortest)
    }

    /// The file that says what is tested, unless these arguments do.
    pub(super) fn subject_file(&self) -> Option<PathBuf> {
        match self.origin() {
            Origin::File(path) => Some(path),
            Origin::Named(_) => self.config_file(),
            Origin::BuiltIn | Origin::Described(..) => None,
        }
    }
}

/// The error for a name that none of the known faults of built-in peers has.
pub(super) fn unknown_fault(name: &str, known: Vec<&str>) -> Diagnostic {
    let help = did_you_mean(name, known).unwrap_or_else(|| {
        "`urtext referee GAME --fault list` and `urtext bot GAME --fault list` print them"
            .to_owned()
    });
    let name = visible::plain(name).at_most(60);
    let title = format!("no built-in peer that is meant has the fault `{name}`");
    Diagnostic::error("run/fault", title).help(help)
}

/// The remarks on a referee whose command does not tell it where to listen, or how many spectators come. `says_spectators`: the user says where
/// spectators connect.
fn missing_places(subject: &Subject, says_spectators: bool) -> Vec<Diagnostic> {
    let Some(program) = &subject.program else {
        return Vec::new();
    };
    let is_silent = program.ready.is_none() && subject.side == Side::Referee;
    let listens = |way: &Way| matches!(way, Way::Connect(_)) && is_silent;
    let dialect = subject.protocol.dialect();
    let can_watch = dialect.is_none_or(|dialect| dialect.data().has_spectators);
    let door = subject.spectators.as_ref().filter(|_| can_watch);
    let is_unwatched = door.is_none() && can_watch && dialect.is_some() && !says_spectators;
    let needs = [
        (
            "port",
            listens(&subject.players.way),
            "add it, or have the referee print `listening players=HOST:PORT spectators=HOST:PORT` when it listens",
        ),
        (
            "spectator_port",
            is_unwatched && listens(&subject.players.way),
            "no spectator is tested; add it and {spectators}, or say where they connect: `--set spectators=same-port`, or `none`",
        ),
        (
            "spectators",
            door.is_some_and(|entrance| listens(&entrance.way)),
            "add it, or have the referee admit spectators before the game begins, without knowing their number",
        ),
    ];
    let missing = needs
        .iter()
        .filter(|(place, is_needed, _)| *is_needed && !program.takes(place));
    let remark =
        |place| Diagnostic::remark("run/command", format!("the command has no {{{place}}}"));
    missing
        .map(|(place, _, need)| remark(place).help(*need))
        .collect()
}

/// A path as short as it can be written from here.
fn shortest(path: PathBuf) -> PathBuf {
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    let relative = here
        .ok()
        .and_then(|here| path.strip_prefix(here).ok().map(Path::to_owned));
    relative.unwrap_or(path)
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

fn key_and_value(text: &str) -> Result<(String, String), &'static str> {
    let setting = text.split_once('=').filter(|(key, _)| !key.is_empty());
    let (key, value) = setting.ok_or("write KEY=VALUE, such as timeout=5s")?;
    Ok((key.to_owned(), value.to_owned()))
}

/// The error of `--set` where it is open which subject is meant.
fn none_is_named() -> Diagnostic {
    let title = "--set changes one subject, and none is named";
    let help = "name it, as in `--subject mine`; or write `--as SIDE` and its command";
    Diagnostic::error("run/subject", title).help(help)
}
