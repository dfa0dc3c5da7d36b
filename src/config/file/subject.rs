//! One subject of the file.

use std::time::Duration;

use super::kinds::{Command, Endpoint, Form, Reach, Reader, Text, refuse, word};
use super::program::{self, Parameters};
use super::rolls::Rolls;
use crate::config::{
    CocoUrl, Description, Entrance, LateSpectator, Limits, RollFormat, RollHook, Spectators,
    Subject, SubjectBudgets, UrlPattern, Way, Word,
};
use crate::diagnostic::{Diagnostic, Faults, Span};
use crate::pack::Protocol;
use crate::protocol::Dialect;
use crate::rules::Game;
use crate::scenario::{MOST_SPECTATORS, Side};
use crate::yaml::{At, Key, Number, Table, keys};

/// The name by which the command line names the peers inside urtext; no subject of a file has it.
pub const BUILT_IN: &str = "built-in";

/// Placeholders in the lines sent on connecting, in addition to those of a command.
const OWN_NAME: &[&str] = &["name"];

keys! {
    /// A subject, as it is written.
    #[derive(Debug, Clone, Default)]
    pub(super) struct SubjectKeys in "a subject" {
        /// What it is
        required "as" => side: Option<Side>;
        /// The game, by its name or an alias
        required "game" => game: Option<Protocol>;
        /// The subject's own name for the game; fills `{game}`
        optional "game-name" => game_name: Option<Text>;
        /// The program and its arguments; there is no shell
        optional "command" => command: Option<At<Command>>;
        /// The working folder, relative to the file; default: an empty folder for each game
        optional "folder" => folder: Option<At<String>>;
        /// Variables added to those of urtext; `NAME: ~` removes one
        optional "environment" => environment: Option<At<Table<Option<At<Text>>>>>;
        /// The line by which it says that it accepts connections
        optional "ready" => ready: Option<At<UrlPattern>>;
        /// Limits for each process
        optional "limits" => limits: Option<At<Limits>>;
        /// Placeholders of your own
        optional "parameters" => parameters: Option<At<Parameters>>;
        /// The transport
        optional "reach" => reach: Option<At<Reach>>;
        /// The endpoint: `HOST:PORT` or `coco://HOST:PORT/`
        optional "players" => players: Option<At<PlayersKeys>>;
        /// Referees: `HOST:PORT`, `same-port`, `own-port` (`{spectator_port}`) or `none`
        optional "spectators" => spectators: Option<At<SpectatorsKeys>>;
        /// Referees: how [forced rolls](#force-the-rolls) are given
        optional "rolls" => rolls: Option<At<Rolls>>;
        /// Referees: what a [late spectator](#late-spectators) receives
        optional "late-spectator" => late_spectator: Option<At<LateSpectator>>;
        /// The timeout, if it is fixed
        optional "timeout" => timeout: Option<Duration>;
        /// The pace, if it is fixed
        optional "pace" => pace: Option<At<Duration>>;
        /// [Time limits](timing.md#budgets)
        optional "budgets" => budgets: SubjectBudgets;
    }
}

keys! {
    /// Where players connect, and what is exchanged then.
    #[derive(Debug, Clone, Default)]
    pub(super) struct PlayersKeys in "players" or Endpoint {
        /// The endpoint
        optional "at" => at: Option<Endpoint>;
        /// Lines sent on connecting; `{name}` is the name of the participant
        optional "say" => say: Vec<At<String>>;
        /// Lines expected in reply
        optional "expect" => expect: Vec<UrlPattern>;
    }
}

keys! {
    /// Where spectators connect, and what is exchanged then.
    #[derive(Debug, Clone, Default)]
    pub(super) struct SpectatorsKeys in "spectators" or Spectators {
        /// The endpoint
        optional "at" => at: Option<Spectators>;
        /// Lines sent on connecting; `{name}` is the name of the participant
        optional "say" => say: Vec<At<String>>;
        /// Lines expected in reply
        optional "expect" => expect: Vec<UrlPattern>;
        /// Spectators that the referee waits for before a game
        optional "wait-for" => wait_for: Option<At<Number<0, MOST_SPECTATORS>>>;
    }
}

