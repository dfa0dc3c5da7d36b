//! The steps of a dialogue as lines of a scenario.

use super::piece::piece;
use super::turn::pause;
use crate::scenario::{
    Coming, Dialogue, LineDeed, LineEnd, LinePattern, LineStep, SendPart, Side, Wanted,
};
use crate::transcript::Close;
use crate::yaml::{Words, entry, list, scalar};

/// Writes the steps, indented by so many spaces.
pub(super) fn steps(dialogue: &Dialogue, steps: &[LineStep], indent: usize) -> Vec<String> {
    let lines = steps.iter().flat_map(|one| step(dialogue, one, indent));
    lines.collect()
}

fn step(dialogue: &Dialogue, step: &LineStep, indent: usize) -> Vec<String> {
    let (urtext, subject) = match dialogue.side {
        Side::Referee => ("sends", "gets"),
        Side::Bot => ("gets", "sends"),
    };
    let (lanes, verb, value) = match &step.what {
        LineDeed::Write { lane, parts } => (
            std::slice::from_ref(lane),
            urtext,
            sent(parts, dialogue.line_end),
        ),
        LineDeed::Expect { lanes, want } => {
            (lanes.as_slice(), subject, wanted(want, dialogue.line_end))
        }
        LineDeed::ExpectEnd { lanes, how } => {
            let end = match how {
                Some(Close::End) => "end by close",
                Some(Close::Reset) => "end by reset",
                // No scenario asks for another end.
                None | Some(Close::Broken | Close::Lost) => "end",
            };
            (lanes.as_slice(), "sees", end.to_owned())
        }
        LineDeed::Quiet { lane, time } => {
            let time = humantime::format_duration(*time).to_string();
            (std::slice::from_ref(lane), "waits", time)
        }
        LineDeed::Leave { lane, how } => {
            (std::slice::from_ref(lane), "leaves", how.words().to_owned())
        }
        LineDeed::Read { lane, pace } => {
            let pace = match pace {
                Some(0) => "nothing".to_owned(),
                Some(pace) => format!("{{bytes a second: {pace}}}"),
                None => "everything".to_owned(),
            };
            (std::slice::from_ref(lane), "reads", pace)
        }
        LineDeed::Repeat { times, steps } => {
            let margin = " ".repeat(indent);
            let head = [
                format!("{margin}- repeat: {times}"),
                format!("{margin}  steps:"),
            ];
            let inner = self::steps(dialogue, steps, indent + 4);
            return head.into_iter().chain(inner).collect();
        }
    };
    let who = match lanes {
        [lane] => dialogue.participants[*lane].as_str(),
        _ => "all",
    };
    let key = scalar(&format!("{who} {verb}"));
    vec![format!("{}- {key}: {value}", " ".repeat(indent))]
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
    let part = |part: &SendPart| match part {
        SendPart::Bytes(bytes) => piece(bytes),
        SendPart::Pause(time) => pause(*time),
        SendPart::Leave(_) => unreachable!("who leaves has a step of its own"),
    };
    format!(
        "[{}]",
        parts.iter().map(part).collect::<Vec<_>>().join(", ")
    )
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
