//! Scenarios that are made up, and their dialogues.

use std::sync::Arc;
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

use crate::diagnostic::Span;
use crate::rules::below;
use crate::scenario::*;
use crate::transcript::Close;
use crate::yaml::At;
use crate::yaml::braces::Piece;

/// Characters of texts, those that mean something to YAML among them.
const CHARACTERS: [char; 40] = [
    'a',
    'b',
    'Z',
    '0',
    '7',
    ' ',
    ' ',
    '#',
    ':',
    '\'',
    '"',
    '{',
    '}',
    '[',
    ']',
    ',',
    '>',
    '|',
    '-',
    '?',
    '&',
    '*',
    '!',
    '%',
    '@',
    '`',
    '~',
    '\\',
    '/',
    '.',
    '=',
    'é',
    '\u{1f600}',
    '\u{202e}',
    '\u{a0}',
    '\u{feff}',
    '\u{85}',
    '\t',
    '\u{7f}',
    '\u{1}',
];

/// Makes up scenarios.
pub(super) struct MadeUp(pub(super) ChaCha8Rng);

impl MadeUp {
    pub(super) fn below(&mut self, most: usize) -> usize {
        below(self.0.next_u64(), most)
    }

    pub(super) fn number(&mut self) -> u64 {
        self.0.next_u64()
    }

    pub(super) fn is(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    pub(super) fn one_of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }

    pub(super) fn text(&mut self) -> String {
        let length = self.below(12);
        (0..length).map(|_| self.one_of(&CHARACTERS)).collect()
    }

    /// Text with something in it, and no white space at its ends.
    pub(super) fn title(&mut self) -> String {
        let text = self.text();
        let words = self.one_of(&["a title", "null", "key: value", "what #1 is", "{x}", "- x"]);
        format!("{words}{}", text.trim_end()).trim().to_owned()
    }

    pub(super) fn bytes(&mut self) -> Vec<u8> {
        match self.below(4) {
            0 => (0..self.below(6))
                .map(|_| self.0.next_u64() as u8)
                .collect(),
            1 => self
                .one_of(&["a", "ab\n", "é"])
                .repeat(self.below(90))
                .into_bytes(),
            _ => self.text().into_bytes(),
        }
    }

    pub(super) fn time(&mut self) -> Duration {
        let most = self.one_of(&[5, 100, 50_000]);
        Duration::from_millis(1 + self.below(most) as u64)
    }

    pub(super) fn leaving(&mut self) -> Leaving {
        self.one_of(&Leaving::ALL)
    }

    pub(super) fn tags(&mut self) -> Tags {
        let tags = ["slow", "0", "a-b"].map(str::to_owned);
        let count = if self.is(3) { 1 + self.below(3) } else { 0 };
        Tags(tags.into_iter().take(count).collect())
    }

    pub(super) fn dialogue(&mut self) -> Scenario {
        let side = self.one_of(&Side::ALL);
        let (title, is_slow, tags) = (self.title(), self.is(4), self.tags());
        let golden = self
            .is(3)
            .then(|| At::nowhere(GoldenName("lines.txt".to_owned())));
        let participants = match side {
            Side::Bot => vec!["bot".to_owned()],
            Side::Referee => vec!["alice".to_owned(), "#b:".to_owned(), "{c}".to_owned()],
        };
        let line_end = self.one_of(&[LineEnd::Lf, LineEnd::CrLf]);
        let mut steps = self.line_steps(participants.len(), 0, line_end);
        let known = LinePattern::parse(&format!("{{known}}{}", line_end.before_newline()));
        let (how, lines) = (Coming::AnyOf, vec![known.unwrap()]);
        let what = LineAct::Lines(Arc::new(Wanted { how, lines }));
        steps.insert(0, line_step(vec![0], what));
        let checks = [&[][..], &["made-up/two"], &["made-up/two", "made-up/one"]];
        let dialogue = Dialogue {
            side,
            participants,
            line_end,
            checks: self.one_of(&checks).to_vec(),
            steps,
        };
        Scenario {
            keys: ScenarioKeys {
                is_slow,
                tags,
                golden,
                ..ScenarioKeys::default()
            },
            ..Scenario::new(Plan::Dialogue(Arc::new(dialogue)), title)
        }
    }

