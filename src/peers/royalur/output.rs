//! Output of the built-in referee of the Royal Game of Ur.

use super::RefereeFault;
use crate::games::royalur::CodeColosseum;
use crate::protocol::{Cause, Dialect, Duty, Facts, GameEvent, Party, Slot};
use crate::rules::{PerSeat, Roll, Seat};

/// The referee's lines for each participant: those of the dialect, changed by the fault.
#[derive(Debug, Clone, Copy)]
pub(super) struct Output {
    pub(super) fault: Option<RefereeFault>,
}

impl Output {
    fn has(self, fault: RefereeFault) -> bool {
        self.fault == Some(fault)
    }

    /// The bytes of the handshake.
    pub(super) fn greeting(self, to: Party, facts: &Facts) -> Vec<u8> {
        let is_spectator = to == Party::Spectator;
        let swapped = Facts {
            names: PerSeat([
                facts.names[Seat::Second].clone(),
                facts.names[Seat::First].clone(),
            ]),
            ..*facts
        };
        let first = &facts.names[Seat::First];
        let first_twice = Facts {
            names: PerSeat([first.clone(), first.clone()]),
            ..*facts
        };
        let facts = match to {
            Party::Player(Seat::Second) if self.has(RefereeFault::NamesSwapped) => &swapped,
            _ if self.has(RefereeFault::FirstNameTwice) => &first_twice,
            _ => facts,
        };
        let shown_to = match to {
            Party::Player(_) if self.has(RefereeFault::BothIndex0) => Party::Player(Seat::First),
            to => to,
        };
        let slots = CodeColosseum.greeting(is_spectator).iter();
        let mut lines: Vec<_> = slots
            .filter(|greeting| greeting.slot != Slot::OwnSeat || !self.has(RefereeFault::NoIndex))
            .filter_map(|greeting| CodeColosseum.write_greeting(greeting.slot, shown_to, facts))
            .collect();
        if !is_spectator && self.has(RefereeFault::IndexTwice) {
            lines.extend(lines.last().cloned());
        }
        if is_spectator && self.has(RefereeFault::SpectatorsGetIndex) {
            lines.push(b"0".to_vec());
        }
        self.wire(&lines, false)
    }

    /// The bytes by which a party is told of a happening; often none.
    pub(super) fn happening(self, happening: &GameEvent, to: Party) -> Vec<u8> {
        let mut told = Vec::new();
        CodeColosseum.tell(happening, to, &mut told);
        // An honest referee says what it must; what the specification leaves open it leaves unsaid.
        told.retain(|told| told.duty == Duty::Must || self.has(RefereeFault::TellsRetiredPlayer));
        let mut lines: Vec<_> = told.into_iter().map(|told| told.line).collect();
        if let Some(fault) = self.fault {
            spoil(fault, happening, to, &mut lines);
        }
        let is_last = matches!(
            happening,
            GameEvent::Lost { .. }
                | GameEvent::Moved {
                    result: Some(_),
                    ..
                }
        );
        self.wire(&lines, is_last)
    }

    fn wire(self, lines: &[Vec<u8>], is_last: bool) -> Vec<u8> {
        let ending: &[u8] = if self.has(RefereeFault::CrlfLines) {
            b"\r\n"
        } else {
            b"\n"
        };
        let mut bytes = Vec::new();
        for line in lines {
            bytes.extend_from_slice(line);
            bytes.extend_from_slice(ending);
        }
        if is_last && self.has(RefereeFault::NoNewlineLast) {
            bytes.pop();
        }
        bytes
    }
}

/// Applies a fault to the lines that a party receives for an event.
fn spoil(fault: RefereeFault, happening: &GameEvent, to: Party, lines: &mut Vec<Vec<u8>>) {
    use RefereeFault as F;
    let to_spectator = to == Party::Spectator;
    let to_mover = to == Party::Player(happening.by());
    let to_opponent = to == Party::Player(happening.by().other());
    match (fault, *happening) {
        (F::GarblesRollForSpectators, GameEvent::Rolled { by, roll, skipped }) if to_spectator => {
            let garbled = GameEvent::Rolled {
                by,
                roll: Roll(roll.0 ^ 1),
                skipped,
            };
            let mut told = Vec::new();
            CodeColosseum.tell(&garbled, to, &mut told);
            *lines = told.into_iter().map(|told| told.line).collect();
        }
        (F::RollWithoutSpaces, GameEvent::Rolled { .. }) => {
            lines
                .iter_mut()
                .for_each(|line| line.retain(|&byte| byte != b' '));
        }
        (F::ThreeCoins, GameEvent::Rolled { .. }) => {
            lines.iter_mut().for_each(|line| line.truncate(5));
        }
        (F::RollNotShownToOpponent, GameEvent::Rolled { .. }) if to_opponent => lines.clear(),
        (F::PromptsMover, GameEvent::Rolled { skipped: false, .. }) if to_mover => {
            lines.push(b"your turn".to_vec());
        }
        (F::SkipNotShown, GameEvent::Rolled { skipped: true, .. }) => lines.clear(),
        (F::SkipNotShownToSpectators, GameEvent::Rolled { skipped: true, .. }) if to_spectator => {
            lines.clear()
        }
        (F::EchoesToMover, GameEvent::Moved { mv, .. }) if to_mover => {
            lines.push(CodeColosseum.write_move(mv))
        }
        (F::NoRelayToOpponent, GameEvent::Moved { .. }) if to_opponent => lines.clear(),
        (F::NoRelayToSpectators, GameEvent::Moved { .. }) if to_spectator => lines.clear(),
        (
            F::WinNotRelayed,
            GameEvent::Moved {
                result: Some(_), ..
            },
        ) => lines.clear(),
        (F::NoRetireToOpponent, GameEvent::Lost { .. }) if to_opponent => lines.clear(),
        (F::NoRetireToSpectators, GameEvent::Lost { .. }) if to_spectator => lines.clear(),
        (F::RetireLowercase, GameEvent::Lost { .. }) => {
            lines
                .iter_mut()
                .for_each(|line| line.make_ascii_lowercase());
        }
        (
            F::NoRetireOnHangUp,
            GameEvent::Lost {
                cause: Cause::HangUp,
                ..
            },
        ) => lines.clear(),
        _ => {}
    }
}
