//! `urtext distinguish`: games that tell wrong readings of the rules apart.

use std::fs;

use crate::harness::{Place, faulty_referee, urtext};

#[test]
fn a_game_is_failed_by_who_believes_what_it_refutes_and_by_nobody_else() {
    const FAULTS: [&str; 2] = ["no-extra-turn-8", "extra-turn-after-capture"];
    let place = Place::new();
    let search = [
        &["distinguish", "royalur"],
        &FAULTS[..],
        &["--tries", "2000", "-o", "games"],
    ];
    place.urtext(&search.concat()).expect(0);
    let mut caught = [false; 2];
    for file in fs::read_dir(place.join("games")).unwrap() {
        let file = file.unwrap().path();
        let text = fs::read_to_string(&file).unwrap();
        let refutes = text.lines().next().unwrap();
        assert!(refutes.starts_with("# Refutes: "), "{text}");
        let file = [file.to_str().unwrap(), "--simulated"];
        place.run(&file).passes();
        for (caught, fault) in caught.iter_mut().zip(FAULTS) {
            let ran = place.run(&[&file, &faulty_referee(fault)[..]].concat());
            let is_named = refutes.contains(fault);
            ran.expect(i32::from(is_named));
            *caught |= is_named;
        }
    }
    assert_eq!(caught, [true; 2]);
}

#[test]
fn readings_that_no_game_by_the_rules_tells_apart_are_named() {
    let two = ["cell-8-capturable", "no-capture-8"];
    let search = [&["distinguish", "royalur"], &two[..], &["--tries", "1000"]].concat();
    let told = "not told from each other: 1 pair: cell-8-capturable and no-capture-8";
    urtext(&search).expect(4).complains(told);
}

#[test]
fn a_name_that_is_none_is_told_with_what_was_meant() {
    let ran = urtext(&["distinguish", "royalur", "no-extra-turn-9"]).expect(2);
    ran.complains("royalur has no reading")
        .complains("no-extra-turn-");
}

#[test]
fn a_file_of_the_users_own_stays() {
    let place = Place::new();
    place.write("game-01.yaml", "mine\n");
    let search = [
        "distinguish",
        "royalur",
        "tails",
        "--tries",
        "50",
        "-o",
        ".",
    ];
    place
        .urtext(&search)
        .expect(2)
        .complains("game-01.yaml is there");
    assert_eq!(place.read("game-01.yaml"), "mine\n");
}

#[test]
fn every_reading_is_listed() {
    let ran = urtext(&["distinguish", "onitama", "--list"]).expect(0);
    ran.says("frog-mirrored: Frog were its mirror image\n");
}
