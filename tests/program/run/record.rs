//! Recordings: they read back, and the judge says of them what it said of the game.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use urtext::config::Subject;
use urtext::engine::{self, Clock, GamePlan, Network, Options, Run, golden_of};
use urtext::event::{Outcome, What};
use urtext::finding::Verdict;
use urtext::judge::Budgets;
use urtext::report::FindingResult;
use urtext::scenario::{Scenario, Side, load_file, suite};
use urtext::transcript::recording::Reader;
use urtext::transcript::{LoggedGame, Played};
use urtext::verify::{Rejudged, judge, rejudge};

use crate::harness::{Place, URTEXT, built_in, count, faulty_referee};

fn path(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.jsonl"))
}

fn reader(folder: &Path, name: &str) -> Reader<BufReader<File>> {
    Reader::new(
        name,
        BufReader::new(File::open(path(folder, name)).unwrap()),
    )
    .unwrap()
}

fn read(folder: &Path, name: &str) -> Played {
    let game = LoggedGame::from_recording(name, &mut reader(folder, name)).unwrap();
    *game.played.expect("it holds its scenario")
}

/// Plays scenarios against a subject, each recorded into the folder.
fn play(
    scenarios: &[Arc<Scenario>],
    subject: Subject,
    folder: &Path,
    clock: Clock,
) -> Vec<Outcome> {
    let subject = Arc::new(subject);
    let game = |scenario: &Arc<Scenario>| GamePlan {
        scenario: Arc::clone(scenario),
        subject: Arc::clone(&subject),
        golden: golden_of(scenario).unwrap().map(Arc::new),
        seed: 5,
    };
    let options = Options {
        budgets: Budgets {
            start: Duration::from_secs(20),
            ..Budgets::default()
        },
        game_budget: Duration::from_secs(60),
        wait: Duration::MAX,
        record: Some(folder.to_owned()),
        tells: engine::Telling::default(),
        clock,
        program: Some(URTEXT.into()),
        servers: urtext::engine::Servers::default(),
    };
    // No game is played again, so that each outcome has its recording.
    let run = Run::new(scenarios.iter().map(game).collect(), options, 4);
    let (_keep, interrupt) = watch::channel(false);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime
        .block_on(engine::run(run, interrupt, |_| ()))
        .unwrap()
}

fn scenarios(names: &[&str]) -> Vec<Arc<Scenario>> {
    let load = |name: &&str| {
        let (scenarios, faults) = suite::load(&format!("royalur/{name}"));
        assert!(faults.is_empty() && !scenarios.is_empty(), "{name}");
        scenarios
    };
    names
        .iter()
        .flat_map(load)
        .filter(|scenario| !scenario.keys.is_slow)
        .map(Arc::new)
        .collect()
}

/// The verdict that the run has written at the end of a recording.
fn stored_verdict(played: &Played) -> &str {
    let verdict = played.verdict.as_ref().unwrap();
    verdict["verdict"].as_str().unwrap()
}

/// Plays, and holds what the judge says of each recording against what it said of the game. Returns the verdicts that came up.
fn compare(
    side: Side,
    fault: Option<&str>,
    scenarios: &[Arc<Scenario>],
    clock: Clock,
) -> BTreeSet<Verdict> {
    let folder = tempfile::tempdir().unwrap();
    let outcomes = play(
        scenarios,
        built_in("royalur", side, fault),
        folder.path(),
        clock,
    );
    for (scenario, outcome) in scenarios.iter().zip(&outcomes) {
        let recorded = read(folder.path(), &scenario.name);
        assert_eq!(recorded.script.text.as_bytes(), scenario.source.bytes());
        let Rejudged { outcome: again, .. } = rejudge(&recorded);
        let place = format!("{} against {fault:?}", scenario.name);
        assert_eq!(
            again.verdict, outcome.verdict,
            "{place}: {:?}",
            again.findings
        );
        assert_eq!(again.findings, outcome.findings, "{place}");
        assert_eq!(
            FindingResult::of(&again),
            FindingResult::of(outcome),
            "{place}"
        );
        assert_eq!(again.open, outcome.open, "{place}");
        assert_eq!(again.prediction, outcome.prediction, "{place}");
        assert_eq!(again.transcript, outcome.transcript, "{place}");
        assert_eq!(
            (&again.history, again.setup),
            (&outcome.history, outcome.setup),
            "{place}"
        );
        assert_eq!(stored_verdict(&recorded), outcome.verdict.word(), "{place}");
        let mut reader = reader(folder.path(), &scenario.name);
        let game = LoggedGame::from_recording(&scenario.name, &mut reader).unwrap();
        assert_eq!(game.protocol, outcome.transcript.protocol);
        if side == Side::Referee {
            let entries: Vec<_> = game.lanes.iter().map(|lane| &lane.entries).collect();
            let mut lanes = outcome.transcript.lanes.iter();
            assert_eq!(entries.len(), lanes.len(), "{place}");
            assert!(
                lanes.all(|lane| entries.contains(&&lane.entries)),
                "{place}"
            );
        }
    }
    outcomes
        .into_iter()
        .map(|outcome| outcome.verdict)
        .collect()
}

