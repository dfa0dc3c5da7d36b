//! Programs that urtext starts, with their folder, environment, limits, and the values that a user gives to their commands.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{Template, UrlPattern, Word};
use crate::diagnostic::{Diagnostic, Faults};
use crate::platform::{no_such_file, not_executable};
use crate::yaml::{Kind, Node, Number, keys};

/// Program of a subject, with its environment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Program {
    /// Its words.
    pub command: Template,
    /// Variables that it gets beside those of urtext itself; `None`: it does not get that one.
    pub environment: Vec<(String, Option<Word>)>,
    /// Working folder of the program.
    pub folder: Folder,
    /// Value of `{here}`.
    pub here: PathBuf,
    /// Resource limits of the program.
    pub limits: Limits,
    /// The line by which it says that it can be reached, on standard output or standard error.
    pub ready: Option<UrlPattern>,
}

/// The working folder of a subject.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Folder {
    /// The one that urtext runs in.
    #[default]
    Current,
    /// An empty one of its own for each game, removed after it.
    Clean,
    /// This one.
    At(PathBuf),
}

keys! {
    /// Resource limits of a subject; a missing value is no limit.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct Limits in "limits" {
        /// Address space
        optional "memory" => memory: Option<Bytes>;
        /// Processor time, in whole seconds
        optional "cpu" => cpu: Option<Duration> where whole_seconds;
        /// Open files and connections; three are its streams
        optional "open-files" => open_files: Option<Number<4, { u32::MAX as u64 }>>;
    }
}

fn whole_seconds(time: &Duration) -> Result<(), [&'static str; 3]> {
    match time.as_secs() > 0 && time.subsec_nanos() == 0 {
        true => Ok(()),
        false => Err([
            "yaml/value",
            "whole seconds are due here, at least one",
            "write it such as `10s`",
        ]),
    }
}

/// A number of bytes with its unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bytes(pub u64);

impl Kind for Bytes {
    fn read(node: &Node, faults: &Faults) -> Option<Bytes> {
        let bytes = parse_bytes(node.as_line(faults)?).filter(|&bytes| bytes > 0);
        if bytes.is_none() {
            let help = "write a number and a unit, such as `512MiB`";
            let title = "a number of bytes is due here";
            faults.refuse("config/memory", title, node.span, "", help);
        }
        bytes.map(Bytes)
    }

    fn shape() -> serde_json::Value {
        serde_json::json!({"type": "string", "examples": ["512MiB"]})
    }
}

impl From<Template> for Program {
    fn from(command: Template) -> Program {
        Program {
            command,
            ..Program::default()
        }
    }
}

impl Program {
    /// Returns true if the command or the environment has a placeholder of that name.
    #[must_use]
    pub fn takes(&self, place: &str) -> bool {
        let words = || {
            self.environment
                .iter()
                .filter_map(|(_, word)| word.as_ref())
        };
        self.command.takes(place) || words().any(|word| word.takes(place))
    }

    /// Returns true if this word of the command is a file in `here` that an empty folder does not have.
    #[must_use]
    pub fn misses(&self, word: &str) -> bool {
        let is_file = Path::new(word).is_relative() && self.here.join(word).is_file();
        is_file && !word.starts_with('-')
    }

    /// The program with the reason why the system would not start it: no such file (along `PATH`), or not executable. `None` also where
    /// that cannot be known before a game, because the word or its `PATH` has places that a game fills.
    #[must_use]
    pub fn missing(&self) -> Option<(String, io::Error)> {
        let program = self.command.program_from(&self.here.to_string_lossy())?;
        let reason = if program.contains('/') {
            let folder = if let Folder::At(folder) = &self.folder {
                folder.as_path()
            } else {
                Path::new("")
            };
            not_executable(&folder.join(&program))?
        } else {
            let path = self.path()?;
            let mut reasons =
                std::env::split_paths(&path).map(|folder| not_executable(&folder.join(&program)));
            let found = reasons.try_fold(no_such_file(), |known, reason| {
                let reason = reason?;
                Some(if reason.kind() == io::ErrorKind::NotFound {
                    known
                } else {
                    reason
                })
            });
            found?
        };
        Some((program, reason))
    }

    /// The files that the command names: the program, unless it is looked for along `PATH`, and arguments that are files. A program need not
    /// exist yet.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        let folder = match &self.folder {
            Folder::Current => Some(Path::new("")),
            Folder::At(folder) => Some(folder.as_path()),
            // Its files are there only during a game.
            Folder::Clean => None,
        };
        let here = self.here.to_string_lossy();
        let words = self.command.words_from(&here).enumerate();
        let file = |(number, word): (usize, Option<String>)| {
            let word = PathBuf::from(word?);
            let path = match folder {
                Some(folder) => folder.join(&word),
                None => Some(word.clone()).filter(|word| word.is_absolute())?,
            };
            let is_program = number == 0 && word.components().count() > 1;
            (is_program || path.is_file()).then_some(path)
        };
        words.filter_map(file).collect()
    }

    /// The `PATH` that it is looked for along.
    fn path(&self) -> Option<OsString> {
        match self.environment.iter().find(|(name, _)| name == "PATH") {
            Some((_, word)) => Some(word.as_ref()?.text()?.into()),
            None => std::env::var_os("PATH"),
        }
    }
}

/// Reads a number of bytes such as `256MiB`; a bare number is not one.
fn parse_bytes(text: &str) -> Option<u64> {
    const UNITS: &[(&str, u64)] = &[
        ("KiB", 1 << 10),
        ("MiB", 1 << 20),
        ("GiB", 1 << 30),
        ("kB", 1000),
        ("KB", 1000),
        ("MB", 1_000_000),
        ("GB", 1_000_000_000),
    ];
    let (unit, factor) = UNITS.iter().find(|(unit, _)| text.ends_with(unit))?;
    let digits = text[..text.len() - unit.len()].trim_end();
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    digits.parse::<u64>().ok()?.checked_mul(*factor)
}