    fn line_steps(&mut self, lanes: usize, depth: usize, end: LineEnd) -> Vec<LineStep> {
        (0..1 + self.below(5))
            .map(|_| self.line_step(lanes, depth, end))
            .collect()
    }

    fn line_step(&mut self, lanes: usize, depth: usize, end: LineEnd) -> LineStep {
        let lane = self.below(lanes);
        let some = if self.is(3) {
            (0..lanes).collect()
        } else {
            vec![lane]
        };
        let (lanes_of, what) = match self.below(9) {
            0 => {
                let line = format!("{}{}\n", self.text(), end.before_newline());
                let parts = vec![SendPart::Bytes(line.into_bytes())];
                (vec![lane], LineAct::Does(Deed::Send(parts)))
            }
            1 => {
                let parts = vec![SendPart::Bytes(self.bytes()), SendPart::Pause(self.time())];
                (vec![lane], LineAct::Does(Deed::Send(parts)))
            }
            2 => {
                let how = self.one_of(&[
                    Coming::InAnyOrder,
                    Coming::Until,
                    Coming::Optional,
                    Coming::Never,
                ]);
                let lines = (0..1 + self.below(3)).map(|_| self.pattern(end)).collect();
                (some, LineAct::Lines(Arc::new(Wanted { how, lines })))
            }
            3 => {
                let how = self.one_of(&[None, Some(Close::End), Some(Close::Reset)]);
                (some, LineAct::End(how))
            }
            4 => (vec![lane], LineAct::Silence(self.time())),
            5 => (vec![lane], LineAct::Does(Deed::Leave(self.leaving()))),
            6 => {
                let pace = self.one_of(&[None, Some(0), Some(70)]);
                (vec![lane], LineAct::Does(Deed::Read(pace)))
            }
            7 => {
                let name = Piece::Name("known".to_owned());
                let pieces = vec![
                    name.clone(),
                    Piece::Text(format!("{{{}", self.text())),
                    name,
                ];
                let end = SendPart::Bytes(format!("{}\n", end.before_newline()).into_bytes());
                let parts = vec![SendPart::Text(pieces), end];
                (vec![lane], LineAct::Does(Deed::Send(parts)))
            }
            _ if depth < 3 && self.is(2) => {
                let times = 1 + self.below(3) as u64;
                let steps = self.line_steps(lanes, depth + 1, end);
                (Vec::new(), LineAct::Repeat { times, steps })
            }
            _ => {
                let (how, lines) = (Coming::AnyOf, vec![self.pattern(end)]);
                (some, LineAct::Lines(Arc::new(Wanted { how, lines })))
            }
        };
        line_step(lanes_of, what)
    }

    fn pattern(&mut self, end: LineEnd) -> LinePattern {
        let mut line = String::new();
        for number in 0..self.below(3) {
            let kind = self.one_of(&["", ":int", ":word"]);
            let text = self.text().replace('{', "{{");
            line += &format!("{{{{{text}{{place_{number}{kind}}}");
        }
        LinePattern::parse(&(line + end.before_newline())).unwrap()
    }
}

fn line_step(lanes: Vec<usize>, what: LineAct) -> LineStep {
    LineStep {
        span: Span::at(0),
        lanes,
        what,
    }
}

/// A text with `{move}`.
pub(super) fn with_move(text: &str) -> SendPart {
    let name = |name: &str| Ok::<_, ()>((name == SendPart::MOVE).then(|| name.to_owned()));
    SendPart::parse(text, name).unwrap()
}

/// Returns true if a player goes away.
pub(super) fn leaves(act: &Act) -> bool {
    matches!(
        (act.who, &act.deed),
        (Participant::Player(_), Deed::Leave(_))
    ) || matches!(&act.deed, Deed::Send(parts) if SendPart::leaving(parts).is_some())
}

pub(super) fn step(kind: StepKind) -> Step {
    Step {
        span: Span::at(0),
        kind,
    }
}
