//! Settings that `urtext init` needs: from its flags, or by questions on a terminal.

use std::io::{BufRead, Write};
use std::path::Path;
use std::time::Duration;

use super::InitArgs;
use super::answers::{Answers, Place};
use crate::cli::subject::quote;
use crate::config::{
    Address, Description, Program, Template, Unreachable, UrlPattern, Way, address, file,
};
use crate::diagnostic::{Diagnostic, Severity, Source, folder_of, suggest};
use crate::pack;
use crate::rules::Game;
use crate::scenario::Side;

/// The name where nobody says another.
const USUAL_NAME: &str = "mine";

/// The answers as the flags give them.
///
/// # Errors
/// Names the answers that are missing or invalid.
pub(super) fn said(args: &InitArgs) -> Result<Answers, Diagnostic> {
    let missing = |what: &str| {
        let fault = Diagnostic::error(
            "init/missing",
            format!("{what} is not said, and there is no terminal to ask"),
        );
        fault.help("urtext init --as referee --game royalur -- ./myreferee --port {port}")
    };
    let side = args
        .side
        .ok_or_else(|| missing("what is under test (--as)"))?
        .into();
    let place = place(args)
        .ok_or_else(|| missing("its command (after --), or its address (--connect),"))?;
    let answers = answers(
        args,
        side,
        game(args.game.as_deref().unwrap_or(pack::usual().game.name()))?,
        place,
    )?;
    way(&answers).map_err(fault)?;
    Ok(answers)
}

