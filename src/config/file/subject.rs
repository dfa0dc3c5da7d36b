//! One subject of the file.

use std::path::Path;
use std::time::Duration;

use super::keys::{address, fault, list, mapping, pattern, text, variable, word};
use super::program::{self, Form};
use crate::config::{
    CocoUrl, Description, Digits, Entrance, LateSpectator, Program, RollFormat, RollHook,
    Spectators, Subject, SubjectBudgets, Way,
};
use crate::diagnostic::{Diagnostic, Faults, suggest};
use crate::pack::Protocol;
use crate::protocol::{Dialect, LaneKind};
use crate::rules::Game;
use crate::scenario::{MOST_SPECTATORS, Side};
use crate::yaml::{Key, MapReader, Node, Value};

/// The name by which the command line names the peers inside urtext; no subject of a file has it.
pub const BUILT_IN: &str = "built-in";

/// Placeholders in the lines sent on connecting, in addition to those of a command.
const OWN_NAME: &[&str] = &["name"];

/// Reads a subject as far as it can be read.
pub(super) fn subject(
    key: &Key,
    node: &Node,
    here: &Path,
    form: Form,
    faults: &Faults<'_>,
) -> Option<Subject> {
    if key.text.trim().is_empty() {
        faults.push(fault(
            faults,
            "config/name",
            key.span,
            "a subject needs a name",
        ));
    }
    if key.text == BUILT_IN {
        let title = format!(
            "`{}` means the peers inside urtext, and no other subject",
            BUILT_IN
        );
        faults
            .push(fault(faults, "config/name", key.span, title).help("give this one another name"));
    }
    let mut keys = MapReader::new(node, "a subject", faults)?;
    let (side, game, game_name) = (
        keys.required("as"),
        keys.required("game"),
        keys.optional("game-name"),
    );
    let started = program::Keys::ask(&mut keys);
    let (reach, players, spectators) = (
        keys.optional("reach"),
        keys.optional("players"),
        keys.optional("spectators"),
    );
    let (rolls, late) = (keys.optional("rolls"), keys.optional("late-spectator"));
    let (timeout, pace, budgets) = (
        keys.optional("timeout"),
        keys.optional("pace"),
        keys.optional("budgets"),
    );
    keys.finish();

    let side = side.and_then(|node| side_of(node, faults));
    let protocol = game.and_then(|node| protocol_of(node, faults));
    let (program, parameters) = match started.read(here, form, faults) {
        Some((program, parameters)) => (Some(program), parameters),
        None => (None, Vec::new()),
    };
    let mut description = Description {
        reach: reach.and_then(|node| reach_of(node, faults)),
        ..Description::default()
    };
    let mut lines = [Lines::default(), Lines::default()];
    let mut is_lost = false;
    let mut awaited = None;
    if let Some(node) = players {
        let at;
        (at, lines[0]) = lanes(node, LaneKind::Player, faults);
        description.players = at.and_then(|node| server(node, faults));
        // What is wrong with the address has been said; without it nothing leads to the subject.
        is_lost = at.is_some() && description.players.is_none();
    }
    if let Some(node) = spectators {
        let at;
        (at, lines[1]) = lanes(node, LaneKind::Spectator, faults);
        if let Some(node) = at {
            description.spectators = spectators_of(node, faults).unwrap_or_default();
        }
        awaited = lines[1]
            .wait_for
            .and_then(|node| number_awaited(node, &description, faults));
    }
    let roll_hook = rolls.and_then(|node| rolls_of(node, program.as_ref(), faults));
    let late_spectator = late.and_then(|node| late_of(node, faults));
    let timeout = timeout.and_then(|node| node.as_duration(faults));
    let pace = pace.and_then(|node| pace_of(node, protocol, faults));
    let budgets = budgets_of(budgets, faults);
    let (side, protocol) = (side?, protocol?);
    if side == Side::Bot {
        for (key, node) in [
            ("rolls", rolls),
            ("late-spectator", late),
            ("spectators", spectators),
        ] {
            if let Some(node) = node {
                let title = format!("`{key}` is for a referee, and this is a bot");
                faults.push(fault(faults, "config/side", node.span, title));
            }
        }
    }
    let (players_way, spectators_way) = match description.ways(side, program.as_ref()) {
        Ok(ways) => ways,
        Err(_) if is_lost => return None,
        Err(found) => {
            let span = reach.or(players).map_or(key.span, |node| node.span);
            let mut help = found.help;
            if form == Form::CommandLine {
                help = help.replace("`reach: ", "`--set reach=");
                help = help.replace("`spectators: ", "`--set spectators=");
            }
            faults.push(fault(faults, "config/reach", span, found.title).help(help));
            return None;
        }
    };
    let ready = program
        .as_ref()
        .and_then(|program| program.ready.as_ref())
        .zip(started.ready_span());
    if let Some((ready, span)) = ready
        && (ready.tells("port") || ready.tells("players"))
        && side == Side::Referee
        && protocol.dialect().is_some_and(Dialect::has_spectators)
        && description.spectators == Spectators::Unsaid
        && spectators_way.is_none()
    {
        let title =
            "this line does not say where spectators connect, so spectators cannot be tested";
        let span = faults.source().first_line(span);
        let fault = Diagnostic::warning("config/spectators", title).at(faults.source(), span, "");
        faults.push(fault.help(
            "write {spectator_port} or {spectators} where the subject prints it, or say `spectators: same-port`, \
             `spectators: HOST:PORT`, or `spectators: none`",
        ));
    }
    let [of_players, of_spectators] = lines;
    let mut subject = Subject::new(
        key.text.clone(),
        side,
        protocol,
        of_players.through(players_way),
    );
    if form == Form::File {
        subject.declared = Some((faults.source().clone(), key.span));
    }
    subject.spectators = spectators_way.map(|way| of_spectators.through(way));
    subject.awaited_spectators = awaited;
    if let Some(name) = game_name {
        subject.game_name = text(name, faults)?.to_owned();
    }
    let takes_rolls = |program: &Program| program.takes("rolls") || program.takes("rolls_file");
    (subject.roll_hook, subject.roll_format) = match roll_hook {
        Some((hook, format)) => (hook, format),
        None => (
            program
                .as_ref()
                .is_some_and(takes_rolls)
                .then_some(RollHook::Arguments),
            RollFormat::default(),
        ),
    };
    subject.program = program;
    subject.late_spectator = late_spectator.unwrap_or(subject.usual_late_spectator());
    (subject.timeout, subject.pace, subject.budgets) = (timeout, pace, budgets);
    if let Some(url) = description
        .players
        .and_then(|players| players.parse::<CocoUrl>().ok())
    {
        let named = game_name.is_some().then(|| subject.game_name.clone());
        subject.take_over(&url);
        subject.game_name = named.unwrap_or(subject.game_name);
        if let (None, Some(node), Some(pace)) = (pace, players, subject.pace) {
            assert_pace(pace, node, subject.protocol, faults)?;
        }
    }
    subject.parameters = parameters;
    Some(subject)
}

