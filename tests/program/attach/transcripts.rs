//! What a run with a subject records.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;

use urtext::transcript::recording::Reader;
use urtext::transcript::{LoggedGame, Transcript};
use urtext::verify::rejudge;

use crate::harness::{PATIENT, Place};

/// Plays these shipped scenarios with a subject of the folder; the transcripts by the name of the scenario.
pub(crate) fn transcripts(
    place: &Place,
    subject: &str,
    scenarios: &[&str],
) -> BTreeMap<String, Transcript> {
    let record = place.join(&format!("recorded by {subject}"));
    let mut args = vec!["--subject", subject, "--record", record.to_str().unwrap()];
    // A loaded machine is to make no verdict here.
    args.extend(PATIENT);
    args.extend(["--jobs", "4"]);
    scenarios
        .iter()
        .for_each(|scenario| args.extend(["--suite", scenario]));
    place
        .run(&args)
        .expect(0)
        .says(&format!("{0} scenarios: {0} passed", scenarios.len()));
    let read = |scenario: &&str| {
        let file = File::open(record.join(format!("{scenario}.jsonl"))).unwrap();
        let mut reader = Reader::new("recording", BufReader::new(file)).unwrap();
        let game = LoggedGame::from_recording("recording", &mut reader).unwrap();
        let rejudged = rejudge(&game.played.expect("it holds its scenario"));
        (scenario.to_string(), rejudged.outcome.transcript)
    };
    scenarios.iter().map(read).collect()
}
