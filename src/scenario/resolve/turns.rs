//! The list of turns, read one by one, with what happens meanwhile; what each says is not held against the rules here.

use super::budget::{Reader, Scope, Work};
use super::forms::{ANY, Doer, MOVER, SILENT, Said, TURNS};
use super::line::LineReader;
use super::sent;
use crate::diagnostic::{Span, suggest, visible};
use crate::rules::Seat;
use crate::scenario::{Act, Deed, Participant, SendPart, Side, Step, StepKind};
use crate::yaml::{Key, MapReader, Node, Value};

/// The most steps that a scenario may have.
pub(super) const MOST_STEPS: usize = 10_000;

const PLAY: &str = "play";
/// The key of an entry that stands for the turns of a file.
pub(super) const INCLUDE: &str = "include";
/// The word before a situation up to which the game is played.
const UNTIL: &str = "until";
/// The most turns that may be played for a situation.
const MOST_TURNS: u32 = 10_000;
const SEND: &str = "send";
const THEN: &str = "then";
const MEANWHILE: &str = "meanwhile";

/// The keys of an entry beside those of the players.
#[cfg(test)]
pub(in crate::scenario) const TURN_KEYS: [&str; 7] =
    [PLAY, MOVER, INCLUDE, SEND, THEN, SILENT, MEANWHILE];

impl Scope<'_> {
    /// The entries of the list of turns, no more than [`MOST_STEPS`].
    pub(super) fn turns<'n>(&self, node: &'n Node) -> Option<&'n [Node]> {
        let is_null = matches!(node.value, Value::Null | Value::Scalar(_));
        let entries = match is_null {
            true => &[],
            false => node.as_list(self.faults)?,
        };
        if entries.is_empty() {
            let help = "add one line for each turn below `turns:`, such as `- first: 0 0 1 1 > 3`";
            let title = "a scenario needs at least one turn";
            self.faults
                .refuse("scenario/no-turns", title, node.span, "", help);
        }
        if let Some(surplus) = entries.get(MOST_STEPS) {
            self.refuse_surplus(surplus);
        }
        (!is_null).then(|| &entries[..entries.len().min(MOST_STEPS)])
    }

    /// Refuses a turn that is one too many.
    pub(super) fn refuse_surplus(&self, node: &Node) {
        let title = format!("a scenario has at most {MOST_STEPS} turns");
        let help = "split it into several scenarios, or end it with `- play: to the end`";
        let (code, span) = ("scenario/too-many-turns", self.first_line(node.span));
        self.faults.refuse(code, title, span, "one too many", help);
    }
}

/// The key under which the first turn stands, where there is one.
pub(super) fn first_key(entries: &[Node]) -> Option<&str> {
    let Value::Map(entries) = &entries.first()?.value else {
        return None;
    };
    entries.first().map(|(key, _)| key.text.as_str())
}

impl<'r> Reader<'r> {
    /// Reads one entry of the list.
    pub(super) fn step(&self, node: &'r Node, is_last: bool) -> Option<Step> {
        let (scope, [one, other]) = (self.scope, self.plan.keys());
        let form = "turn/form";
        let refuse_form = |label: String| {
            let title = "a turn begins with who plays it";
            let help = format!("write `- {one}: {}`", self.example());
            scope.refuse(form, title, scope.first_line(node.span), label, help)
        };
        if !matches!(node.value, Value::Map(_)) {
            return refuse_form(format!("this is {}", node.kind()));
        }
        let mut keys = MapReader::new(node, "a turn", scope.faults)?;
        let first = [one, other, PLAY, MOVER].map(|key| Some((key, keys.entry(key)?)));
        keys.entry(INCLUDE);
        let beside = [SEND, THEN, SILENT, MEANWHILE].map(|key| keys.entry(key));
        let errors = scope.faults.len();
        let meant = keys.finish();
        let has_unknown = scope.faults.len() > errors;
        let mut first: Vec<_> = first.into_iter().flatten().collect();
        first.sort_by_key(|(_, (key, _))| key.span);
        for (word, (key, _)) in first.iter().skip(1) {
            let title = "a turn is one player's; the next one has its own line";
            let help = format!("write `- {word}: …` on a line of its own");
            scope.refuse::<()>(form, title, key.span, "one too many", help);
        }
        let mut meant = meant.into_iter();
        let is_first = |(word, _): &(&str, _)| [one, other, PLAY, MOVER].contains(word);
        let (word, entry) = match first[..] {
            [first] => first,
            [] => match meant.find(is_first) {
                None if has_unknown => return None,
                None => return refuse_form(String::new()),
                Some(meant) => meant,
            },
            _ => return None,
        };
        if word != PLAY {
            return self.turn(self.plan.seat(word), entry, beside);
        }
        let mut beside = beside.into_iter().flatten();
        if let Some((key, _)) = beside.next() {
            let title = format!("`{}` belongs to the turn of a player", key.text);
            return scope.refuse(form, title, key.span, "", "remove it");
        }
        self.play(entry, is_last)
    }

