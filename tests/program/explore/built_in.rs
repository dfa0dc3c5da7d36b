//! Built-in peers that are explored in memory.

use crate::harness::Place;

#[test]
fn the_same_seed_gives_the_same_report_and_the_same_files_whatever_is_played_at_once() {
    for subject in [
        "--shrink 40 --subject built-in --fault retire-lowercase",
        "--shrink 40 --subject built-in --as bot --fault ignores-extra-turn",
    ] {
        let explored = |place: &Place, jobs: &str| {
            let words = format!("explore --seed 5 {jobs} {subject}");
            let words: Vec<_> = words.split_whitespace().collect();
            let said = place.urtext(&words).expect(1).stdout;
            let files = place.files().into_iter();
            let files: Vec<_> = files.map(|file| (place.read(&file), file)).collect();
            assert!(!files.is_empty(), "{said}");
            (said, files)
        };
        let places = [(), ()].map(|()| Place::new());
        let first = explored(&places[0], "--jobs 1");
        assert!(first == explored(&places[1], "--jobs 7"), "{subject}");
        // What exists already is not written again.
        assert!(first == explored(&places[0], ""), "{subject}");
    }
}
