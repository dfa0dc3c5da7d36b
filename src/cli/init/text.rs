//! The file that `urtext init` writes.

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use super::answers::{Answers, Place, short};
use crate::config::file::quoted;
use crate::config::placeholders;
use crate::scenario::Side;

/// The file for these answers, which is to stand in the folder `here`.
pub(super) fn text(answers: &Answers, here: &Path) -> String {
    let mut text = format!(
        "# The referees and bots that urtext tests, by name: urtext run --subject NAME\n\
         # `urtext help urtext-yaml` describes the keys; `urtext check urtext.yaml` reports every error.\n\
         \n\
         # Of several subjects of one side and game, the one that `urtext run` tests where none is named:\n\
         # default: NAME\n\
         # Options of each run, unless its command line says otherwise:\n\
         # run: {{retries: 1, allow: [unsupported], report: {{junit: report.xml}}}}\n\
         subjects:\n  {}:\n",
        quoted(&answers.name)
    );
    let mut line = |content: &str| {
        let _ = writeln!(text, "    {content}");
    };
    line(&format!("as: {}", answers.side.word()));
    line(&format!("game: {}", quoted(answers.protocol.game_name())));
    match &answers.place {
        Place::Running(players) => {
            line("# It runs already; urtext connects to it.");
            line(&format!("players: {}", quoted(players)));
        }
        Place::Command(words) => of_command(answers, words, here, &mut line),
    }
    if answers.side == Side::Referee {
        of_referee(answers, &mut line);
    }
    line("# How long it may take.");
    line("# budgets: {start: 10s, handshake: 10s, answer: 5s, close: 1s, whole: 10min}");
    if matches!(answers.place, Place::Command(_)) {
        line("# What it may use up.");
        line("# limits: {memory: 512MiB, cpu: 60s, open-files: 64}");
    }
    text
}

/// Writes how a subject is started and reached.
fn of_command(answers: &Answers, words: &[String], here: &Path, line: &mut impl FnMut(&str)) {
    line(
        "# Started once for every game, without a shell. In its words these places are filled in:",
    );
    let places = placeholders().filter(|(name, _)| is_of(answers.side, name));
    let places: Vec<_> = places.map(|(name, _)| format!("{{{name}}}")).collect();
    for row in places.chunks(8) {
        line(&format!("#   {}", row.join(" ")));
    }
    let quoted_words: Vec<_> = words.iter().map(|word| quoted(word)).collect();
    line(&format!("command: [{}]", quoted_words.join(", ")));
    if let Some(reach) = &answers.reach {
        line(&format!("reach: {reach}"));
    }
    line("# Where it runs; without this in an empty folder of its own.");
    line(match needs_its_folder(words, here) {
        true => "folder: .",
        false => "# folder: .",
    });
    line("# environment: {NAME: value}");
    line(
        "# The line by which it says that it can be reached; without this, urtext tries until it can.",
    );
    match &answers.ready {
        Some(ready) => line(&format!("ready: {}", quoted(ready))),
        None => line("# ready: 'listening on port {port}'"),
    }
}

/// Writes the settings of referees only.
fn of_referee(answers: &Answers, line: &mut impl FnMut(&str)) {
    let is_started = matches!(answers.place, Place::Command(_));
    if is_started && answers.has_rolls() {
        line(
            "# How it takes forced rolls; without this, scenarios that force them are unsupported.",
        );
        match &answers.rolls_env {
            Some(name) => line(&format!("rolls: {{environment: {}}}", quoted(name))),
            None => line("# rolls: {environment: NAME}"),
        }
    }
    line(
        "# Where spectators connect: an address, same-port, own-port ({spectator_port} in the command), none.",
    );
    match (&answers.spectators, is_started) {
        (Some(spectators), _) => line(&format!("spectators: {}", quoted(spectators))),
        (None, true) => line("# spectators: none"),
        (None, false) => line("spectators: none"),
    }
    line("# What urtext says first on each lane, and what has to be replied.");
    let at = match &answers.place {
        Place::Running(players) => format!("at: {}, ", quoted(players)),
        Place::Command(_) => String::new(),
    };
    line(&format!(
        "# players: {{{at}say: ['JOIN {{name}}'], expect: ['WELCOME {{any}}']}}"
    ));
    line("# What a spectator receives who joins late: whole, from-now, nothing, unknown.");
    line("# late-spectator: unknown");
    line(
        "# Times that are fixed; where {timeout} and {pace} stand in the command, scenarios choose them.",
    );
    let mut time = |name: &str, time: Option<Duration>, usual: &str| match time {
        Some(time) => line(&format!("{name}: {}", short(time))),
        None => line(&format!("# {name}: {usual}")),
    };
    time("timeout", answers.timeout, "90s");
    if answers.has_pace() {
        time("pace", answers.pace, "1500ms");
    }
}