impl From<Endpoint> for PlayersKeys {
    fn from(at: Endpoint) -> PlayersKeys {
        PlayersKeys {
            at: Some(at),
            ..PlayersKeys::default()
        }
    }
}

impl From<Spectators> for SpectatorsKeys {
    fn from(at: Spectators) -> SpectatorsKeys {
        SpectatorsKeys {
            at: Some(at),
            ..SpectatorsKeys::default()
        }
    }
}

/// The subject that its keys describe, as far as it can be read.
pub(super) fn subject(key: &Key, keys: SubjectKeys, reader: Reader<'_>) -> Option<Subject> {
    let faults = reader.faults;
    let refuse = |code, span, title: String, help: &str| refuse(faults, code, span, title, help);
    let help = "give this one another name";
    if key.text.trim().is_empty() {
        refuse(
            "config/name",
            key.span,
            "a subject needs a name".to_owned(),
            help,
        );
    }
    if key.text == BUILT_IN {
        let title = format!("`{BUILT_IN}` means the peers inside urtext, and no other subject");
        refuse("config/name", key.span, title, help);
    }
    let (program, parameters) = program::program(&keys, reader).unzip();
    let program = program.as_ref();
    let rolls = keys.rolls.as_ref();
    let hook = rolls.map(|rolls| rolls.is.hook(program, faults));
    let players = keys.players.as_ref();
    let endpoint = players.and_then(|players| players.is.at.as_ref());
    let watching = keys.spectators.as_ref().map(|spectators| &spectators.is);
    let description = Description {
        reach: keys.reach.as_ref().map(|reach| reach.is.0.to_owned()),
        players: endpoint.and_then(|at| at.0.clone()),
        spectators: watching
            .and_then(|keys| keys.at.clone())
            .unwrap_or_default(),
    };
    let of_players = players.map(|players| &players.is);
    let of_players = of_players.map(|keys| Lines::of(&keys.say, &keys.expect, faults));
    let of_spectators = watching.map(|keys| Lines::of(&keys.say, &keys.expect, faults));
    let of_players = of_players.unwrap_or_default();
    let of_spectators = of_spectators.unwrap_or_default();
    let awaited = watching.and_then(|keys| keys.wait_for);
    if let Some(At {
        is: Number(number @ 1..),
        span,
    }) = awaited
        && description.spectators == Spectators::None
    {
        let title =
            format!("it waits for {number} spectators, and `none` says that nobody can watch");
        refuse("config/wait-for", span, title, "leave one of the two out");
    }
    let (side, protocol) = (keys.side?, keys.game?);
    if let Some(pace) = keys.pace {
        check_pace(pace, protocol, faults);
    }
    let of_referees = [
        ("rolls", rolls.map(|at| at.span)),
        ("late-spectator", keys.late_spectator.map(|at| at.span)),
        ("spectators", keys.spectators.as_ref().map(|at| at.span)),
    ];
    for (key, span) in of_referees.into_iter().filter(|_| side == Side::Bot) {
        let title = format!("`{key}` is for a referee, and this is a bot");
        if let Some(span) = span {
            refuse("config/side", span, title, "remove it");
        }
    }
    let (players_way, spectators_way) = match description.ways(side, program) {
        Ok(ways) => ways,
        // Nothing leads to the subject without its address, and what is wrong with that has been reported.
        Err(_) if endpoint.is_some_and(|at| at.0.is_none()) => return None,
        Err(found) => {
            let reach = keys.reach.as_ref().map(|reach| reach.span);
            let span = reach.or(players.map(|players| players.span));
            let mut help = found.help;
            if reader.form == Form::CommandLine {
                help = help.replace("`reach: ", "`--set reach=");
                help = help.replace("`spectators: ", "`--set spectators=");
            }
            refuse("config/reach", span.unwrap_or(key.span), found.title, &help);
            return None;
        }
    };
    if let Some(ready) = &keys.ready
        && program.is_some()
        && (ready.is.tells("port") || ready.is.tells("players"))
        && side == Side::Referee
        && protocol.dialect().is_some_and(Dialect::has_spectators)
        && description.spectators == Spectators::Unsaid
        && spectators_way.is_none()
    {
        warn_of_spectators(ready.span, faults);
    }
    let mut subject = Subject::new(
        key.text.clone(),
        side,
        protocol,
        of_players.through(players_way),
    );
    if reader.form == Form::File {
        subject.declared = Some((faults.source().clone(), key.span));
    }
    subject.spectators = spectators_way.map(|way| of_spectators.through(way));
    subject.awaited_spectators = awaited.and_then(|number| u32::try_from(number.is.0).ok());
    (subject.roll_hook, subject.roll_format) = match (hook, rolls) {
        (Some(hook), Some(rolls)) => (hook, rolls.is.format()),
        _ => {
            let takes = |place| program.is_some_and(|program| program.takes(place));
            let hook = takes("rolls") || takes("rolls_file");
            (hook.then_some(RollHook::Arguments), RollFormat::default())
        }
    };
    subject.program = program.cloned();
    let late = keys.late_spectator.map(|late| late.is);
    subject.late_spectator = late.unwrap_or(subject.usual_late_spectator());
    (subject.timeout, subject.budgets) = (keys.timeout, keys.budgets);
    subject.pace = keys.pace.map(|pace| pace.is);
    let url = description
        .players
        .and_then(|players| players.parse::<CocoUrl>().ok());
    if let Some(url) = url {
        subject.take_over(&url);
        if let (None, Some(players), Some(pace)) = (keys.pace, players, subject.pace) {
            let span = players.span;
            check_pace(At { is: pace, span }, protocol, faults);
        }
    }
    if let Some(name) = keys.game_name {
        subject.game_name = name.0;
    }
    subject.parameters = parameters.unwrap_or_default();
    Some(subject)
}

