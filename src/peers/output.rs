//! Lines that a built-in peer sends: those of the dialect, changed by spoilers on the occasions and in the turns that these mean.

use crate::pack::spoiler::{Edit, On, Reading, Sort, Spoiler, SpoiltText, When};
use crate::protocol::{Dialect, Duty, Facts, GameEvent, Open, Party, PlayerLine, Slot};
use crate::rules::{Game, GameResult, Roll, Seat, Setup};

/// Occasion as it arises.
#[derive(Debug, Clone, Copy)]
pub(super) enum Occasion {
    Start,
    Greeting(Slot),
    Greeted,
    Event(GameEvent),
    Ended(GameEvent),
    Ignored,
    OffTurn,
}

/// Turn as a peer counts it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Turn {
    pub(super) number: u32,
    /// True if the turn before was the same player's.
    pub(super) is_extra: bool,
    /// The kind of its move that a spoiler means, if it has that kind.
    pub(super) kind: Option<&'static str>,
    /// Its player; `None` for a turn of a bot.
    pub(super) by: Option<Seat>,
    /// True if the turn before was skipped.
    pub(super) follows_skip: bool,
    /// The kind of the move before, as `kind`.
    pub(super) follows_kind: Option<&'static str>,
}

impl On {
    pub(super) fn matches(self, occasion: Occasion) -> bool {
        let event = match occasion {
            Occasion::Start => return matches!(self, On::Any | On::Start),
            Occasion::Greeting(slot) => return self == On::Any || self == On::Greeting(slot),
            Occasion::Greeted => return matches!(self, On::Any | On::Greeted),
            Occasion::Ended(_) => return matches!(self, On::Any | On::Ended),
            Occasion::Ignored => return matches!(self, On::Any | On::Ignored),
            Occasion::OffTurn => return matches!(self, On::Any | On::OffTurn),
            Occasion::Event(event) => event,
        };
        self.is_about(event)
    }
}

impl When {
    pub(super) fn holds(self, turn: Turn) -> bool {
        match self {
            When::Always => true,
            When::From(number) => turn.number >= number,
            When::First => turn.number <= 1,
            When::Extra => turn.is_extra,
            When::Kind(kind) => turn.kind == Some(kind),
            When::Of(seat) => turn.by == Some(seat),
            When::AfterSkip => turn.follows_skip,
            When::AfterKind(kind) => turn.follows_kind == Some(kind),
        }
    }
}

impl Turn {
    /// A turn that begins.
    pub(super) fn new(number: u32, is_extra: bool) -> Turn {
        Turn {
            number,
            is_extra,
            ..Turn::default()
        }
    }
}

impl Spoiler {
    /// The setup with words exchanged, if this does so.
    pub(super) fn of_setup(self, game: &dyn Game, setup: Setup) -> Option<Setup> {
        let Spoiler::Setup(one, other) = self else {
            return None;
        };
        let text = game.format_setup(setup);
        let exchanged = text.split_inclusive(' ').map(|word| {
            let bare = word.trim_end();
            match bare {
                _ if bare == one => word.replace(one, other),
                _ if bare == other => word.replace(other, one),
                _ => word.to_owned(),
            }
        });
        game.parse_setup(&exchanged.collect::<String>())
    }
}

impl Reading {
    /// The meaning of a line that has another one.
    pub(super) fn of(self, said: PlayerLine, text: &[u8], dialect: &dyn Dialect) -> PlayerLine {
        match (self, said) {
            (Reading::Move, PlayerLine::Open(Open { mv: Some(mv), .. })) => PlayerLine::Move(mv),
            (Reading::Invalid, PlayerLine::Ignored(id)) => PlayerLine::Invalid(id),
            (Reading::Invalid, PlayerLine::Open(open)) if open.may_lose => {
                PlayerLine::Invalid(open.requirement)
            }
            (Reading::Ignored, PlayerLine::Invalid(id)) => PlayerLine::Ignored(id),
            (Reading::WithoutFirstByte, _) => {
                dialect.read_player_line(text.get(1..).unwrap_or_default())
            }
            (Reading::SingleBlanks, _) => {
                let words = text.split(u8::is_ascii_whitespace);
                let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
                dialect.read_player_line(&words.join(&b' '))
            }
            _ => said,
        }
    }
}