    /// Reads the step of legal play.
    fn play(&self, (key, value): &'r (Key, Node), is_last: bool) -> Option<Step> {
        let reader = LineReader::new(*self, value, Doer::Play, None)?;
        let all = reader.text.trimmed();
        let comma = all.find(',').filter(|_| all.starts_with(UNTIL));
        let turns = comma.map_or(Some(TURNS), |comma| reader.turns(&all[comma..]));
        let text = comma.map_or(all, |comma| all[..comma].trim_end());
        let (Said::Play(mut kind), _) = reader.read(text)? else {
            return None;
        };
        let span = key.span.to(value.span);
        match &mut kind {
            StepKind::PlayUntil(until) => until.turns = turns?,
            _ if !is_last => {
                let title = "nothing can follow a game that is played to the end";
                let label = "turns follow this";
                let help = "put it last, or remove the turns after it";
                return self
                    .scope
                    .refuse("turn/play-not-last", title, span, label, help);
            }
            _ => {}
        }
        let span = self.scope.first_line(span);
        Some(Step { span, kind })
    }

    /// A turn to show how one is written.
    fn example(&self) -> String {
        let roll = self.plan.game().kinds_of_roll().last().copied();
        let is_bots = roll.is_some() && self.plan.side == Side::Bot;
        self.plan.written(roll, if is_bots { ANY } else { "…" })
    }
}

impl LineReader<'_> {
    /// The most turns that are played for a situation, from its comma on.
    fn turns(&self, part: &str) -> Option<u32> {
        let help = "write `, within 100 turns`";
        let words: Vec<&str> = part[1..].split_whitespace().collect();
        let ["within", number, "turns"] = words[..] else {
            let title = "after the situation stands how many turns are played for it";
            return self.refuse("turn/situation", &part[..1], title, help);
        };
        let turns = number.parse().ok();
        turns
            .filter(|turns| (1..=MOST_TURNS).contains(turns))
            .or_else(|| {
                let title = format!("at least 1 turn is played, and at most {MOST_TURNS}");
                self.refuse("turn/situation", number, title, help)
            })
    }
}

/// The most acts in one turn. The time of a run grows faster than their number.
const MOST_ACTS: usize = 100;

/// The player who is not on turn, in the turn of whoever is.
pub(in crate::scenario) const OTHER: &str = "other";
const SPECTATOR: &str = "spectator ";