/// Returns the players' endpoint: HOST:PORT, or the address of a server of matches.
fn server(node: &Node, faults: &Faults<'_>) -> Option<String> {
    match node.as_line(faults)? {
        text if CocoUrl::is_meant(text) => match text.parse::<CocoUrl>() {
            Ok(_) => Some(text.to_owned()),
            Err(found) => {
                faults
                    .push(fault(faults, "config/address", node.span, found.title).help(found.help));
                None
            }
        },
        _ => address(node, faults),
    }
}

fn side_of(node: &Node, faults: &Faults<'_>) -> Option<Side> {
    Some(match node.as_one_of(&["referee", "bot"], faults)? {
        "referee" => Side::Referee,
        _ => Side::Bot,
    })
}

fn protocol_of(node: &Node, faults: &Faults<'_>) -> Option<Protocol> {
    let name = node.as_line(faults)?;
    let protocol = Protocol::of_game(name);
    if protocol.is_none() {
        let fault = fault(
            faults,
            "config/game",
            node.span,
            format!("there is no game `{name}`"),
        );
        let names = Protocol::game_names();
        faults.push(match suggest(name, names.clone()) {
            Some(meant) => fault.help(format!("write `{meant}`")),
            None => fault.help(format!(
                "the games are {}",
                names.collect::<Vec<_>>().join(", ")
            )),
        });
    }
    protocol
}

