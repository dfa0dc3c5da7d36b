//! Exit statuses: 0 conforms, 1 does not, 2 usage, 3 broken, 4 open.

use crate::harness::{Place, URTEXT, count, faulty_bot, faulty_referee};

#[test]
fn the_shipped_suites_pass_against_the_built_in_peers() {
    let ran = Place::new().run(&[]).expect(0);
    let suites = urtext::scenario::suite::all().0;
    let fast = suites.iter().filter(|scenario| !scenario.is_slow).count();
    assert!(
        fast < suites.len() && ran.stdout.contains(&format!("{fast} scenarios: ")),
        "{ran:#?}"
    );
    ran.quietly();
}

#[test]
fn what_does_not_conform_is_1() {
    let referee = [
        vec!["--suite", "royalur/referee/own-token"],
        faulty_referee("stacking"),
    ]
    .concat();
    Place::new()
        .run(&referee)
        .expect(1)
        .says("1 scenario: 0 passed, 1 failed");
    let bot = [
        vec!["--suite", "royalur/bot/silent-after-roll-0"],
        faulty_bot("answers-when-skipped"),
    ]
    .concat();
    Place::new()
        .run(&bot)
        .expect(1)
        .says("fail[ur/bot/silent-when-skipped]");
}

#[test]
fn a_subject_that_cannot_be_started_is_3() {
    let place = Place::new();
    let ran = place
        .run(&[
            "--suite",
            "royalur/bot",
            "--as",
            "bot",
            "--",
            "./no-such-bot",
        ])
        .expect(3);
    assert_eq!(
        ran.stdout
            .matches("`./no-such-bot` cannot be started")
            .count(),
        1,
        "said once: {ran:#?}"
    );
    let all = count("royalur/bot");
    assert!(
        ran.stdout
            .contains(&format!("{all} skipped, 1 could not be played")),
        "{ran:#?}"
    );
}

#[test]
fn what_cannot_be_tested_is_4_unless_it_is_excused() {
    let place = Place::new();
    let bare = [
        "--suite",
        "royalur/referee/own-token",
        "--as",
        "referee",
        "--",
        URTEXT,
        "referee",
        "royalur",
    ];
    let ran = place.run(&bare).expect(4);
    assert!(
        ran.stdout
            .contains("unsupported: it forces rolls, and this referee takes none"),
        "{ran:#?}"
    );
    place
        .run(&[&["--allow", "unsupported"][..], &bare].concat())
        .expect(0);
    place
        .run(&[&["--allow", "inconclusive"][..], &bare].concat())
        .expect(4);
}

#[test]
fn a_step_that_a_way_of_reaching_the_subject_cannot_do_is_unsupported_there() {
    let place = Place::new();
    let command = format!(
        "[{URTEXT}, referee, royalur, --bot, '{{seat_first}}', --bot, '{{seat_second}}', --spectators, '{{spectators}}', \
         --timeout, '{{timeout}}', --pace, '{{pace}}']"
    );
    place.write(
        "urtext.yaml",
        &format!(
            "subjects:\n  s:\n    as: referee\n    game: royalur\n    command: {command}\n    \
             ready: 'listening spectators={{spectators}}'\n    rolls: {{environment: URTEXT_ROLLS}}\n"
        ),
    );
    let on = |scenario: &str| {
        place.run(&[
            "--suite",
            &format!("royalur/referee/{scenario}"),
            "--subject",
            "s",
            "--verbose",
        ])
    };
    for scenario in ["gone-on-turn#reset", "gone-off-turn#reset"] {
        let ran = on(scenario).expect(4);
        assert!(
            ran.stdout.contains("unsupported: it resets a connection"),
            "{ran:#?}"
        );
    }
    // All else that is not a clean line is the same there as over TCP.
    for scenario in [
        "gone-on-turn#hang-up",
        "gone-on-turn#half-close",
        "gone-off-turn#half-close",
        "half-a-line-then-the-rest",
        "half-a-line-and-no-more",
        "newline-never-comes",
        "two-lines-in-one-write",
        "sent-before-its-turn",
        "illegal-lines",
        "number-forms",
        "over-long-line",
    ] {
        on(scenario).expect(0);
    }
}

#[test]
fn a_game_that_went_another_way_is_4() {
    let place = Place::new();
    place.write(
        "other.yaml",
        "scenario: it goes on only after one of seven moves\ngame: royalur\nsubject: bot\nseat: first\n\
         checks: [ur/bot/legal-token]\nturns:\n  - bot: 0 0 1 1 > 6\n  - opponent: 0 0 0 1 > 0\n",
    );
    let bot = [
        "--as", "bot", "--", URTEXT, "bot", "royalur", "--policy", "first",
    ];
    let ran = place.run(&[&["other.yaml"][..], &bot].concat()).expect(4);
    assert!(
        ran.stdout.contains("inconclusive: the bot chose 0"),
        "{ran:#?}"
    );
    place
        .run(&[&["other.yaml", "--allow", "inconclusive"][..], &bot].concat())
        .expect(0);
}

#[test]
fn a_failure_outweighs_what_could_not_be_played() {
    let place = Place::new();
    // Dies of the odd names before it has said anything, and moves onto its own tokens elsewhere.
    let script = "read a; read b; case \"$a$b\" in *0*) exit 9;; esac\n\
                  (echo \"$a\"; echo \"$b\"; cat) | \"$0\" bot royalur --policy first --fault moves-onto-own-token";
    let run = "--no-diagnosis --suite royalur/bot/odd-names --suite royalur/bot/no-move-onto-an-own-token --as bot --";
    let run: Vec<_> = run.split(' ').collect();
    let bot = [&run[..], &["sh", "-c", script, URTEXT]].concat();
    let ran = place.run(&bot).expect(1);
    assert!(
        ran.stdout.contains("fail[ur/bot/odd-names]"),
        "it speaks elsewhere: {ran:#?}"
    );
}
