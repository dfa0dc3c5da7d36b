//! Losses of silent players and of disconnected ones, by a clock that the test turns.

use std::time::Duration;

use super::timing_tests::Then::{Ends, Hears, Lags, Writes};
use super::timing_tests::{Then, greeted_by_onitama, judged_with, settings, until_the_roll};
use crate::config::LateSpectator;
use crate::finding::{Finding, Verdict};
use crate::judge::{Judgement, Settings};

const TURNS: &str = "turns:\n  - first: 0 0 1 1 > 0\n  - second: 0 0 0 1";

fn ur(checks: &str, more: &str) -> String {
    format!(
        "scenario: t\ngame: royalur\nsubject: referee\nspectators: 0\nchecks: [{checks}]\ntimeout: 2s\n{more}\n"
    )
}

fn onitama(checks: &str, turns: &str) -> String {
    format!(
        "scenario: t\ngame: onitama\nsubject: referee\nchecks: [{checks}]\ndeal: Cobra,Eel,Crab,Rabbit,Tiger\nstarter: Top\n\
         turns:\n  - top: Eel c1 d2\n{turns}\n"
    )
}

/// The settings of a subject with a timeout of so many milliseconds.
fn known(timeout: u64) -> Settings {
    Settings {
        timeout: Some(Duration::from_millis(timeout)),
        ..settings()
    }
}

/// The first player has moved at 10 ms, and the second one is on turn.
fn until_the_second_turn() -> Vec<Then> {
    let mut then = until_the_roll(1);
    then.extend([
        Writes(10),
        Hears(11, 1, "0"),
        Hears(12, 0, "0 0 0 1"),
        Hears(12, 1, "0 0 0 1"),
    ]);
    then
}

/// Top has moved at 10 ms, and Bottom is on turn.
fn until_bottoms_turn() -> Vec<Then> {
    let mut then = greeted_by_onitama();
    then.extend([
        Writes(10),
        Hears(12, 0, "Eel c1 d2"),
        Hears(12, 1, "Eel c1 d2"),
    ]);
    then
}

#[track_caller]
fn assert_verdict(judgement: &Judgement, verdict: Verdict) {
    assert_eq!(judgement.verdict, verdict, "{:?}", judgement.findings);
}

#[track_caller]
fn assert_found(judgement: &Judgement, verdict: Verdict, requirement: &str) {
    assert_verdict(judgement, verdict);
    let found = judgement.findings[0].requirement;
    assert_eq!(found, Some(requirement), "{:?}", judgement.findings);
}

#[test]
fn a_late_spectator_may_receive_lines_with_carriage_returns_as_everybody_may() {
    let text = "scenario: t\ngame: royalur\nsubject: referee\nspectators: 2\nchecks: [ur/spectators/late]\nturns:\n  \
        - first: 0 0 1 1 > 0\n  - second: 0 0 0 1 > 0\n    meanwhile:\n      - spectator 2: join\n  - first: 0 1 0 0 > \"7\" illegal\n";
    let names = ["Ada\r", "Bob\r"];
    let mut then = Vec::new();
    for lane in 0..3 {
        then.extend(names.map(|name| Hears(0, lane, name)));
    }
    then.extend([Hears(0, 0, "0\r"), Hears(0, 1, "1\r")]);
    let all = |at, line| (0..3).map(move |lane| Hears(at, lane, line));
    then.extend(all(1, "0 0 1 1\r"));
    then.extend([Writes(10), Hears(11, 1, "0\r"), Hears(11, 2, "0\r")]);
    then.extend(all(12, "0 0 0 1\r"));
    // The spectator comes, and receives everything.
    then.extend([Writes(20)]);
    let so_far = ["Ada\r", "Bob\r", "0 0 1 1\r", "0\r", "0 0 0 1\r"];
    then.extend(so_far.map(|line| Hears(21, 3, line)));
    then.extend([
        Writes(1000),
        Hears(1001, 0, "0\r"),
        Hears(1001, 2, "0\r"),
        Hears(1001, 3, "0\r"),
    ]);
    then.extend((0..4).map(|lane| Hears(1002, lane, "0 1 0 0\r")));
    then.extend([
        Writes(1010),
        Hears(1011, 1, "RETIRE\r"),
        Hears(1011, 2, "RETIRE\r"),
        Hears(1011, 3, "RETIRE\r"),
    ]);
    then.extend((0..4).map(|lane| Ends(1012, lane)));
    let told = |late_spectator| {
        judged_with(
            text,
            Settings {
                late_spectator,
                ..settings()
            },
            &then,
        )
    };
    for late in [LateSpectator::Whole, LateSpectator::Unknown] {
        let judgement = told(late);
        assert_eq!(
            judgement.verdict,
            Verdict::Lenient,
            "{:?}",
            judgement.findings
        );
        let is_whole = |seen: &str| seen.ends_with("everything from the first line");
        assert!(
            judgement.open.iter().any(|choice| is_whole(&choice.seen)),
            "{:?}",
            judgement.open
        );
    }
}