impl Sort {
    pub(super) fn is(self, said: PlayerLine, text: &[u8]) -> bool {
        match self {
            Sort::Empty => text.is_empty(),
            Sort::Ignored => matches!(said, PlayerLine::Ignored(_)),
            Sort::Open => matches!(said, PlayerLine::Open(_)),
            Sort::Breaking(id) => said == PlayerLine::Invalid(id),
        }
    }
}

/// Writer of a peer's lines, and how the peer deviates.
#[derive(Debug, Clone, Copy)]
pub(super) struct Output {
    pub(super) dialect: &'static dyn Dialect,
    pub(super) spoilers: &'static [Spoiler],
}

/// Line with its ending.
#[derive(Debug, Clone)]
struct Ended {
    text: Vec<u8>,
    ending: &'static str,
}

/// Receiver of lines, and what they can tell.
#[derive(Clone, Copy)]
struct Context<'a> {
    occasion: Occasion,
    turn: Turn,
    to: Party,
    facts: Option<&'a Facts>,
}

impl Output {
    /// A writer of an honest peer's lines.
    pub(super) fn honest(dialect: &'static dyn Dialect) -> Output {
        let spoilers = &[];
        Output { dialect, spoilers }
    }

    /// Returns true if the peer has this deviation.
    pub(super) fn has(&self, spoiler: Spoiler) -> bool {
        self.spoilers.contains(&spoiler)
    }

    /// Returns true if the peer has a deviation of this sort.
    pub(super) fn any(&self, is_meant: impl Fn(&Spoiler) -> bool) -> bool {
        self.spoilers.iter().any(is_meant)
    }