/// Returns true if a placeholder is useful to this side.
fn is_of(side: Side, place: &str) -> bool {
    let of_bots = ["host", "pipe_in", "pipe_out"];
    let of_both = [
        "port",
        "timeout",
        "pace",
        "timeout_ms",
        "pace_ms",
        "seed",
        "game",
        "here",
    ];
    match side {
        Side::Bot => of_bots.contains(&place) || of_both.contains(&place),
        Side::Referee => !of_bots.contains(&place),
    }
}

/// Returns true if a word of the command names a file relative to the configuration's folder.
fn needs_its_folder(words: &[String], here: &Path) -> bool {
    let is_file = |word: &String| Path::new(word).is_relative() && here.join(word).is_file();
    words.iter().skip(1).any(is_file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Way, file};
    use crate::diagnostic::{Paint, Source};

    fn answers(side: Side, words: &[&str]) -> Answers {
        Answers {
            name: "mine".to_owned(),
            side,
            protocol: crate::pack::Protocol::of_game("royalur").unwrap(),
            place: Place::Command(words.iter().map(|word| (*word).to_owned()).collect()),
            reach: None,
            ready: None,
            spectators: None,
            rolls_env: None,
            timeout: None,
            pace: None,
        }
    }

    fn read(answers: &Answers) -> crate::config::Subject {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("bot.py"), "").unwrap();
        let text = text(answers, folder.path());
        let (mut subjects, faults) = file::read(&Source::new("f", text.as_str()), folder.path());
        assert_eq!(faults.draw(Paint::Plain), "", "{text}");
        subjects.remove(0)
    }

    #[test]
    fn what_is_written_says_what_was_answered() {
        let odd = [
            "r",
            "--x=a b",
            "it's",
            "",
            "{port}",
            "#",
            "- a",
            "null",
            "line\nbreak",
            "007",
        ];
        let mut asked = answers(Side::Referee, &odd);
        asked.rolls_env = Some("MY_ROLLS".to_owned());
        asked.name = "odd: name".to_owned();
        let subject = read(&asked);
        let values = crate::config::Values::from([("port", "1".to_owned())]);
        let mut words = subject.program.as_ref().unwrap().command.fill(&values);
        words[4] = "{port}".to_owned();
        assert_eq!(words, odd);
        assert_eq!(subject.name, "odd: name");
        assert_eq!(
            subject.roll_hook,
            Some(crate::config::RollHook::Environment("MY_ROLLS".to_owned()))
        );
        let bot = read(&Answers {
            reach: Some("named-pipes".to_owned()),
            ..answers(Side::Bot, &["python3", "bot.py"])
        });
        assert_eq!(bot.players.way, Way::NamedPipes);
        let place = Place::Running("127.0.0.1:4000".to_owned());
        let running = read(&Answers {
            place,
            ..answers(Side::Referee, &[])
        });
        assert!(running.plays_alone() && !running.has_spectators());
        let timed = read(&Answers {
            timeout: Some(Duration::from_millis(62_500)),
            pace: Some(Duration::ZERO),
            spectators: Some("same-port".to_owned()),
            ready: Some("up on {port}".to_owned()),
            ..answers(Side::Referee, &["r"])
        });
        assert_eq!(
            (timed.timeout, timed.pace),
            (Some(Duration::from_millis(62_500)), Some(Duration::ZERO))
        );
        assert!(timed.has_spectators() && timed.program.unwrap().ready.is_some());
    }

    #[test]
    fn every_line_that_is_commented_out_can_be_used() {
        let asked = answers(Side::Referee, &["r", "{port}"]);
        let text = text(&asked, Path::new("."));
        let uncommented: Vec<_> = text
            .lines()
            .map(|line| match line.strip_prefix("    # ") {
                Some(rest)
                    if rest
                        .split_once(':')
                        .is_some_and(|(key, _)| !key.contains([' ', '{'])) =>
                {
                    format!("    {rest}")
                }
                _ => line.to_owned(),
            })
            .collect();
        let (_, faults) = file::read(
            &Source::new("f", uncommented.join("\n") + "\n"),
            Path::new("."),
        );
        assert_eq!(faults.draw(Paint::Plain), "");
        assert!(
            uncommented
                .iter()
                .filter(|line| !line.contains('#'))
                .count()
                > 12
        );
    }
}