#[test]
fn who_goes_away_on_its_turn_may_lose_at_once_or_when_a_timeout_is_over_that_nobody_knows() {
    let unknown = || Settings {
        timeout: None,
        ..settings()
    };
    for how in ["hang up", "half-close", "reset"] {
        let text = onitama("oni/input/hang-up", &format!("  - bottom: {how}"));
        let game = |then: &[(u64, usize)]| {
            let mut all = until_bottoms_turn();
            all.push(Writes(20));
            all.extend(then.iter().map(|&(at, lane)| Ends(at, lane)));
            judged_with(&text, unknown(), &all)
        };
        for at in [21, 90_012, 119_000] {
            let judgement = game(&[(at, 0), (at + 1000, 1)]);
            assert_verdict(&judgement, Verdict::Pass);
        }
        let nothing = game(&[]);
        assert_found(&nothing, Verdict::Inconclusive, "oni/input/hang-up");
        let finding = &nothing.findings[0];
        assert_eq!(
            (finding.settled_by, finding.by_silence),
            (Some("timeout"), false)
        );
        assert!(
            finding
                .notes
                .iter()
                .any(|note| note.contains("`timeout:` in urtext.yaml")),
            "{finding:?}"
        );
    }
    // One lane that stays when the other has ended is no matter of the timeout.
    let text = onitama("oni/input/hang-up", "  - bottom: half-close");
    let mut then = until_bottoms_turn();
    then.extend([Writes(20), Ends(90_000, 1)]);
    assert_found(
        &judged_with(&text, unknown(), &then),
        Verdict::Fail,
        "oni/timeout/drops-both",
    );
}

#[test]
fn half_a_move_before_a_hang_up_is_no_failure_while_the_timeout_is_unknown() {
    let text = onitama(
        "oni/input/no-final-newline",
        "  - bottom:\n    send: \"Crab a5 a4\"\n    then: hang up",
    );
    let unknown = || Settings {
        timeout: None,
        ..settings()
    };
    let mut then = until_bottoms_turn();
    then.push(Writes(20));
    assert_verdict(&judged_with(&text, unknown(), &then), Verdict::Inconclusive);
    let failed = judged_with(&text, known(3000), &then);
    assert_verdict(&failed, Verdict::Fail);
    then.extend([Ends(90_000, 0), Ends(90_000, 1)]);
    assert_verdict(&judged_with(&text, unknown(), &then), Verdict::Lenient);
}

#[test]
fn with_a_known_timeout_who_has_gone_away_loses_by_then() {
    let text = onitama("oni/input/hang-up", "  - bottom: hang up");
    let game = |at: Option<u64>| {
        let mut then = until_bottoms_turn();
        then.push(Writes(20));
        then.extend(at.map(|at| Ends(at, 0)));
        judged_with(&text, known(3000), &then)
    };
    assert_verdict(&game(Some(21)), Verdict::Pass);
    assert_verdict(&game(Some(4200)), Verdict::Pass);
    assert_found(&game(Some(4300)), Verdict::Fail, "oni/timeout/not-late");
    assert_found(&game(None), Verdict::Fail, "oni/timeout/forfeit");
}