impl Reader<'_> {
    /// Reads the list; what cannot be read is left out, and there is a fault. `on_turn`: the player of the turn; `None` for whoever is on turn.
    pub(super) fn meanwhile(&self, node: &Node, on_turn: Option<Seat>) -> Vec<Act> {
        let scope = &self.scope;
        let refuse = |span, title: String, label, help| {
            let span = scope.first_line(span);
            scope.refuse::<()>("turn/meanwhile", title, span, label, help)
        };
        let Value::List(entries) = &node.value else {
            let title = "a list of what happens meanwhile is due here".to_owned();
            let label = format!("this is {}", node.kind());
            refuse(node.span, title, label, self.act_forms(on_turn));
            return Vec::new();
        };
        if let Some(surplus) = entries.get(MOST_ACTS) {
            let title = format!("at most {MOST_ACTS} things can happen in one turn");
            let (label, help) = ("one too many".to_owned(), "leave some out".to_owned());
            refuse(surplus.span, title, label, help);
        }
        let entries = entries.iter().take(MOST_ACTS);
        entries
            .take_while(|entry| scope.spend(Work::Step, entry.span).is_some())
            .filter_map(|entry| self.act(entry, on_turn))
            .collect()
    }

    fn refuse_act<T>(&self, title: &str, span: Span, help: &str) -> Option<T> {
        self.scope.refuse("turn/meanwhile", title, span, "", help)
    }

    fn act(&self, node: &Node, on_turn: Option<Seat>) -> Option<Act> {
        let span = self.scope.first_line(node.span);
        let Value::Map(entries) = &node.value else {
            let (label, help) = (format!("this is {}", node.kind()), self.act_forms(on_turn));
            let title = "who does it comes first";
            return self
                .scope
                .refuse("turn/meanwhile", title, span, label, help);
        };
        let [(key, value)] = entries.as_slice() else {
            let help = "write each on a line of its own, after `- `";
            return self.refuse_act("one participant does one thing", span, help);
        };
        let who = self.participant(key, on_turn)?;
        let doer = match who {
            Participant::Spectator(_) => Doer::Spectator,
            Participant::Player(_) | Participant::Other => Doer::OffTurn,
        };
        let deed = match &value.value {
            Value::Map(_) => self.sending(value, doer)?,
            _ => self.words(value, doer)?,
        };
        Some(Act { span, who, deed })
    }

    fn participant(&self, key: &Key, on_turn: Option<Seat>) -> Option<Participant> {
        let text = key.text.as_str();
        match (self.plan.seat(text), on_turn) {
            (Some(seat), Some(_)) => return Some(Participant::Player(seat)),
            (Some(_), None) => {
                let title = format!("`{text}` may be on turn here");
                let help = format!("write `{OTHER}`: the player who is not on turn");
                return self.refuse_act(&title, key.span, &help);
            }
            (None, on_turn) if text == OTHER => {
                let other = |seat: Seat| Participant::Player(seat.other());
                return Some(on_turn.map_or(Participant::Other, other));
            }
            _ => {}
        }
        let number = text.strip_prefix(SPECTATOR);
        let number = number.and_then(|number| number.parse::<u32>().ok());
        if let Some(number) = number.filter(|number| text == format!("{SPECTATOR}{number}")) {
            return Some(Participant::Spectator(number));
        }
        let title = format!(
            "there is no participant `{}`",
            visible::plain(text).at_most(40)
        );
        let known = self.plan.keys().into_iter().chain([OTHER, "spectator 1"]);
        let help = match suggest(text, known) {
            Some(meant) => format!("write `{meant}`"),
            None => self.act_forms(on_turn),
        };
        self.refuse_act(&title, key.span, &help)
    }

    /// `hang up`, `leave`, `join`, `send "…"`.
    fn words(&self, node: &Node, doer: Doer) -> Option<Deed> {
        let reader = LineReader::new(*self, node, doer, None)?;
        let (deed, at) = reader.deed(reader.text.trimmed())?;
        for bytes in deed.parts().iter().flat_map(SendPart::texts) {
            self.scope.send(bytes, 1, at.deed)?;
        }
        Some(deed)
    }

    /// `{send: […], then: hang up}`.
    fn sending(&self, node: &Node, doer: Doer) -> Option<Deed> {
        let mut keys = MapReader::new(node, "what is done meanwhile", self.scope.faults)?;
        let (send, then) = (keys.required("send"), keys.optional("then"));
        keys.finish();
        let sent = sent::read(self.scope, send?, then)?;
        if doer == Doer::Spectator {
            let (title, label) = ("a spectator only watches", "it sends nothing");
            let span = self.scope.first_line(send?.span);
            let code = "turn/meanwhile";
            return self.scope.refuse(code, title, span, label, "remove this");
        }
        if sent.iter().any(|part| part.names().next().is_some()) {
            return self.refuse_move(self.scope.first_line(send?.span));
        }
        Some(Deed::Send(sent))
    }

    fn act_forms(&self, on_turn: Option<Seat>) -> String {
        let other = on_turn.map_or(OTHER, |_| self.plan.key(Seat::Second));
        format!(
            "write such as `- {other}: hang up`, `- {other}: send \"…\"` or `- spectator 1: leave`"
        )
    }
}