#[test]
fn the_judge_says_of_a_recording_what_it_said_of_the_referee() {
    use Verdict::{Fail, Lenient, Pass};
    let some = [
        "referee/seed-example",
        "referee/own-token",
        "referee/illegal-lines#word",
    ];
    for (fault, names, expected) in [
        (None, &["referee"][..], &[Pass, Lenient][..]),
        (
            Some("no-extra-turn-8"),
            &["referee/extra-turn-cell-8", "referee/roll-0"],
            &[Pass, Fail],
        ),
        (
            Some("stacking"),
            &["referee/own-token", "referee/seed-example"],
            &[Fail],
        ),
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
        let verdicts = compare(
            Side::Referee,
            fault,
            &scenarios(names),
            Clock::Virtual(Network::Ideal),
        );
        assert_eq!(verdicts, expected.iter().copied().collect(), "{fault:?}");
    }
}

#[test]
fn the_judge_says_of_a_recording_what_it_said_of_the_bot() {
    use Verdict::{Error, Fail, Lenient, Pass};
    for (fault, names, expected) in [
        (None, &["bot"][..], &[Pass][..]),
        (
            Some("answers-twice"),
            &["bot/first-seat", "bot/silent-after-roll-0"],
            &[Fail],
        ),
        (Some("no-newline"), &["bot/first-seat"], &[Fail]),
        (Some("slow"), &["bot/first-seat"], &[Fail]),
        (Some("survives-eof"), &["bot/first-seat"], &[Fail]),
        (
            Some("crashes-on-retire"),
            &["bot/opponent-is-retired#illegal-move"],
            &[Lenient],
        ),
        (Some("needs-ascii-names"), &["bot/odd-names"], &[Error]),
        (
            Some("moves-onto-own-token"),
            &["bot/no-move-onto-an-own-token", "bot/opponent-times-out"],
            &[Pass, Fail],
        ),
    ] {
        let verdicts = compare(
            Side::Bot,
            fault,
            &scenarios(names),
            Clock::Virtual(Network::Ideal),
        );
        assert_eq!(verdicts, expected.iter().copied().collect(), "{fault:?}");
    }
}

#[test]
fn the_judge_says_of_a_recording_what_it_said_of_processes() {
    use Verdict::{Fail, Lenient, Pass};
    let some = [
        "referee/seed-example",
        "referee/own-token",
        "referee/gone-off-turn",
    ];
    let bots = ["bot/first-seat", "bot/opponent-times-out"];
    // The shipped timeout, with the time that a busy machine may take.
    let folder = Place::new();
    let (shipped, _) = suite::load("royalur/referee/timeout");
    let text = shipped[0].source.text().unwrap();
    folder.write("timeout.yaml", &text.replace("timeout: 1s", "timeout: 5s"));
    let (timeout, _) = load_file(&folder.join("timeout.yaml"));
    let honest = [
        scenarios(&some),
        timeout.into_iter().map(Arc::new).collect(),
    ]
    .concat();
    let some = scenarios(&some);
    for (side, fault, scenarios, expected) in [
        (Side::Referee, None, honest, &[Pass, Lenient][..]),
        (
            Side::Referee,
            Some("dies-midgame"),
            some[..2].to_vec(),
            &[Fail],
        ),
        (
            Side::Referee,
            Some("stacking"),
            some[1..2].to_vec(),
            &[Fail],
        ),
        (Side::Bot, None, scenarios(&bots), &[Pass]),
        (
            Side::Bot,
            Some("crashes-on-retire"),
            scenarios(&["bot/opponent-is-retired#illegal-move"]),
            &[Lenient],
        ),
    ] {
        let verdicts = compare(side, fault, &scenarios, Clock::Real);
        assert_eq!(verdicts, expected.iter().copied().collect(), "{fault:?}");
    }
}

#[test]
fn a_loss_that_is_read_before_its_alarm_is_not_early() {
    let folder = tempfile::tempdir().unwrap();
    let scenarios = scenarios(&["referee/timeout"]);
    play(
        &scenarios,
        built_in("royalur", Side::Referee, None),
        folder.path(),
        Clock::Virtual(Network::Ideal),
    );
    let mut recorded = read(folder.path(), &scenarios[0].name);
    recorded.events.retain(|event| event.what != What::Alarm);
    let outcome = rejudge(&recorded).outcome;
    assert_eq!(
        (outcome.verdict, outcome.findings),
        (Verdict::Pass, Vec::new())
    );
}

#[test]
fn a_failed_game_is_recorded_as_it_was() {
    let place = Place::new();
    let args = [
        vec!["--suite", "royalur/referee/own-token", "--record", "."],
        faulty_referee("stacking"),
    ]
    .concat();
    place.run(&args).expect(1);
    let recorded = read(place.path(), "royalur/referee/own-token");
    assert_eq!(
        recorded.verdict.unwrap()["findings"][0]["requirement"],
        "ur/retire/own-token"
    );
    let times: Vec<_> = recorded.events.iter().map(|event| event.at).collect();
    assert!(times.is_sorted());
}

