//! A line such as `any except a` or `until mover can capture`, read by a table of forms.

use super::forms::{ANY, Doer, Filled, Form, Hole, MOVER, Said, Token, listed};
use super::text::Text;
use crate::diagnostic::visible::{quoted, short};
use crate::diagnostic::{Faults, Span, suggest};
use crate::protocol::LINE_LIMIT;
use crate::rules::WIN;
use crate::scenario::keys::is_name;
use crate::scenario::{Deed, PlannedGame, Side};
use crate::yaml::Node;

/// The most words of a move. A hostile line can have more than can be tried.
const MOST_WORDS: usize = 16;

/// The reader of a game's turns.
#[derive(Clone, Copy)]
pub(super) struct Reader<'r> {
    /// The game, without its turns.
    pub(super) plan: &'r PlannedGame,
    pub(super) faults: &'r Faults,
}

/// The reader of a line.
pub(super) struct LineReader<'r> {
    pub(super) reader: Reader<'r>,
    pub(super) text: Text<'r>,
    doer: Doer,
}

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

/// Forms that agree with the words so far.
struct Walk<'t> {
    all: &'t str,
    /// The rest of the text.
    rest: &'t str,
    /// Each form with an order of its parts.
    forms: Vec<(&'static Form, Vec<Token>)>,
    /// The number of parts that were read.
    read: usize,
}

impl Walk<'_> {
    /// The parts that can be next, words first.
    fn next(&self) -> Vec<Token> {
        let next = self.forms.iter();
        let mut next: Vec<Token> = next
            .filter_map(|(_, order)| order.get(self.read).copied())
            .collect();
        next.sort_by_key(|token| token.word().is_none());
        next
    }

    /// The words that can be next, each with those that follow it up to a hole.
    fn next_words(&self) -> Vec<String> {
        let words = |(_, order): &(&Form, Vec<Token>)| {
            let words = order.iter().skip(self.read);
            let words = words.map_while(|token| token.word());
            words.collect::<Vec<_>>().join(" ")
        };
        self.forms.iter().map(words).collect()
    }

    /// The forms as a sentence lists them, and what fills the next holes in this game.
    fn listed(&self, plan: &PlannedGame) -> String {
        let mut forms: Vec<&Form> = self.forms.iter().map(|(form, _)| *form).collect();
        forms.dedup_by_key(|form| form.shown);
        let mut text = match &forms[..] {
            [form] => format!("write `{}`", form.shown),
            forms => format!("write one of {}", listed(forms.iter().copied())),
        };
        let mut holes: Vec<Hole> = self.next().into_iter().filter_map(Token::hole).collect();
        holes.dedup();
        for hole in holes {
            text += &format!("; {} is {}", hole.shown(), due(plan, hole));
        }
        text
    }
}

/// The words of the game that fill a hole.
fn words_of(plan: &PlannedGame, hole: Hole) -> Vec<&'static str> {
    let data = plan.game().data();
    match hole {
        Hole::Kind => {
            let kinds = data.kinds.iter().chain([&WIN]);
            kinds.map(|kind| kind.name).collect()
        }
        Hole::Reason => data.refusals.iter().map(|refusal| refusal.code).collect(),
        Hole::Who => plan.keys().into_iter().chain([MOVER]).collect(),
        Hole::Mistakes => {
            let words = plan.hypotheses().flat_map(|row| {
                let group = row.breaks.rsplit_once('/').map(|(group, _)| group);
                [row.name, row.breaks].into_iter().chain(group)
            });
            words.collect()
        }
        _ => Vec::new(),
    }
}

/// What fills a hole, as a sentence says it.
fn due(plan: &PlannedGame, hole: Hole) -> String {
    let data = plan.game().data();
    let due = match hole {
        Hole::Kind | Hole::Reason | Hole::Who => {
            return format!("one of {}", words_of(plan, hole).join(", "));
        }
        Hole::Name | Hole::Other => "a small letter, and after it small letters, digits and `-`",
        Hole::Move => data.move_syntax,
        Hole::Roll => data.roll_syntax,
        Hole::Line => "a line that is no good move",
        Hole::Text => "at least one character",
        Hole::Mistakes => {
            return format!(
                "requirements of {} whose mistakes `urtext requirements ID` shows",
                plan.game().title()
            );
        }
    };
    due.to_owned()
}

