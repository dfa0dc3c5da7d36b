//! Games of referees that failed, as scenarios.

use std::path::Path;

use urtext::config::Subject;
use urtext::explore::FailedGame;
use urtext::scenario::Side;

use super::{Search, assert_repeats, failed, notes, only, played, python, reported, text};
use crate::harness::{Place, URTEXT, built_in, urtext};

fn referee(game: &str, fault: &str) -> Subject {
    built_in(game, Side::Referee, Some(fault))
}

/// The only scenario that was written fails again, under this requirement. Returns its turns, and those of the failed game.
#[track_caller]
fn shrunk(failure: &FailedGame, subject: &Subject, requirement: &str) -> [usize; 2] {
    let written = only(failure);
    assert_eq!([written.failed, written.of], [3; 2]);
    let outcome = played(&written.path, written.seed.unwrap_or(1), subject);
    let finding = outcome.failure().unwrap();
    assert_eq!(finding.requirement, Some(requirement), "{finding:#?}");
    [written.turns, written.before]
}

#[test]
fn a_failure_is_shrunk_to_a_short_scenario_that_fails_the_same_way() {
    for (game, fault, seed, games, hostile, requirement, turns) in [
        // Few moves are needed before one can be illegal.
        (
            "royalur",
            "relays-before-retire",
            1,
            64,
            100,
            "ur/retire/instead-of-the-number",
            1..=5,
        ),
        // Six turns lead to the capture, and nothing tells of it before the next one.
        (
            "royalur",
            "no-capture-12",
            12,
            64,
            0,
            "ur/capture/last-shared-cell",
            7..=10,
        ),
        // The deal can be forced.
        (
            "onitama",
            "middle-card-playable",
            1,
            200,
            90,
            "oni/invalid/middle-card",
            1..=1,
        ),
        // One loses at once, the other one reads it in its sender's next turn.
        (
            "onitama",
            "off-turn-loses",
            11,
            100,
            100,
            "oni/input/off-turn",
            1..=1,
        ),
        (
            "onitama",
            "off-turn-kept",
            11,
            100,
            100,
            "oni/input/off-turn",
            1..=2,
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let subject = referee(game, fault);
        let exploration = Search::new(seed, games, hostile).explore(&subject, folder.path());
        let failure = failed(&exploration, requirement);
        let [length, before] = shrunk(failure, &subject, requirement);
        assert!(
            turns.contains(&length) && length <= before,
            "{fault}: {length} of {before}"
        );
        if requirement == "oni/input/off-turn" {
            assert_off_turn(&only(failure).path);
        }
        // A referee that does everything right keeps its golden transcript; a game that is played on freely has none.
        let (written, text) = (only(failure), text(only(failure)));
        assert_eq!(
            written.golden.is_some(),
            !text.contains("- play: until"),
            "{text}"
        );
        let run = ["run", written.path.to_str().unwrap()];
        urtext(&run).expect(0);
        if written.golden.is_some() && std::env::var_os("CI").is_none() {
            urtext(&[&run[..], &["--bless"]].concat()).mentions("0 written, 1 unchanged");
        }
    }
}

/// The scenario is about a line off turn, and a referee that does everything right passes it.
#[track_caller]
fn assert_off_turn(path: &Path) {
    let text = std::fs::read_to_string(path).unwrap();
    let is_meant = text.contains("    meanwhile:\n      - ") && text.contains(": send \"");
    assert!(is_meant, "{text}");
    urtext(&["run", path.to_str().unwrap()]).expect(0);
}

#[test]
fn the_command_that_is_printed_plays_the_failure_again() {
    let place = Place::new();
    let subject = crate::harness::faulty("referee", "onitama", "off-turn-kept");
    let arguments = ["--seed", "11", "--games", "100"];
    let failure = reported(&place, &arguments, &subject.map(str::to_owned));
    let requirement = failure["findings"][0]["requirement"].as_str().unwrap();
    assert_repeats(&place, failure["repeat"].as_str().unwrap(), requirement);
}

/// Of two lines that come at once it is chance which one it reads first, and so is what is kept.
#[test]
fn a_failure_of_an_independent_referee_by_a_line_off_turn_is_found_and_written() {
    let judge =
        "oni_judge.py --seed {seed} --deal {deal} --starter {starter} --variant out-of-turn-plays";
    let Some(referee) = python("referee", "onitama", judge) else {
        return;
    };
    let place = Place::new();
    let failure = reported(&place, &["--seed", "11", "--games", "100"], &referee);
    assert_eq!(failure["findings"][0]["requirement"], "oni/input/off-turn");
    let written = notes(&failure, "written ");
    assert!(!written.is_empty(), "{failure}");
    for note in written {
        if let Some((path, _)) = note.split_once(".yaml") {
            assert_off_turn(&place.join(&format!("{path}.yaml")));
        }
    }
}

#[test]
fn of_a_failure_that_never_comes_again_only_the_recording_is_kept() {
    let place = Place::new();
    // The first game alone has a bot that counts its tokens from 1.
    let script = format!(
        "if mkdir '{}' 2>/dev/null; then exec '{URTEXT}' bot royalur --policy first --fault token-from-1; fi; \
         exec '{URTEXT}' bot royalur --policy first",
        place.join("once").display()
    );
    let bot = [
        "--as", "bot", "--game", "royalur", "--", "sh", "-c", &script,
    ];
    let failure = reported(
        &place,
        &["--seed", "3", "--games", "4"],
        &bot.map(str::to_owned),
    );
    let why = notes(&failure, "no scenario is written: ")[0];
    assert!(
        why.contains("failed 0 of") || why.contains("none that was tried"),
        "{why}"
    );
    let recording = failure["recording"].as_str().unwrap();
    let requirement = failure["findings"][0]["requirement"].as_str().unwrap();
    assert_eq!(place.files(), [recording], "nothing else is kept");
    // It says what the choices in it were made for.
    place
        .urtext(&["verify", recording])
        .expect(1)
        .says(requirement)
        .leaves_out("would not have sent");
    let text = place.read(recording);
    let roll =
        text.find(r#""dir":"received","text":"0 "#).unwrap() + r#""dir":"received","text":""#.len();
    let (before, after) = (&text[..roll], &text[roll + 1..]);
    place.write("altered.jsonl", &format!("{before}1{after}"));
    place
        .urtext(&["verify", "altered.jsonl"])
        .mentions("would not have sent");
    // Scenarios are no games.
    place.write("explored/a.yaml", "scenario: a\n");
    place.urtext(&["verify", "--explain", "explored"]).expect(1);
}

#[test]
fn a_failure_is_shrunk_to_the_shortest_game_that_shows_its_cause() {
    // Of the mistakes that explain the whole games, several are left in the first two, and the turn that failed shows none of them.
    for (game, fault, requirement, cause, most) in [
        (
            "royalur",
            "no-extra-turn-14",
            "ur/extra-turn/cell-14",
            "the referee behaves as if the fourteenth cell gave no extra turn",
            6,
        ),
        (
            "royalur",
            "overshoot",
            "ur/retire/overshoot",
            "the referee behaves as if a token could leave the track by more than the exact number",
            5,
        ),
        (
            "royalur",
            "extra-turn-10",
            "ur/extra-turn/only-there",
            "the referee behaves as if the tenth cell gave an extra turn",
            4,
        ),
        // It shows in a move after which no turn follows.
        (
            "onitama",
            "no-temple-win",
            "oni/win/temple",
            "the referee behaves as if a Master on the opponent's temple had not won",
            7,
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let subject = referee(game, fault);
        let exploration = Search::new(1, 200, 50).explore(&subject, folder.path());
        let failure = failed(&exploration, requirement);
        assert_eq!(&*failure.outcome.findings[0].title, cause);
        // Alone it may leave several mistakes.
        let alone = only(failure).requirement.unwrap();
        assert!(game == "onitama" || alone == requirement, "{alone}");
        let [turns, before] = shrunk(failure, &subject, alone);
        assert_eq!(turns, most);
        assert!(before > 2 * most, "{before}");
    }
}

#[test]
fn a_failure_that_is_not_shortened_is_explained_by_all_games_as_in_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let subject = referee("onitama", "card-not-rotated");
    let search = Search {
        shrink: 0,
        ..Search::new(2, 300, 50)
    };
    let exploration = search.explore(&subject, folder.path());
    let failure = failed(&exploration, "oni/cards/rotate");
    let cause = "the referee behaves as if a used card stayed with its player";
    assert_eq!(&*failure.outcome.findings[0].title, cause);
}
