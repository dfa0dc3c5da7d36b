//! `urtext verify --resume`: an interrupted verification of an archive goes on where it was.

use std::fs;

use crate::harness::{DATA, Place};

const ARGS: [&str; 4] = ["verify", "games", "--resume", "done.jsonl"];

/// Games: good, wrong, cut short and unreadable ones.
fn archive() -> Place {
    let place = Place::new();
    let game = fs::read_to_string(format!("{DATA}/code-colosseum/spectator.received")).unwrap();
    let wrong = game.replacen("\n3\n", "\n6\n", 2);
    assert_ne!(game, wrong);
    place.write("games/a.received", &game);
    place.write("games/b.received", &wrong);
    place.write("games/c.received", &game[..game.len() / 2]);
    place.write("games/d.received", "");
    place
}

/// The last line of the output: the counts.
fn counts(text: &str) -> &str {
    text.trim_end().lines().last().unwrap()
}

#[test]
fn files_that_were_verified_are_counted_and_not_read_again() {
    let place = archive();
    let whole = place.urtext(&["verify", "games"]).expect(2);
    let first = place.urtext(&ARGS).expect(2);
    assert_eq!(first.stdout, whole.stdout);
    assert_eq!(place.read("done.jsonl").lines().count(), 5);
    // Another content of the same size and time is not seen, so nothing was read.
    let changed = place.join("games/a.received");
    let time = changed.metadata().unwrap().modified().unwrap();
    let size = changed.metadata().unwrap().len() as usize;
    place.write("games/a.received", &"?".repeat(size));
    fs::File::options()
        .write(true)
        .open(&changed)
        .unwrap()
        .set_modified(time)
        .unwrap();
    let second = place.urtext(&ARGS).expect(2);
    assert_eq!(counts(&second.stdout), counts(&whole.stdout));
    assert!(
        second
            .stdout
            .contains("fail games/b.received: 1 complaint, shown when the file was verified\n"),
        "{}",
        second.stdout
    );
    assert_eq!(second.stderr, "");
    let json = place
        .urtext(&[&ARGS[..], &["--json"]].concat())
        .expect(2)
        .stdout;
    assert_eq!(json.lines().count(), 1, "{json}");
    assert!(
        json.contains("\"games\":3,\"complaints\":1,\"incomplete\":1,"),
        "{json}"
    );
    // A file of another size is judged again, and a new one is added.
    place.write("games/a.received", "");
    let game = fs::read_to_string(format!("{DATA}/code-colosseum/spectator.received")).unwrap();
    place.write("games/e.received", &game);
    let third = place.urtext(&[&ARGS[..], &["--json"]].concat()).expect(2);
    assert_eq!(third.stdout.lines().count(), 3, "{}", third.stdout);
    assert_eq!(
        third.stderr.matches("error[").count(),
        1,
        "{}",
        third.stderr
    );
    assert!(counts(&third.stdout).contains(
        "\"games\":3,\"complaints\":1,\"incomplete\":1,\"undecided\":0,\"unreadable\":2,"
    ));
}

#[test]
fn what_an_interrupt_left_of_the_list_is_used() {
    let place = archive();
    let whole = place.urtext(&ARGS).expect(2);
    // Killed while the line of the third file was written.
    let list = place.read("done.jsonl");
    let lines: Vec<_> = list.split_inclusive('\n').collect();
    place.write(
        "done.jsonl",
        &format!("{}{}", lines[..3].concat(), &lines[3][..20]),
    );
    let rest = place.urtext(&ARGS).expect(2);
    assert_eq!(counts(&rest.stdout), counts(&whole.stdout));
    assert_eq!(place.read("done.jsonl"), list);
    // A killed start has written nothing, or half of the first line.
    place.write("done.jsonl", "");
    place.urtext(&ARGS).expect(2);
    assert_eq!(place.read("done.jsonl"), list);
}

#[test]
fn a_list_that_does_not_fit_is_refused() {
    let place = archive();
    place.urtext(&ARGS).expect(2);
    let other = place
        .urtext(&[&ARGS[..], &["--complete"]].concat())
        .expect(2);
    assert!(
        other.stderr.contains("done.jsonl:1") && other.stderr.contains("other options"),
        "{}",
        other.stderr
    );
    let strange = place
        .urtext(&["verify", "games", "--resume", "games/a.received"])
        .expect(2);
    assert!(
        strange.stderr.contains("this is no list of verified files"),
        "{}",
        strange.stderr
    );
    let game = fs::read_to_string(format!("{DATA}/code-colosseum/spectator.received")).unwrap();
    assert_eq!(place.read("games/a.received"), game);
    let list = place.read("done.jsonl");
    place.write("done.jsonl", &list.replacen("\"file\"", "\"fil\"", 1));
    let broken = place.urtext(&ARGS).expect(2);
    assert!(broken.stderr.contains("done.jsonl:2"), "{}", broken.stderr);
}