#[test]
fn a_loss_by_timeout_comes_neither_early_nor_a_quarter_and_half_a_second_late() {
    let text = ur("ur/retire/timeout", &format!("{TURNS} > silent"));
    let game = |at: u64, lag: u64| {
        let mut then = until_the_second_turn();
        then.extend([Hears(at, 0, "RETIRE"), Ends(at, 0), Ends(at, 1)]);
        let settings = Settings {
            lag: Duration::from_millis(lag),
            ..known(2000)
        };
        judged_with(&text, settings, &then)
    };
    assert_found(&game(1800, 0), Verdict::Fail, "ur/timeout/not-early");
    for at in [1950, 2012, 3260] {
        assert_verdict(&game(at, 0), Verdict::Pass);
    }
    let late = game(3270, 0);
    assert_found(&late, Verdict::Fail, "ur/timeout/not-late");
    assert!(late.findings[0].by_silence, "a second game decides");
    assert_eq!(
        late.findings[0].title,
        "the loss by timeout was seen after 3.3 s, too late"
    );
    // The measured lag is allowed for.
    assert_verdict(&game(3270, 10), Verdict::Pass);
    // What comes never is another thing than what comes late.
    assert_found(
        &judged_with(&text, known(2000), &until_the_second_turn()),
        Verdict::Fail,
        "ur/retire/timeout",
    );
}

#[test]
fn a_clock_that_counts_whole_seconds_is_not_late() {
    let text = onitama("oni/timeout/not-late", "  - bottom: silent");
    let game = |late: u64| {
        let mut then = until_bottoms_turn();
        then.extend([Ends(1000 + late, 0), Ends(1000 + late, 1)]);
        judged_with(&text, known(1000), &then)
    };
    assert_verdict(&game(1010), Verdict::Pass);
    assert_found(&game(1300), Verdict::Fail, "oni/timeout/not-late");
}

#[test]
fn a_long_timeout_may_be_late_by_more_than_the_answer_budget() {
    let text = onitama("oni/timeout/forfeit", "  - bottom: silent");
    let game = |at: u64| {
        let mut then = until_bottoms_turn();
        then.extend([Ends(at, 0), Ends(at, 1)]);
        judged_with(&text, known(90_000), &then)
    };
    assert_verdict(&game(112_000), Verdict::Pass);
    let late = game(113_100);
    assert_verdict(&late, Verdict::Fail);
}

#[test]
fn a_clock_that_something_in_the_turn_started_anew_is_named_as_that() {
    let half = "\n    send: [{pause: 1400ms}, \"3\"]";
    let off_turn = " > silent\n    meanwhile:\n      - first: {send: [{pause: 1400ms}, \"3\\n\"]}";
    for (what, named) in [
        (half, "part of a line from Bob (second)"),
        (off_turn, "a line from Ada (first)"),
    ] {
        let text = ur(
            "ur/timeout/no-new-time, ur/retire/timeout",
            &format!("{TURNS}{what}"),
        );
        let game = |at: u64| {
            let mut then = until_the_second_turn();
            then.extend([
                Writes(1412),
                Hears(at, 0, "RETIRE"),
                Ends(at, 0),
                Ends(at, 1),
            ]);
            judged_with(&text, known(2000), &then)
        };
        assert!(
            matches!(game(2012).verdict, Verdict::Pass | Verdict::Lenient),
            "{:?}",
            game(2012).findings
        );
        let restarted = game(3412);
        assert_found(&restarted, Verdict::Fail, "ur/timeout/no-new-time");
        let title = &restarted.findings[0].title;
        let ends = format!("as if {named} after 1.4 s had given new time");
        assert!(title.ends_with(&ends), "{title}");
    }
    let ignored = "  - bottom:\n    send: [{pause: 2s}, \"banana\\n\"]";
    let text = onitama("oni/timeout/ignored-lines", ignored);
    let game = |at: u64| {
        let mut then = until_bottoms_turn();
        then.extend([Writes(2012), Ends(at, 0), Ends(at, 1)]);
        judged_with(&text, known(3000), &then)
    };
    assert_verdict(&game(3100), Verdict::Pass);
    assert_found(&game(5012), Verdict::Fail, "oni/timeout/ignored-lines");
}