/// The answers of somebody who sits at a terminal; what the flags say is not asked. Each answer is checked as it is given, and asked
/// again until it can be used, so that no earlier one is lost.
///
/// # Errors
/// Flags that cannot be meant, before the first question; that the input ends, with the flags that repeat the answers so far.
pub(super) fn ask(
    args: &InitArgs,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> Result<Answers, Diagnostic> {
    let mut asking = Asking {
        input,
        output,
        folder: folder_of(&args.file),
        given: Vec::new(),
        at: None,
    };
    let named_game = args.game.as_deref().map(game).transpose()?;
    let named_place = place(args);
    let check = |side, place| {
        answers(
            args,
            side,
            named_game.unwrap_or(pack::game(pack::usual().game.name()).expect("it is one")),
            place,
        )
    };
    let side = match args.side {
        Some(side) => side.into(),
        None => asking.until("Is a referee or a bot under test?", "referee", |answer| {
            let side = match answer {
                "referee" | "r" => Side::Referee,
                "bot" | "b" => Side::Bot,
                _ => return Err("say `referee` or `bot`".to_owned()),
            };
            let place = named_place.clone().unwrap_or(Place::Command(Vec::new()));
            check(side, place)
                .map(|_| side)
                .map_err(|fault| format!("{}: {}", answer, fault.title()))
        })?,
    };
    asking.given("--as", side.word());
    check(
        side,
        named_place.clone().unwrap_or(Place::Command(Vec::new())),
    )?;
    let game = match named_game {
        Some(game) => game,
        None => {
            let names: Vec<_> = pack::games().map(|game| game.name()).collect();
            let question = format!("Which game does it play ({})?", names.join(", "));
            asking.until(&question, pack::usual().game.name(), |answer| {
                game(answer).map_err(|_| match suggest(answer, names.iter().copied()) {
                    Some(meant) => format!("there is no game `{answer}`; did you mean `{meant}`?"),
                    None => format!(
                        "there is no game `{answer}`; say one of {}",
                        names.join(", ")
                    ),
                })
            })?
        }
    };
    asking.given("--game", game.name());
    let place = match named_place {
        Some(place) => place,
        None => asking.place(side)?,
    };
    asking.at = Some(place.clone());
    let mut answers = answers(args, side, game, place)?;
    if matches!(answers.place, Place::Command(_)) {
        let said = answers
            .reach
            .is_some()
            .then(|| way(&answers).err())
            .flatten();
        if let Some(found) = said {
            asking.say(&format!("{}: {}", found.title, found.help))?;
            answers.reach = None;
        }
        if answers.reach.is_none() {
            answers.reach = asking.reach(&answers)?;
        }
    }
    if let Some(reach) = &answers.reach {
        asking.given("--reach", reach);
    }
    let players = way(&answers).map_err(fault)?;
    if players == Way::Connect(Address::Printed) && answers.ready.is_none() {
        let question = "Which line does it print when it listens, such as `listening on port {port}` (empty: `listening players=HOST:PORT`)?";
        asking.set(&mut answers, question, "", |answers, line| {
            answers.ready = filled(line);
            match UrlPattern::parse(line) {
                Err(error) if !line.is_empty() => Err(error.to_string()),
                _ => Ok(()),
            }
        })?;
        asking.given_if("--ready", answers.ready.as_deref());
    }
    if side == Side::Referee {
        asking.about_referee(&mut answers, &players)?;
    }
    if args.name.is_none() {
        asking.set(
            &mut answers,
            "What shall it be called?",
            USUAL_NAME,
            |answers, name| {
                name.clone_into(&mut answers.name);
                Ok(())
            },
        )?;
    }
    Ok(answers)
}

/// An answer, unless it is empty.
fn filled(answer: &str) -> Option<String> {
    Some(answer.to_owned()).filter(|text| !text.is_empty())
}

fn answers(
    args: &InitArgs,
    side: Side,
    game: &'static dyn Game,
    place: Place,
) -> Result<Answers, Diagnostic> {
    let wrong = |what: &str, help: &str| Err(Diagnostic::error("init/bot", what).help(help));
    if side == Side::Bot {
        if matches!(place, Place::Running { .. }) {
            return wrong(
                "a bot is started by urtext, it is not connected to",
                "write its command after --",
            );
        }
        let others = [
            args.spectators_at.is_some(),
            args.timeout.is_some(),
            args.pace.is_some(),
        ];
        if args.rolls_env.is_some() || others.contains(&true) {
            return wrong(
                "rolls, spectators, timeout and pace are a referee's, and this is a bot",
                "leave these flags out",
            );
        }
    }
    Ok(Answers {
        name: args.name.clone().unwrap_or_else(|| USUAL_NAME.to_owned()),
        side,
        game,
        place,
        reach: args.reach.clone(),
        ready: args.ready.clone(),
        spectators: args.spectators_at.clone(),
        rolls_env: args.rolls_env.clone(),
        timeout: args.timeout,
        pace: args.pace,
    })
}

/// Returns the subject's location, if the flags give one.
fn place(args: &InitArgs) -> Option<Place> {
    match &args.connect {
        Some(players) => Some(Place::Running(players.clone())),
        None if args.command.is_empty() => None,
        None => Some(Place::Command(args.command.clone())),
    }
}

/// Returns the transport of the players' lanes, from the answers so far.
fn way(answers: &Answers) -> Result<Way, Unreachable> {
    let mut description = Description {
        reach: answers.reach.clone(),
        ..Description::default()
    };
    let program = match &answers.place {
        Place::Running(players) => {
            description.players = Some(players.clone());
            None
        }
        Place::Command(words) => {
            let command = Template::parse(words).map_err(|error| Unreachable {
                title: error.to_string(),
                help: "write {{ for a brace".to_owned(),
            })?;
            let ready = answers
                .ready
                .as_ref()
                .and_then(|line| UrlPattern::parse(line).ok());
            Some(Program {
                ready,
                ..Program::from(command)
            })
        }
    };
    description
        .ways(answers.side, program.as_ref())
        .map(|(players, _)| players)
}

fn fault(found: Unreachable) -> Diagnostic {
    Diagnostic::error("init/reach", found.title).help(found.help.replace("`reach: ", "`--reach "))
}

fn game(name: &str) -> Result<&'static dyn Game, Diagnostic> {
    pack::game(name).ok_or_else(|| {
        let fault = Diagnostic::error("init/game", format!("there is no game `{name}`"));
        match suggest(name, pack::games().map(|game| game.name())) {
            Some(meant) => fault.help(format!("did you mean `{meant}`?")),
            None => fault,
        }
    })
}

struct Asking<'a> {
    input: &'a mut dyn BufRead,
    output: &'a mut dyn Write,
    /// The folder that the file is to be written in.
    folder: &'a Path,
    /// The flags that repeat the answers so far, and where the subject is.
    given: Vec<String>,
    at: Option<Place>,
}