#[test]
#[ignore = "it plays every scenario, and judges each game four times; .ci/run has it played"]
fn every_recording_of_every_shipped_scenario_gives_its_own_verdict_again() {
    let place = Place::new();
    place.run(&["--record", "games"]).expect(0);
    let files = place.files();
    assert_eq!(files.len(), count(""));
    assert!(files.contains(&"games/royalur/referee/own-token.jsonl".to_owned()));
    place
        .urtext(&["check", "games"])
        .expect(0)
        .says(&format!("checked {} recordings: no problems", files.len()));
    let verify: Vec<_> = ["verify"]
        .into_iter()
        .chain(files.iter().map(String::as_str))
        .collect();
    let ran = place.urtext(&verify).expect(0);
    assert_eq!(ran.stdout, format!("{} games, 0 complaints\n", files.len()));
    for (number, file) in files.iter().enumerate() {
        let mut reader = Reader::new(
            file,
            BufReader::new(File::open(place.path().join(file)).unwrap()),
        )
        .unwrap();
        let game = LoggedGame::from_recording(file, &mut reader).unwrap();
        // By the rules alone too: lanes that urtext itself has left are owed nothing.
        if ["spectator-leaves", "gone-off-turn", "spectator-joins-late"]
            .iter()
            .any(|name| file.contains(name))
        {
            let by_rules = judge(&game).unwrap().findings;
            assert!(by_rules.is_empty(), "{file}: {by_rules:?}");
        }
        let played = *game.played.unwrap();
        let Rejudged { outcome, .. } = rejudge(&played);
        assert_eq!(outcome.verdict.word(), stored_verdict(&played), "{file}");
        assert!(outcome.findings.is_empty(), "{file}");
        // A file that was changed, or was written by a broken program, is no reason to panic.
        let places = [0, played.events.len() / 2, played.events.len() - 2];
        let lacking = places[number % places.len()];
        let mut changed = played;
        changed.events.remove(lacking);
        drop(rejudge(&changed));
        let event = changed.events.remove(lacking / 2);
        changed.events.push(event);
        drop(rejudge(&changed));
    }
}

/// What this urtext says of recordings in version 2 of the format is what the urtext said that wrote them.
#[test]
fn recordings_of_version_2_have_their_verdicts_still() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/recordings-2");
    let mut verdicts = BTreeSet::new();
    for file in std::fs::read_dir(&folder).unwrap() {
        let file = file.unwrap().path();
        let name = file.file_stem().unwrap().to_str().unwrap();
        let game = LoggedGame::from_recording(name, &mut reader(&folder, name)).unwrap();
        let Some(played) = game.played else {
            assert_eq!(game.exited, None, "{name}: its input had ended");
            assert_eq!(game.lanes[0].entries.len(), 5, "{name}");
            continue;
        };
        let outcome = rejudge(&played).outcome;
        assert_eq!(outcome.verdict.word(), stored_verdict(&played), "{name}");
        let findings = played.verdict.as_ref().unwrap()["findings"]
            .as_array()
            .unwrap();
        let ids: Vec<_> = findings
            .iter()
            .map(|finding| finding["requirement"].as_str())
            .collect();
        let judged: Vec<_> = outcome
            .findings
            .iter()
            .map(|finding| finding.requirement)
            .collect();
        assert_eq!(judged, ids, "{name}");
        verdicts.insert(outcome.verdict);
    }
    let expected = [Verdict::Pass, Verdict::Fail, Verdict::Error];
    assert!(
        expected.iter().all(|verdict| verdicts.contains(verdict)),
        "{verdicts:?}"
    );
}

/// The pieces of a line, and the times between them, are in the recording.
#[test]
fn a_recording_shows_in_which_pieces_a_line_was_sent() {
    let folder = tempfile::tempdir().unwrap();
    let scenarios = scenarios(&["referee/half-a-line-then-the-rest"]);
    let referee = built_in("royalur", Side::Referee, None);
    play(
        &scenarios,
        referee,
        folder.path(),
        Clock::Virtual(Network::Ideal),
    );
    let recorded = read(folder.path(), &scenarios[0].name);
    let pieces: Vec<_> = recorded
        .events
        .iter()
        .filter_map(|event| match event.what {
            What::Piece { bytes, .. } => Some((event.at.as_millis(), bytes)),
            _ => None,
        })
        .collect();
    assert_eq!(pieces, [(0, 1), (200, 1), (200, 1), (400, 1)]);
}

#[test]
fn two_runs_do_not_write_to_one_folder() {
    let place = Place::new();
    std::fs::create_dir(place.join("r")).unwrap();
    let lock = File::open(place.join("r")).unwrap();
    lock.try_lock().unwrap();
    let run = ["--suite", "royalur/bot/first-seat", "--record", "r"];
    let ran = place.run(&run).expect(3);
    ran.complains(
        "another run writes its recordings to r; wait for its end, or give --record another folder",
    );
    assert!(place.files().is_empty());
    drop(lock);
    place.run(&run).passes();
}