#[test]
fn a_clock_that_ran_before_the_turn_is_named_as_that() {
    let text = ur(
        "ur/timeout/own-turn",
        "turns:\n  - first: 0 0 1 1\n    send: [{pause: 700ms}, \"0\\n\"]\n  - second: 0 0 0 1 > silent",
    );
    let game = |at: u64| {
        let mut then = until_the_roll(1);
        then.extend([
            Writes(701),
            Hears(702, 1, "0"),
            Hears(703, 0, "0 0 0 1"),
            Hears(703, 1, "0 0 0 1"),
        ]);
        then.extend([Hears(at, 0, "RETIRE"), Ends(at, 0), Ends(at, 1)]);
        judged_with(&text, known(1000), &then)
    };
    assert_found(&game(1010), Verdict::Fail, "ur/timeout/own-turn");
    assert_verdict(&game(1710), Verdict::Pass);
}

#[test]
fn the_time_of_earlier_turns_may_count_where_that_is_open() {
    let text = ur(
        "ur/timeout/counts-from",
        "turns:\n  - first: 1 1 1 1\n    send: [{pause: 700ms}, \"0\\n\"]\n  - first: 0 0 0 1 > silent",
    );
    let game = |at: u64| {
        let mut then = until_the_roll(1);
        then.truncate(6);
        then.extend([
            Hears(1, 0, "1 1 1 1"),
            Hears(1, 1, "1 1 1 1"),
            Writes(701),
            Hears(702, 1, "0"),
        ]);
        then.extend([
            Hears(703, 0, "0 0 0 1"),
            Hears(703, 1, "0 0 0 1"),
            Hears(at, 1, "RETIRE"),
        ]);
        judged_with(&text, known(1000), &then)
    };
    for (at, seen) in [
        (1703, "each turn has its whole time"),
        (
            1010,
            "the time that the player took in its earlier turns counts",
        ),
    ] {
        let judgement = game(at);
        assert_verdict(&judgement, Verdict::Lenient);
        assert!(
            judgement.open.iter().any(|choice| choice.seen == seen),
            "{:?}",
            judgement.open
        );
    }
    assert_found(&game(900), Verdict::Fail, "ur/timeout/not-early");
}

/// When the first player has gone away, its loss and that of the silent second player look alike; which one it is, the time tells that goes by
/// between them.
#[test]
fn a_hang_up_that_urtext_brings_so_late_that_the_time_is_over_decides_nothing() {
    let text = "scenario: t\ngame: royalur\nsubject: referee\nspectators: 1\nchecks: [ur/retire/hang-up-off-turn]\ntimeout: 2s\n\
        turns:\n  - first: 0 0 1 1 > 0\n  - second: 0 0 0 1 > silent\n    meanwhile:\n      - first: {send: [{pause: 1400ms}], then: hang up}\n";
    let game = |hung_up, order: usize| {
        let all = |at, line| (0..3).map(move |lane| Hears(at, lane, line));
        let mut then: Vec<_> = all(0, "Ada").chain(all(0, "Bob")).collect();
        then.extend([Hears(0, 0, "0"), Hears(0, 1, "1")]);
        then.extend(all(1, "0 0 1 1"));
        then.extend([Writes(10), Hears(11, 1, "0"), Hears(11, 2, "0")]);
        then.extend(all(12, "0 0 0 1"));
        let [a, b] = if order == 0 {
            [2011, 2012]
        } else {
            [2012, 2011]
        };
        let mut ends = vec![
            (hung_up, Writes(hung_up)),
            (a, Hears(a, 2, "RETIRE")),
            (a, Ends(a, 2)),
            (b, Ends(b, 1)),
        ];
        ends.sort_by_key(|(at, _)| *at);
        then.extend(ends.into_iter().map(|(_, then)| then));
        judged_with(text, known(2000), &then)
    };
    for order in 0..2 {
        for hung_up in [1413, 1650] {
            let judgement = game(hung_up, order);
            assert_verdict(&judgement, Verdict::Pass);
        }
        for hung_up in [1750, 1950, 2005] {
            let judgement = game(hung_up, order);
            assert!(
                judgement.verdict <= Verdict::Inconclusive,
                "{hung_up}: {:?}",
                judgement.findings
            );
            assert!(
                judgement.findings.iter().all(|finding| finding.by_silence),
                "it is played again"
            );
        }
    }
}

