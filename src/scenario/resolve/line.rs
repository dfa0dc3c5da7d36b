//! A line such as `any except a` or `until mover can capture`, read by a table of forms.

use super::budget::{Reader, Scope};
use super::forms::{
    AS, Argument, Doer, EXCEPT, Form, Hole, IGNORED, ILLEGAL, MOVER, Said, Token, listed,
};
use crate::diagnostic::visible::{self, ESCAPES, Visible, read_escape};
use crate::diagnostic::{Faults, Source, Span, suggest};
use crate::protocol::{LINE_LIMIT, PlayerLine};
use crate::rules::{Seat, WIN};
use crate::scenario::{Deed, PlannedGame, TurnPlace};
use crate::yaml::Node;

/// The most words of a move. A hostile line can have more than can be tried.
const MOST_WORDS: usize = 16;
const CHOOSES: &str = "write `any`: the bot under test chooses for itself";

/// The reader of a line.
pub(super) struct LineReader<'r> {
    pub(super) reader: Reader<'r>,
    pub(super) text: Text<'r>,
    doer: Doer,
    /// The player of the turn; `None` for whoever is on turn.
    pub(super) seat: Option<Seat>,
}

/// A part of a form, and the text that was read for it.
type Part<'t> = (Token, &'t str);

/// Forms that agree with the words so far.
struct Walk<'t> {
    all: &'t str,
    /// The rest of the text.
    rest: &'t str,
    /// Each form with an order of its parts.
    forms: Vec<(&'static Form, Vec<Token>)>,
    read: Vec<Part<'t>>,
}

impl Walk<'_> {
    /// The parts that can be next.
    fn next(&self) -> Vec<Token> {
        let next = self.forms.iter();
        next.filter_map(|(_, order)| order.get(self.read.len()).copied())
            .collect()
    }

    /// The words that can be next, each with those that follow it up to a hole.
    fn next_words(&self) -> Vec<String> {
        let words = |(_, order): &(&Form, Vec<Token>)| {
            let words = order.iter().skip(self.read.len());
            let words = words.map_while(|token| token.word());
            words.collect::<Vec<_>>().join(" ")
        };
        let mut all: Vec<String> = Vec::new();
        for words in self.forms.iter().map(words) {
            if !words.is_empty() && !all.contains(&words) {
                all.push(words);
            }
        }
        all
    }

    /// The forms as a sentence lists them, and what stands in them in this game.
    fn listed(&self, plan: &PlannedGame) -> String {
        let mut forms: Vec<&Form> = Vec::new();
        for (form, _) in &self.forms {
            if !forms.iter().any(|known| known.shown == form.shown) {
                forms.push(form);
            }
        }
        let has = |hole| {
            self.forms
                .iter()
                .any(|(_, order)| order.contains(&Token::Hole(hole)))
        };
        let mut text = match &forms[..] {
            [form] => format!("write `{}`", form.shown),
            forms => format!("write one of {}", listed(forms.iter().copied())),
        };
        for (hole, name) in [(Hole::Kind, "KIND"), (Hole::Reason, "REASON")] {
            if has(hole) {
                let words: Vec<_> = words_of(plan, hole).collect();
                text += &format!("; {name} is one of {}", words.join(", "));
            }
        }
        text
    }
}

/// The words of the game for a kind of move, or for a reason to refuse one.
fn words_of(plan: &PlannedGame, hole: Hole) -> impl Iterator<Item = &'static str> + Clone {
    let data = plan.game().data();
    let kinds = data.kinds.iter().chain([&WIN]).map(|kind| kind.name);
    let codes = data.refusals.iter().map(|refusal| refusal.code);
    let (is_kind, is_reason) = (hole == Hole::Kind, hole == Hole::Reason);
    let kinds = kinds.filter(move |_| is_kind);
    kinds.chain(codes.filter(move |_| is_reason))
}