/// A value of the subject's own that fills a place in its command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// The name of the place.
    pub name: String,
    /// Type of the value.
    pub kind: ParameterKind,
    /// Value, as filled in, or the error of a run that gives none.
    pub value: Result<String, Diagnostic>,
}

/// Type of a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParameterKind {
    /// Any text on one line.
    Text,
    /// A whole number.
    Number,
    /// A length of time; it is filled in as seconds.
    Duration,
    /// `true` or `false`.
    Truth,
    /// One of these words.
    OneOf(Vec<String>),
}

impl ParameterKind {
    /// The types that are a word.
    pub const WORDS: [(&str, ParameterKind); 4] = [
        ("text", ParameterKind::Text),
        ("number", ParameterKind::Number),
        ("duration", ParameterKind::Duration),
        ("boolean", ParameterKind::Truth),
    ];

    /// Describes a valid value in words.
    #[must_use]
    pub fn due(&self) -> String {
        match self {
            ParameterKind::Text => "text on one line".to_owned(),
            ParameterKind::Number => "a whole number such as 3".to_owned(),
            ParameterKind::Duration => "a length of time such as 300ms".to_owned(),
            ParameterKind::Truth => "`true` or `false`".to_owned(),
            ParameterKind::OneOf(words) => {
                let words: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
                format!("one of {}", words.join(", "))
            }
        }
    }

    /// The text that is filled in for a value, where it is one of this kind.
    #[must_use]
    pub fn read(&self, text: &str) -> Option<String> {
        match self {
            ParameterKind::Text => (!text.contains(['\n', '\r', '\0'])).then(|| text.to_owned()),
            ParameterKind::Number => text.parse::<i64>().ok().map(|number| number.to_string()),
            ParameterKind::Duration => humantime::parse_duration(text).ok().map(seconds),
            ParameterKind::Truth => matches!(text, "true" | "false").then(|| text.to_owned()),
            ParameterKind::OneOf(words) => words.iter().find(|word| *word == text).cloned(),
        }
    }
}

/// Reads a length of time.
///
/// # Errors
/// Says what to write, if this is none.
pub fn duration(text: &str) -> Result<Duration, &'static str> {
    humantime::parse_duration(text).map_err(|_| "write a number and a unit, such as 30s")
}

/// Seconds as programs take them: `1`, `0.3`.
#[must_use]
pub fn seconds(time: Duration) -> String {
    time.as_secs_f64().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case_files::assert_lines;

    #[test]
    fn reads_bytes_with_their_unit_alone() {
        assert_lines("sizes-in-bytes", |text| format!("{:?}", parse_bytes(text)));
    }

    #[test]
    fn a_program_that_is_not_there_or_cannot_be_executed_is_missing() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("notes"), "").unwrap();
        let here = folder.path().to_owned();
        let why = |words: &[&str], path: Option<&str>| {
            let path = path.map(|path| ("PATH".to_owned(), Some(Word::parse(path, &[]).unwrap())));
            let program = Program {
                environment: path.into_iter().collect(),
                here: here.clone(),
                ..Program::from(Template::parse(words).unwrap())
            };
            program
                .missing()
                .map(|(program, reason)| (program, reason.kind()))
        };
        let (not_found, denied) = (io::ErrorKind::NotFound, io::ErrorKind::PermissionDenied);
        assert_eq!(why(&["sh", "{port}"], None), None);
        assert_eq!(why(&["shh"], None), Some(("shh".to_owned(), not_found)));
        assert_eq!(
            why(&["sh"], Some("/no/such/folder")),
            Some(("sh".to_owned(), not_found))
        );
        assert_eq!(
            why(&["notes"], Some(&here.to_string_lossy())),
            Some(("notes".to_owned(), denied))
        );
        assert_eq!(why(&["{here}/notes"], None).unwrap().1, denied);
        assert_eq!(why(&["{here}"], None).unwrap().1, denied, "a folder");
        assert_eq!(why(&["{here}/bot-{seed}"], None), None, "a game fills it");
        assert_eq!(why(&["shh"], Some("{first}")), None, "a game fills it");
    }

    #[test]
    fn places_in_the_environment_count_as_well() {
        let mut program = Program::from(Template::parse(&["ref", "--port", "{port}"]).unwrap());
        program.environment.push((
            "WATCH".to_owned(),
            Some(Word::parse("{spectator_port}", &[]).unwrap()),
        ));
        assert!(
            program.takes("port") && program.takes("spectator_port") && !program.takes("timeout")
        );
    }

    #[test]
    fn reads_values_of_its_kind_alone() {
        let read = |kind: ParameterKind, text: &str| kind.read(text);
        assert_eq!(read(ParameterKind::Number, "-3").as_deref(), Some("-3"));
        assert_eq!(read(ParameterKind::Number, "3 4"), None);
        assert_eq!(
            read(ParameterKind::Duration, "1500ms").as_deref(),
            Some("1.5")
        );
        assert_eq!(read(ParameterKind::Truth, "yes"), None);
        let words = ParameterKind::OneOf(vec!["fast".to_owned(), "slow".to_owned()]);
        assert_eq!(read(words.clone(), "slow").as_deref(), Some("slow"));
        assert_eq!(read(words.clone(), "medium"), None);
        assert_eq!(words.due(), "one of `fast`, `slow`");
        assert_eq!(read(ParameterKind::Text, "; rm -r\n"), None);
    }
}