/// Lines of the exchange on connecting.
#[derive(Debug, Default)]
struct Lines {
    say: Vec<Word>,
    expect: Vec<UrlPattern>,
}

impl Lines {
    fn of(say: &[At<String>], expect: &[UrlPattern], faults: &Faults<'_>) -> Lines {
        let say = say.iter();
        let say = say.filter_map(|at| word(&at.is, at.span, Word::parse, OWN_NAME, faults));
        Lines {
            say: say.collect(),
            expect: expect.to_vec(),
        }
    }

    fn through(self, way: Way) -> Entrance {
        let Lines { say, expect } = self;
        Entrance { way, say, expect }
    }
}

/// Refuses a pace that the game cannot have.
fn check_pace(pace: At<Duration>, protocol: Protocol, faults: &Faults<'_>) {
    let longest = protocol.game().and_then(Game::longest_pace);
    if let Some(longest) = longest.filter(|&longest| pace.is > longest) {
        let longest = humantime::format_duration(longest);
        let title = format!("the longest pace is {longest}");
        refuse(
            faults,
            "config/pace",
            pace.span,
            title,
            format!("write `{longest}` or less"),
        );
    }
}

fn warn_of_spectators(ready: Span, faults: &Faults<'_>) {
    let title = "this line does not say where spectators connect, so spectators cannot be tested";
    let span = faults.source().first_line(ready);
    let fault = Diagnostic::warning("config/spectators", title).at(faults.source(), span, "");
    faults.push(fault.help(
        "write {spectator_port} or {spectators} where the subject prints it, or say `spectators: same-port`, \
         `spectators: HOST:PORT`, or `spectators: none`",
    ));
}
