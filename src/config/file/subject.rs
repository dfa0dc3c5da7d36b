//! One subject of the file.

use std::time::Duration;

use super::kinds::{Command, Endpoint, Form, Line, Reader, Text};
use super::program::{self, Parameters};
use super::rolls::Rolls;
use crate::config::{
    CocoUrl, Description, Entrance, LateSpectator, Limits, Reach, RollFormat, RollHook, Spectators,
    Subject, SubjectBudgets, UrlPattern, Way,
};
use crate::diagnostic::{Diagnostic, Faults, Problem, Span};
use crate::pack::Protocol;
use crate::scenario::{MOST_SPECTATORS, Side};
use crate::yaml::{At, Key, Number, OrNull, Table, Written, keys};

/// The name by which the command line names the peers inside urtext; no subject of a file has it.
pub const BUILT_IN: &str = "built-in";

keys! {
    /// The keys of a subject.
    #[derive(Debug, Clone, Default)]
    pub(super) struct SubjectKeys in "a subject" {
        /// The kind of subject
        required "as" => side: Option<Side>;
        /// The game, by its name or an alias
        required "game" => game: Option<Protocol>;
        /// The subject's own name for the game; fills `{game}`
        optional "game-name" => game_name: Option<Text>;
        /// The program and its arguments; there is no shell
        optional "command" => command: Option<Command>;
        /// The working folder, relative to the file; default: an empty folder for each game
        optional "folder" => folder: Option<String>;
        /// Variables added to those of urtext; `NAME: ~` removes one
        optional "environment" => environment: Option<Table<OrNull<At<Text>>>>;
        /// The line by which it says that it accepts connections
        optional "ready" => ready: Option<UrlPattern>;
        /// Limits for each process
        optional "limits" => limits: Limits;
        /// Placeholders of your own
        optional "parameters" => parameters: Option<Parameters>;
        /// The transport
        optional "reach" => reach: Option<Reach>;
        /// The endpoint: `HOST:PORT` or `coco://HOST:PORT/`
        optional "players" => players: Option<PlayersKeys>;
        /// Referees: `HOST:PORT`, `same-port`, `own-port` (`{spectator_port}`) or `none`
        optional "spectators" => spectators: Option<SpectatorsKeys>;
        /// Referees: how [forced rolls](#force-the-rolls) are given
        optional "rolls" => rolls: Option<Rolls>;
        /// Referees: what a [late spectator](#late-spectators) receives
        optional "late-spectator" => late_spectator: Option<LateSpectator>;
        /// The timeout, if it is fixed
        optional "timeout" => timeout: Option<Duration>;
        /// The pace, if it is fixed
        optional "pace" => pace: Option<Duration>;
        /// [Time limits](timing.md#budgets)
        optional "budgets" => budgets: SubjectBudgets;
    }
}

keys! {
    /// The lines exchanged on connecting.
    #[derive(Debug, Clone, Default)]
    pub(super) struct LineKeys in "the exchange" {
        /// Lines sent on connecting; `{name}` is the name of the participant
        optional "say" => say: Vec<Line>;
        /// Lines expected in reply
        optional "expect" => expect: Vec<UrlPattern>;
    }
}

keys! {
    /// The players' endpoint, and the lines exchanged on connecting.
    #[derive(Debug, Clone, Default)]
    pub(super) struct PlayersKeys in "players" or Endpoint {
        /// The endpoint
        optional "at" => at: Option<Endpoint>;
        /// The lines exchanged on connecting
        part "the exchange" => lines: LineKeys;
    }
}

