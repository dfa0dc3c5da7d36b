//! What `urtext init` has to know: from its flags, and on a terminal from whoever sits there.

use std::io::{BufRead, Write};

use super::{Answers, InitArgs, Place};
use crate::config::{Address, Description, Pattern, Program, Template, Unreachable, Way};
use crate::diagnostic::{Diagnostic, suggest};
use crate::games::{self, Game};
use crate::scenario::Side;

/// How often a question is asked again where the answer is none.
const TRIES: usize = 3;

/// The name where nobody says another.
const USUAL_NAME: &str = "mine";

/// The answers as the flags give them.
///
/// # Errors
/// What is missing, or does not lead to the subject.
pub(super) fn said(args: &InitArgs) -> Result<Answers, Diagnostic> {
    let missing = |what: &str| {
        let fault =
            Diagnostic::error("init/missing", format!("{what} is not said, and there is no terminal to ask"));
        fault.help("urtext init --as referee --game royalur -- ./myreferee --port {port}")
    };
    let side = args.side.ok_or_else(|| missing("what is under test (--as)"))?.into();
    let place = place(args).ok_or_else(|| missing("its command (after --), or its address (--connect),"))?;
    let answers = answers(args, side, game(args.game.as_deref().unwrap_or(games::USUAL))?, place)?;
    way(&answers).map_err(fault)?;
    Ok(answers)
}

/// The answers of somebody who sits at a terminal; what the flags say is not asked.
///
/// # Errors
/// Where no answer is one, or the input ends.
pub(super) fn ask(
    args: &InitArgs,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> Result<Answers, Diagnostic> {
    let mut asking = Asking { input, output };
    let side = match args.side {
        Some(side) => side.into(),
        None => asking.until("Is a referee or a bot under test?", "referee", |answer| match answer {
            "referee" | "r" => Ok(Side::Referee),
            "bot" | "b" => Ok(Side::Bot),
            _ => Err("say `referee` or `bot`".to_owned()),
        })?,
    };
    let game = match &args.game {
        Some(name) => game(name)?,
        None => {
            let names: Vec<_> = games::ALL.iter().map(|game| game.name()).collect();
            let question = format!("Which game does it play ({})?", names.join(", "));
            asking.until(&question, games::USUAL, |answer| {
                game(answer).map_err(|fault| fault.title().to_owned())
            })?
        }
    };
    let place = match place(args) {
        Some(place) => place,
        None => asking.place(side)?,
    };
    let mut answers = answers(args, side, game, place)?;
    if answers.reach.is_none() && matches!(answers.place, Place::Command(_)) {
        answers.reach = asking.reach(&answers)?;
    }
    let players = way(&answers).map_err(fault)?;
    let text = |answer: &str| Ok(Some(answer.to_owned()).filter(|text| !text.is_empty()));
    if players == Way::Connect(Address::Printed) && answers.ready.is_none() {
        let question = "Which line does it print when it listens, such as `listening on port {port}` (empty: `listening players=HOST:PORT`)?";
        answers.ready = asking.until(question, "", |line| match Pattern::parse(line) {
            Err(error) if !line.is_empty() => Err(error.to_string()),
            _ => text(line),
        })?;
    }
    if side == Side::Referee {
        asking.about_referee(&mut answers, &players)?;
    }
    if args.name.is_none() {
        answers.name = asking.until("What shall it be called?", USUAL_NAME, |name| Ok(name.to_owned()))?;
    }
    Ok(answers)
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
            return wrong("a bot is started by urtext, it is not connected to", "write its command after --");
        }
        let others = [args.spectators_at.is_some(), args.timeout.is_some(), args.pace.is_some()];
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

/// Where the flags say that the subject is.
fn place(args: &InitArgs) -> Option<Place> {
    match &args.connect {
        Some(players) => Some(Place::Running(players.clone())),
        None if args.command.is_empty() => None,
        None => Some(Place::Command(args.command.clone())),
    }
}

/// How the players' lanes are reached, as far as it has been answered.
fn way(answers: &Answers) -> Result<Way, Unreachable> {
    let mut description = Description { reach: answers.reach.clone(), ..Description::default() };
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
            let ready = answers.ready.as_ref().and_then(|line| Pattern::parse(line).ok());
            Some(Program { ready, ..Program::from(command) })
        }
    };
    description.ways(answers.side, program.as_ref()).map(|(players, _)| players)
}

fn fault(found: Unreachable) -> Diagnostic {
    Diagnostic::error("init/reach", found.title).help(found.help.replace("`reach: ", "`--reach "))
}

fn game(name: &str) -> Result<&'static dyn Game, Diagnostic> {
    games::find(name).ok_or_else(|| {
        let fault = Diagnostic::error("init/game", format!("there is no game `{name}`"));
        match suggest(name, games::ALL.iter().map(|game| game.name())) {
            Some(meant) => fault.help(format!("did you mean `{meant}`?")),
            None => fault,
        }
    })
}

