//! Recordings: they read back, and the judge says of them what it said of the game.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use urtext::config::Subject;
use urtext::diagnostic::Paint;
use urtext::engine::{self, Doubt, Game, Options, Placement, Run};
use urtext::event::{Outcome, Verdict, What};
use urtext::judge::Budgets;
use urtext::report::draw_finding;
use urtext::scenario::{Scenario, Side, golden_of, suite};
use urtext::transcript::recording::{Reader, to_transcript};
use urtext::transcript::{FiledGame, Played};
use urtext::verify::{Rejudged, rejudge};

use super::command::{Place, faulty_referee};
use super::subjects::built_in;

fn path(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.jsonl"))
}

fn reader(folder: &Path, name: &str) -> Reader<BufReader<File>> {
    Reader::new(name, BufReader::new(File::open(path(folder, name)).unwrap())).unwrap()
}

fn read(folder: &Path, name: &str) -> Played {
    let game = FiledGame::from_recording(name, &mut reader(folder, name)).unwrap();
    *game.played.expect("it holds its scenario")
}

/// Plays scenarios against a subject, each recorded into the folder.
fn play(scenarios: &[Arc<Scenario>], subject: Subject, folder: &Path) -> Vec<Outcome> {
    let subject = Arc::new(subject);
    let game = |scenario: &Arc<Scenario>| Game {
        scenario: Arc::clone(scenario),
        subject: Arc::clone(&subject),
        golden: golden_of(scenario).unwrap().map(Arc::new),
        seed: 5,
    };
    let options = Options {
        start_budget: Duration::from_secs(20),
        budgets: Budgets {
            handshake: Duration::from_secs(5),
            answer: Duration::from_millis(1200),
            close: Duration::from_millis(500),
            forfeit: Duration::from_secs(5),
        },
        game_budget: Duration::from_secs(60),
        record: Some(folder.to_owned()),
        clock: urtext::engine::Clock::Real,
        program: Some(env!("CARGO_BIN_EXE_urtext").into()),
    };
    // No game is played again, so that each outcome has its recording.
    let run = Run {
        games: scenarios.iter().map(game).collect(),
        options,
        jobs: 1,
        placement: Placement::Free,
        doubt: Doubt::Accept,
    };
    let (_keep, interrupt) = watch::channel(false);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(engine::run(run, interrupt, |_| ())).unwrap()
}

fn scenarios(names: &[&str]) -> Vec<Arc<Scenario>> {
    let load = |name: &&str| {
        let (scenarios, faults) = suite::load(&format!("royalur/{name}"));
        assert!(faults.is_empty() && !scenarios.is_empty(), "{name}");
        scenarios
    };
    names.iter().flat_map(load).filter(|scenario| !scenario.is_slow).map(Arc::new).collect()
}

/// Plays, and holds what the judge says of each recording against what it said of the game. Returns the verdicts that came up.
fn compare(side: Side, fault: Option<&str>, names: &[&str]) -> BTreeSet<Verdict> {
    let folder = tempfile::tempdir().unwrap();
    let scenarios = scenarios(names);
    let outcomes = play(&scenarios, built_in("royalur", side, fault), folder.path());
    for (scenario, outcome) in scenarios.iter().zip(&outcomes) {
        let recorded = read(folder.path(), &scenario.name);
        assert_eq!(recorded.script.text.as_bytes(), scenario.source.bytes());
        let Rejudged { outcome: again, stored, .. } = rejudge(&recorded);
        let place = format!("{} against {fault:?}", scenario.name);
        assert_eq!(again.verdict, outcome.verdict, "{place}: {:?}", again.findings);
        assert_eq!(again.findings, outcome.findings, "{place}");
        for (number, finding) in outcome.findings.iter().enumerate() {
            let draw = |outcome| draw_finding(outcome, finding, number == 0, Paint::Plain);
            assert_eq!(draw(&again), draw(outcome), "{place}");
        }
        assert_eq!(again.open, outcome.open, "{place}");
        assert_eq!(again.prediction, outcome.prediction, "{place}");
        assert_eq!(again.transcript, outcome.transcript, "{place}");
        assert_eq!((&again.history, again.setup), (&outcome.history, outcome.setup), "{place}");
        let stored = stored.unwrap();
        assert_eq!(
            (stored.verdict, stored.findings.len()),
            (outcome.verdict, outcome.findings.len()),
            "{place}"
        );
        let transcript = to_transcript(&mut reader(folder.path(), &scenario.name)).unwrap();
        assert_eq!(transcript.dialect, outcome.transcript.dialect);
        if side == Side::Referee {
            assert_eq!(transcript, outcome.transcript, "{place}");
        }
    }
    outcomes.into_iter().map(|outcome| outcome.verdict).collect()
}

