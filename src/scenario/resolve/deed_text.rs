//! A deed on one line, such as `any except a`, read by the table of forms.

use super::forms::{AS, Argument, Doer, EXCEPT, Form, Hole, IGNORED, ILLEGAL, Token};
use super::matchup::Matchup;
use super::quoted;
use super::text::Part;
use crate::diagnostic::visible::{self, Visible};
use crate::diagnostic::{Faults, suggest};
use crate::protocol::{LINE_LIMIT, Open, PlayerLine};
use crate::rules::{Seat, WIN};
use crate::scenario::{Deed, SendPart, TurnPlace};

/// The most words of a move. A hostile line can have more than can be tried.
const MOST_WORDS: usize = 16;
const CHOOSES: &str = "write `any`: the bot under test chooses for itself";

/// The reader of what one participant does.
pub(super) struct Reader<'r, 'f> {
    pub(super) doer: Doer,
    /// The player of the turn; `None` for whoever is on turn.
    pub(super) seat: Option<Seat>,
    pub(super) matchup: &'r Matchup,
    pub(super) faults: &'r Faults<'f>,
}

/// Forms that agree with the words so far.
struct Walk<'t> {
    all: Part<'t>,
    /// The rest of the text.
    rest: Part<'t>,
    forms: Vec<&'static Form>,
    /// The parts that were read.
    read: Vec<(Token, Part<'t>)>,
}

impl<'t> Walk<'t> {
    /// The parts that can be next.
    fn next(&self) -> Vec<Token> {
        let next = self.forms.iter();
        next.filter_map(|form| form.tokens().nth(self.read.len()))
            .collect()
    }

    /// The form that ends here.
    fn complete(&self) -> Option<&'static Form> {
        let ends = |form: &&&Form| form.tokens().count() == self.read.len();
        self.forms.iter().find(ends).copied()
    }

    fn hole(&self) -> Option<Hole> {
        self.next().into_iter().find_map(|token| match token {
            Token::Hole(hole) => Some(hole),
            Token::Word(_) => None,
        })
    }

    /// The text that was read.
    fn written(&self) -> Part<'t> {
        let last = self
            .read
            .last()
            .map_or(self.all.slice(0..0), |(_, part)| *part);
        self.all.to(last)
    }

    fn take(&mut self, token: Token, part: Part<'t>, rest: Part<'t>) {
        let count = self.read.len();
        let agrees = |form: &&Form| form.tokens().nth(count) == Some(token);
        self.forms.retain(agrees);
        self.read.push((token, part));
        self.rest = rest.trimmed();
    }
}

impl Reader<'_, '_> {
    /// Reads a deed and its place.
    pub(super) fn deed(&self, all: Part<'_>) -> Option<(Deed, TurnPlace)> {
        let mut walk = Walk {
            all,
            rest: all,
            forms: self.doer.forms().collect(),
            read: Vec::new(),
        };
        let mut filled = Vec::new();
        let form = loop {
            let Some(word) = walk.rest.first_word() else {
                match walk.complete() {
                    Some(form) => break form,
                    None => return self.stuck(&walk),
                }
            };
            let next = walk.next();
            if let Some(token) = next.iter().find(|token| token.is_word(word.text())) {
                walk.take(*token, word, walk.rest.after(word));
                continue;
            }
            let mut holes = next.into_iter().filter_map(|token| match token {
                Token::Hole(hole) => Some((hole, self.begins(hole, walk.rest)?)),
                Token::Word(_) => None,
            });
            let Some((hole, part)) = holes.next() else {
                return self.stuck(&walk);
            };
            let (argument, part) = self.argument(hole, part)?;
            filled.push(argument);
            walk.take(Token::Hole(hole), part, walk.rest.after(part));
        };
        let deed = form.deed(filled, Some(self.matchup.dialect))?;
        self.is_sure(&deed, all)?;
        Some((deed, self.place(&walk)))
    }