struct Asking<'a> {
    input: &'a mut dyn BufRead,
    output: &'a mut dyn Write,
}

impl Asking<'_> {
    /// Where the subject is: a referee may run already.
    fn place(&mut self, side: Side) -> Result<Place, Diagnostic> {
        let command = |answer: &str| match shell_words::split(answer) {
            Ok(words) if words.is_empty() => Err("write the program and its arguments".to_owned()),
            Ok(words) => match Template::parse(&words) {
                Ok(_) => Ok(words),
                Err(error) => Err(format!("{error}; write {{{{ for a brace")),
            },
            Err(error) => Err(format!("{error}: close the quotation")),
        };
        if side == Side::Bot {
            let question = "By which command is it started?";
            return Ok(Place::Command(self.until(question, "", command)?));
        }
        let question = "Where does it listen, if it runs already (HOST:PORT; empty: urtext is to start it)?";
        let players = self.until(question, "", |answer| Ok(answer.to_owned()))?;
        if !players.is_empty() {
            return Ok(Place::Running(players));
        }
        let question = "By which command is it started ({port} and {spectator_port} are filled in)?";
        Ok(Place::Command(self.until(question, "", command)?))
    }

    /// How the subject is reached, where its command does not tell.
    fn reach(&mut self, answers: &Answers) -> Result<Option<String>, Diagnostic> {
        let fitting = Way::WORDS.iter().filter(|(_, sides)| sides.contains(&answers.side));
        let words: Vec<_> = fitting.map(|(word, _)| *word).collect();
        let question = format!("How is it reached ({})?", words.join(", "));
        let follows = way(answers).ok().map(|way| way.word());
        self.until(&question, follows.unwrap_or(words[0]), |answer| {
            let word = words.iter().find(|word| **word == answer);
            let word = word.ok_or_else(|| format!("say one of {}", words.join(", ")))?;
            if follows == Some(*word) {
                return Ok(None);
            }
            let answered = Answers { reach: Some((*word).to_owned()), ..answers.clone() };
            way(&answered).map_err(|found| format!("{}: {}", found.title, found.help))?;
            Ok(answered.reach)
        })
    }

    /// What only a referee has: spectators, forced rolls, a timeout and a pace.
    fn about_referee(&mut self, answers: &mut Answers, players: &Way) -> Result<(), Diagnostic> {
        let text = |answer: &str| Ok(Some(answer.to_owned()).filter(|text| !text.is_empty()));
        let time = |answer: &str| match answer {
            "" => Ok(None),
            text => {
                humantime::parse_duration(text).map(Some).map_err(|error| format!("{error}; such as 1500ms"))
            }
        };
        let tells = |name: &str| answers.ready.as_ref().is_some_and(|ready| ready.contains(name));
        let is_told = answers.takes(&["spectator_port"]) || tells("{spectator");
        if answers.spectators.is_none() && matches!(players, Way::Connect(_)) && !is_told {
            let question = "Where do its spectators connect (HOST:PORT, same-port or none)?";
            answers.spectators = self.until(question, "none", text)?;
        }
        let has_rolls = !answers.game.kinds_of_roll().is_empty();
        let is_started = matches!(answers.place, Place::Command(_));
        if has_rolls && is_started && answers.rolls_env.is_none() && !answers.takes(&["rolls", "rolls_file"])
        {
            let question = "From which environment variable does it take forced rolls (empty: from none)?";
            answers.rolls_env = self.until(question, "", text)?;
        }
        if answers.timeout.is_none() && !answers.takes(&["timeout", "timeout_ms"]) {
            let question = "What is its timeout for a move, such as 90s (empty: not known)?";
            answers.timeout = self.until(question, "", time)?;
        }
        let has_pace = answers.game.longest_pace().is_some();
        if has_pace && answers.pace.is_none() && !answers.takes(&["pace", "pace_ms"]) {
            let question = "What is its pace, such as 1500ms (empty: not known)?";
            answers.pace = self.until(question, "", time)?;
        }
        Ok(())
    }

    /// Asks until there is an answer, a few times; an empty one is the usual one.
    fn until<T>(
        &mut self,
        question: &str,
        usual: &str,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Result<T, Diagnostic> {
        let broken = |error: std::io::Error| Diagnostic::error("init/terminal", error.to_string());
        for _ in 0..TRIES {
            let shown = if usual.is_empty() { String::new() } else { format!(" [{usual}]") };
            write!(self.output, "{question}{shown} ").and_then(|()| self.output.flush()).map_err(broken)?;
            let mut line = String::new();
            if self.input.read_line(&mut line).map_err(broken)? == 0 {
                break;
            }
            let answer = if line.trim().is_empty() { usual } else { line.trim() };
            match read(answer) {
                Ok(value) => return Ok(value),
                Err(help) => writeln!(self.output, "{help}").map_err(broken)?,
            }
        }
        Err(Diagnostic::error("init/unanswered", format!("no answer to: {question}")))
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: InitArgs,
    }

    fn args(words: &[&str]) -> InitArgs {
        Line::parse_from(["init"].iter().chain(words)).args
    }

    fn asked(words: &[&str], typed: &str) -> (Result<Answers, Diagnostic>, String) {
        let mut output = Vec::new();
        let answers = ask(&args(words), &mut typed.as_bytes(), &mut output);
        (answers, String::from_utf8(output).unwrap())
    }

    fn words(answers: &Answers) -> &[String] {
        let Place::Command(words) = &answers.place else { panic!("{answers:?}") };
        words
    }

    #[test]
    fn asks_what_the_flags_do_not_say() {
        let typed = "\n\n\n./ref --port '{port}'\n\nsame-port\nROLLS\n2s\n\nmy referee\n";
        let (answers, output) = asked(&[], typed);
        let answers = answers.unwrap();
        assert_eq!((answers.name.as_str(), answers.side), ("my referee", Side::Referee));
        assert_eq!(answers.game.name(), games::USUAL);
        assert_eq!(words(&answers), ["./ref", "--port", "{port}"]);
        assert_eq!((answers.reach, answers.ready), (None, None));
        assert_eq!(answers.spectators.as_deref(), Some("same-port"));
        assert_eq!(answers.rolls_env.as_deref(), Some("ROLLS"));
        assert_eq!((answers.timeout, answers.pace), (Some(std::time::Duration::from_secs(2)), None));
        assert_eq!(output.matches('?').count(), 10, "{output}");
        let told = ["--as", "bot", "--game", "royalur", "--name", "b", "--reach", "stdio", "--", "x"];
        let (answers, output) = asked(&told, "");
        assert_eq!((answers.unwrap().name.as_str(), output.as_str()), ("b", ""));
    }

    #[test]
    fn asks_no_more_than_the_command_leaves_open() {
        let command = "r {port} {spectator_port} {timeout} {pace} {rolls}\n";
        let (answers, output) = asked(&["--as", "referee", "--game", "ur"], &format!("\n{command}\n\n"));
        assert_eq!(answers.unwrap().name, USUAL_NAME);
        assert_eq!(output.matches('?').count(), 4, "{output}");
        let (answers, output) =
            asked(&["--as", "referee", "--game", "ur"], "\nr\n\nup on {prt}\nup on {port}\n\n\n\n\n\n");
        assert_eq!(answers.unwrap().ready.as_deref(), Some("up on {port}"));
        assert!(output.contains("did you mean {port}?"), "{output}");
    }

    #[test]
    fn a_bot_whose_port_can_mean_two_things_is_asked_which() {
        let (answers, output) = asked(&["--as", "bot", "--game", "ur"], "b {port}\nstdoi\nlistens\n\n");
        assert_eq!(answers.unwrap().reach.as_deref(), Some("listens"));
        assert!(output.contains("say one of listens, connects, stdio, named-pipes"), "{output}");
        let (answers, _) = asked(&["--as", "bot", "--game", "ur"], "b\nconnects\nstdio\n\n");
        assert_eq!(answers.unwrap().reach, None);
    }

    #[test]
    fn asks_again_and_gives_up_in_the_end() {
        let (answers, output) = asked(&[], "judge\nb\n\n'open\npython3 {bot}\npython3 bot.py\n\n\n");
        assert_eq!(answers.unwrap().side, Side::Bot);
        for help in ["say `referee` or `bot`", "close the quotation", "write {{ for a brace"] {
            assert!(output.contains(help), "{output}");
        }
        let fault = asked(&[], "x\nx\nx\n").0.unwrap_err();
        assert!(fault.title().starts_with("no answer to: Is a referee or a bot"), "{fault}");
        assert!(asked(&[], "").0.is_err());
    }

    #[test]
    fn without_a_terminal_the_flags_have_to_say_it() {
        let fault = |words: &[&str]| said(&args(words)).unwrap_err().title().to_owned();
        assert!(fault(&[]).contains("--as"));
        assert!(fault(&["--as", "bot"]).contains("its command"));
        assert!(fault(&["--as", "bot", "--connect", "h:1"]).contains("started by urtext"));
        assert!(fault(&["--as", "bot", "--game", "royalr", "--", "x"]).contains("royalr"));
        assert!(fault(&["--as", "bot", "--pace", "1s", "--", "x"]).contains("a referee's"));
        assert!(fault(&["--as", "bot", "--", "x", "{port}"]).contains("can listen there or connect there"));
        assert!(said(&args(&["--as", "referee", "--connect", "h:1"])).is_ok());
    }
}