#[test]
fn the_judge_says_of_a_recording_what_it_said_of_the_referee() {
    use Verdict::{Fail, Lenient, Pass};
    let some = ["referee/seed-example", "referee/own-token", "referee/illegal-lines#word"];
    for (fault, names, expected) in [
        (None, &["referee"][..], &[Pass, Lenient][..]),
        (Some("no-extra-turn-8"), &["referee/extra-turn-cell-8", "referee/roll-0"], &[Pass, Fail]),
        (Some("stacking"), &["referee/own-token", "referee/seed-example"], &[Fail]),
        (Some("tells-retired-player"), &some, &[Lenient]),
        (Some("crlf-lines"), &some, &[Lenient]),
        (Some("relays-before-retire"), &some[..2], &[Fail]),
        (Some("no-retire-to-spectators"), &some, &[Fail]),
        (Some("dies-midgame"), &some, &[Pass, Fail]),
        (Some("no-newline-last"), &some, &[Fail]),
        (Some("early-timeout"), &["referee/timeout"], &[Fail]),
        (Some("no-timeout"), &["referee/timeout"], &[Fail]),
        (Some("never-closes"), &some, &[Lenient]),
    ] {
        let verdicts = compare(Side::Referee, fault, names);
        assert_eq!(verdicts, expected.iter().copied().collect(), "{fault:?}");
    }
}

#[test]
fn the_judge_says_of_a_recording_what_it_said_of_the_bot() {
    use Verdict::{Error, Fail, Lenient, Pass};
    for (fault, names, expected) in [
        (None, &["bot"][..], &[Pass][..]),
        (Some("answers-twice"), &["bot/first-seat", "bot/silent-after-roll-0"], &[Fail]),
        (Some("no-newline"), &["bot/first-seat"], &[Fail]),
        (Some("slow"), &["bot/first-seat"], &[Fail]),
        (Some("survives-eof"), &["bot/first-seat"], &[Fail]),
        (Some("crashes-on-retire"), &["bot/opponent-is-retired#illegal-move"], &[Lenient]),
        (Some("needs-ascii-names"), &["bot/odd-names"], &[Error]),
        (
            Some("moves-onto-own-token"),
            &["bot/no-move-onto-an-own-token", "bot/opponent-times-out"],
            &[Pass, Fail],
        ),
    ] {
        let verdicts = compare(Side::Bot, fault, names);
        assert_eq!(verdicts, expected.iter().copied().collect(), "{fault:?}");
    }
}

#[test]
fn a_loss_that_is_read_before_its_alarm_is_not_early() {
    let folder = tempfile::tempdir().unwrap();
    let scenarios = scenarios(&["referee/timeout"]);
    play(&scenarios, built_in("royalur", Side::Referee, None), folder.path());
    let mut recorded = read(folder.path(), &scenarios[0].name);
    recorded.events.retain(|event| event.what != What::Alarm);
    let outcome = rejudge(&recorded).outcome;
    assert_eq!((outcome.verdict, outcome.findings), (Verdict::Pass, Vec::new()));
}

#[test]
fn every_game_of_a_run_has_a_recording_that_checks_and_verifies() {
    let place = Place::new();
    place.run(&["--suite", "royalur", "--record", "games"]).expect(0);
    let files = place.files();
    assert_eq!(files.len(), super::command::count("royalur"));
    assert!(files.contains(&"games/royalur/referee/own-token.jsonl".to_owned()));
    let urtext = |args: &[&str]| {
        let mut command = assert_cmd::Command::new(super::command::URTEXT);
        super::command::Ran::from(command.current_dir(place.path()).args(args).output().unwrap())
    };
    urtext(&["check", "games"]).expect(0).says(&format!("checked {} recordings: no faults", files.len()));
}

#[test]
fn a_failed_game_is_recorded_as_it_was() {
    let place = Place::new();
    let args =
        [vec!["--suite", "royalur/referee/own-token", "--record", "."], faulty_referee("stacking")].concat();
    place.run(&args).expect(1);
    let recorded = read(place.path(), "royalur/referee/own-token");
    assert_eq!(recorded.verdict.unwrap()["findings"][0]["requirement"], "ur/retire/own-token");
    let times: Vec<_> = recorded.events.iter().map(|event| event.at).collect();
    assert!(times.is_sorted());
}
