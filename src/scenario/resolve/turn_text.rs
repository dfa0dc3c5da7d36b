//! The one line of a turn: `0 0 1 1 > 3 illegal`.

use super::matchup::Matchup;
use super::quoted;
use super::text::{Line, Part};
use super::turn_roll::other_arrow;
use crate::diagnostic::visible::{self, Visible};
use crate::diagnostic::{Faults, Span, suggest};
use crate::protocol::{LINE_LIMIT, PlayerLine};
use crate::rules::Seat;
use crate::scenario::deed::{ANY, AS, Doer, EXCEPT, Form, IGNORED, ILLEGAL, SILENT};
use crate::scenario::{Choice, Deed, Turn, TurnPlace};
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

/// Reads the turn of this player in `node`, or of whoever is on turn, without what stands beside it. `is_made_up`: the position decides.
pub(super) fn read(
    node: &Node,
    seat: Option<Seat>,
    is_made_up: bool,
    matchup: &Matchup,
    faults: &Faults<'_>,
) -> Option<Turn<Option<Seat>>> {
    let text = node.as_line(faults)?;
    let line = Line::new(node, text, faults.source());
    let reader = Reader {
        seat,
        matchup,
        faults,
    };
    let all = line.all();
    if is_made_up {
        return reader.made_up(all);
    }
    if !matchup.has_rolls() {
        return reader.deed(all, all);
    }
    if let Some(arrow) = other_arrow(all) {
        reader.refuse_arrow(all, arrow);
        return None;
    }
    let Some([before, arrow, after]) = all.split('>') else {
        return reader.lone_roll(all);
    };
    let roll = reader.roll(before, arrow);
    let mut turn = reader.deed(after, arrow)?;
    (turn.roll, turn.at.roll) = (Some(roll?), before.span());
    Some(turn)
}

/// The reader of a turn's line.
pub(super) struct Reader<'r, 'f> {
    /// The player of the turn; `None` for whoever is on turn.
    pub(super) seat: Option<Seat>,
    pub(super) matchup: &'r Matchup,
    pub(super) faults: &'r Faults<'f>,
}

/// Returns true for a deed that needs no position: `silent`, `hang up` and its like, of which the first word is there, or a line in
/// quotation marks.
pub(super) fn is_plain(part: Part<'_>) -> bool {
    part.text().starts_with('"') || form(&part.words()).is_some()
}