impl<'r> LineReader<'r> {
    /// The reader of the line in `node`.
    pub(super) fn new(
        reader: Reader<'r>,
        node: &'r Node,
        doer: Doer,
        seat: Option<Seat>,
    ) -> Option<LineReader<'r>> {
        let faults = reader.scope.faults;
        let text = Text::new(node, node.as_line(faults)?, faults.source());
        Some(LineReader {
            reader,
            text,
            doer,
            seat,
        })
    }

    fn plan(&self) -> &'r PlannedGame {
        self.reader.plan
    }

    /// Reads a deed and its place.
    pub(super) fn deed(&self, all: &'r str) -> Option<(Deed, TurnPlace)> {
        match self.read(all)? {
            (Said::Deed(deed), read) => Some((deed, self.place(&read, all))),
            (Said::Play(_), _) => None,
        }
    }

    /// Reads a text by the form that it has, and returns its parts as well.
    pub(super) fn read(&self, all: &'r str) -> Option<(Said, Vec<Part<'r>>)> {
        let forms = self.doer.forms();
        let orders = |form: &'static Form| {
            let orders = form.orders().into_iter();
            orders.map(move |order| (form, order))
        };
        let mut walk = Walk {
            all,
            rest: all,
            forms: forms.flat_map(orders).collect(),
            read: Vec::new(),
        };
        let mut filled = Vec::new();
        while let Some(word) = first_word(walk.rest) {
            let next = walk.next();
            let (token, part) = match next.iter().find(|token| token.is_word(word)) {
                Some(token) => (*token, word),
                None => {
                    let argument = |token: Token| {
                        let words = walk.next_words();
                        Some((token, self.argument(token.hole()?, walk.rest, &words)?))
                    };
                    let Some((token, taken)) = next.into_iter().find_map(argument) else {
                        return self.stuck(&walk);
                    };
                    let (argument, part) = taken?;
                    filled.push(argument);
                    (token, part)
                }
            };
            let count = walk.read.len();
            walk.forms
                .retain(|(_, order)| order.get(count) == Some(&token));
            walk.read.push((token, part));
            walk.rest = self.text.after(part, walk.rest);
        }
        let count = walk.read.len();
        let whole = walk.forms.iter().find(|(_, order)| order.len() == count);
        match whole {
            Some((form, _)) => Some((form.filled(filled)?, walk.read)),
            None => self.stuck(&walk),
        }
    }

    /// The place of a deed that was read. A deed that begins with a move or a line has the place of that.
    fn place(&self, read: &[Part<'_>], all: &str) -> TurnPlace {
        let whole = match read {
            [(Token::Hole(_), part), ..] => part,
            _ => all,
        };
        let span = |part| self.text.span(part);
        let mut at = TurnPlace::new(self.reader.scope.faults.source(), span(whole));
        for pair in read.windows(2) {
            let [(before, _), (token, part)] = pair else {
                continue;
            };
            match (before, token) {
                (Token::Word(AS), _) => at.name = span(part),
                (Token::Word(EXCEPT), _) => at.except = span(part),
                (Token::Hole(Hole::Move), Token::Word(_)) => at.mark = span(part),
                _ => {}
            }
        }
        at
    }

    /// The argument that a hole takes where `rest` begins, and its part; `None` where it takes nothing, and nothing within where there is a
    /// problem in it.
    fn argument(
        &self,
        hole: Hole,
        rest: &'r str,
        words: &[String],
    ) -> Option<Option<(Argument, &'r str)>> {
        let (word, game) = (first_word(rest)?, self.plan().game());
        let of_word = |argument: Option<Argument>| Some(argument.map(|argument| (argument, word)));
        match hole {
            Hole::Name => of_word(self.name(word).map(Argument::Name)),
            Hole::Other => of_word(self.name(word).map(Argument::Other)),
            Hole::Kind | Hole::Reason => of_word(self.one_of(hole, word, words)),
            Hole::Who => of_word(match self.plan().seat(word) {
                None if word != MOVER => self.nobody(word),
                who => Some(Argument::Who(who)),
            }),
            Hole::Roll => {
                let help = || format!("write {}", game.data().roll_syntax);
                let refuse = || self.refuse("turn/situation", rest, "this is no roll", help());
                let roll = game.parse_roll(rest).or_else(refuse);
                Some(roll.map(|roll| (Argument::Roll(roll), rest)))
            }
            Hole::Readings => Some(self.readings(rest).map(|words| (words, rest))),
            Hole::Move => {
                let words = rest.split_whitespace().take(MOST_WORDS);
                let spelt = words.map(|last| self.text.to(word, last));
                let moves = spelt.filter_map(|part| Some((game.parse_move(part)?, part)));
                let (mv, part) = moves.last()?;
                let line = self.plan().dialect.write_move(mv);
                Some(Some((Argument::Move(mv, line), part)))
            }
            Hole::Line | Hole::Text if rest.starts_with('"') => Some(self.quoted(hole, rest)),
            Hole::Line | Hole::Text => None,
        }
    }

    fn quoted(&self, hole: Hole, rest: &'r str) -> Option<(Argument, &'r str)> {
        if hole == Hole::Line {
            let (bytes, part) = self.text.quoted(rest, "turn/line", &self.reader.scope)?;
            return Some((Argument::Line(self.line(bytes, part)?), part));
        }
        let code = self.code_of_words();
        let (bytes, part) = self.text.quoted(rest, code, &self.reader.scope)?;
        if bytes.is_empty() {
            let help = "write a text between the quotation marks";
            return self.refuse(code, part, "nothing is sent", help);
        }
        Some((Argument::Text(bytes), part))
    }

    fn line(&self, line: Vec<u8>, part: &str) -> Option<Vec<u8>> {
        if line.contains(&b'\n') {
            let help = "its end is added by itself; to send several lines, or anything else as it is, use the key `send`";
            return self.refuse("turn/line", part, "a line cannot hold a line end", help);
        }
        if line.len() > LINE_LIMIT {
            let title = format!("a line has at most {LINE_LIMIT} bytes");
            let label = format!("these are {}", line.len());
            let span = self.text.span(part);
            let scope = self.reader.scope;
            return scope.refuse("turn/line", title, span, label, "shorten it");
        }
        Some(line)
    }

    /// The name of a choice.
    fn name(&self, word: &str) -> Option<String> {
        const LONGEST: usize = 40;
        let is_part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        let is_spelt =
            word.starts_with(|c: char| c.is_ascii_lowercase()) && word.bytes().all(is_part);
        let mut tokens = self.doer.forms().flat_map(Form::orders).flatten();
        let is_word = tokens.any(|token| token.is_word(word));
        if is_spelt && word.len() <= LONGEST && !is_word {
            return Some(word.to_owned());
        }
        let title = format!("`{}` cannot be the name of a choice", short(word));
        let help = "write a small letter, and after it small letters, digits and `-` as you like";
        self.refuse("turn/name", word, title, help)
    }

    /// A kind of move or a reason; `words` can stand there as well.
    fn one_of(&self, hole: Hole, part: &str, words: &[String]) -> Option<Argument> {
        let known = words_of(self.plan(), hole);
        if let Some(found) = known.clone().find(|known| *known == part) {
            return Some(Argument::Word(found));
        }
        let what = match hole {
            Hole::Kind => "kind of move",
            _ => "reason to refuse a move",
        };
        let title = format!("`{}` is no {what}", short(part));
        let all = known.map(|word: &str| word);
        let all = all.chain(words.iter().map(String::as_str));
        let help = match suggest(part, all.clone()) {
            Some(meant) => format!("write `{meant}`"),
            None => format!("write one of {}", all.collect::<Vec<_>>().join(", ")),
        };
        self.refuse("turn/situation", part, title, help)
    }

    /// Refuses a word that names no player.
    fn nobody<T>(&self, word: &str) -> Option<T> {
        let [one, other] = self.plan().keys();
        let title = format!("`{}` is nobody in this game", short(word));
        let help = format!("write `{one}`, `{other}`, or `{MOVER}` for whoever is on turn");
        self.refuse("turn/situation", word, title, help)
    }

    /// Readings by their names or by the requirements that they break.
    fn readings(&self, rest: &str) -> Option<Argument> {
        let plan = self.plan();
        let is_unknown = |word: &&str| {
            let named = [(*word).to_owned()];
            plan.readings_called(&named).next().is_none()
        };
        let Some(word) = rest.split_whitespace().find(is_unknown) else {
            let words = rest.split_whitespace().map(str::to_owned);
            return Some(Argument::Readings(words.collect()));
        };
        let title = format!(
            "`{}` is no known mistake in the rules, and no requirement that one breaks",
            visible::plain(word).at_most(60)
        );
        let known = plan.hypotheses().flat_map(|row| {
            let group = row.breaks.rsplit_once('/').map(|(group, _)| group);
            [row.name, row.breaks].into_iter().chain(group)
        });
        let help = match suggest(word, known) {
            Some(meant) => format!("write `{meant}`"),
            None => format!(
                "write a requirement of {}, whose readings `urtext requirements ID` shows",
                plan.game().title()
            ),
        };
        self.refuse("turn/situation", word, title, help)
    }

    /// Refuses a part in which something has to be filled in after a word.
    fn missing<T>(&self, hole: Hole, after: &str, part: &str) -> Option<T> {
        let (code, what, such) = match hole {
            Hole::Name | Hole::Other => ("turn/name", "a name", "a"),
            _ => (
                self.code_of_words(),
                "a text in quotation marks",
                "\"3\\n\"",
            ),
        };
        let title = format!("{what} is missing after `{}`", short(after));
        let help = format!("write one, such as `{} {such}`", short(after));
        self.refuse(code, part, title, help)
    }

    /// Refuses a line without a mark.
    fn unmarked<T>(&self, quotation: &str) -> Option<T> {
        let plan = self.plan();
        let (bytes, _) = self
            .text
            .quoted(quotation, "turn/line", &self.reader.scope)?;
        let title = "a line in quotation marks is for what is no good move, and then `illegal` or `ignored` follows it";
        let written = visible::plain(quotation).at_most(60);
        let help = match plan.dialect.read_player_line(&bytes) {
            _ if self.is_subject() => CHOOSES.to_owned(),
            PlayerLine::Move(_) if self.seat.is_none() => "write `any`".to_owned(),
            PlayerLine::Move(mv) => format!(
                "write the move without quotation marks: `{}`",
                plan.game().format_move(mv)
            ),
            PlayerLine::Ignored(_) => format!("write `{written} {IGNORED}`"),
            _ => format!("write `{written} {ILLEGAL}`"),
        };
        self.refuse("turn/line", quotation, title, help)
    }

    /// Refuses words with which no form goes on, or that are only the beginning of one.
    fn stuck<R>(&self, walk: &Walk<'_>) -> Option<R> {
        let next = walk.next_words();
        let parts = [Some(walk.rest), first_word(walk.rest)];
        for part in parts.into_iter().flatten().filter(|part| part.len() > 1) {
            if let Some(meant) = suggest(part, next.iter().map(String::as_str)) {
                return self.means_nothing(part, &format!("write `{meant}`"));
            }
        }
        let hole = walk.next().into_iter().find_map(Token::hole);
        let (token, last) = match (walk.read.last(), hole) {
            (None, Some(Hole::Move)) => return self.no_move(walk),
            (None, _) => return self.unknown_form(walk),
            (Some(&(_, last)), Some(hole @ (Hole::Name | Hole::Other | Hole::Text))) => {
                return self.missing(hole, last, self.text.to(last, walk.rest));
            }
            (Some(last), _) => *last,
        };
        if walk.rest.is_empty() {
            return match token {
                Token::Hole(Hole::Line) => self.unmarked(last),
                _ => self.unknown_form(walk),
            };
        }
        let next: Vec<String> = next.iter().map(|words| format!("`{words}`")).collect();
        let after = short(self.text.to(walk.all, last));
        let help = match &next[..] {
            [] if token == Token::Hole(Hole::Text) => {
                format!("nothing follows `{after}`; write several pieces as `{{send: [\"…\", …]}}`")
            }
            [] => format!("nothing follows `{after}`"),
            [_, _, _, ..] => walk.listed(self.plan()),
            next => format!("nothing but {} can follow `{after}`", next.join(" or ")),
        };
        self.means_nothing(walk.rest, &help)
    }

    /// Refuses words that are no form, or that of a deed which belongs to a turn.
    fn unknown_form<R>(&self, walk: &Walk<'_>) -> Option<R> {
        if let Some(meant) = self.doer.meant(walk.all, self.plan()) {
            return self.means_nothing(walk.all, &format!("write `{meant}`"));
        }
        let help = walk.listed(self.plan());
        if matches!(self.doer, Doer::OffTurn | Doer::Spectator) && self.is_turn(walk.all) {
            let title = format!(
                "`{}` is for the player on turn, and not for what happens meanwhile",
                short(walk.all)
            );
            return self.refuse(self.code_of_words(), walk.all, title, help);
        }
        self.means_nothing(walk.all, &help)
    }

    /// Returns true if a player on turn can do this.
    fn is_turn(&self, all: &str) -> bool {
        let faults = Faults::new(self.reader.scope.faults.source());
        let scope = Scope {
            faults: &faults,
            ..self.reader.scope
        };
        let reader = LineReader {
            reader: Reader {
                scope,
                ..self.reader
            },
            text: Text { all, ..self.text },
            doer: Doer::OnTurn,
            seat: self.seat,
        };
        reader.read(all).is_some()
    }

    /// Refuses a text that is no move.
    fn no_move<R>(&self, walk: &Walk<'_>) -> Option<R> {
        let (whole, plan) = (walk.rest, self.plan());
        let word = first_word(whole).unwrap_or(whole);
        if let Some(meant) = self.doer.meant(whole, plan) {
            return self.means_nothing(whole, &format!("write `{meant}`"));
        }
        if word == IGNORED {
            let title = format!("the line in quotation marks is missing before `{word}`");
            let help = format!("write one, such as `\"banana\" {word}`");
            return self.refuse("turn/line", word, title, help);
        }
        let spelt = whole.strip_suffix(ILLEGAL).map(str::trim_end);
        let spelt = spelt.filter(|spelt| !spelt.is_empty()).unwrap_or(whole);
        let title = format!("`{}` is no move", short(spelt));
        let line = visible::quoted(spelt).at_most(40);
        let help = match self.is_subject() {
            true => CHOOSES.to_owned(),
            false => format!("to have the line sent all the same, write `{line} {ILLEGAL}`"),
        };
        let label = format!("due is {}", plan.game().data().move_syntax);
        let span = self.text.span(spelt);
        let scope = self.reader.scope;
        scope.refuse("turn/move", title, span, label, help)
    }

    fn is_subject(&self) -> bool {
        self.seat.is_some_and(|seat| self.plan().is_subject(seat))
    }

    fn means_nothing<T>(&self, part: &str, help: &str) -> Option<T> {
        let title = format!("`{}` means nothing here", short(part));
        self.refuse(self.code_of_words(), part, title, help)
    }

    fn code_of_words(&self) -> &'static str {
        match self.doer {
            Doer::OffTurn | Doer::Spectator => "turn/meanwhile",
            Doer::Play => "turn/play",
            _ => "turn/unknown-word",
        }
    }

    pub(super) fn refuse<T>(
        &self,
        code: &'static str,
        part: &str,
        title: impl Into<String>,
        help: impl Into<String>,
    ) -> Option<T> {
        let span = self.text.span(part);
        self.reader.scope.refuse(code, title, span, "", help)
    }
}