    /// The bytes of the greeting.
    pub(super) fn greeting(&self, to: Party, facts: &Facts) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut write = |occasion, line: Option<Vec<u8>>| {
            let context = Context {
                occasion,
                turn: Turn::default(),
                to,
                facts: Some(facts),
            };
            self.wire(context, line.into_iter().collect(), &mut bytes);
        };
        for greeting in self.dialect.greeting(to == Party::Spectator) {
            let line = self.dialect.write_greeting(greeting.slot, to, facts);
            write(Occasion::Greeting(greeting.slot), line);
        }
        write(Occasion::Greeted, None);
        bytes
    }

    /// The bytes by which a party is told of an event; often none.
    pub(super) fn event(&self, event: GameEvent, turn: Turn, to: Party) -> Vec<u8> {
        self.lines(Occasion::Event(event), turn, to, self.told(&event, to))
    }

    /// The bytes that the peer sends on another occasion, or of its own.
    pub(super) fn lines(
        &self,
        occasion: Occasion,
        turn: Turn,
        to: Party,
        lines: Vec<Vec<u8>>,
    ) -> Vec<u8> {
        let mut bytes = Vec::new();
        let context = Context {
            occasion,
            turn,
            to,
            facts: None,
        };
        self.wire(context, lines, &mut bytes);
        bytes
    }

    /// The lines of the dialect. An honest referee says what it must; what the specification leaves open it leaves unsaid.
    fn told(&self, event: &GameEvent, to: Party) -> Vec<Vec<u8>> {
        let mut told = self.dialect.tell(event, to);
        if !self.has(Spoiler::OpenLines) {
            told.retain(|told| told.duty == Duty::Must);
        }
        told.into_iter().map(|told| told.line).collect()
    }

    fn wire(&self, context: Context, lines: Vec<Vec<u8>>, bytes: &mut Vec<u8>) {
        if self.spoilers.is_empty() {
            for line in lines {
                bytes.extend(line);
                bytes.push(b'\n');
            }
            return;
        }
        let mut lines: Vec<Ended> = lines.into_iter().map(Ended::from).collect();
        let by = match context.occasion {
            Occasion::Event(event) | Occasion::Ended(event) => Some(event.by()),
            Occasion::Ignored => match context.to {
                Party::Player(seat) => Some(seat),
                Party::Spectator => None,
            },
            _ => None,
        };
        for spoiler in self.spoilers {
            if let Spoiler::Line(on, when, to, edit) = spoiler
                && on.matches(context.occasion)
                && when.holds(context.turn)
                && to.means(context.to, by)
            {
                self.edit(*edit, context, &mut lines);
            }
        }
        for line in lines {
            bytes.extend(line.text);
            bytes.extend(line.ending.as_bytes());
        }
    }

    fn edit(&self, edit: Edit, context: Context, lines: &mut Vec<Ended>) {
        let text = |text| self.text(text, context).into_iter().map(Ended::from);
        match edit {
            Edit::Drop => lines.clear(),
            Edit::Twice => *lines = lines.iter().flat_map(|line| [line; 2]).cloned().collect(),
            Edit::Before(before) => drop(lines.splice(0..0, text(before))),
            Edit::After(after) => lines.extend(text(after)),
            Edit::Instead(other) => *lines = text(other).collect(),
            Edit::Ending(ending) => lines.iter_mut().for_each(|line| line.ending = ending),
            _ => lines.iter_mut().for_each(|line| rewrite(edit, line)),
        }
    }

    fn text(&self, text: SpoiltText, context: Context) -> Vec<Vec<u8>> {
        let greeting = |slot, to| {
            let facts = context.facts.expect("such a line is of the greeting");
            let line = self.dialect.write_greeting(slot, to, facts);
            line.into_iter().collect()
        };
        match (text, context.occasion) {
            (SpoiltText::Fixed(line), _) => vec![line.into()],
            (SpoiltText::Greeting(slot), _) => greeting(slot, context.to),
            (SpoiltText::GreetingOf(seat), Occasion::Greeting(slot)) => {
                greeting(slot, Party::Player(seat))
            }
            (SpoiltText::Move, Occasion::Event(GameEvent::Moved { mv, .. })) => {
                vec![self.dialect.write_move(mv)]
            }
            (SpoiltText::OtherRoll, Occasion::Event(GameEvent::Rolled { by, roll, skipped })) => {
                let roll = Roll(roll.0 ^ 1);
                self.told(&GameEvent::Rolled { by, roll, skipped }, context.to)
            }
            (SpoiltText::Winner(lines), Occasion::Ended(event)) => {
                let winner = match event {
                    GameEvent::Moved { result, .. } => result.and_then(GameResult::winner),
                    GameEvent::Lost { by, .. } => Some(by.other()),
                    GameEvent::Rolled { .. } => None,
                };
                winner
                    .map(|seat| lines[seat.index()].into())
                    .into_iter()
                    .collect()
            }
            _ => Vec::new(),
        }
    }
}

impl From<Vec<u8>> for Ended {
    fn from(text: Vec<u8>) -> Ended {
        Ended { text, ending: "\n" }
    }
}

/// Changes a line by itself.
fn rewrite(edit: Edit, line: &mut Ended) {
    let text = String::from_utf8_lossy(&line.text).into_owned();
    let mut words: Vec<&str> = text.split_inclusive([' ', ',']).collect();
    // A word keeps what separates it from the next one where it stands.
    let bare = |word: &str| word.trim_end_matches([' ', ',']).len();
    let place = |words: &[&str], word: &str, at: usize| {
        format!("{}{}", &word[..bare(word)], &words[at][bare(words[at])..])
    };
    line.text = match edit {
        Edit::Replace(from, to, times) => text.replacen(from, to, times),
        Edit::Cut(length) => text.chars().take(length).collect(),
        Edit::Lowercase(first) => {
            let small = words.split_off(first.min(words.len())).concat();
            words.concat() + &small.to_ascii_lowercase()
        }
        Edit::Exchange(one, other) if one.max(other) < words.len() => {
            let [first, second] = [
                place(&words, words[other], one),
                place(&words, words[one], other),
            ];
            (words[one], words[other]) = (&first, &second);
            words.concat()
        }
        Edit::Repeat(from, onto) if from.max(onto) < words.len() => {
            let word = place(&words, words[from], onto);
            words[onto] = &word;
            words.concat()
        }
        Edit::Increase => text
            .parse::<u32>()
            .map_or(text, |number| (number + 1).to_string()),
        _ => text,
    }
    .into_bytes();
}