/// urtext was stopped for so long during the wait, so that the close of the lanes was seen at this time.
fn stopped(timeout: u64, lag: u64, seen_at: u64) -> Judgement {
    let text = onitama("oni/timeout/forfeit", "  - bottom: silent");
    let mut then = until_bottoms_turn();
    then.extend([Lags(seen_at, lag, 0), Ends(seen_at, 0), Ends(seen_at, 1)]);
    judged_with(&text, known(timeout), &then)
}

#[test]
fn an_early_loss_does_not_pass_because_urtext_was_stopped() {
    // The lanes closed a whole second early.
    let judgement = stopped(3000, 500, 2500);
    assert_found(&judgement, Verdict::Fail, "oni/timeout/not-early");
    // They may have closed a whole second early, and were seen to close in time.
    let judgement = stopped(2000, 1000, 2012);
    assert_found(&judgement, Verdict::Inconclusive, "oni/timeout/not-early");
    assert!(judgement.findings[0].by_silence, "it is played again");
    // No scenario tests for a difference as small as this lag.
    assert_verdict(&stopped(2000, 300, 2012), Verdict::Pass);
}

#[test]
fn a_clock_that_was_started_anew_does_not_pass_because_of_lag() {
    let half = "\n    send: [{pause: 1400ms}, \"3\"]";
    let text = ur(
        "ur/timeout/no-new-time, ur/retire/timeout",
        &format!("{TURNS}{half}"),
    );
    let game = |lag: u64, at: u64| {
        let mut then = until_the_second_turn();
        then.extend([Writes(1412), Lags(at, lag, 0), Hears(at, 0, "RETIRE")]);
        then.extend([Ends(at, 0), Ends(at, 1)]);
        judged_with(&text, known(2000), &then)
    };
    assert_verdict(&game(100, 3412), Verdict::Fail);
    let unsure = game(500, 3412);
    assert_found(&unsure, Verdict::Inconclusive, "ur/timeout/not-late");
    assert!(unsure.findings[0].by_silence, "it is played again");
    assert!(game(500, 2512).verdict <= Verdict::Lenient);
}

#[test]
fn a_pace_that_lag_hides_is_neither_kept_nor_broken() {
    let text = ur("ur/pace/minimum", &format!("pace: 300ms\n{TURNS} > 0"));
    let game = |lag: u64, apart: u64| {
        let mut then = until_the_roll(1);
        then.extend([Writes(10), Hears(11, 1, "0"), Lags(1 + apart, lag, 0)]);
        then.extend([
            Hears(1 + apart, 0, "0 0 0 1"),
            Hears(1 + apart, 1, "0 0 0 1"),
        ]);
        let settings = Settings {
            pace: Duration::from_millis(300),
            ..known(2000)
        };
        judged_with(&text, settings, &then)
    };
    let verdict = |lag, apart| {
        let judgement = game(lag, apart);
        let is_about_pace = |finding: &&Finding| finding.requirement == Some("ur/pace/minimum");
        let first = judgement.findings.iter().find(is_about_pace);
        first.map(|finding| finding.verdict)
    };
    assert_eq!(verdict(0, 100), Some(Verdict::Fail));
    assert_eq!(verdict(0, 300), None);
    assert_eq!(verdict(100, 300), None);
    assert_eq!(verdict(200, 300), Some(Verdict::Inconclusive));
}