pub(super) fn short(part: &str) -> Visible<'_> {
    visible::plain(part).at_most(40)
}

/// The text of a node together with its place. Its parts are slices of it.
pub(super) struct Text<'t> {
    all: &'t str,
    /// Offset of the text in the file; `None` if escapes make the two differ.
    start: Option<usize>,
    whole: Span,
}

impl<'t> Text<'t> {
    /// The text of `node`, which is `all`.
    pub(super) fn new(node: &Node, all: &'t str, source: &Source) -> Text<'t> {
        let (written, start) = (source.slice(node.span), node.span.start);
        let is_quoted = written.len() == all.len() + 2 && &written[1..=all.len()] == all.as_bytes();
        let start = match written == all.as_bytes() {
            true => Some(start),
            false => is_quoted.then_some(start + 1),
        };
        let whole = node.span;
        Text { all, start, whole }
    }

    /// All of it but the white space at its ends.
    pub(super) fn trimmed(&self) -> &'t str {
        self.all.trim()
    }

    fn offset(&self, part: &str) -> usize {
        part.as_ptr().addr() - self.all.as_ptr().addr()
    }

    /// Returns the span of a part, or of the whole value if the file does not spell out the text.
    pub(super) fn span(&self, part: &str) -> Span {
        let start = self.start.map(|start| start + self.offset(part));
        start.map_or(self.whole, |start| Span::new(start, start + part.len()))
    }

