//! Whatever a scenario says, reading it ends, and either there is a scenario or an error says why not.

use proptest::prelude::*;

use urtext::diagnostic::{Diagnostics, Paint, Source, Span, visible};
use urtext::scenario::{Alone, resolve, suite};

/// Pieces of scenarios, with bars between them.
const PIECES: &str = "\
    0|1|2|7| |  |>| > |\"|\\|\\u|\\x|\\ud83c|{|}|'|:|: |- |\n|\n  - |#| #|any| as a| except a| except b|illegal| illegal|\
    silent|first|second|bot|opponent|play: to the end|hang up|half-close|reset|leave|join|spectator 1|send: |\
    send \"|then: |silent: |meanwhile: |{pause: 1s}|{hex: \"00 ff\"}|{repeat: \"x\", times: 9999999}|&x |*x|é|\
    \u{202e}|~|[|]|../|{line}|{|{{|cases: [{case: a}]\n|variables: {line: x}\n|  - include: _x.yaml\n|- {}|\t";

/// The texts, each otherwise in a few places.
fn mutated(texts: Vec<String>) -> impl Strategy<Value = String> {
    let edit = (
        any::<prop::sample::Index>(),
        0usize..8,
        prop::sample::select(PIECES.split('|').collect::<Vec<_>>()),
    );
    (
        prop::sample::select(texts),
        prop::collection::vec(edit, 0..6),
    )
        .prop_map(|(text, edits)| {
            let mut characters: Vec<char> = text.chars().collect();
            for (index, removed, piece) in edits {
                let start = index.index(characters.len() + 1);
                let end = (start + removed).min(characters.len());
                characters.splice(start..end, piece.chars());
            }
            characters.into_iter().collect()
        })
}

/// The texts, with some lines left out, doubled, or put elsewhere.
fn disordered(texts: Vec<String>) -> impl Strategy<Value = String> {
    let edit = (
        any::<prop::sample::Index>(),
        any::<prop::sample::Index>(),
        0..3u8,
    );
    (
        prop::sample::select(texts),
        prop::collection::vec(edit, 1..4),
    )
        .prop_map(|(text, edits)| {
            let mut lines: Vec<&str> = text.lines().collect();
            for (from, to, how) in edits {
                if lines.is_empty() {
                    break;
                }
                let line = if how == 0 {
                    lines[from.index(lines.len())]
                } else {
                    lines.remove(from.index(lines.len()))
                };
                if how < 2 {
                    lines.insert(to.index(lines.len() + 1), line);
                }
            }
            lines.join("\n")
        })
}

/// Every shipped scenario, and the examples of the page, which have a dialogue, cases and an included file among them.
fn shipped() -> Vec<String> {
    let mut texts: Vec<String> = suite::all()
        .0
        .iter()
        .map(|scenario| scenario.source.text().unwrap().to_owned())
        .collect();
    texts.dedup();
    let page = include_str!("../../../docs/scenarios.md");
    texts.extend(
        page.split("```yaml\n")
            .skip(1)
            .filter_map(|rest| rest.split("```").next())
            .map(str::to_owned),
    );
    assert!(texts.len() > 60);
    texts
}

/// A list of turns in any order, each one or nearly one that could stand there.
fn shuffled() -> impl Strategy<Value = String> {
    let turn = (
        prop::sample::select(vec!["first", "second", "bot", "opponent", "play"]),
        prop::sample::select(vec![
            "0 0 0 0", "0 0 0 1", "0011", "0 1 1 1", "1 1 1 1", "", "9",
        ]),
        prop::sample::select(vec![
            "",
            "> 0",
            "> 3 illegal",
            "> any",
            "> any as a",
            "> any except a",
            "> silent",
            "> \"x\" illegal",
            "> hang up",
            "to the end",
            "\n    send: \"3\\n\"",
            "\n    send: \"3\"",
            "\n    send: \"+3\\n4\\n\"",
            "\n    send: \"3\"\n    then: reset",
            "\n    silent: until the timeout",
        ]),
        prop::sample::select(vec![
            "",
            "",
            "",
            "first: hang up",
            "second: reset",
            "first: send \"4\\n\"",
            "second: send \"4\"",
            "spectator 1: leave",
            "spectator 1: join",
        ]),
    );
    (any::<bool>(), prop::collection::vec(turn, 0..30)).prop_map(|(is_bot, turns)| {
        let head = if is_bot { super::BOT } else { super::REFEREE };
        let turns = turns.into_iter().map(|(who, roll, action, act)| {
            let meanwhile = if act.is_empty() {
                String::new()
            } else {
                format!("    meanwhile:\n      - {act}\n")
            };
            format!("  - {who}: {roll} {action}\n{meanwhile}")
        });
        turns.fold(head.to_owned(), |text, turn| text + &turn)
    })
}

/// Holds these spans and those of all faults against the source, and what is drawn against what can steer a terminal.
pub(super) fn are_sound(
    mut spans: Vec<Span>,
    diagnostics: &Diagnostics,
    source: &Source,
) -> Result<(), TestCaseError> {
    spans.extend(diagnostics.sorted().iter().filter_map(|fault| fault.span()));
    for span in spans {
        prop_assert!(span.start <= span.end && span.end <= source.bytes().len());
        let is_boundary = |at| source.text().is_none_or(|text| text.is_char_boundary(at));
        prop_assert!(
            is_boundary(span.start) && is_boundary(span.end),
            "{:?}",
            span
        );
    }
    let drawn = diagnostics.draw(Paint::Plain);
    prop_assert!(
        !drawn.chars().any(|c| c != '\n' && visible::is_hostile(c)),
        "{:?}",
        drawn
    );
    Ok(())
}

fn holds(text: &str) -> Result<(), TestCaseError> {
    let source = Source::new("s.yaml", text);
    let (scenarios, diagnostics) = resolve(&source, "s", &Alone);
    prop_assert!(!scenarios.is_empty() || diagnostics.has_errors());
    are_sound(Vec::new(), &diagnostics, &source)?;
    for scenario in scenarios {
        for step in scenario.game().iter().flat_map(|plan| &plan.steps) {
            prop_assert!(!step.span.is_empty() && step.span.end <= text.len());
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn a_mutated_shipped_scenario_is_read_to_an_end(text in mutated(shipped())) {
        holds(&text)?;
    }

    #[test]
    fn a_shipped_scenario_in_disorder_is_read_to_an_end(text in disordered(shipped())) {
        holds(&text)?;
    }

    #[test]
    fn shuffled_turns_are_read_to_an_end(text in shuffled()) {
        holds(&text)?;
    }
}