fn reach_of(node: &Node, faults: &Faults<'_>) -> Option<String> {
    let words: Vec<_> = Way::WORDS.iter().map(|(word, _)| *word).collect();
    node.as_one_of(&words, faults).map(str::to_owned)
}

/// Lines of the exchange on connecting, and the number of participants that a game waits for.
#[derive(Debug, Default)]
struct Lines<'n> {
    say: Vec<crate::config::Word>,
    expect: Vec<crate::config::UrlPattern>,
    wait_for: Option<&'n Node>,
}

impl Lines<'_> {
    fn through(self, way: Way) -> Entrance {
        Entrance {
            way,
            say: self.say,
            expect: self.expect,
        }
    }
}

/// The address, and what is said on connecting, of players or spectators: a text alone is the address.
fn lanes<'n>(node: &'n Node, kind: LaneKind, faults: &Faults<'_>) -> (Option<&'n Node>, Lines<'n>) {
    if !matches!(node.value, Value::Map(_)) {
        return (Some(node), Lines::default());
    }
    let what = if kind == LaneKind::Player {
        "players"
    } else {
        "spectators"
    };
    let Some(mut keys) = MapReader::new(node, what, faults) else {
        return (None, Lines::default());
    };
    let (at, say, expect) = (
        keys.optional("at"),
        keys.optional("say"),
        keys.optional("expect"),
    );
    // A game always has all its players.
    let wait_for = if kind == LaneKind::Spectator {
        keys.optional("wait-for")
    } else {
        None
    };
    keys.finish();
    let line = |node: &Node| {
        node.as_line(faults)?;
        word(node, OWN_NAME, faults)
    };
    let say = list(say, faults, line);
    (
        at,
        Lines {
            say,
            expect: list(expect, faults, |node| pattern(node, faults)),
            wait_for,
        },
    )
}

/// Returns the number of spectators that the referee waits for before a game.
fn number_awaited(node: &Node, description: &Description, faults: &Faults<'_>) -> Option<u32> {
    let number = node.as_u64(faults)?;
    let title = match number {
        1.. if description.spectators == Spectators::None => {
            format!("it waits for {number} spectators, and `none` says that nobody can watch")
        }
        0..=MOST_SPECTATORS => return u32::try_from(number).ok(),
        _ => format!("a game has at most {MOST_SPECTATORS} spectators"),
    };
    faults.push(fault(faults, "config/wait-for", node.span, title));
    None
}

fn spectators_of(node: &Node, faults: &Faults<'_>) -> Option<Spectators> {
    Some(match node.as_line(faults)? {
        "none" => Spectators::None,
        "same-port" => Spectators::SamePort,
        "own-port" => Spectators::Unsaid,
        text if !text.contains(':') => {
            let words = ["none", "same-port", "own-port"];
            let fault = fault(
                faults,
                "config/spectators",
                node.span,
                "`none`, `same-port`, `own-port` or an address HOST:PORT is due here",
            );
            faults.push(match suggest(text, words) {
                Some(meant) => fault.help(format!("write `{meant}`")),
                None => fault,
            });
            return None;
        }
        _ => Spectators::At(address(node, faults)?),
    })
}

