//! Whatever the specification leaves open, a referee that reads it in one of the ways passes, and its choice is recorded.

mod referee;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use referee::{Form, Gone, Late, OffTurn, Readings, play};
use urtext::config::LateSpectator;
use urtext::diagnostic::{Paint, Source};
use urtext::finding::Verdict;
use urtext::scenario::{Alone, Scenario, resolve};

const HEAD: &str =
    "scenario: t\ngame: royalur\nsubject: referee\nchecks: [ur/roll/line]\nspectators: 2\n";

fn scenario(text: &str) -> Arc<Scenario> {
    // Only a scenario that is about late spectators is undecided by what they receive.
    let is_about_late = text.contains("spectator 2: join");
    let head = if is_about_late {
        HEAD.replace("ur/roll/line", "ur/spectators/late")
    } else {
        HEAD.to_owned()
    };
    let (mut scenarios, faults) = resolve(&Source::new("s.yaml", head + text), "s", &Alone);
    assert_eq!(faults.draw(Paint::Plain), "");
    Arc::new(scenarios.pop().unwrap())
}

/// The usual readings, with a change.
fn with(change: impl FnOnce(&mut Readings)) -> Readings {
    let mut readings = Readings::default();
    change(&mut readings);
    readings
}

/// What is said of a referee with these readings; the same in whatever order its lanes are read.
#[derive(Debug)]
struct Judged {
    /// A lenient game counts as passed.
    verdict: Verdict,
    /// The title of the first finding.
    title: String,
    /// What it chose where the specification leaves something open.
    open: Vec<(&'static str, String)>,
}

fn judged(text: &str, readings: Readings) -> Judged {
    let scenario = scenario(text);
    let mut all = (0..20).map(|order| {
        let judgement = play(&scenario, readings, order);
        let open = judgement.open.into_iter();
        let open = open.filter(|choice| choice.requirement != "ur/end/close");
        let first = judgement.findings.into_iter().next();
        Judged {
            verdict: match judgement.verdict {
                Verdict::Lenient => Verdict::Pass,
                verdict => verdict,
            },
            title: first.map_or(String::new(), |finding| finding.title),
            open: open
                .map(|choice| (choice.requirement, choice.seen))
                .collect(),
        }
    });
    let first = all.next().unwrap();
    let ids = |judged: &Judged| {
        judged
            .open
            .iter()
            .map(|(id, _)| *id)
            .collect::<BTreeSet<_>>()
    };
    for (order, other) in all.enumerate() {
        let same = (first.verdict, ids(&first));
        let told = format!("{readings:?}, order {order}: {other:?} and {first:?}");
        assert_eq!((other.verdict, ids(&other)), same, "{told}");
    }
    first
}

#[track_caller]
fn assert_verdict(text: &str, readings: Readings, verdict: Verdict) {
    let judged = judged(text, readings);
    assert_eq!(judged.verdict, verdict, "{text}{readings:?}: {judged:?}");
}

/// The one choice of a referee that passes.
#[track_caller]
fn choice(text: &str, readings: Readings) -> (&'static str, String) {
    let mut judged = judged(text, readings);
    assert_eq!(judged.verdict, Verdict::Pass, "{readings:?}: {judged:?}");
    assert_eq!(judged.open.len(), 1, "{readings:?}: {judged:?}");
    judged.open.remove(0)
}

const OFF_TURN: &str = "\
turns:
  - first: 0 0 1 1 > 0
    meanwhile:
      - second: send \"4\\n\"
  - second: 0 0 0 1 > 2
";

const WAYS_OFF_TURN: [OffTurn; 3] = [OffTurn::Keeps, OffTurn::Ignores, OffTurn::Retires];

#[test]
fn a_line_off_turn_may_be_kept_or_ignored_or_lose() {
    let seen = [
        "the line was kept and taken when the turn came",
        "the line was not taken within 300ms of the beginning of its turn",
        "the player was retired before its turn came",
    ];
    for (off_turn, seen) in WAYS_OFF_TURN.into_iter().zip(seen) {
        let chosen = choice(OFF_TURN, with(|readings| readings.off_turn = off_turn));
        assert_eq!(chosen, ("ur/input/off-turn", seen.to_owned()));
    }
    // One that is read later than was waited for is inconclusive.
    let late = |millis| {
        let delay = Duration::from_millis(millis);
        with(|readings| readings.off_turn = OffTurn::KeepsAndReadsLate(delay))
    };
    choice(OFF_TURN, late(299));
    assert_verdict(OFF_TURN, late(301), Verdict::Inconclusive);
}

#[test]
fn a_second_line_of_a_turn_may_be_kept_or_ignored_or_lose_and_comes_off_turn_after_a_pause() {
    for (sent, requirement) in [
        ("\"0\\n1\\n\"", "ur/input/several-lines"),
        ("[\"0\\n\", {pause: 100ms}, \"1\\n\"]", "ur/input/off-turn"),
    ] {
        let text = format!(
            "turns:\n  - first: 0 0 1 1\n    send: {sent}\n  - second: 0 0 0 1 > 2\n  - first: 0 1 1 1 > 3\n"
        );
        for off_turn in WAYS_OFF_TURN {
            let chosen = choice(&text, with(|readings| readings.off_turn = off_turn));
            assert_eq!(chosen.0, requirement, "{off_turn:?}");
        }
    }
}

/// A referee whose own timeout is so long that it counts as none.
fn endless(readings: Readings) -> Readings {
    let timeout = Duration::from_secs(20);
    Readings {
        timeout,
        ..readings
    }
}

#[test]
fn who_goes_away_off_turn_may_be_retired_at_once_or_on_its_turn() {
    for way in ["hang up", "half-close", "reset"] {
        let text = format!(
            "turns:\n  - first: 0 0 1 1 > 0\n    meanwhile:\n      - second: {way}\n  - second: 0 0 0 0\n  - first: 0 0 0 1 > 0\n  - second: 0 0 0 1\n"
        );
        for tells_the_loser in [false, true] {
            let of = |gone| {
                with(|readings| {
                    (readings.gone, readings.tells_the_loser) = (gone, tells_the_loser);
                })
            };
            let at_once = judged(&text, of(Gone::AtOnce));
            let early = "the player was retired before its turn came".to_owned();
            let is_told = at_once
                .open
                .contains(&("ur/retire/hang-up-off-turn", early));
            assert!(
                is_told && at_once.verdict == Verdict::Pass,
                "{way}: {at_once:?}"
            );
            for gone in [Gone::WhenOnTurn, Gone::ClosesTheLane] {
                assert_verdict(&text, of(gone), Verdict::Pass);
            }
            assert_verdict(&text, endless(of(Gone::Never)), Verdict::Fail);
        }
    }
}

#[test]
fn who_goes_away_on_turn_is_to_be_retired() {
    for way in ["hang up", "half-close", "reset"] {
        let text = format!("turns:\n  - first: 0 0 1 1 > {way}\n");
        let of = |gone| with(|readings| readings.gone = gone);
        assert_verdict(&text, of(Gone::WhenOnTurn), Verdict::Pass);
        assert_verdict(&text, of(Gone::AtOnce), Verdict::Pass);
        assert_verdict(&text, endless(of(Gone::Never)), Verdict::Fail);
    }
}

#[test]
fn a_number_without_its_newline_may_count_when_its_sender_hangs_up() {
    let text = "\
turns:
  - first: 0 0 1 1 > 0
  - second: 0 0 0 1
    send: \"3\"
    then: hang up
";
    for (counts, seen) in [
        (false, "\"3\" was taken as invalid"),
        (
            true,
            "\"3\" was taken as the move, and passed on as the plain move",
        ),
    ] {
        let chosen = choice(text, with(|readings| readings.counts_unfinished = counts));
        assert_eq!(chosen, ("ur/input/no-final-newline", seen.to_owned()));
    }
}

#[test]
fn a_number_in_another_form_may_count_or_lose() {
    for (sent, requirement) in [
        ("3\\r\\n", "ur/input/crlf"),
        ("+3\\n", "ur/input/number-format"),
        (" 3 \\n", "ur/input/number-format"),
    ] {
        let text =
            format!("turns:\n  - first: 0 0 1 1\n    send: \"{sent}\"\n  - play: to the end\n");
        for form in [
            Form::Retires,
            Form::PassesOnTheNumber,
            Form::PassesOnTheLine,
        ] {
            let chosen = choice(&text, with(|readings| readings.form = form));
            assert_eq!(chosen.0, requirement, "{form:?}");
        }
    }
}

#[test]
fn what_a_late_spectator_is_shown_is_recorded() {
    let text = "\
turns:
  - first: 0 0 1 1 > 0
  - second: 0 0 0 1 > 0
    meanwhile:
      - spectator 2: join
  - first: 0 0 0 1 > \"x\" illegal
";
    let unfinished = text.replace("\"x\" illegal", "1");
    let names_and_on = "the names, and then what happened from then on";
    let of =
        |late, declared| with(|readings| (readings.late, readings.declared) = (late, declared));
    for (late, means, seen) in [
        (Late::Nothing, LateSpectator::Nothing, "nothing"),
        (Late::TurnsAway, LateSpectator::Nothing, "nothing"),
        (
            Late::Everything,
            LateSpectator::Whole,
            "everything from the first line",
        ),
        (Late::NamesAndThenOn, LateSpectator::FromNow, names_and_on),
        (
            Late::FromThenOn,
            LateSpectator::FromNow,
            "what happened from then on",
        ),
    ] {
        let seen = format!("spectator 2 joined late and received {seen}");
        for text in [text, &unfinished] {
            for (word, declared) in LateSpectator::WORDS {
                let judged = judged(text, of(late, declared));
                let (verdict, title) = match (declared, means) {
                    (declared, means) if declared == means => (Verdict::Pass, String::new()),
                    // Nothing is missing.
                    (LateSpectator::Unknown, LateSpectator::Whole) => {
                        (Verdict::Pass, String::new())
                    }
                    (LateSpectator::Unknown, _) => (
                        Verdict::Inconclusive,
                        format!("{seen}: nothing says whether that is meant"),
                    ),
                    _ => (
                        Verdict::Fail,
                        format!("{seen}, and `late-spectator: {word}` is declared"),
                    ),
                };
                assert_eq!((judged.verdict, judged.title), (verdict, title), "{late:?}");
                if declared == means {
                    assert_eq!(judged.open, [("ur/spectators/late", seen.clone())]);
                }
            }
        }
    }
    for (_, declared) in LateSpectator::WORDS {
        let verdict = match declared {
            LateSpectator::Unknown => Verdict::Inconclusive,
            _ => Verdict::Fail,
        };
        assert_verdict(text, of(Late::Garbage, declared), verdict);
    }
}

#[test]
fn several_things_can_happen_in_one_turn_and_a_spectator_who_leaves_is_owed_nothing() {
    let leaves = "\
turns:
  - first: 0 0 1 1 > 0
    meanwhile:
      - spectator 1: leave
  - second: 0 0 0 1 > 0
  - first: 0 0 0 1 > \"x\" illegal
";
    assert_verdict(leaves, Readings::default(), Verdict::Pass);
    let several = "\
turns:
  - first: 0 0 1 1 > 0
    meanwhile:
      - second: reset
      - spectator 1: leave
      - spectator 2: join
  - second: 0 0 0 1
";
    for (late, declared) in [
        (Late::Nothing, LateSpectator::Nothing),
        (Late::Everything, LateSpectator::Whole),
    ] {
        let readings = with(|readings| (readings.late, readings.declared) = (late, declared));
        assert_verdict(several, readings, Verdict::Pass);
    }
}

#[test]
fn a_line_in_pieces_is_one_line_and_half_a_line_is_none() {
    let text = "\
turns:
  - first: 0 0 1 1
    send: [\"0\", {pause: 100ms}, \"\\n\"]
  - second: 0 0 0 1
    send: [{pause: 900ms}, \"1\\n\"]
";
    let usual = judged(text, Readings::default());
    assert_eq!((usual.verdict, usual.open.len()), (Verdict::Pass, 0));
    let hasty = judged(text, with(|readings| readings.timeout /= 2));
    let early = "the loss by timeout was seen after 0.5 s, too early";
    assert_eq!(
        (hasty.verdict, hasty.title.as_str()),
        (Verdict::Fail, early)
    );
    let half = "turns:\n  - first: 0 0 1 1\n    send: \"0\"\n";
    assert_verdict(half, Readings::default(), Verdict::Pass);
    assert_verdict(half, endless(Readings::default()), Verdict::Fail);
    // Nobody can pause for longer than the timeout.
    let pause = "turns:\n  - first: 0 0 1 1\n    send: [{pause: 1s}, \"0\\n\"]\n";
    assert_verdict(pause, Readings::default(), Verdict::Unsupported);
}

#[test]
fn the_pace_is_demanded_after_a_move_and_only_observed_after_a_skipped_turn() {
    let text = "\
pace: 300ms
turns:
  - first: 0 0 1 1 > 0
  - second: 0 0 0 0
  - first: 0 0 0 1 > 0
";
    let pace = Duration::from_millis(300);
    for (after_skip, seen) in [
        (
            Duration::ZERO,
            "after a skipped turn, the next roll comes at once",
        ),
        (
            pace,
            "after a skipped turn, the pace is kept after it as well",
        ),
    ] {
        let readings = with(|readings| {
            (readings.pace, readings.pace_after_skip) = (pace, after_skip);
        });
        let expected = ("ur/pace/what-is-a-turn", seen.to_owned());
        assert_eq!(choice(text, readings), expected);
    }
    let hasty = with(|readings| readings.pace = Duration::from_millis(200));
    assert_verdict(text, hasty, Verdict::Fail);
}
