//! Whatever the specification leaves open, a referee that reads it in one of the ways passes, and its choice is recorded.

mod referee;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use referee::{Form, Gone, Late, OffTurn, Readings, play};
use urtext::config::LateSpectator;
use urtext::diagnostic::{Paint, Source};
use urtext::finding::Verdict;
use urtext::judge::Judgement;
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

/// What a referee with these readings is said to be, with what it chose; the same in whatever order its lanes are read.
fn judged(text: &str, readings: Readings) -> (Verdict, Vec<(&'static str, String)>, String) {
    let scenario = scenario(text);
    let mut all = (0..20).map(|order| {
        let Judgement {
            verdict,
            findings,
            open,
            ..
        } = play(&scenario, readings, order);
        let title = findings
            .first()
            .map_or(String::new(), |finding| finding.title.clone());
        let open = open
            .into_iter()
            .filter(|choice| choice.requirement != "ur/end/close");
        let kept = if verdict == Verdict::Lenient {
            Verdict::Pass
        } else {
            verdict
        };
        (
            kept,
            open.map(|choice| (choice.requirement, choice.seen))
                .collect::<Vec<_>>(),
            title,
        )
    });
    let first = all.next().unwrap();
    for (order, (verdict, open, title)) in all.enumerate() {
        assert_eq!(
            verdict, first.0,
            "{readings:?}, order {order}: {title} instead of {}",
            first.2
        );
        let ids = |open: &[(&'static str, String)]| {
            open.iter().map(|(id, _)| *id).collect::<BTreeSet<_>>()
        };
        assert_eq!(ids(&open), ids(&first.1), "{readings:?}, order {order}");
    }
    first
}

/// The one choice of a referee that passes.
fn choice(text: &str, readings: Readings) -> (&'static str, String) {
    let (verdict, mut open, title) = judged(text, readings);
    assert_eq!(
        (verdict, title.as_str()),
        (Verdict::Pass, ""),
        "{readings:?}"
    );
    assert_eq!(open.len(), 1, "{readings:?}: {open:?}");
    open.remove(0)
}

const OFF_TURN: &str = "\
turns:
  - first: 0 0 1 1 > 0
    meanwhile:
      - second: send \"4\\n\"
  - second: 0 0 0 1 > 2
";

#[test]
fn a_line_off_turn_may_be_kept_or_ignored_or_lose() {
    let chosen = |off_turn| {
        choice(
            OFF_TURN,
            Readings {
                off_turn,
                ..Readings::default()
            },
        )
    };
    let requirement = "ur/input/off-turn";
    let kept = "the line was kept and taken when the turn came".to_owned();
    assert_eq!(chosen(OffTurn::Keeps), (requirement, kept));
    let ignored = "the line was not taken within 300ms of the beginning of its turn".to_owned();
    assert_eq!(chosen(OffTurn::Ignores), (requirement, ignored));
    let retired = "the player was retired before its turn came".to_owned();
    assert_eq!(chosen(OffTurn::Retires), (requirement, retired));
}

#[test]
fn a_line_off_turn_that_is_read_later_than_was_waited_is_inconclusive() {
    let late = OffTurn::KeepsAndReadsLate(Duration::from_millis(301));
    let (verdict, _, title) = judged(
        OFF_TURN,
        Readings {
            off_turn: late,
            ..Readings::default()
        },
    );
    assert_eq!(verdict, Verdict::Inconclusive, "{title}");
    let early = OffTurn::KeepsAndReadsLate(Duration::from_millis(299));
    choice(
        OFF_TURN,
        Readings {
            off_turn: early,
            ..Readings::default()
        },
    );
}

#[test]
fn a_second_line_in_one_turn_may_be_kept_or_ignored_or_lose() {
    let text = "\
turns:
  - first: 0 0 1 1
    send: \"0\\n1\\n\"
  - second: 0 0 0 1 > 2
  - first: 0 1 1 1 > 3
";
    for off_turn in [OffTurn::Keeps, OffTurn::Ignores, OffTurn::Retires] {
        let (requirement, _) = choice(
            text,
            Readings {
                off_turn,
                ..Readings::default()
            },
        );
        assert_eq!(requirement, "ur/input/several-lines");
    }
}

#[test]
fn a_line_that_comes_after_a_pause_comes_off_turn() {
    let text = "\
turns:
  - first: 0 0 1 1
    send: [\"0\\n\", {pause: 100ms}, \"1\\n\"]
  - second: 0 0 0 1 > 2
  - first: 0 1 1 1 > 3
";
    for off_turn in [OffTurn::Keeps, OffTurn::Ignores, OffTurn::Retires] {
        let (requirement, _) = choice(
            text,
            Readings {
                off_turn,
                ..Readings::default()
            },
        );
        assert_eq!(requirement, "ur/input/off-turn");
    }
}

#[test]
fn who_goes_away_off_turn_may_be_retired_at_once_or_on_its_turn() {
    for way in ["hang up", "half-close", "reset"] {
        let text = format!(
            "turns:\n  - first: 0 0 1 1 > 0\n    meanwhile:\n      - second: {way}\n  - second: 0 0 0 0\n  - first: 0 0 0 1 > 0\n  - second: 0 0 0 1\n"
        );
        for tells_the_loser in [false, true] {
            let chosen = |gone| {
                judged(
                    &text,
                    Readings {
                        gone,
                        tells_the_loser,
                        ..Readings::default()
                    },
                )
            };
            let (verdict, open, title) = chosen(Gone::AtOnce);
            assert_eq!(verdict, Verdict::Pass, "{way}, {tells_the_loser}: {title}");
            let early = "the player was retired before its turn came".to_owned();
            assert!(
                open.contains(&("ur/retire/hang-up-off-turn", early)),
                "{open:?}"
            );
            for gone in [Gone::WhenOnTurn, Gone::ClosesTheLane] {
                let (verdict, _, title) = chosen(gone);
                assert_eq!(verdict, Verdict::Pass, "{way}, {gone:?}: {title}");
            }
            let timeout = Duration::from_secs(20);
            let never = Readings {
                gone: Gone::Never,
                tells_the_loser,
                timeout,
                ..Readings::default()
            };
            let (verdict, _, title) = judged(&text, never);
            assert_eq!(verdict, Verdict::Fail, "{way}: {title}");
        }
    }
}

#[test]
fn who_goes_away_on_turn_is_to_be_retired() {
    for way in ["hang up", "half-close", "reset"] {
        let text = format!("turns:\n  - first: 0 0 1 1 > {way}\n");
        for gone in [Gone::WhenOnTurn, Gone::AtOnce] {
            let (verdict, _, title) = judged(
                &text,
                Readings {
                    gone,
                    ..Readings::default()
                },
            );
            assert_eq!(verdict, Verdict::Pass, "{way}: {title}");
        }
        let never = Readings {
            gone: Gone::Never,
            timeout: Duration::from_secs(20),
            ..Readings::default()
        };
        assert_eq!(judged(&text, never).0, Verdict::Fail, "{way}");
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
    let chosen = |counts_unfinished| {
        choice(
            text,
            Readings {
                counts_unfinished,
                ..Readings::default()
            },
        )
    };
    assert_eq!(
        chosen(false),
        (
            "ur/input/no-final-newline",
            "\"3\" was taken as invalid".to_owned()
        )
    );
    let passed_on = "\"3\" was taken as the move, and passed on as the plain move".to_owned();
    assert_eq!(chosen(true), ("ur/input/no-final-newline", passed_on));
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
            assert_eq!(
                choice(
                    &text,
                    Readings {
                        form,
                        ..Readings::default()
                    }
                )
                .0,
                requirement
            );
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
    for (late, means, seen) in [
        (Late::Nothing, LateSpectator::Nothing, "nothing"),
        (Late::TurnsAway, LateSpectator::Nothing, "nothing"),
        (
            Late::Everything,
            LateSpectator::Whole,
            "everything from the first line",
        ),
        (
            Late::NamesAndThenOn,
            LateSpectator::FromNow,
            "the names, and then what happened from then on",
        ),
        (
            Late::FromThenOn,
            LateSpectator::FromNow,
            "what happened from then on",
        ),
    ] {
        for text in [text, &unfinished] {
            let seen = format!("spectator 2 joined late and received {seen}");
            let readings = |declared| Readings {
                late,
                declared,
                ..Readings::default()
            };
            assert_eq!(
                choice(text, readings(means)),
                ("ur/spectators/late", seen.clone())
            );
            for (word, declared) in LateSpectator::WORDS
                .into_iter()
                .filter(|(_, other)| *other != means)
            {
                let (verdict, _, title) = judged(text, readings(declared));
                let due = match (declared, means) {
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
                assert_eq!(
                    (verdict, title),
                    due,
                    "{readings:?}",
                    readings = readings(declared)
                );
            }
        }
    }
    for (_, declared) in LateSpectator::WORDS {
        let garbage = Readings {
            late: Late::Garbage,
            declared,
            ..Readings::default()
        };
        let due = if declared == LateSpectator::Unknown {
            Verdict::Inconclusive
        } else {
            Verdict::Fail
        };
        assert_eq!(judged(text, garbage).0, due);
    }
}

#[test]
fn a_spectator_who_leaves_is_owed_nothing_and_the_others_are() {
    let text = "\
turns:
  - first: 0 0 1 1 > 0
    meanwhile:
      - spectator 1: leave
  - second: 0 0 0 1 > 0
  - first: 0 0 0 1 > \"x\" illegal
";
    assert_eq!(judged(text, Readings::default()).0, Verdict::Pass);
}

#[test]
fn several_things_can_happen_in_one_turn() {
    let text = "\
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
        let readings = Readings {
            late,
            declared,
            ..Readings::default()
        };
        assert_eq!(judged(text, readings).0, Verdict::Pass);
    }
}

#[test]
fn a_line_in_pieces_is_one_line() {
    let text = "\
turns:
  - first: 0 0 1 1
    send: [\"0\", {pause: 100ms}, \"\\n\"]
  - second: 0 0 0 1
    send: [{pause: 900ms}, \"1\\n\"]
";
    assert_eq!(
        judged(text, Readings::default()),
        (Verdict::Pass, Vec::new(), String::new())
    );
    let hasty = Readings {
        timeout: Duration::from_millis(500),
        ..Readings::default()
    };
    let (verdict, _, title) = judged(text, hasty);
    assert_eq!(
        (verdict, title.as_str()),
        (
            Verdict::Fail,
            "the loss by timeout was seen after 0.5 s, too early"
        )
    );
}

#[test]
fn half_a_line_loses_by_the_timeout() {
    let text = "turns:\n  - first: 0 0 1 1\n    send: \"0\"\n";
    assert_eq!(judged(text, Readings::default()).0, Verdict::Pass);
    let endless = Readings {
        timeout: Duration::from_secs(20),
        ..Readings::default()
    };
    assert_eq!(judged(text, endless).0, Verdict::Fail);
}

#[test]
fn a_pause_beyond_the_timeout_of_the_subject_is_unsupported() {
    let text = "turns:\n  - first: 0 0 1 1\n    send: [{pause: 1s}, \"0\\n\"]\n";
    assert_eq!(judged(text, Readings::default()).0, Verdict::Unsupported);
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
    let chosen = |pace_after_skip| {
        choice(
            text,
            Readings {
                pace,
                pace_after_skip,
                ..Readings::default()
            },
        )
    };
    let requirement = "ur/pace/what-is-a-turn";
    let at_once = "after a skipped turn, the next roll comes at once".to_owned();
    assert_eq!(chosen(Duration::ZERO), (requirement, at_once));
    let kept = "after a skipped turn, the pace is kept after it as well".to_owned();
    assert_eq!(chosen(pace), (requirement, kept));
    let hasty = Readings {
        pace: Duration::from_millis(200),
        ..Readings::default()
    };
    assert_eq!(judged(text, hasty).0, Verdict::Fail);
}
