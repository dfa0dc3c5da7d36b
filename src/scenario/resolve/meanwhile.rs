//! Events during a turn, apart from its action: the value of the key `meanwhile`.

use super::budget::{Budget, Work};
use super::matchup::Matchup;
use super::quoted;
use super::send_parts;
use super::text::{Line, Part};
use crate::diagnostic::{Faults, Span, suggest, visible};
use crate::rules::Seat;
use crate::scenario::deed::Doer;
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
        let deed = match &value.value {
            Value::Map(_) => self.sending(value, who)?,
            _ => self.words(value, who)?,
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
    fn words(&self, node: &Node, who: Participant) -> Option<Deed> {
        let text = node.as_line(self.faults)?;
        let line = Line::new(node, text, self.faults.source());
        let all = line.all();
        if let Some(rest) = all.text().strip_prefix(SEND)
            && (rest.is_empty() || rest.starts_with([' ', '"']))
        {
            return self.quoted(all, who);
        }
        let (by, another) = match who {
            Participant::Spectator(_) => (Doer::Spectator, Doer::OffTurn),
            Participant::Player(_) | Participant::Other => (Doer::OffTurn, Doer::Spectator),
        };
        let called = |doer: Doer| doer.forms().find(|form| form.words == all.text());
        if let Some(form) = called(by) {
            return Some(form.deed.clone());
        }
        let words = by.forms().map(|form| form.words);
        let meant = called(another).map(|form| by.words(&form.deed));
        let meant = meant.filter(|words| !words.is_empty());
        let meant = meant.or_else(|| suggest(all.text(), words.clone()));
        let help = match meant {
            Some(meant) => format!("write `{meant}`"),
            None => {
                let listed: Vec<String> = words.map(|words| format!("`{words}`")).collect();
                let send = match by {
                    Doer::Spectator => "",
                    _ => ", or `send` and a text",
                };
                format!("write one of {}{send}", listed.join(", "))
            }
        };
        let title = format!(
            "`{}` means nothing here",
            visible::plain(all.text()).at_most(40)
        );
        self.refuse(title, all.span(), help)
    }

    /// `send "4\n"`.
    fn quoted(&self, all: Part<'_>, who: Participant) -> Option<Deed> {
        let rest = all.from(SEND.len()).trimmed();
        if !rest.text().starts_with('"') {
            let help = "write it in quotation marks, such as `send \"3\\n\"`";
            return self.refuse("what is sent is missing after `send`", all.span(), help);
        }
        let (bytes, surplus) = quoted::read(rest, "turn/meanwhile", self.faults)?;
        if !surplus.trimmed().is_empty() {
            let title = "nothing follows what is sent";
            return self.refuse(
                title,
                surplus.trimmed().span(),
                "use the form `{send: [\"…\", …]}` for several pieces",
            );
        }
        if bytes.is_empty() {
            return self.refuse(
                "nothing is sent",
                rest.span(),
                "write a text between the quotation marks",
            );
        }
        send_parts::within(&bytes, 1, self.budget, rest.span(), self.faults)?;
        self.send(who, vec![SendPart::Bytes(bytes)], all.span())
    }

    /// `{send: […], then: hang up}`.
    fn sending(&self, node: &Node, who: Participant) -> Option<Deed> {
        let mut keys = MapReader::new(node, "what is done meanwhile", self.faults)?;
        let send = keys.required(SEND);
        let then = keys.optional("then");
        keys.finish();
        let sent = send_parts::read(send?, then, self.budget, self.faults)?;
        self.send(who, sent, self.faults.source().first_line(send?.span))
    }

    /// Refuses a spectator that sends.
    fn send(&self, who: Participant, parts: Vec<SendPart>, place: Span) -> Option<Deed> {
        if !matches!(who, Participant::Spectator(_)) {
            return Some(Deed::Send(parts));
        }
        let (title, label) = ("a spectator only watches", "it sends nothing");
        self.faults
            .refuse("turn/meanwhile", title, place, label, "remove this");
        None
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