impl<'r> LineReader<'r> {
    /// The reader of the line in `node`.
    pub(super) fn new(reader: Reader<'r>, node: &'r Node, doer: Doer) -> Option<LineReader<'r>> {
        let faults = reader.faults;
        let text = Text::new(node, node.as_line(faults)?, faults.source());
        Some(LineReader { reader, text, doer })
    }

    fn plan(&self) -> &'r PlannedGame {
        self.reader.plan
    }

    /// Reads a deed and its span. A deed that begins with a move or a line has the span of that.
    pub(super) fn deed(&self, all: &'r str) -> Option<(Deed, Span)> {
        match self.read(all)? {
            (Said::Deed(deed), first) => Some((deed, self.text.span(first.unwrap_or(all)))),
            (Said::Play(_), _) => None,
        }
    }

    /// Reads a text by the form that it has. Returns the content of the hole with which it begins as well.
    pub(super) fn read(&self, all: &'r str) -> Option<(Said, Option<&'r str>)> {
        let errors = self.reader.faults.len();
        let orders = |form: &'static Form| {
            let orders = form.orders().into_iter();
            orders.map(move |order| (form, order))
        };
        let mut walk = Walk {
            all,
            rest: all,
            forms: self.doer.forms().flat_map(orders).collect(),
            read: 0,
        };
        let (mut filled, mut first) = (Filled::default(), None);
        while !walk.rest.is_empty() {
            let mut next = walk.next().into_iter();
            let taken = |token| Some((token, self.take(token, walk.rest, &mut filled)?));
            let Some((token, part)) = next.find_map(taken) else {
                // Of a text in quotation marks it may be said already.
                let is_said = self.reader.faults.len() > errors;
                return if is_said { None } else { self.stuck(&walk) };
            };
            if token.hole().is_some() && walk.read == 0 {
                first = Some(part);
            }
            walk.forms
                .retain(|(_, order)| order.get(walk.read) == Some(&token));
            walk.read += 1;
            walk.rest = self.text.after(part, walk.rest);
        }
        let mut forms = walk.forms.iter();
        match forms.find(|(_, order)| order.len() == walk.read) {
            Some((form, _)) => Some((form.filled(filled, self.plan())?, first)),
            None => self.stuck(&walk),
        }
    }

    /// Returns the beginning of `rest` that is this part of a form, and keeps it where it fills a hole.
    fn take(&self, token: Token, rest: &'r str, filled: &mut Filled) -> Option<&'r str> {
        let word = first_word(rest)?;
        let (plan, game) = (self.plan(), self.plan().game());
        let hole = match token {
            Token::Word(due) => return Some(word).filter(|word| *word == due),
            Token::Hole(hole) => hole,
        };
        let known = || {
            words_of(plan, hole)
                .into_iter()
                .find(|known| *known == word)
        };
        let name = || self.is_name(word).then(|| word.to_owned());
        match hole {
            Hole::Name => filled.name = Some(name()?),
            Hole::Other => filled.except = Some(name()?),
            Hole::Kind => filled.kind = Some(known()?),
            Hole::Reason => filled.reason = Some(known()?),
            Hole::Who => filled.who = Some(plan.seat(known()?)),
            Hole::Roll => {
                filled.roll = Some(game.parse_roll(rest)?);
                return Some(rest);
            }
            Hole::Mistakes => {
                let words = rest.split_whitespace().map(str::to_owned);
                filled.mistakes = words.collect();
                return self.unknown_mistake(rest).is_none().then_some(rest);
            }
            Hole::Move => {
                let words = rest.split_whitespace().take(MOST_WORDS);
                let spelt = words.map(|last| self.text.to(word, last));
                let moves = spelt.filter_map(|part| Some((game.parse_move(part)?, part)));
                let (mv, part) = moves.last()?;
                filled.mv = Some(mv);
                return Some(part);
            }
            Hole::Line | Hole::Text if !rest.starts_with('"') => return None,
            Hole::Line | Hole::Text => {
                let code = match hole {
                    Hole::Line => "turn/line",
                    _ => self.code(),
                };
                let (bytes, part) = self.text.quoted(rest, code, self.reader.faults)?;
                filled.text = Some(match hole {
                    Hole::Line => self.line(bytes, part)?,
                    _ if bytes.is_empty() => {
                        let help = "write a text between the quotation marks";
                        return self.refuse(code, part, "nothing is sent", help);
                    }
                    _ => bytes,
                });
                return Some(part);
            }
        }
        Some(word)
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
            let faults = self.reader.faults;
            return faults.reject("turn/line", title, span, label, "shorten it");
        }
        Some(line)
    }

    /// Returns true for a name of a choice.
    fn is_name(&self, word: &str) -> bool {
        let begins = word.starts_with(|c: char| c.is_ascii_lowercase());
        begins && is_name(word) && !self.is_word(word)
    }

    /// Returns true for a word of the forms.
    fn is_word(&self, word: &str) -> bool {
        let mut tokens = self.doer.forms().flat_map(Form::orders).flatten();
        tokens.any(|token| token.word() == Some(word))
    }

    /// The first word that names no mistake in the rules, and no requirement that one breaks.
    fn unknown_mistake(&self, words: &'r str) -> Option<&'r str> {
        let is_unknown = |word: &&str| {
            let named = [(*word).to_owned()];
            self.plan().mistakes_called(&named).next().is_none()
        };
        words.split_whitespace().find(is_unknown)
    }

    /// Refuses the word with which no form goes on, or words that are only the beginning of one.
    fn stuck<R>(&self, walk: &Walk<'r>) -> Option<R> {
        let (plan, next, rest) = (self.plan(), walk.next(), walk.rest);
        let before = walk.all[..walk.all.len() - rest.len()].trim_end();
        let unknown = match next[..] {
            [Token::Hole(Hole::Mistakes)] => self.unknown_mistake(rest),
            [Token::Hole(Hole::Roll)] => Some(rest).filter(|rest| !rest.is_empty()),
            _ => first_word(rest),
        };
        let Some(word) = unknown else {
            let title = format!("something is missing after `{}`", short(before));
            let move_is_meant = match before.starts_with('"') {
                true => "; a good move has no quotation marks",
                false => "",
            };
            let help = walk.listed(plan) + move_is_meant;
            return self.refuse(self.code(), walk.all, title, help);
        };
        let holes = next.iter().filter_map(|token| token.hole());
        let known = holes.flat_map(|hole| words_of(plan, hole));
        let known: Vec<String> = known.map(str::to_owned).chain(walk.next_words()).collect();
        let is_move_due = walk.read == 0 && next.contains(&Token::Hole(Hole::Move));
        let help = match suggest(word, known.iter().map(String::as_str)) {
            Some(meant) => format!("write `{meant}`"),
            None if is_move_due && OTHERWISE_SILENT.contains(&&*rest.to_lowercase()) => {
                "write `silent`".to_owned()
            }
            None if is_move_due && !self.is_word(rest) => return self.no_move(rest),
            None if next.is_empty() => format!("nothing follows `{}`", short(before)),
            None => walk.listed(plan),
        };
        let title = format!("`{}` means nothing here", short(word));
        self.refuse(self.code(), word, title, help)
    }

    /// Refuses a text that is no move.
    fn no_move<R>(&self, part: &str) -> Option<R> {
        let spelt = part.strip_suffix("illegal").map_or(part, str::trim_end);
        let title = format!("`{}` is no move", short(spelt));
        let line = quoted(spelt).at_most(40);
        let help = match self.plan().side {
            Side::Referee => format!("to have the line sent all the same, write `{line} illegal`"),
            Side::Bot => format!("write `{ANY}`: the bot under test chooses for itself"),
        };
        let label = format!("due is {}", self.plan().game().data().move_syntax);
        let (span, faults) = (self.text.span(spelt), self.reader.faults);
        faults.reject("turn/move", title, span, label, help)
    }

    /// The code of an error in the words.
    fn code(&self) -> &'static str {
        match self.doer {
            Doer::OffTurn | Doer::Spectator => "turn/meanwhile",
            Doer::Play => "turn/play",
            Doer::OnTurn => "turn/unknown-word",
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
        self.reader.faults.reject(code, title, span, "", help)
    }
}

/// The first word of a text.
fn first_word(text: &str) -> Option<&str> {
    text.split_whitespace().next()
}