impl Asking<'_> {
    /// Notes the flag that repeats an answer.
    fn given(&mut self, flag: &str, value: &str) {
        self.given.extend([flag.to_owned(), quote(value)]);
    }

    fn given_if(&mut self, flag: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.given(flag, value);
        }
    }

    /// Asks for the subject's location: a referee may run already.
    fn place(&mut self, side: Side) -> Result<Place, Diagnostic> {
        if side == Side::Bot {
            let question = "By which command is it started?";
            return Ok(Place::Command(self.until(question, "", command)?));
        }
        let question =
            "Where does it listen, if it runs already (HOST:PORT; empty: urtext is to start it)?";
        let players = self.until(question, "", |answer| match answer {
            "" => Ok(None),
            answer => match address(answer) {
                Ok(address) if address.ends_with(":0") => {
                    Err("nobody listens at port 0".to_owned())
                }
                found => found
                    .map(Some)
                    .map_err(|what| format!("`{answer}` is no address: {what}")),
            },
        })?;
        if let Some(players) = players {
            return Ok(Place::Running(players));
        }
        let question =
            "By which command is it started ({port} and {spectator_port} are filled in)?";
        Ok(Place::Command(self.until(question, "", command)?))
    }

    /// Asks for the transport, unless the command implies the transport.
    fn reach(&mut self, answers: &Answers) -> Result<Option<String>, Diagnostic> {
        let fitting = Way::WORDS
            .iter()
            .filter(|(_, sides)| sides.contains(&answers.side));
        let words: Vec<_> = fitting.map(|(word, _)| *word).collect();
        let question = format!("How is it reached ({})?", words.join(", "));
        let follows = way(answers).ok().map(|way| way.word());
        self.until(&question, follows.unwrap_or(words[0]), |answer| {
            let word = words.iter().find(|word| **word == answer);
            let word = word.ok_or_else(|| format!("say one of {}", words.join(", ")))?;
            if follows == Some(*word) {
                return Ok(None);
            }
            let answered = Answers {
                reach: Some((*word).to_owned()),
                ..answers.clone()
            };
            way(&answered).map_err(|found| format!("{}: {}", found.title, found.help))?;
            Ok(answered.reach)
        })
    }

    /// Asks for the settings of referees only: spectators, forced rolls, timeout and pace.
    fn about_referee(&mut self, answers: &mut Answers, players: &Way) -> Result<(), Diagnostic> {
        let tells = |name: &str| {
            answers
                .ready
                .as_ref()
                .is_some_and(|ready| ready.contains(name))
        };
        let is_told = answers.takes(&["spectator_port"]) || tells("{spectator");
        if answers.spectators.is_none() && matches!(players, Way::Connect(_)) && !is_told {
            let question = "Where do its spectators connect (HOST:PORT, same-port or none)?";
            self.set(answers, question, "none", |answers, spectators| {
                answers.spectators = filled(spectators);
                Ok(())
            })?;
            self.given_if("--spectators-at", answers.spectators.as_deref());
        }
        let has_rolls = !answers.game.kinds_of_roll().is_empty();
        let is_started = matches!(answers.place, Place::Command(_));
        if has_rolls
            && is_started
            && answers.rolls_env.is_none()
            && !answers.takes(&["rolls", "rolls_file"])
        {
            self.rolls(answers)?;
        }
        let time = |answer: &str| match answer {
            "" => Ok(None),
            text => humantime::parse_duration(text)
                .map(Some)
                .map_err(|error| format!("{error}; such as 1500ms")),
        };
        if answers.timeout.is_none() && !answers.takes(&["timeout", "timeout_ms"]) {
            let question = "What is its timeout for a move, such as 90s (empty: not known)?";
            self.set(answers, question, "", |answers, text| {
                answers.timeout = time(text)?;
                Ok(())
            })?;
            self.given_if("--timeout", answers.timeout.map(short).as_deref());
        }
        let has_pace = answers.game.longest_pace().is_some();
        if has_pace && answers.pace.is_none() && !answers.takes(&["pace", "pace_ms"]) {
            let question = "What is its pace, such as 1500ms (empty: not known)?";
            self.set(answers, question, "", |answers, text| {
                answers.pace = time(text)?;
                Ok(())
            })?;
            self.given_if("--pace", answers.pace.map(short).as_deref());
        }
        Ok(())
    }

    /// Asks for the referee's roll hook.
    fn rolls(&mut self, answers: &mut Answers) -> Result<(), Diagnostic> {
        const WAYS: [&str; 4] = ["environment", "argument", "file", "none"];
        let question = "How does it take forced rolls: from an environment variable, an argument of its command, or a file \
            (environment, argument, file, none)?";
        let way = self.until(question, "none", |answer| {
            let word = WAYS.iter().find(|way| **way == answer).copied();
            word.ok_or_else(|| match suggest(answer, WAYS) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("say one of {}", WAYS.join(", ")),
            })
        })?;
        let (question, usual, place) = match way {
            "environment" => {
                let question = "What is the name of the environment variable?";
                self.set(answers, question, "", |answers, name| {
                    if name.is_empty() {
                        return Err("write the name of the variable, such as MY_ROLLS".to_owned());
                    }
                    answers.rolls_env = Some(name.to_owned());
                    Ok(())
                })?;
                self.given_if("--rolls-env", answers.rolls_env.as_deref());
                return Ok(());
            }
            "argument" => (
                "Which words are added to its command for the rolls?",
                "--rolls {rolls}",
                "rolls",
            ),
            "file" => (
                "Which words are added to its command for the path of the file?",
                "--rolls-file {rolls_file}",
                "rolls_file",
            ),
            _ => return Ok(()),
        };
        self.set(answers, question, usual, |answers, line| {
            let added = command(line)?;
            if !Template::parse(&added).is_ok_and(|added| added.takes(place)) {
                return Err(format!("{{{place}}} is missing; write such as `{usual}`"));
            }
            if let Place::Command(words) = &mut answers.place {
                words.extend(added);
            }
            Ok(())
        })?;
        self.at = Some(answers.place.clone());
        Ok(())
    }

    /// Asks until the answer can be used: `put` puts it into the answers, and what would be written with them is read again.
    fn set(
        &mut self,
        answers: &mut Answers,
        question: &str,
        usual: &str,
        put: impl Fn(&mut Answers, &str) -> Result<(), String>,
    ) -> Result<(), Diagnostic> {
        let folder = self.folder;
        *answers = self.until(question, usual, |answer| {
            let mut answered = answers.clone();
            put(&mut answered, answer)?;
            let text = super::text::text(&answered, folder);
            let (_, faults) = file::read(&Source::new(file::NAME, text.as_str()), folder);
            match faults
                .sorted()
                .into_iter()
                .find(|fault| fault.severity() == Severity::Error)
            {
                Some(fault) => Err(fault.title().to_owned()),
                None => Ok(answered),
            }
        })?;
        Ok(())
    }

    /// Asks until the answer can be used; an empty one is the usual one.
    fn until<T>(
        &mut self,
        question: &str,
        usual: &str,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Result<T, Diagnostic> {
        loop {
            let shown = if usual.is_empty() {
                String::new()
            } else {
                format!(" [{usual}]")
            };
            write!(self.output, "{question}{shown} ")
                .and_then(|()| self.output.flush())
                .map_err(broken)?;
            let mut line = String::new();
            if self.input.read_line(&mut line).map_err(broken)? == 0 {
                return Err(self.unanswered(question));
            }
            let answer = if line.trim().is_empty() {
                usual
            } else {
                line.trim()
            };
            match read(answer) {
                Ok(value) => return Ok(value),
                Err(help) => self.say(&help)?,
            }
        }
    }

    fn say(&mut self, text: &str) -> Result<(), Diagnostic> {
        writeln!(self.output, "{text}").map_err(broken)
    }

    /// The fault of an input that ends before the last answer.
    fn unanswered(&self, question: &str) -> Diagnostic {
        let fault = Diagnostic::error("init/unanswered", format!("no answer to: {question}"));
        let mut words = self.given.clone();
        match &self.at {
            Some(Place::Running(players)) => words.extend(["--connect".to_owned(), quote(players)]),
            Some(Place::Command(command)) => {
                words.push("--".to_owned());
                words.extend(command.iter().map(|word| quote(word)));
            }
            None => {}
        }
        match words.is_empty() {
            true => fault,
            false => fault.help(format!(
                "the answers so far: urtext init {}",
                words.join(" ")
            )),
        }
    }
}

fn broken(error: std::io::Error) -> Diagnostic {
    Diagnostic::error("init/terminal", error.to_string())
}

/// The words of a command, as a shell would split them.
fn command(answer: &str) -> Result<Vec<String>, String> {
    match shell_words::split(answer) {
        Ok(words) if words.is_empty() => Err("write the program and its arguments".to_owned()),
        Ok(words) => match Template::parse(&words) {
            Ok(_) => Ok(words),
            Err(error) => Err(format!("{error}; write {{{{ for a brace")),
        },
        Err(error) => Err(format!("{error}: close the quotation")),
    }
}

/// A length of time without spaces, as a flag takes it.
fn short(time: Duration) -> String {
    humantime::format_duration(time)
        .to_string()
        .replace(' ', "")
}

#[cfg(test)]
#[path = "questions_tests.rs"]
mod tests;
