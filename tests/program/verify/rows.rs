//! `urtext verify --rows`: a table with a row for each game.

use crate::harness::Place;

#[test]
fn the_slowest_answers_come_from_recordings() {
    let place = Place::new();
    let suite = ["--suite", "royalur/referee/late-but-in-time"];
    place
        .run(&[&suite[..], &["--record", "games"]].concat())
        .expect(0);
    let said = place
        .urtext(&["verify", "games", "--rows", "games.csv"])
        .expect(0);
    let file = "games/royalur/referee/late-but-in-time.jsonl";
    assert!(
        said.stdout.contains(" seat: 2.00 s by ") && said.stdout.contains(file),
        "{said:#?}"
    );
    assert!(place.read("games.csv").contains(",2000."), "{said:#?}");
}
