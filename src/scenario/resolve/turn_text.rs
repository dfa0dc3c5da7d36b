//! The one line of a turn: `0 0 1 1 > 3 illegal`.

use super::matchup::Matchup;
use super::places::{ActionPlaces, PlacedAction, Spanned};
use super::quoted;
use super::text::{Line, Part};
use super::turn_roll::other_arrow;
use crate::diagnostic::visible::{self, Visible};
use crate::diagnostic::{Faults, suggest};
use crate::protocol::LINE_LIMIT;
use crate::rules::{Roll, Seat};
use crate::scenario::action_text::{ANY, AS, EXCEPT, IGNORED, ILLEGAL, SILENT, plain_actions};
use crate::scenario::{Choice, PlayerAction};
use crate::yaml::Node;

/// Words that are written where `silent` is meant.
const OTHERWISE_SILENT: [&str; 8] = [
    "timeout",
    "time out",
    "times out",
    "timed out",
    "nothing",
    "none",
    "wait",
    "waits",
];

/// Reads the roll and the action in `node`; what cannot be used is left out, and there is a fault.
pub(super) fn read(
    node: &Node,
    seat: Seat,
    matchup: &Matchup,
    faults: &Faults<'_>,
) -> (Option<Spanned<Roll>>, Option<PlacedAction>) {
    let Some(text) = node.as_line(faults) else {
        return (None, None);
    };
    let line = Line::new(node, text, faults.source());
    let reader = Reader {
        seat: Some(seat),
        matchup,
        faults,
    };
    let all = line.all();
    if !matchup.has_rolls() {
        return (None, reader.action(all, all));
    }
    if let Some(arrow) = other_arrow(all) {
        return (reader.roll_before(all, arrow), None);
    }
    let Some([roll, arrow, action]) = all.split('>') else {
        return reader.lone_roll(all);
    };
    let roll = reader.roll(roll, arrow);
    let action = reader.action(action, arrow);
    let action = action.filter(|_| roll.is_some());
    (roll, action)
}

/// The reader of a turn's line.
pub(super) struct Reader<'r, 'f> {
    /// The player of the turn; `None` for whoever is on turn.
    pub(super) seat: Option<Seat>,
    pub(super) matchup: &'r Matchup,
    pub(super) faults: &'r Faults<'f>,
}

/// Returns true for an action that needs no position: `silent`, `hang up` and its like, of which the first word is there, or a line in
/// quotation marks.
pub(super) fn is_plain(part: Part<'_>) -> bool {
    part.text().starts_with('"') || plain_action(&part.words()).is_some()
}