/// The deed that begins with the first of these words.
fn form(words: &[Part<'_>]) -> Option<&'static Form> {
    let first = words.first()?.text();
    let begins = |form: &&Form| form.words.split(' ').next() == Some(first);
    Doer::OnTurn.forms().find(begins)
}

impl Reader<'_, '_> {
    /// Parses the text after the `>`.
    fn deed(&self, part: Part<'_>, arrow: Part<'_>) -> Option<Turn<Option<Seat>>> {
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

    /// A deed that needs no position; see [`is_plain`].
    pub(super) fn plain(&self, part: Part<'_>) -> Option<Turn<Option<Seat>>> {
        let words = part.words();
        let Some(Form {
            words: due, deed, ..
        }) = form(&words)
        else {
            return self.line(part);
        };
        let (&first, &last) = words.first().zip(words.last())?;
        let count = due.split(' ').count();
        let written: Vec<&str> = words.iter().take(count).map(|word| word.text()).collect();
        if written.join(" ") != *due {
            self.unknown(first.to(last), &format!("write `{due}`"))
        } else if let Some(more) = words.get(count) {
            self.unknown(more.to(last), &format!("nothing follows `{due}`"))
        } else {
            Some(self.turn(deed.clone(), first.to(last)))
        }
    }

    /// `any`, `any as a`, `any except a`, and both.
    fn any(&self, first: Part<'_>, mut rest: &[Part<'_>]) -> Option<Turn<Option<Seat>>> {
        let (mut name, mut except, mut last) = (None::<(String, Span)>, None, first);
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
            *slot = Some((self.name(*value)?, value.span()));
            (rest, last) = (more, *value);
        }
        let mut turn = self.turn(Deed::ANY, first.to(last));
        let (name, at_name) = name.unzip();
        let (except, at_except) = except.unzip();
        turn.at.name = at_name.unwrap_or(turn.at.name);
        turn.at.except = at_except.unwrap_or(turn.at.except);
        turn.deed = Deed::Move(Choice::Any { name, except });
        Some(turn)
    }

    /// The name of a choice.
    fn name(&self, word: Part<'_>) -> Option<String> {
        const LONGEST: usize = 40;
        let text = word.text();
        let is_spelt = text.starts_with(|c: char| c.is_ascii_lowercase())
            && text
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        if is_spelt && text.len() <= LONGEST && ![AS, EXCEPT, ANY, SILENT, ILLEGAL].contains(&text)
        {
            return Some(text.to_owned());
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
    fn mv(&self, words: &[Part<'_>]) -> Option<Turn<Option<Seat>>> {
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
            let mut turn = self.turn(Deed::this(mv), whole);
            if let Some(illegal) = illegal {
                turn.deed = Deed::Illegal(self.matchup.dialect.write_move(mv));
                turn.at.mark = illegal;
            }
            return Some(turn);
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
        if let Some(meant) = suggest(whole.text(), Doer::OnTurn.forms().map(|form| form.words)) {
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
    fn line(&self, part: Part<'_>) -> Option<Turn<Option<Seat>>> {
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
        let words = rest.words();
        let Some((word, surplus)) = words.split_first() else {
            return self.unmarked(bytes, quotation);
        };
        match (word.text(), surplus) {
            (IGNORED | ILLEGAL, [first, .., last] | [first @ last]) => self.unknown(
                first.to(*last),
                &format!("nothing follows `{}`", word.text()),
            ),
            (ILLEGAL, []) => Some(self.turn(Deed::Illegal(bytes), quotation)),
            (IGNORED, []) => Some(self.turn(Deed::Ignored(bytes), quotation)),
            _ => match suggest(word.text(), [ILLEGAL, IGNORED]) {
                Some(meant) => self.unknown(*word, &format!("write `{meant}`")),
                None => self.unknown(
                    rest.trimmed(),
                    "nothing but `illegal` or `ignored` can follow a line",
                ),
            },
        }
    }

    /// Refuses a line without a mark, but the bot's under test, which says nothing by a scenario anyway.
    fn unmarked(&self, bytes: Vec<u8>, quotation: Part<'_>) -> Option<Turn<Option<Seat>>> {
        let matchup = self.matchup;
        if self.seat.is_some_and(|seat| matchup.is_subject(seat)) {
            return Some(self.turn(Deed::Illegal(bytes), quotation));
        }
        let title = "a line in quotation marks is for what is no good move, and then `illegal` or `ignored` follows it";
        let written = visible::plain(quotation.text()).at_most(60);
        let help = match matchup.dialect.read_player_line(&bytes) {
            PlayerLine::Move(_) if self.seat.is_none() => "write `any`".to_owned(),
            PlayerLine::Move(mv) => format!(
                "write the move without quotation marks: `{}`",
                matchup.game().format_move(mv)
            ),
            PlayerLine::Ignored(_) => format!("write `{written} {IGNORED}`"),
            _ => format!("write `{written} {ILLEGAL}`"),
        };
        self.refuse("turn/line", quotation, title, help)
    }

    /// A turn in which this is done.
    pub(super) fn turn(&self, deed: Deed, part: Part<'_>) -> Turn<Option<Seat>> {
        Turn {
            at: TurnPlace::new(self.faults.source(), part.span()),
            ..Turn::new(self.seat, None, deed)
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

    fn unknown(&self, part: Part<'_>, help: &str) -> Option<Turn<Option<Seat>>> {
        let title = format!("`{}` means nothing here", short(part));
        self.refuse("turn/unknown-word", part, title, help)
    }
}

pub(super) fn short(part: Part<'_>) -> Visible<'_> {
    visible::plain(part.text()).at_most(40)
}
