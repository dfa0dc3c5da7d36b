//! The list of turns, read one by one, with what happens meanwhile; what each says is not held against the rules here.

use serde_json::{Map, Value as Json, json};

use super::budget::STEP;
use super::forms::{ANY, Doer, MOVER, Said, TURNS};
use super::keys::seats;
use super::line::{LineReader, Reader};
use super::sent;
use crate::diagnostic::{Faults, Span, suggest, visible};
use crate::pack;
use crate::rules::{Game, Seat};
use crate::scenario::{Act, Deed, Leaving, Participant, SendPart, Side, Step, StepKind};
use crate::yaml::shape::{either, filled, list, one_of, text};
use crate::yaml::{Entry, Key, Keys, Kind, Node, Row, Value, Words, keys, known};

/// The key of a step of legal play.
pub(super) const PLAY: &str = "play";
/// The key of an entry that stands for the turns of a file.
pub(super) const INCLUDE: &str = "include";
/// The word before a situation up to which the game is played.
const UNTIL: &str = "until";
/// The most turns that may be played for a situation.
const MOST_TURNS: u32 = 10_000;
/// The key of a turn of the bot under test.
pub(super) const BOT: &str = "bot";
/// The key of a turn of the opponent, whom urtext plays.
pub(super) const OPPONENT: &str = "opponent";

/// Returns the shape of the list of turns.
pub(super) fn turns_shape() -> Json {
    let mut turn = filled(TurnKeys::shape());
    let is_written = |who: &str| (who.to_owned(), json!({"not": {"type": "null"}}));
    let written: Map<_, _> = turn_begins().into_iter().map(is_written).collect();
    // Only without a roll can there be nothing beside what is sent.
    turn["anyOf"] =
        json!([{"required": ["send"]}, {"required": ["silent"]}, {"properties": written}]);
    turn["oneOf"] = one_of(&turn_begins());
    list("the game, one line a turn", turn)
}

keys! {
    /// The keys of a turn.
    #[derive(Debug, Default)]
    pub(in crate::scenario) struct TurnKeys in "a turn" {
        /// The player of the turn
        part "the player" => player: PlayerKeys;
        /// Free rolls and legal moves
        optional "play" => play: Entry as play_shape;
        /// The turn of whoever is on turn, made up for the position
        optional "mover" => mover: Entry as or_nothing;
        /// Turns out of other files, beside this one; their names begin with `_`
        optional "include" => include: Entry as include_shape;
        /// What is sent, as it is: no newline is added
        optional "send" => send: Entry as sent::shape;
        /// How the player goes away after what it has sent
        optional "then" => then: Entry as Leaving::shape;
        /// Nothing is sent, which loses the game
        optional "silent" => silent: Entry as Silence::shape;
        /// What happens before the player does anything
        optional "meanwhile" => meanwhile: Entry as acts_shape;
    }
}

keys! {
    /// The keys of what a player sends outside its turn.
    #[derive(Debug, Default)]
    pub(in crate::scenario) struct SendingKeys in "what is done meanwhile" {
        /// What is sent, as it is: no newline is added
        required "send" => send: Entry as sent::shape;
        /// How the player goes away after it
        optional "then" => then: Entry as Leaving::shape;
    }
}

/// The value of the key `silent`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Silence;

impl Words for Silence {
    const WORDS: &'static [(&'static str, Silence)] = &[("until the timeout", Silence)];
}

/// The key of the player of a turn with its value, as it is written. The reader knows which players there are.
#[derive(Debug, Default)]
pub(super) struct PlayerKeys(pub(super) Option<(String, String)>);

impl Keys for PlayerKeys {
    /// Reading asks for those of the scenario.
    fn rows(of: Option<&Node>) -> Vec<Row> {
        if of.is_some() {
            return Vec::new();
        }
        let player = |key, says: String, can_skip| Row {
            says: says.into(),
            ..Row::optional(key, if can_skip { String::shape } else { or_nothing })
        };
        let of_seat = |seat| {
            let is_of = |game: &&dyn Game| game.seat_names().contains(&seat);
            let mut games = pack::games().filter(is_of);
            let has_rolls = games.all(|game| !game.kinds_of_roll().is_empty());
            let says = format!(
                "the turn of this player: `ROLL > WHAT`, or `WHAT` in a game without rolls, which is one of {}",
                Doer::OnTurn.listed()
            );
            player(seat, says, has_rolls)
        };
        let bot = "the turn of the bot under test, such as `0 0 1 1 > any`".to_owned();
        let opponent = "the turn of its opponent, whom urtext plays".to_owned();
        let others = [player(BOT, bot, true), player(OPPONENT, opponent, false)];
        seats().into_iter().map(of_seat).chain(others).collect()
    }

