//! Lines that a built-in peer sends: those of the dialect, changed by spoilers on the occasions and in the turns that these mean.

use crate::pack::spoiler::{Code, Edit, On, Reading, Sort, Spoiler, SpoiltText, When};
use crate::protocol::{Dialect, Duty, Facts, GameEvent, Open, Party, PlayerLine, single_spaced};
use crate::rules::{GameResult, Roll};

/// Occasion as it arises.
#[derive(Debug, Clone, Copy)]
pub(super) enum Occasion {
    Event(GameEvent),
    /// The end of a game by this event, of which everybody has been told.
    Ended(GameEvent),
    /// One that is no event.
    Other(On),
}

/// Turn as a peer counts it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Turn {
    pub(super) number: u32,
    /// True if the turn before was the same player's.
    pub(super) is_extra: bool,
    /// True if the turn before was skipped, for a referee.
    pub(super) is_after_skip: bool,
}

impl On {
    pub(super) fn matches(self, occasion: Occasion) -> bool {
        match occasion {
            Occasion::Event(event) => self.is_about(event),
            Occasion::Ended(_) => matches!(self, On::Any | On::Ended),
            Occasion::Other(on) => self == On::Any || self == on,
        }
    }
}

impl When {
    pub(super) fn holds(self, turn: Turn) -> bool {
        match self {
            When::From(number) => turn.number >= number,
            When::Extra => turn.is_extra,
        }
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
            (Reading::SingleBlanks, _) => dialect.read_player_line(&single_spaced(text)),
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
        let greeting = self.dialect.greeting(to == Party::Spectator).iter();
        let lines = greeting.map(|greeting| {
            let line = self.dialect.write_greeting(greeting.slot, to, facts);
            (On::Greeting(greeting.slot), line)
        });
        let bytes = lines.chain([(On::Greeted, None)]).flat_map(|(on, line)| {
            let lines = line.into_iter().collect();
            self.wire(Occasion::Other(on), to, Some(facts), lines)
        });
        bytes.collect()
    }

    /// The bytes by which a party is told of an event; often none.
    pub(super) fn event(&self, event: GameEvent, to: Party) -> Vec<u8> {
        self.lines(Occasion::Event(event), to, self.told(&event, to))
    }

    /// The bytes that the peer sends on another occasion, or of its own.
    pub(super) fn lines(&self, occasion: Occasion, to: Party, lines: Vec<Vec<u8>>) -> Vec<u8> {
        self.wire(occasion, to, None, lines)
    }

    /// The lines of the dialect. An honest referee says what it must; what the specification leaves open it leaves unsaid.
    fn told(&self, event: &GameEvent, to: Party) -> Vec<Vec<u8>> {
        let says_all = self.has(Spoiler::OpenLines);
        let told = self.dialect.tell(event, to);
        let told = told.filter(|told| says_all || told.duty == Duty::Must);
        told.into_iter().map(|told| told.line).collect()
    }

    /// The bytes of lines, as the spoilers change them. `facts`: what the greeting tells.
    fn wire(
        &self,
        occasion: Occasion,
        to: Party,
        facts: Option<&Facts>,
        mut lines: Vec<Vec<u8>>,
    ) -> Vec<u8> {
        let by = match occasion {
            Occasion::Event(event) | Occasion::Ended(event) => Some(event.by()),
            Occasion::Other(on) => to.seat().filter(|_| on == On::Ignored),
        };
        let text = |text| self.text(text, occasion, to, facts);
        let mut ending = "\n";
        for spoiler in self.spoilers {
            let edit = match spoiler {
                Spoiler::Line(on, meant, edit) if on.matches(occasion) && meant.means(to, by) => {
                    edit
                }
                _ => continue,
            };
            match *edit {
                Edit::Drop => lines.clear(),
                Edit::Twice => lines = lines.iter().flat_map(|line| [line; 2]).cloned().collect(),
                Edit::Before(before) => drop(lines.splice(0..0, text(before))),
                Edit::After(after) => lines.extend(text(after)),
                Edit::Instead(other) => lines = text(other).into_iter().collect(),
                Edit::Ending(other) => ending = other,
                Edit::Write(Code(rewrite)) => {
                    let write = |line: &mut Vec<u8>| {
                        *line = rewrite(&String::from_utf8_lossy(line)).into_bytes();
                    };
                    lines.iter_mut().for_each(write);
                }
            }
        }
        let mut bytes = Vec::new();
        for line in lines {
            bytes.extend(line);
            bytes.extend(ending.as_bytes());
        }
        bytes
    }

    fn text(
        &self,
        text: SpoiltText,
        occasion: Occasion,
        to: Party,
        facts: Option<&Facts>,
    ) -> Option<Vec<u8>> {
        let greeting = |slot, to| {
            let facts = facts.expect("such a line is of the greeting");
            self.dialect.write_greeting(slot, to, facts)
        };
        match (text, occasion) {
            (SpoiltText::Fixed(line), _) => Some(line.into()),
            (SpoiltText::Greeting(slot), _) => greeting(slot, to),
            (SpoiltText::GreetingOf(seat), Occasion::Other(On::Greeting(slot))) => {
                greeting(slot, Party::Player(seat))
            }
            (SpoiltText::Move, Occasion::Event(GameEvent::Moved { mv, .. })) => {
                Some(self.dialect.write_move(mv))
            }
            (SpoiltText::OtherRoll, Occasion::Event(GameEvent::Rolled { by, roll, skipped })) => {
                let roll = Roll(roll.0 ^ 1);
                let told = self.told(&GameEvent::Rolled { by, roll, skipped }, to);
                told.into_iter().next()
            }
            (SpoiltText::Winner(lines), Occasion::Ended(event)) => {
                let winner = match event {
                    GameEvent::Moved { result, .. } => result.and_then(GameResult::winner),
                    GameEvent::Lost { by, .. } => Some(by.other()),
                    GameEvent::Rolled { .. } => None,
                };
                winner.map(|seat| lines[seat.index()].into())
            }
            _ => None,
        }
    }
}