/// The action that begins with the first of these words, and how it is written.
fn plain_action(words: &[Part<'_>]) -> Option<(&'static str, PlayerAction)> {
    let first = words.first()?.text();
    let begins = |due: &str| due.split(' ').next() == Some(first);
    plain_actions().into_iter().find(|(due, _)| begins(due))
}

impl Reader<'_, '_> {
    /// Parses the text after the `>`.
    fn action(&self, part: Part<'_>, arrow: Part<'_>) -> Option<PlacedAction> {
        let words = part.words();
        if is_plain(part) {
            return self.plain(part);
        }
        let Some((first, rest)) = words.split_first() else {
            let syntax = self.matchup.game().move_syntax();
            self.faults.refuse(
                "turn/move",
                "what is done is missing after the `>`",
                arrow.span(),
                "",
                format!("write {syntax}; or, where nothing can move, the roll alone"),
            );
            return None;
        };
        match first.text() {
            ANY => self.any(*first, rest),
            _ => self.mv(&words),
        }
    }

    /// An action that needs no position; see [`is_plain`].
    pub(super) fn plain(&self, part: Part<'_>) -> Option<PlacedAction> {
        let words = part.words();
        let Some((due, action)) = plain_action(&words) else {
            return self.line(part);
        };
        let (&first, &last) = words.first().zip(words.last())?;
        let count = due.split(' ').count();
        let written: Vec<&str> = words.iter().take(count).map(|word| word.text()).collect();
        if written.join(" ") != due {
            self.unknown(first.to(last), &format!("write `{due}`"))
        } else if let Some(more) = words.get(count) {
            self.unknown(more.to(last), &format!("nothing follows `{due}`"))
        } else {
            Some(PlacedAction::at(action, first.to(last).span()))
        }
    }

    /// `any`, `any as a`, `any except a`, and both.
    fn any(&self, first: Part<'_>, mut rest: &[Part<'_>]) -> Option<PlacedAction> {
        let (mut name, mut except, mut last) = (None::<Spanned<String>>, None, first);
        while let [word, more @ ..] = rest {
            let slot = match word.text() {
                AS => &mut name,
                EXCEPT => &mut except,
                other => {
                    return match suggest(other, [AS, EXCEPT]).filter(|_| other.len() > 1) {
                        Some(meant) => self.unknown(*word, &format!("write `{meant}`")),
                        None => self.unknown(
                            *word,
                            "write `any`, `any as` and a name, or `any except` and a name",
                        ),
                    };
                }
            };
            let Some((value, more)) = more.split_first() else {
                let title = format!("a name is missing after `{}`", word.text());
                return self.refuse(
                    "turn/name",
                    *word,
                    title,
                    format!("write one, such as `{} a`", word.text()),
                );
            };
            if slot.is_some() {
                return self.unknown(*word, &format!("write `{}` once", word.text()));
            }
            *slot = Some(self.name(*value)?);
            (rest, last) = (more, *value);
        }
        let places = ActionPlaces {
            whole: Some(first.to(last).span()),
            name: name.as_ref().map(|name| name.span),
            except: except.as_ref().map(|except| except.span),
            ..ActionPlaces::default()
        };
        let [name, except] = [name, except].map(|name| name.map(|name| name.is));
        let action = PlayerAction::Move(Choice::Any { name, except });
        Some(PlacedAction { action, places })
    }

    /// The name of a choice.
    fn name(&self, word: Part<'_>) -> Option<Spanned<String>> {
        const LONGEST: usize = 40;
        let text = word.text();
        let is_spelt = text.starts_with(|c: char| c.is_ascii_lowercase())
            && text
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        if is_spelt && text.len() <= LONGEST && ![AS, EXCEPT, ANY, SILENT, ILLEGAL].contains(&text)
        {
            return Some(Spanned {
                is: text.to_owned(),
                span: word.span(),
            });
        }
        let title = format!("`{}` cannot be the name of a choice", short(word));
        self.refuse(
            "turn/name",
            word,
            title,
            "write a small letter, and after it small letters, digits and `-` as you like",
        )
    }

    /// A move, and `illegal` after it.
    fn mv(&self, words: &[Part<'_>]) -> Option<PlacedAction> {
        let game = self.matchup.game();
        let (spelling, illegal) = match words {
            [others @ .., last] if last.text() == ILLEGAL => (others, Some(last.span())),
            _ => (words, None),
        };
        let Some((&first, &last)) = spelling.first().zip(spelling.last()) else {
            return self.refuse(
                "turn/move",
                words[0],
                "what is illegal is missing before `illegal`",
                format!("write {}", game.move_syntax()),
            );
        };
        let whole = first.to(last);
        if let Some(mv) = game.parse_move(whole.text()) {
            let mut placed = PlacedAction::at(PlayerAction::this(mv), whole.span());
            if illegal.is_some() {
                placed.action = PlayerAction::Illegal(self.matchup.dialect.write_move(mv));
                placed.places.illegal = illegal;
            }
            return Some(placed);
        }
        for count in (1..spelling.len()).rev() {
            if game
                .parse_move(first.to(spelling[count - 1]).text())
                .is_some()
            {
                let surplus = spelling[count].to(last);
                return match suggest(surplus.text(), [ILLEGAL]) {
                    Some(meant) => self.unknown(surplus, &format!("write `{meant}`")),
                    None => self.unknown(surplus, "nothing but `illegal` can follow a move"),
                };
            }
        }
        if OTHERWISE_SILENT.contains(&whole.text().to_lowercase().as_str()) {
            let title = format!("`{}` is no move; did you mean `{SILENT}`?", short(whole));
            return self.refuse(
                "turn/move",
                whole,
                title,
                format!("write `{SILENT}`: the player sends nothing until the timeout is over"),
            );
        }
        if let Some(meant) = suggest(first.text(), [ANY, SILENT]) {
            return self.unknown(first, &format!("write `{meant}`"));
        }
        if let Some(meant) = suggest(whole.text(), plain_actions().map(|(words, _)| words)) {
            return self.unknown(whole, &format!("write `{meant}`"));
        }
        let title = format!("`{}` is no move", short(whole));
        let line = visible::quoted(whole.text()).at_most(40);
        self.faults.refuse(
            "turn/move",
            title,
            whole.span(),
            format!("due is {}", game.move_syntax()),
            if self.seat.is_some_and(|seat| self.matchup.is_subject(seat)) {
                format!("write `{ANY}`: the bot under test chooses for itself")
            } else {
                format!("to have the line sent all the same, write `{line} {ILLEGAL}`")
            },
        );
        None
    }

    /// A line in quotation marks, and `illegal` after it.
    fn line(&self, part: Part<'_>) -> Option<PlacedAction> {
        let (bytes, rest) = quoted::read(part, "turn/line", self.faults)?;
        let quotation = part.slice(0..part.text().len() - rest.text().len());
        if bytes.contains(&b'\n') {
            let help = "its end is added by itself; to send several lines, or anything else as it is, use the key `send`";
            return self.refuse(
                "turn/line",
                quotation,
                "a line cannot hold a line end",
                help,
            );
        }
        if bytes.len() > LINE_LIMIT {
            let title = format!("a line has at most {LINE_LIMIT} bytes");
            let label = format!("these are {}", bytes.len());
            self.faults
                .refuse("turn/line", title, quotation.span(), label, "shorten it");
            return None;
        }
        let mut placed = PlacedAction::at(PlayerAction::Illegal(bytes), quotation.span());
        let words = rest.words();
        let Some((word, surplus)) = words.split_first() else {
            placed.places.is_unmarked = true;
            return Some(placed);
        };
        match (word.text(), surplus) {
            (IGNORED | ILLEGAL, [first, .., last] | [first @ last]) => self.unknown(
                first.to(*last),
                &format!("nothing follows `{}`", word.text()),
            ),
            (ILLEGAL, []) => Some(placed),
            (IGNORED, []) => {
                if let PlayerAction::Illegal(bytes) = placed.action {
                    placed.action = PlayerAction::Ignored(bytes);
                }
                Some(placed)
            }
            _ => match suggest(word.text(), [ILLEGAL, IGNORED]) {
                Some(meant) => self.unknown(*word, &format!("write `{meant}`")),
                None => self.unknown(
                    rest.trimmed(),
                    "nothing but `illegal` or `ignored` can follow a line",
                ),
            },
        }
    }

    pub(super) fn refuse<T>(
        &self,
        code: &'static str,
        part: Part<'_>,
        title: impl Into<String>,
        help: impl Into<String>,
    ) -> Option<T> {
        self.faults.refuse(code, title, part.span(), "", help);
        None
    }

    fn unknown(&self, part: Part<'_>, help: &str) -> Option<PlacedAction> {
        let title = format!("`{}` means nothing here", short(part));
        self.refuse("turn/unknown-word", part, title, help)
    }
}

pub(super) fn short(part: Part<'_>) -> Visible<'_> {
    visible::plain(part.text()).at_most(40)
}