    fn take(_: &Node, _: &Faults) -> PlayerKeys {
        PlayerKeys::default()
    }

    fn write(&self, keys: &mut Vec<(String, String)>) {
        keys.extend(self.0.clone());
    }
}

/// The keys of which a turn has one.
fn turn_begins() -> Vec<&'static str> {
    let others = [BOT, OPPONENT, PLAY, MOVER, INCLUDE];
    seats().into_iter().chain(others).collect()
}

/// Returns the shape of a deed, which can have a key of its own.
fn or_nothing() -> Json {
    json!({"type": ["string", "number", "boolean", "null"]})
}

/// Returns the shape of legal play that chance decides.
fn play_shape() -> Json {
    let situation = text(
        "`until`, a player and a situation, such as `until mover can capture, within 100 turns`",
    );
    json!({"anyOf": [{"description": "until the game is over; the last step", "enum": ["to the end"]}, situation]})
}

fn include_shape() -> Json {
    json!({"anyOf": [String::shape(), Vec::<String>::shape()]})
}

/// Returns the shape of the list of what happens in a turn before the player does anything.
fn acts_shape() -> Json {
    let (player, spectator) = (Doer::OffTurn.listed(), Doer::Spectator.listed());
    let words = format!("{player}; of a spectator {spectator}");
    let does = either(&words, [text(&words), filled(SendingKeys::shape())]);
    let players = seats().into_iter().chain([OTHER]);
    let players: Map<_, _> = players.map(|who| (who.to_owned(), does.clone())).collect();
    json!({"type": "array", "items": {
        "title": "what happens meanwhile",
        "type": "object",
        "properties": players,
        "patternProperties": {"^spectator [0-9]+$": does},
        "additionalProperties": false,
        "minProperties": 1,
        "maxProperties": 1,
    }})
}

/// The entries of the list of turns.
pub(super) fn entries<'n>(node: &'n Node, faults: &Faults) -> Option<&'n [Node]> {
    let is_null = matches!(node.value, Value::Null | Value::Scalar(_));
    let entries = match is_null {
        true => &[],
        false => node.as_list(faults)?,
    };
    if entries.is_empty() {
        let help = "add one line for each turn below `turns:`, such as `- first: 0 0 1 1 > 3`";
        let title = "a scenario needs at least one turn";
        faults.refuse("scenario/no-turns", title, node.span, "", help);
    }
    (!is_null).then_some(entries)
}

/// The key under which the first turn stands, where there is one.
pub(super) fn first_key(entries: &[Node]) -> Option<&str> {
    let Value::Map(entries) = &entries.first()?.value else {
        return None;
    };
    entries.first().map(|(key, _)| key.text.as_str())
}