    /// The place of a deed that was read. A deed that begins with a move or a line has the place of that.
    fn place(&self, walk: &Walk<'_>) -> TurnPlace {
        let first = walk.read.first();
        let begins = first.filter(|(token, _)| matches!(token, Token::Hole(_)));
        let whole = begins.map_or(walk.written(), |(_, part)| *part);
        let mut at = TurnPlace::new(self.faults.source(), whole.span());
        for pair in walk.read.windows(2) {
            let [(before, _), (token, part)] = pair else {
                continue;
            };
            match (before, token) {
                (Token::Word(AS), _) => at.name = part.span(),
                (Token::Word(EXCEPT), _) => at.except = part.span(),
                (Token::Hole(Hole::Move), Token::Word(_)) => at.mark = part.span(),
                _ => {}
            }
        }
        at
    }

    /// The part that a hole can take where `rest` begins; for a text in quotation marks all of it.
    fn begins<'t>(&self, hole: Hole, rest: Part<'t>) -> Option<Part<'t>> {
        match hole {
            Hole::Name | Hole::Kind | Hole::Reason => rest.first_word(),
            Hole::Line | Hole::Text => rest.text().starts_with('"').then_some(rest),
            Hole::Pieces | Hole::How | Hole::Pace => None,
            Hole::Move => {
                let words = rest.words();
                let first = *words.first()?;
                let spelt = words.iter().take(MOST_WORDS).rev();
                let spelt = spelt.map(|last| first.to(*last));
                let game = self.matchup.game();
                spelt
                    .into_iter()
                    .find(|part| game.parse_move(part.text()).is_some())
            }
        }
    }

    fn argument<'t>(&self, hole: Hole, part: Part<'t>) -> Option<(Argument, Part<'t>)> {
        let argument = match hole {
            Hole::Name => Argument::Name(self.name(part)?),
            Hole::Kind => Argument::Word(self.kind(part)?),
            Hole::Reason => Argument::Word(self.code(part)?),
            Hole::Move => Argument::Move(self.matchup.game().parse_move(part.text())?),
            Hole::Line => {
                let (bytes, part) = self.quoted(part, "turn/line")?;
                return Some((Argument::Line(self.line(bytes, part)?), part));
            }
            Hole::Text => {
                let (bytes, part) = self.quoted(part, self.code_of_words())?;
                if bytes.is_empty() {
                    let help = "write a text between the quotation marks";
                    return self.refuse(self.code_of_words(), part, "nothing is sent", help);
                }
                return Some((Argument::Pieces(vec![SendPart::Bytes(bytes)]), part));
            }
            Hole::Pieces | Hole::How | Hole::Pace => return None,
        };
        Some((argument, part))
    }

    /// The bytes of a text in quotation marks, and its part.
    fn quoted<'t>(&self, part: Part<'t>, code: &'static str) -> Option<(Vec<u8>, Part<'t>)> {
        let (bytes, rest) = quoted::read(part, code, self.faults)?;
        Some((bytes, part.slice(0..part.text().len() - rest.text().len())))
    }

    fn line(&self, line: Vec<u8>, part: Part<'_>) -> Option<Vec<u8>> {
        if line.contains(&b'\n') {
            let help = "its end is added by itself; to send several lines, or anything else as it is, use the key `send`";
            return self.refuse("turn/line", part, "a line cannot hold a line end", help);
        }
        if line.len() > LINE_LIMIT {
            let title = format!("a line has at most {LINE_LIMIT} bytes");
            let label = format!("these are {}", line.len());
            self.faults
                .refuse("turn/line", title, part.span(), label, "shorten it");
            return None;
        }
        Some(line)
    }

    /// The name of a choice.
    fn name(&self, word: Part<'_>) -> Option<String> {
        const LONGEST: usize = 40;
        let text = word.text();
        let is_spelt = text.starts_with(|c: char| c.is_ascii_lowercase())
            && text
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        let mut tokens = self.doer.forms().flat_map(Form::tokens);
        let is_word = tokens.any(|token| token.is_word(text));
        if is_spelt && text.len() <= LONGEST && !is_word {
            return Some(text.to_owned());
        }
        let title = format!("`{}` cannot be the name of a choice", short(word));
        let help = "write a small letter, and after it small letters, digits and `-` as you like";
        self.refuse("turn/name", word, title, help)
    }

    fn one_of(&self, part: Part<'_>, known: &[&'static str], what: &str) -> Option<&'static str> {
        if let Some(found) = known.iter().find(|known| **known == part.text()) {
            return Some(found);
        }
        let title = format!("`{}` is no {what}", short(part));
        let help = match suggest(part.text(), known.iter().copied()) {
            Some(meant) => format!("write `{meant}`"),
            None => format!("there are {}", known.join(", ")),
        };
        self.refuse("turn/situation", part, title, help)
    }

    pub(super) fn kinds(&self) -> Vec<&'static str> {
        let kinds = self.matchup.game().move_kinds().iter();
        kinds.map(|kind| kind.name).chain([WIN.name]).collect()
    }

    pub(super) fn kind(&self, part: Part<'_>) -> Option<&'static str> {
        self.one_of(part, &self.kinds(), "kind of move")
    }

    pub(super) fn code(&self, part: Part<'_>) -> Option<&'static str> {
        let refusals = self.matchup.game().refusals().iter();
        let codes: Vec<_> = refusals.map(|refusal| refusal.code).collect();
        self.one_of(part, &codes, "reason to refuse a move")
    }

    /// Refuses a line whose effect depends on the position, or is another than is written.
    fn is_sure(&self, deed: &Deed, all: Part<'_>) -> Option<()> {
        let line = match deed {
            Deed::Illegal(line) | Deed::Ignored(line) if self.doer == Doer::Mover => line,
            _ => return Some(()),
        };
        let title = match (deed, self.matchup.dialect.read_player_line(line)) {
            (Deed::Illegal(_), PlayerLine::Invalid(_))
            | (Deed::Ignored(_), PlayerLine::Ignored(_)) => return Some(()),
            (_, PlayerLine::Open(Open { mv: Some(_), .. }) | PlayerLine::Move(_)) => {
                "what this line does depends on the position"
            }
            _ => "this is not what becomes of the line",
        };
        let help = "of a line in quotation marks it has to be known whatever the position: `illegal`, or `ignored`";
        self.refuse("turn/situation", all, title, help)
    }

    /// Refuses a part in which something has to be filled in after a word.
    fn missing<T>(&self, hole: Hole, after: Part<'_>, part: Part<'_>) -> Option<T> {
        let (code, what, such) = match hole {
            Hole::Name => ("turn/name", "a name", "a"),
            Hole::Text => (
                self.code_of_words(),
                "a text in quotation marks",
                "\"3\\n\"",
            ),
            _ => unreachable!("a form without it is complete"),
        };
        let title = format!("{what} is missing after `{}`", short(after));
        let help = format!("write one, such as `{} {such}`", short(after));
        self.refuse(code, part, title, help)
    }

    /// Refuses a line without a mark.
    fn unmarked<T>(&self, quotation: Part<'_>) -> Option<T> {
        let matchup = self.matchup;
        let (bytes, _) = quoted::read(quotation, "turn/line", self.faults)?;
        let title = "a line in quotation marks is for what is no good move, and then `illegal` or `ignored` follows it";
        let written = visible::plain(quotation.text()).at_most(60);
        let help = match matchup.dialect.read_player_line(&bytes) {
            _ if self.is_subject() => CHOOSES.to_owned(),
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

    /// Refuses words with which no form goes on, or that are only the beginning of one.
    fn stuck<T>(&self, walk: &Walk<'_>) -> Option<T> {
        let count = walk.read.len();
        let begins = walk.forms.iter().map(|form| form.words_from(count));
        let mut begins: Vec<String> = begins.filter(|words| !words.is_empty()).collect();
        begins.dedup();
        let parts = [Some(walk.rest), walk.rest.first_word()];
        let is_long = |part: &Part<'_>| part.text().len() > 1;
        for part in parts.into_iter().flatten().filter(is_long) {
            if let Some(meant) = suggest(part.text(), begins.iter().map(String::as_str)) {
                return self.means_nothing(part, &format!("write `{meant}`"));
            }
        }
        let Some(&(token, last)) = walk.read.last() else {
            return match walk.hole() {
                Some(Hole::Move) => self.no_move(walk),
                _ => self.unknown_form(walk, walk.rest),
            };
        };
        if let Some(hole) = walk.hole() {
            return self.missing(hole, last, last.to(walk.rest));
        }
        if walk.rest.is_empty() && token == Token::Hole(Hole::Line) {
            return self.unmarked(last);
        }
        if walk.complete().is_none() && begins.len() == 1 {
            return self.unknown_form(walk, walk.all);
        }
        let next: Vec<String> = begins.iter().map(|words| format!("`{words}`")).collect();
        let after = short(walk.written());
        let help = match &next[..] {
            [] if token == Token::Hole(Hole::Text) => {
                format!("nothing follows `{after}`; write several pieces as `{{send: [\"…\", …]}}`")
            }
            [] => format!("nothing follows `{after}`"),
            next => format!("nothing but {} can follow `{after}`", next.join(" or ")),
        };
        self.means_nothing(walk.rest, &help)
    }

    /// Refuses words that are no form.
    fn unknown_form<T>(&self, walk: &Walk<'_>, part: Part<'_>) -> Option<T> {
        let meant = self.doer.meant(part.text(), self.matchup.dialect);
        let help = match (meant, &walk.forms[..]) {
            (Some(meant), _) => format!("write `{meant}`"),
            (None, [form]) => format!("write `{}`", form.shown),
            (None, _) => format!("write one of {}", self.doer.listed()),
        };
        if self.doer == Doer::Mover && walk.read.is_empty() {
            let title = "this cannot be done in whatever position comes up";
            return self.refuse("turn/situation", part, title, help);
        }
        self.means_nothing(part, &help)
    }

    /// Refuses a text that is no move.
    fn no_move<T>(&self, walk: &Walk<'_>) -> Option<T> {
        let (whole, game) = (walk.rest, self.matchup.game());
        let word = whole.first_word().unwrap_or(whole);
        if let Some(meant) = self.doer.meant(whole.text(), self.matchup.dialect) {
            return self.means_nothing(whole, &format!("write `{meant}`"));
        }
        let mut second = walk.forms.iter().filter_map(|form| form.tokens().nth(1));
        if second.any(|token| token.is_word(word.text())) {
            let title = format!("what is {0} is missing before `{0}`", word.text());
            return self.refuse(
                "turn/move",
                word,
                title,
                format!("write {}", game.move_syntax()),
            );
        }
        let spelt = match whole.words().as_slice() {
            [first, .., before, last] | [first @ before, last] if last.text() == ILLEGAL => {
                first.to(*before)
            }
            _ => whole,
        };
        let title = format!("`{}` is no move", short(spelt));
        let line = visible::quoted(spelt.text()).at_most(40);
        let help = match self.is_subject() {
            true => CHOOSES.to_owned(),
            false => format!("to have the line sent all the same, write `{line} {ILLEGAL}`"),
        };
        let label = format!("due is {}", game.move_syntax());
        self.faults
            .refuse("turn/move", title, spelt.span(), label, help);
        None
    }

    fn is_subject(&self) -> bool {
        self.seat.is_some_and(|seat| self.matchup.is_subject(seat))
    }

    fn means_nothing<T>(&self, part: Part<'_>, help: &str) -> Option<T> {
        let title = format!("`{}` means nothing here", short(part));
        self.refuse(self.code_of_words(), part, title, help)
    }

    fn code_of_words(&self) -> &'static str {
        match self.doer {
            Doer::OnTurn | Doer::Mover => "turn/unknown-word",
            Doer::OffTurn | Doer::Spectator | Doer::Participant => "turn/meanwhile",
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
}

pub(super) fn short(part: Part<'_>) -> Visible<'_> {
    visible::plain(part.text()).at_most(40)
}