keys! {
    /// The spectators' endpoint, and the lines exchanged on connecting.
    #[derive(Debug, Clone, Default)]
    pub(super) struct SpectatorsKeys in "spectators" or Spectators {
        /// The endpoint
        optional "at" => at: Option<Spectators>;
        /// The lines exchanged on connecting
        part "the exchange" => lines: LineKeys;
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
pub(super) fn subject(
    key: &Key,
    written: Written<SubjectKeys>,
    reader: Reader<'_>,
) -> Option<Subject> {
    let faults = reader.faults;
    let refuse = |code, span, title: String, help: &str| faults.refuse(code, title, span, "", help);
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
    let (program, parameters) = program::program(&written, reader).unzip();
    let program = program.as_ref();
    let span = |key| written.node.span_of(key);
    let keys = &written.is;
    let rolls = keys.rolls.as_ref();
    let hook = rolls.map(|rolls| rolls.hook(program, faults));
    let misplaced = [
        (
            keys.side == Some(Side::Bot),
            "config/side",
            "is for a referee, and this is a bot",
            "remove it",
            &["rolls", "late-spectator", "spectators"][..],
        ),
        (
            keys.command.is_none(),
            "config/command",
            "is for a subject that urtext starts, and there is no `command`",
            "write its `command`, or leave it out",
            &["folder", "environment", "ready", "limits", "parameters"],
        ),
    ];
    for (_, code, why, help, keys) in misplaced.into_iter().filter(|(is_so, ..)| *is_so) {
        for (key, span) in keys.iter().filter_map(|key| Some((key, span(key)?))) {
            refuse(code, span, format!("`{key}` {why}"), help);
        }
    }
    let players = keys.players.as_ref();
    let endpoint = players.and_then(|players| players.at.as_ref());
    let watching = keys.spectators.as_ref();
    let description = Description {
        reach: keys.reach,
        players: endpoint.and_then(|at| at.0.clone()),
        spectators: watching
            .and_then(|keys| keys.at.clone())
            .unwrap_or_default(),
    };
    let lines_of_players = players.map(|keys| keys.lines.clone()).unwrap_or_default();
    let lines_of_spectators = watching.map(|keys| keys.lines.clone()).unwrap_or_default();
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
    let (players_way, spectators_way) = match description.ways(side, program) {
        Ok(ways) => ways,
        // Nothing leads to the subject without its address, and what is wrong with that has been reported.
        Err(_) if endpoint.is_some_and(|at| at.0.is_none()) => return None,
        Err(found) => {
            let span = span("reach").or(span("players"));
            let shown = |help: String| match reader.form {
                Form::File => help,
                Form::CommandLine => help
                    .replace("`reach: ", "`--set reach=")
                    .replace("`spectators: ", "`--set spectators="),
            };
            let help = found.help.into_iter().map(shown).collect();
            let problem = Problem { help, ..found };
            problem.refuse("config/reach", span.unwrap_or(key.span), faults);
            return None;
        }
    };
    if let (Some(ready), Some(span)) = (&keys.ready, span("ready"))
        && program.is_some()
        && (ready.tells("port") || ready.tells("players"))
        && side == Side::Referee
        && protocol
            .dialect()
            .is_some_and(|dialect| dialect.data().has_spectators)
        && description.spectators == Spectators::Unsaid
        && spectators_way.is_none()
    {
        warn_of_spectators(span, faults);
    }
    let mut subject = Subject::new(
        key.text.clone(),
        side,
        protocol,
        lines_of_players.through(players_way),
    );
    if reader.form == Form::File {
        subject.declared = Some((faults.source().clone(), key.span));
    }
    subject.spectators = spectators_way.map(|way| lines_of_spectators.through(way));
    subject.awaited_spectators = awaited.and_then(|number| u32::try_from(number.is.0).ok());
    (subject.roll_hook, subject.roll_format) = match (hook, rolls) {
        (Some(hook), Some(rolls)) => (hook, rolls.format.clone()),
        _ => {
            let takes = |place| program.is_some_and(|program| program.takes(place));
            let hook = takes("rolls") || takes("rolls_file");
            (hook.then_some(RollHook::Arguments), RollFormat::default())
        }
    };
    subject.program = program.cloned();
    // By the protocol of matches, whoever comes late receives everything.
    let usual = match subject.creates_matches() {
        true => LateSpectator::Whole,
        false => LateSpectator::default(),
    };
    subject.late_spectator = keys.late_spectator.unwrap_or(usual);
    (subject.timeout, subject.pace, subject.budgets) = (keys.timeout, keys.pace, keys.budgets);
    let url = description
        .players
        .and_then(|players| players.parse::<CocoUrl>().ok());
    if let Some(url) = url {
        subject.game_name = url.game.unwrap_or(subject.game_name);
        subject.timeout = subject.timeout.or(url.timeout);
        subject.pace = subject.pace.or(url.pace);
    }
    let longest = protocol.game().and_then(|game| game.data().longest_pace);
    if let (Some(longest), Some(pace), Some(span)) =
        (longest, subject.pace, span("pace").or(span("players")))
        && pace > longest
    {
        let longest = humantime::format_duration(longest);
        let title = format!("the longest pace is {longest}");
        refuse(
            "config/pace",
            span,
            title,
            &format!("write `{longest}` or less"),
        );
    }
    if let Some(Text(name)) = &keys.game_name {
        subject.game_name = name.clone();
    }
    subject.parameters = parameters.unwrap_or_default();
    Some(subject)
}

impl LineKeys {
    /// The way to an endpoint, with these lines.
    fn through(self, way: Way) -> Entrance {
        Entrance {
            way,
            say: self.say.into_iter().map(|Line(word)| word).collect(),
            expect: self.expect,
        }
    }
}

fn warn_of_spectators(ready: Span, faults: &Faults) {
    let title = "this line does not say where spectators connect, so spectators cannot be tested";
    let fault = Diagnostic::warning("config/spectators", title).at(faults.source(), ready, "");
    faults.push(fault.help(
        "write {spectator_port} or {spectators} where the subject prints it, or say `spectators: same-port`, \
         `spectators: HOST:PORT`, or `spectators: none`",
    ));
}