impl Reader<'_> {
    /// The key with which an entry of the list begins, with its value.
    pub(super) fn begins<'n>(&self, node: &'n Node) -> Option<(&'static str, &'n (Key, Node))> {
        let (faults, [one, other]) = (self.faults, self.plan.keys());
        let (form, title) = ("turn/form", "a turn begins with who plays it");
        let Value::Map(entries) = &node.value else {
            let label = format!("this is {}", node.kind());
            let help = format!("write `- {one}: {}`", self.example());
            return faults.reject(form, title, node.span, label, help);
        };
        if let Some((key, value)) = entries.first() {
            let (game, word) = (self.plan.game(), key.text.as_str());
            if game.parse_roll(word).is_some() {
                let done = value.text().unwrap_or_default();
                let help = format!("write `- {one}: {word} > {done}`");
                return faults.reject(form, title, key.span, "this is a roll", help);
            }
            if self.plan.side == Side::Bot && game.seat_names().contains(&word) {
                let help = format!("in a scenario for a bot, write `- {one}: …` or `- {other}: …`");
                return faults.reject(form, title, key.span, "", help);
            }
        }
        let players = [one, other].map(|key| Row::optional(key, or_nothing));
        let rows: Vec<Row> = players
            .into_iter()
            .chain(TurnKeys::rows(Some(node)))
            .collect();
        let words = [one, other, PLAY, MOVER, INCLUDE];
        known(node, "a turn", &rows, &words, faults);
        let found = |word| Some((word, node.entry(word)?));
        let mut found = words.into_iter().filter_map(found);
        let (Some((word, entry)), None) = (found.next(), found.next()) else {
            return None;
        };
        let mut of_a_turn = ["send", "then", "silent", "meanwhile"].into_iter();
        let beside = of_a_turn.find_map(|key| node.entry(key));
        if let (PLAY | INCLUDE, Some((key, _))) = (word, beside) {
            let title = format!("`{}` belongs to the turn of a player", key.text);
            return faults.reject(form, title, key.span, "", "remove it");
        }
        Some((word, entry))
    }

    /// Reads the step of legal play.
    pub(super) fn play(&self, (key, value): &(Key, Node)) -> Option<Step> {
        let reader = LineReader::new(*self, value, Doer::Play)?;
        let all = reader.text.trimmed();
        let comma = all.find(',').filter(|_| all.starts_with(UNTIL));
        let turns = comma.map_or(Some(TURNS), |comma| reader.turns(&all[comma..]));
        let text = comma.map_or(all, |comma| all[..comma].trim_end());
        let (Said::Play(mut kind), _) = reader.read(text)? else {
            return None;
        };
        let span = key.span.to(value.span);
        if let StepKind::PlayUntil(until) = &mut kind {
            until.turns = turns?;
        }
        let span = self.faults.source().first_line(span);
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
pub(super) const OTHER: &str = "other";
const SPECTATOR: &str = "spectator ";

impl Reader<'_> {
    /// Reads the list; what cannot be read is left out, and there is a fault. `on_turn`: the player of the turn; `None` for whoever is on turn.
    pub(super) fn meanwhile(&self, node: &Node, on_turn: Option<Seat>) -> Vec<Act> {
        let faults = self.faults;
        let Value::List(entries) = &node.value else {
            let title = "a list of what happens meanwhile is due here";
            self.refuse_shape(node, title, on_turn);
            return Vec::new();
        };
        if let Some(surplus) = entries.get(MOST_ACTS) {
            let title = format!("at most {MOST_ACTS} things can happen in one turn");
            let (label, help) = ("one too many", "leave some out");
            faults.refuse("turn/meanwhile", title, surplus.span, label, help);
        }
        let entries = entries.iter().take(MOST_ACTS);
        entries
            .take_while(|entry| faults.spend(STEP, entry.span).is_some())
            .filter_map(|entry| self.act(entry, on_turn))
            .collect()
    }

    /// Refuses another shape of what happens meanwhile.
    fn refuse_shape(&self, node: &Node, title: &str, on_turn: Option<Seat>) {
        let label = format!("this is {}", node.kind());
        let help = self.act_forms(on_turn);
        self.faults
            .refuse("turn/meanwhile", title, node.span, label, help);
    }

    fn refuse_act<T>(&self, title: &str, span: Span, help: &str) -> Option<T> {
        self.faults.reject("turn/meanwhile", title, span, "", help)
    }

    fn act(&self, node: &Node, on_turn: Option<Seat>) -> Option<Act> {
        let span = node.span;
        let Value::Map(entries) = &node.value else {
            self.refuse_shape(node, "who does it comes first", on_turn);
            return None;
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
        let title = format!("there is no participant `{}`", visible::short(text));
        let known = self.plan.keys().into_iter().chain([OTHER, "spectator 1"]);
        let help = match suggest(text, known) {
            Some(meant) => format!("write `{meant}`"),
            None => self.act_forms(on_turn),
        };
        self.refuse_act(&title, key.span, &help)
    }

    /// `hang up`, `leave`, `join`, `send "…"`.
    fn words(&self, node: &Node, doer: Doer) -> Option<Deed> {
        let reader = LineReader::new(*self, node, doer)?;
        let (deed, span) = reader.deed(reader.text.trimmed())?;
        for bytes in deed.parts().iter().flat_map(SendPart::texts) {
            self.faults.send(bytes, 1, span)?;
        }
        Some(deed)
    }

    /// `{send: […], then: hang up}`.
    fn sending(&self, node: &Node, doer: Doer) -> Option<Deed> {
        let keys = SendingKeys::read(node, self.faults)?;
        let send = keys.send.node();
        let sent = sent::read(self.faults, send?, keys.then.node())?;
        if doer == Doer::Spectator {
            let (title, label) = ("a spectator only watches", "it sends nothing");
            let span = send?.span;
            let code = "turn/meanwhile";
            return self.faults.reject(code, title, span, label, "remove this");
        }
        if sent.iter().any(|part| part.names().next().is_some()) {
            return self.refuse_move(send?.span);
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
