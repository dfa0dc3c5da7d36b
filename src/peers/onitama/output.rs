//! Output of the built-in judge of Onitama.

use super::RefereeFault as Fault;
use crate::games::onitama::OnitamaJudge;
use crate::protocol::{Dialect, Facts, GameEvent, Party, Slot};
use crate::rules::Seat;

/// The judge's lines for each participant: those of the dialect, changed by the fault.
#[derive(Debug, Clone, Copy)]
pub(super) struct Output {
    pub(super) fault: Option<Fault>,
}

impl Output {
    fn has(self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }

    /// The bytes of the greeting.
    pub(super) fn greeting(self, to: Party, facts: &Facts) -> Vec<u8> {
        let slots = OnitamaJudge
            .greeting(false)
            .iter()
            .map(|greeting| greeting.slot);
        let lines: Vec<_> = slots
            .filter_map(|slot| self.greeting_line(slot, to, facts))
            .collect();
        self.wire(&lines, false)
    }

    fn greeting_line(self, slot: Slot, to: Party, facts: &Facts) -> Option<Vec<u8>> {
        let shown_to = if self.has(Fault::BothTop) {
            Party::Player(Seat::First)
        } else {
            to
        };
        let line = OnitamaJudge.write_greeting(slot, shown_to, facts)?;
        match (self.fault, slot) {
            (Some(Fault::NoSeatLine), Slot::OwnSeat)
            | (Some(Fault::NoCardsLine), Slot::Setup(0))
            | (Some(Fault::NoStarterLine), Slot::Setup(1)) => None,
            (Some(fault), Slot::Setup(0)) => Some(spoilt_cards(fault, to, &line)),
            _ => Some(line),
        }
    }

    /// The bytes by which a player is told of a happening; often none.
    pub(super) fn happening(self, happening: &GameEvent, to: Party) -> Vec<u8> {
        let mut told = Vec::new();
        OnitamaJudge.tell(happening, to, &mut told);
        let mut lines: Vec<_> = told.into_iter().map(|told| told.line).collect();
        let wins = matches!(
            happening,
            GameEvent::Moved {
                result: Some(_),
                ..
            }
        );
        let is_mover = to == Party::Player(happening.by());
        match self.fault {
            Some(Fault::NoEcho) if is_mover => lines.clear(),
            Some(Fault::NoRelay) if !is_mover => lines.clear(),
            Some(Fault::WinNotBroadcast) if wins => lines.clear(),
            Some(Fault::MovesLowercase) => lines
                .iter_mut()
                .for_each(|line| line.make_ascii_lowercase()),
            _ => {}
        }
        self.wire(&lines, wins)
    }

    fn wire(self, lines: &[Vec<u8>], is_last: bool) -> Vec<u8> {
        let ending: &[u8] = if self.has(Fault::CrlfLines) {
            b"\r\n"
        } else {
            b"\n"
        };
        let mut bytes = Vec::new();
        for line in lines {
            bytes.extend_from_slice(line);
            bytes.extend_from_slice(ending);
        }
        if is_last && self.has(Fault::NoNewline) {
            bytes.pop();
        }
        bytes
    }
}

/// Applies a fault to the line that lists the cards.
fn spoilt_cards(fault: Fault, to: Party, line: &[u8]) -> Vec<u8> {
    const HEAD: &str = "Cards: ";
    let text = String::from_utf8_lossy(line).into_owned();
    let mut names: Vec<&str> = text[HEAD.len()..].split(',').collect();
    let list = match fault {
        Fault::CardsWithBlanks => names.join(", "),
        Fault::CardsDiffer if to == Party::Player(Seat::Second) => {
            names.swap(1, 2);
            names.join(",")
        }
        Fault::CardTwice => {
            names[1] = names[0];
            names.join(",")
        }
        Fault::CardsLowercase => names.join(",").to_ascii_lowercase(),
        _ => return line.to_vec(),
    };
    format!("{HEAD}{list}").into_bytes()
}
