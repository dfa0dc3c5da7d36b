//! Subjects for games that a test plays through the engine.

use urtext::config::{LateSpectator, RollHook, Subject, Template};
use urtext::games::royalur::RoyalUr;
use urtext::scenario::Side;

/// The built-in subject of a side, with a fault.
pub(crate) fn built_in(side: Side, fault: Option<&str>) -> Subject {
    let referee =
        "--spectators {spectators} --timeout {timeout} --pace {pace} --name {first} --name {second}";
    let options = if side == Side::Referee { referee } else { "" };
    let words = [env!("CARGO_BIN_EXE_urtext"), side.word(), "royalur", "--seed", "{seed}"];
    let mut words: Vec<&str> = words.into_iter().chain(options.split_whitespace()).collect();
    words.extend(fault.iter().flat_map(|fault| ["--fault", fault]));
    let command = Template::parse(&words).unwrap();
    let mut subject = Subject::started(fault.unwrap_or("honest"), side, &RoyalUr, command)
        .expect("it says how it is reached");
    subject.late_spectator = LateSpectator::Nothing;
    subject.roll_hook = (side == Side::Referee).then(|| RollHook::Environment("URTEXT_ROLLS".to_owned()));
    subject
}