    /// The text from the start of one part to the end of a later one.
    pub(super) fn to(&self, first: &str, last: &str) -> &'t str {
        &self.all[self.offset(first)..self.offset(last) + last.len()]
    }

    /// What follows a part within another, without white space at its ends.
    pub(super) fn after(&self, part: &str, within: &str) -> &'t str {
        let end = self.offset(within) + within.len();
        self.all[self.offset(part) + part.len()..end].trim()
    }

    /// Reads a JSON string at the start of `part`, with `\xff` for a single byte and `\u{e9}` besides, so that what reports show in
    /// quotation marks can be sent. Returns its bytes and the part that it takes; a problem has this code.
    pub(super) fn quoted<'p>(
        &self,
        part: &'p str,
        code: &'static str,
        scope: &Scope<'_>,
    ) -> Option<(Vec<u8>, &'p str)> {
        let refuse = |part, reason, help| scope.refuse(code, reason, self.span(part), "", help);
        let mut bytes = Vec::new();
        let mut at = 1;
        loop {
            let rest = &part[at..];
            let Some(character) = rest.chars().next() else {
                let help = "add a `\"`; where ` #` stands in the line, put the whole turn in single quotation marks";
                return refuse(part, "this quotation mark is never closed", help);
            };
            match character {
                '"' => return Some((bytes, &part[..=at])),
                '\\' => match read_escape(rest, &mut bytes) {
                    Ok(length) => at += length,
                    Err(length) => {
                        return refuse(&rest[..length], "this is no known escape", ESCAPES);
                    }
                },
                other => {
                    let length = other.len_utf8();
                    bytes.extend_from_slice(&rest.as_bytes()[..length]);
                    at += length;
                }
            }
        }
    }
}

/// The first word of a text.
fn first_word(text: &str) -> Option<&str> {
    text.split_whitespace().next()
}