fn rolls_of(
    node: &Node,
    program: Option<&Program>,
    faults: &Faults<'_>,
) -> Option<(Option<RollHook>, RollFormat)> {
    if !matches!(node.value, Value::Map(_)) {
        const WORDS: [&str; 3] = ["argument", "file", "none"];
        if let Value::Scalar(scalar) = &node.value
            && let word = scalar.text.as_str()
            && !WORDS.contains(&word)
            && suggest(word, WORDS).is_none()
        {
            let is_variable = !word.is_empty()
                && word
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            let (title, help) = match is_variable {
                true => (
                    format!("`{word}` is no way to force rolls; did you mean an environment variable of that name?"),
                    format!("write `rolls: {{environment: {word}}}`"),
                ),
                false => (
                    "this is no way to force rolls".to_owned(),
                    "write `{environment: NAME}`, `argument` with {rolls} in the command, `file` with {rolls_file}, or `none`".to_owned(),
                ),
            };
            faults.push(fault(faults, "config/rolls", node.span, title).help(help));
            return None;
        }
        let hook = match node.as_one_of(&WORDS, faults)? {
            "none" => None,
            word => place_for_rolls(word, node, program, faults),
        };
        return Some((hook, RollFormat::default()));
    }
    let mut keys = MapReader::new(node, "rolls", faults)?;
    let hook = keys.one_of(&["environment", "argument", "file"]);
    let (between_rolls, between_digits) = (
        keys.optional("between-rolls"),
        keys.optional("between-digits"),
    );
    let digits = keys.optional("digits");
    keys.finish();
    let format = RollFormat {
        between_rolls: between_rolls
            .and_then(|node| text(node, faults))
            .map(str::to_owned),
        between_digits: between_digits
            .and_then(|node| text(node, faults))
            .unwrap_or_default()
            .to_owned(),
        digits: match digits.and_then(|node| node.as_one_of(&["each", "sum"], faults)) {
            Some("sum") => Digits::Sum,
            _ => Digits::Each,
        },
    };
    let (key, node) = hook?;
    let hook = match key.text.as_str() {
        "environment" if program.is_none() => {
            let title =
                "rolls are forced on a subject that urtext starts, and there is no `command`";
            faults.push(fault(faults, "config/rolls", key.span, title));
            None
        }
        "environment" => Some(RollHook::Environment(variable(
            node.as_line(faults)?,
            node.span,
            faults,
        )?)),
        word => {
            node.as_bool(faults)?;
            place_for_rolls(word, node, program, faults)
        }
    };
    Some((Some(hook?), format))
}

/// The hook by an argument or a file, whose place has to be there.
fn place_for_rolls(
    word: &str,
    node: &Node,
    program: Option<&Program>,
    faults: &Faults<'_>,
) -> Option<RollHook> {
    let place = if word == "argument" {
        "rolls"
    } else {
        "rolls_file"
    };
    if !program.is_some_and(|program| program.takes(place)) {
        let title = format!(
            "rolls are forced by {{{place}}}, and neither command nor environment has that place"
        );
        faults.push(fault(faults, "config/rolls", node.span, title));
        return None;
    }
    Some(RollHook::Arguments)
}

fn late_of(node: &Node, faults: &Faults<'_>) -> Option<LateSpectator> {
    LateSpectator::of(node.as_one_of(&LateSpectator::WORDS.map(|(word, _)| word), faults)?)
}

fn pace_of(node: &Node, protocol: Option<Protocol>, faults: &Faults<'_>) -> Option<Duration> {
    let pace = node.as_duration(faults)?;
    match protocol {
        Some(protocol) => assert_pace(pace, node, protocol, faults),
        None => Some(pace),
    }
}

/// Returns the pace, if the game can have it.
fn assert_pace(
    pace: Duration,
    node: &Node,
    protocol: Protocol,
    faults: &Faults<'_>,
) -> Option<Duration> {
    let longest = protocol.game().and_then(Game::longest_pace);
    if let Some(longest) = longest.filter(|&longest| pace > longest) {
        let title = format!(
            "the longest pace is {}",
            humantime::format_duration(longest)
        );
        faults.push(fault(faults, "config/pace", node.span, title));
        return None;
    }
    Some(pace)
}

fn budgets_of(node: Option<&Node>, faults: &Faults<'_>) -> SubjectBudgets {
    let Some(mut keys) = mapping(node, "budgets", faults) else {
        return SubjectBudgets::default();
    };
    let mut budgets = SubjectBudgets::default();
    for word in SubjectBudgets::WORDS {
        let node = keys.optional(word);
        if let Some((node, time)) = node.and_then(|node| Some((node, node.as_duration(faults)?))) {
            if time.is_zero() {
                let title = "nothing is done in no time";
                faults.push(fault(faults, "config/budget", node.span, title));
            }
            budgets.set(word, time);
        }
    }
    keys.finish();
    budgets
}
