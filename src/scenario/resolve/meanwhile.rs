//! Events during a turn, apart from its action: the value of the key `meanwhile`.

use super::budget::{Budget, Work};
use super::deed_text;
use super::forms::Doer;
use super::matchup::Matchup;
use super::send_parts;
use super::text::Line;
use crate::diagnostic::{Faults, Span, suggest, visible};
use crate::rules::Seat;
use crate::scenario::{Act, Deed, Participant, SendPart};
use crate::yaml::{Key, MapReader, Node, Value};

/// The most acts in one turn. The time of a run grows faster than their number.
const MOST_ACTS: usize = 100;

const SEND: &str = "send";
/// The player who is not on turn, in the turn of whoever is.
pub(in crate::scenario) const OTHER: &str = "other";
const SPECTATOR: &str = "spectator ";

/// Reads the list; what cannot be read is left out, and there is a fault.
pub(super) fn read(
    node: &Node,
    on_turn: Option<Seat>,
    matchup: &Matchup,
    budget: &Budget,
    faults: &Faults<'_>,
) -> Vec<Act> {
    let reader = Reader {
        on_turn,
        matchup,
        budget,
        faults,
    };
    let Value::List(entries) = &node.value else {
        let place = faults.source().first_line(node.span);
        let title = "a list of what happens meanwhile is due here";
        faults.refuse(
            "turn/meanwhile",
            title,
            place,
            format!("this is {}", node.kind()),
            reader.forms(),
        );
        return Vec::new();
    };
    if let Some(surplus) = entries.get(MOST_ACTS) {
        let title = format!("at most {MOST_ACTS} things can happen in one turn");
        let place = faults.source().first_line(surplus.span);
        let help = "leave some out";
        faults.refuse("turn/meanwhile", title, place, "one too many", help);
    }
    entries
        .iter()
        .take(MOST_ACTS)
        .take_while(|entry| budget.spend(Work::Step, faults.source(), entry.span))
        .filter_map(|entry| reader.act(entry))
        .collect()
}

struct Reader<'r, 'f> {
    /// The player of the turn; `None` for whoever is on turn.
    on_turn: Option<Seat>,
    matchup: &'r Matchup,
    budget: &'r Budget,
    faults: &'r Faults<'f>,
}

impl Reader<'_, '_> {
    fn refuse<T>(
        &self,
        title: impl Into<String>,
        place: Span,
        help: impl Into<String>,
    ) -> Option<T> {
        self.faults.refuse("turn/meanwhile", title, place, "", help);
        None
    }

    fn act(&self, node: &Node) -> Option<Act> {
        let place = self.faults.source().first_line(node.span);
        let Value::Map(entries) = &node.value else {
            let label = format!("this is {}", node.kind());
            let (title, forms) = ("who does it comes first", self.forms());
            self.faults
                .refuse("turn/meanwhile", title, place, label, forms);
            return None;
        };
        let [(key, value)] = entries.as_slice() else {
            let help = "write each on a line of its own, after `- `";
            return self.refuse("one participant does one thing", place, help);
        };
        let who = self.participant(key)?;
        let doer = match who {
            Participant::Spectator(_) => Doer::Spectator,
            Participant::Player(_) | Participant::Other => Doer::OffTurn,
        };
        let deed = match &value.value {
            Value::Map(_) => self.sending(value, doer)?,
            _ => self.words(value, doer)?,
        };
        Some(Act {
            span: place,
            who,
            deed,
        })
    }

    fn participant(&self, key: &Key) -> Option<Participant> {
        match (self.matchup.seat(&key.text), self.on_turn) {
            (Some(seat), Some(_)) => return Some(Participant::Player(seat)),
            (Some(_), None) => {
                let title = format!("`{}` may be on turn here", key.text);
                let help = format!("write `{OTHER}`: the player who is not on turn");
                return self.refuse(title, key.span, help);
            }
            (None, Some(seat)) if key.text == OTHER => {
                return Some(Participant::Player(seat.other()));
            }
            (None, None) if key.text == OTHER => return Some(Participant::Other),
            _ => {}
        }
        let number = key
            .text
            .strip_prefix(SPECTATOR)
            .and_then(|number| number.parse::<u32>().ok());
        if let Some(number) = number.filter(|number| key.text == format!("{SPECTATOR}{number}")) {
            return Some(Participant::Spectator(number));
        }
        let title = format!(
            "there is no participant `{}`",
            visible::plain(&key.text).at_most(40)
        );
        let known = self
            .matchup
            .keys()
            .into_iter()
            .chain([OTHER, "spectator 1"]);
        let help = match suggest(&key.text, known) {
            Some(meant) => format!("write `{meant}`"),
            None => self.forms(),
        };
        self.refuse(title, key.span, help)
    }

    /// `hang up`, `leave`, `join`, `send "…"`.
    fn words(&self, node: &Node, doer: Doer) -> Option<Deed> {
        let text = node.as_line(self.faults)?;
        let line = Line::new(node, text, self.faults.source());
        let reader = deed_text::Reader {
            doer,
            seat: None,
            matchup: self.matchup,
            faults: self.faults,
        };
        let (deed, at) = reader.deed(line.all())?;
        for part in deed.parts() {
            if let SendPart::Bytes(bytes) = part {
                send_parts::within(bytes, 1, self.budget, at.deed, self.faults)?;
            }
        }
        Some(deed)
    }

    /// `{send: […], then: hang up}`.
    fn sending(&self, node: &Node, doer: Doer) -> Option<Deed> {
        let mut keys = MapReader::new(node, "what is done meanwhile", self.faults)?;
        let send = keys.required(SEND);
        let then = keys.optional("then");
        keys.finish();
        let sent = send_parts::read(send?, then, self.budget, self.faults)?;
        if doer == Doer::Spectator {
            let (title, label) = ("a spectator only watches", "it sends nothing");
            let place = self.faults.source().first_line(send?.span);
            self.faults
                .refuse("turn/meanwhile", title, place, label, "remove this");
            return None;
        }
        Some(Deed::Send(sent))
    }

    fn forms(&self) -> String {
        let other = self
            .on_turn
            .map_or(OTHER, |_| self.matchup.key(Seat::Second));
        format!(
            "write such as `- {other}: hang up`, `- {other}: send \"…\"` or `- spectator 1: leave`"
        )
    }
}
