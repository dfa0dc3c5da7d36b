//! Settings that `urtext init` needs: from its flags, or by questions on a terminal.

use std::io::{BufRead, Write};
use std::time::Duration;

use super::InitArgs;
use super::answers::{Answers, Place, USUAL_NAME, short};
use super::asking::Asking;
use crate::config::{Address, Template, Unreachable, UrlPattern, Way, address};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::pack::{self, Protocol};
use crate::platform::folder_of;
use crate::scenario::Side;

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
    let place = args
        .place()
        .ok_or_else(|| missing("its command (after --), or its address (--connect),"))?;
    let protocol = protocol(args.game.as_deref().unwrap_or(pack::usual().game.name()))?;
    args.check(side)?;
    let answers = args.answers(side, protocol, place);
    answers.way().map_err(fault)?;
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
    let named = args.game.as_deref().map(protocol).transpose()?;
    let side = asking.side(args)?;
    let protocol = asking.protocol(named)?;
    let place = match args.place() {
        Some(place) => place,
        None => asking.place(side)?,
    };
    asking.at = Some(place.clone());
    let mut answers = args.answers(side, protocol, place);
    asking.reach(&mut answers)?;
    let players = answers.way().map_err(fault)?;
    if players == Way::Connect(Address::Printed) && answers.ready.is_none() {
        asking.ready(&mut answers)?;
    }
    if side == Side::Referee {
        asking.about_referee(&mut answers, &players)?;
    }
    if args.name.is_none() {
        let question = "What shall it be called?";
        asking.set(&mut answers, question, USUAL_NAME, |answers, name| {
            name.clone_into(&mut answers.name);
            Ok(())
        })?;
    }
    Ok(answers)
}

/// An answer, unless it is empty.
fn filled(answer: &str) -> Option<String> {
    Some(answer.to_owned()).filter(|text| !text.is_empty())
}

fn fault(found: Unreachable) -> Diagnostic {
    Diagnostic::error("init/reach", found.title).help(found.help.replace("`reach: ", "`--reach "))
}

fn told(found: &Unreachable) -> String {
    format!("{}: {}", found.title, found.help)
}

fn protocol(name: &str) -> Result<Protocol, Diagnostic> {
    Protocol::of_game(name).ok_or_else(|| {
        let fault = Diagnostic::error("init/game", format!("there is no game `{name}`"));
        let meant = did_you_mean(name, Protocol::game_names());
        meant.into_iter().fold(fault, Diagnostic::help)
    })
}

