//! The steps of a dialogue as lines of a scenario.

use super::turn::pieces;
use crate::scenario::resolve::{Argument, Doer, End, Reading, by_side};
use crate::scenario::{
    Coming, Dialogue, LineAct, LineEnd, LinePattern, LineStep, SendPart, Wanted,
};
use crate::yaml::{Words, entry, list, scalar};

/// Writes the steps, indented by so many spaces.
pub(super) fn steps(dialogue: &Dialogue, steps: &[LineStep], indent: usize) -> Vec<String> {
    let lines = steps.iter().flat_map(|one| step(dialogue, one, indent));
    lines.collect()
}

fn step(dialogue: &Dialogue, step: &LineStep, indent: usize) -> Vec<String> {
    let (verb, value) = match &step.what {
        LineAct::Does(deed) => {
            let form = Doer::Participant.word_and_value(deed);
            let (word, value) = form.expect("a participant of a dialogue can do it");
            match value {
                Argument::Pieces(parts) => (word, sent(&parts, dialogue.line_end)),
                Argument::How(how) => (word, how.words().to_owned()),
                Argument::Pace(pace) => (word, reading(pace)),
                _ => unreachable!("other deeds are those of a game"),
            }
        }
        LineAct::Lines(want) => ("gets".to_owned(), wanted(want, dialogue.line_end)),
        LineAct::End(how) => ("sees".to_owned(), End(*how).word().to_owned()),
        LineAct::Silence(time) => {
            let time = humantime::format_duration(*time).to_string();
            ("waits".to_owned(), time)
        }
        LineAct::Repeat { times, steps } => {
            let margin = " ".repeat(indent);
            let head = [
                format!("{margin}- repeat: {times}"),
                format!("{margin}  steps:"),
            ];
            let inner = self::steps(dialogue, steps, indent + 4);
            return head.into_iter().chain(inner).collect();
        }
    };
    let who = match step.lanes[..] {
        [lane] => dialogue.participants[lane].as_str(),
        _ => "all",
    };
    let verb = by_side(&verb, dialogue.side);
    let key = scalar(&format!("{who} {verb}"));
    vec![format!("{}- {key}: {value}", " ".repeat(indent))]
}

fn reading(pace: Option<u64>) -> String {
    match (Reading(pace).word(), pace) {
        ("", Some(pace)) => format!("{{bytes a second: {pace}}}"),
        (word, _) => word.to_owned(),
    }
}

fn sent(parts: &[SendPart], end: LineEnd) -> String {
    if let [SendPart::Bytes(bytes)] = parts
        && let Ok(line) = std::str::from_utf8(bytes)
        && let Some(line) = line.strip_suffix('\n')
        && let Some(line) = line.strip_suffix(end.before_newline())
        && !line.contains(['\n', '\r'])
    {
        return scalar(line);
    }
    format!("[{}]", pieces(parts).join(", "))
}

fn wanted(want: &Wanted, end: LineEnd) -> String {
    let line = |line: &LinePattern| {
        line.to_string()
            .trim_end_matches(end.before_newline())
            .to_owned()
    };
    let lines: Vec<_> = want.lines.iter().map(line).collect();
    let lines = match (&lines[..], want.how) {
        ([only], Coming::AnyOf) => return scalar(only),
        ([only], _) => entry(only),
        (all, _) => list(all.iter().cloned()),
    };
    format!("{{{}: {lines}}}", want.how.word())
}
