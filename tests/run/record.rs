//! Recordings: they read back, and the judge says of them what it said of the game.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};
use tokio::sync::watch;
use urtext::config::{LateSpectator, Subject};
use urtext::engine::{self, Doubt, Game, Options, Placement, Run};
use urtext::event::{Event, Outcome, Verdict, What};
use urtext::judge::{Budgets, Judge, Judgement, Settings};
use urtext::scenario::{Scenario, Side, golden_of, suite};
use urtext::transcript::recording::{Header, Reader, Record, to_transcript};

use super::command::{Place, faulty_referee};
use super::subjects::built_in;

/// A recording as it is in a file.
struct Recorded {
    header: Header,
    events: Vec<Event>,
    verdict: Option<Value>,
}

fn reader(folder: &Path, name: &str) -> Reader<BufReader<File>> {
    let path = folder.join(format!("{name}.jsonl"));
    Reader::new(name, BufReader::new(File::open(path).unwrap())).unwrap()
}

fn read(folder: &Path, name: &str) -> Recorded {
    let mut reader = reader(folder, name);
    let header = reader.header().clone();
    let (mut events, mut verdict) = (Vec::new(), None);
    for record in reader.by_ref() {
        match record.unwrap() {
            Record::Event(event) => events.push(event),
            Record::Verdict(value) => verdict = Some(value),
            Record::Frames { .. } => panic!("the peers here write no frames"),
        }
    }
    assert!(reader.cut_off().is_none());
    Recorded { header, events, verdict }
}

/// What the judge was told when the game was played, from the recording's parameters.
fn settings(parameters: &Map<String, Value>) -> Settings {
    let time = |name: &str| parameters[name].as_f64().map(Duration::from_secs_f64);
    Settings {
        budgets: Budgets {
            handshake: time("handshake_budget").unwrap(),
            answer: time("answer_budget").unwrap(),
            close: time("close_budget").unwrap(),
            forfeit: time("forfeit_budget").unwrap(),
        },
        timeout: time("timeout"),
        pace: time("pace").unwrap(),
        lag: time("lag").unwrap(),
        forces_rolls: parameters["forces_rolls"].as_bool().unwrap(),
        late_spectator: LateSpectator::of(parameters["late_spectator"].as_str().unwrap()).unwrap(),
        seed: parameters["seed"].as_u64().unwrap(),
    }
}

/// The judge, fed from a recording.
fn judged(recorded: &Recorded, scenario: &Arc<Scenario>) -> Judgement {
    let script = recorded.header.scenario.as_ref().unwrap();
    assert_eq!(script.text.as_bytes(), scenario.source.bytes());
    let golden = golden_of(scenario).unwrap().map(Arc::new);
    let mut judge = Judge::new(Arc::clone(scenario), settings(&recorded.header.parameters), golden);
    for event in &recorded.events {
        assert!(!judge.is_finished(), "{}: there is an event after the end", scenario.name);
        judge.take(event);
    }
    judge.conclude()
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
        let judgement = judged(&recorded, scenario);
        let place = format!("{} against {fault:?}", scenario.name);
        assert_eq!(judgement.verdict, outcome.verdict, "{place}");
        assert_eq!(judgement.findings, outcome.findings, "{place}");
        assert_eq!(judgement.open, outcome.open, "{place}");
        assert_eq!(judgement.prediction, outcome.prediction, "{place}");
        assert_eq!(judgement.transcript, outcome.transcript, "{place}");
        let verdict = &recorded.verdict.unwrap()["verdict"];
        assert_eq!(verdict, outcome.verdict.word(), "{place}");
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
    let judgement = judged(&recorded, &scenarios[0]);
    assert_eq!((judgement.verdict, judgement.findings), (Verdict::Pass, Vec::new()));
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