impl Asking<'_> {
    /// Asks which side is under test, unless a flag says it.
    fn side(&mut self, args: &InitArgs) -> Result<Side, Diagnostic> {
        let side = match args.side {
            Some(side) => side.into(),
            None => self.until("Is a referee or a bot under test?", "referee", |answer| {
                let side = match answer {
                    "referee" | "r" => Side::Referee,
                    "bot" | "b" => Side::Bot,
                    _ => return Err("say `referee` or `bot`".to_owned()),
                };
                match args.check(side) {
                    Ok(()) => Ok(side),
                    Err(fault) => Err(format!("{answer}: {}", fault.title())),
                }
            })?,
        };
        self.given("--as", side.word());
        args.check(side)?;
        Ok(side)
    }

    /// Asks for the game, unless a flag names it.
    fn protocol(&mut self, named: Option<Protocol>) -> Result<Protocol, Diagnostic> {
        let asked = || {
            let names: Vec<_> = Protocol::game_names().collect();
            let listed = names.join(", ");
            let question = format!("Which game does it play ({listed})?");
            self.until(&question, pack::usual().game.name(), |answer| {
                protocol(answer).map_err(|fault| {
                    let meant = did_you_mean(answer, names.iter().copied());
                    let help = meant.unwrap_or_else(|| format!("say one of {listed}"));
                    format!("{}; {help}", fault.title())
                })
            })
        };
        let protocol = named.map_or_else(asked, Ok)?;
        self.given("--game", protocol.game_name());
        Ok(protocol)
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

    /// Asks for the transport of a command, unless a flag gives one that the command can have.
    fn reach(&mut self, answers: &mut Answers) -> Result<(), Diagnostic> {
        if matches!(answers.place, Place::Command(_)) {
            if let (Some(_), Err(found)) = (&answers.reach, answers.way()) {
                self.say(&told(&found))?;
                answers.reach = None;
            }
            if answers.reach.is_none() {
                answers.reach = self.asked_reach(answers)?;
            }
        }
        self.given_if("--reach", answers.reach.as_deref());
        Ok(())
    }

    /// The transport, unless the command implies the answer.
    fn asked_reach(&mut self, answers: &Answers) -> Result<Option<String>, Diagnostic> {
        let fitting = Way::WORDS
            .iter()
            .filter(|(_, sides)| sides.contains(&answers.side));
        let words: Vec<_> = fitting.map(|(word, _)| *word).collect();
        let question = format!("How is it reached ({})?", words.join(", "));
        let follows = answers.way().ok().map(|way| way.word());
        self.until(&question, follows.unwrap_or(words[0]), |answer| {
            if !words.contains(&answer) {
                return Err(format!("say one of {}", words.join(", ")));
            }
            if follows == Some(answer) {
                return Ok(None);
            }
            let answered = Answers {
                reach: filled(answer),
                ..answers.clone()
            };
            answered.way().map_err(|found| told(&found))?;
            Ok(answered.reach)
        })
    }

    /// Asks for the line by which the subject says where it can be reached.
    fn ready(&mut self, answers: &mut Answers) -> Result<(), Diagnostic> {
        let question = "Which line does it print when it listens, such as `listening on port {port}` (empty: `listening players=HOST:PORT`)?";
        self.set(answers, question, "", |answers, line| {
            answers.ready = filled(line);
            match UrlPattern::parse(line) {
                Err(error) if !line.is_empty() => Err(error.to_string()),
                _ => Ok(()),
            }
        })?;
        self.given_if("--ready", answers.ready.as_deref());
        Ok(())
    }

    /// Asks for the settings of referees only: spectators, forced rolls, timeout and pace.
    fn about_referee(&mut self, answers: &mut Answers, players: &Way) -> Result<(), Diagnostic> {
        let ready = answers.ready.as_ref();
        let is_told = answers.takes(&["spectator_port"])
            || ready.is_some_and(|ready| ready.contains("{spectator"));
        if answers.spectators.is_none() && matches!(players, Way::Connect(_)) && !is_told {
            let question = "Where do its spectators connect (HOST:PORT, same-port or none)?";
            self.set(answers, question, "none", |answers, spectators| {
                answers.spectators = filled(spectators);
                Ok(())
            })?;
            self.given_if("--spectators-at", answers.spectators.as_deref());
        }
        let has_rolls = answers.has_rolls();
        let is_started = matches!(answers.place, Place::Command(_));
        if has_rolls
            && is_started
            && answers.rolls_env.is_none()
            && !answers.takes(&["rolls", "rolls_file"])
        {
            self.rolls(answers)?;
        }
        let question = "What is its timeout for a move, such as 90s (empty: not known)?";
        self.time(answers, "timeout", question, |answers| &mut answers.timeout)?;
        if answers.has_pace() {
            let question = "What is its pace, such as 1500ms (empty: not known)?";
            self.time(answers, "pace", question, |answers| &mut answers.pace)?;
        }
        Ok(())
    }

    /// Asks for a time that is fixed, unless a flag gives it or the command takes it.
    fn time(
        &mut self,
        answers: &mut Answers,
        name: &str,
        question: &str,
        field: fn(&mut Answers) -> &mut Option<Duration>,
    ) -> Result<(), Diagnostic> {
        if field(answers).is_some() || answers.takes(&[name, &format!("{name}_ms")]) {
            return Ok(());
        }
        self.set(answers, question, "", |answers, text| {
            let time = filled(text).map(|text| humantime::parse_duration(&text));
            *field(answers) = time
                .transpose()
                .map_err(|error| format!("{error}; such as 1500ms"))?;
            Ok(())
        })?;
        let given = field(answers).map(short);
        self.given_if(&format!("--{name}"), given.as_deref());
        Ok(())
    }

    /// Asks for the referee's roll hook.
    fn rolls(&mut self, answers: &mut Answers) -> Result<(), Diagnostic> {
        const WAYS: [&str; 4] = ["environment", "argument", "file", "none"];
        let question = "How does it take forced rolls: from an environment variable, an argument of its command, or a file \
            (environment, argument, file, none)?";
        let way = self.until(question, "none", |answer| {
            let word = WAYS.iter().find(|way| **way == answer).copied();
            word.ok_or_else(|| {
                did_you_mean(answer, WAYS)
                    .unwrap_or_else(|| format!("say one of {}", WAYS.join(", ")))
            })
        })?;
        let (question, usual, place) = match way {
            "environment" => {
                let question = "What is the name of the environment variable?";
                self.set(answers, question, "", |answers, name| {
                    answers.rolls_env = filled(name);
                    match &answers.rolls_env {
                        Some(_) => Ok(()),
                        None => Err("write the name of the variable, such as MY_ROLLS".to_owned()),
                    }
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

#[cfg(test)]
#[path = "questions_tests.rs"]
mod tests;
