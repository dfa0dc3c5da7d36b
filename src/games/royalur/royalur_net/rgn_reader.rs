//! Reads RGN.

use super::record::{NetAction, NetGame, NetMove, NetRecord};
use super::{NAME_KEYS, tile};
use crate::diagnostic::{Diagnostic, Diagnostics, Source, Span, visible};
use crate::games::royalur::position::{END, START};
use crate::rules::Seat;

/// Forms of a move, for messages.
const HELP: &str = "a move is `A@A4` (onto the board), `A4B1`, `B1B5x` (captures) or `A7A+` (off the board); `*` follows a rosette, `0 --` is a \
    turn without a move, `/` comes before Dark's turn, `#` ends the game";

/// Reads a game; with it come warnings.
///
/// # Errors
/// Every fault of the file.
pub(super) fn read(source: &Source) -> Result<(NetGame, Diagnostics), Diagnostics> {
    let text = source.utf8().map_err(Diagnostics::from)?;
    let start = text.len() - text.trim_start_matches('\u{feff}').len();
    let mut lexer = Lexer {
        source,
        game: NetGame::default(),
        faults: Diagnostics::new(),
        by: None,
        roll: None,
    };
    let rest = lexer.tags(text, start);
    for (at, word) in words(text, rest) {
        if let Err(fault) = lexer.word(at, word) {
            lexer.faults.push(fault);
        }
        if lexer.faults.is_full() {
            break;
        }
    }
    lexer.roll_without_move();
    if lexer.game.records.is_empty() && !lexer.faults.has_errors() {
        let fault = Diagnostic::error("rgn/empty", "there is no move in this file");
        lexer.faults.push(fault.in_file(source.name()));
    }
    match lexer.faults.has_errors() {
        true => Err(lexer.faults),
        false => Ok((lexer.game, lexer.faults)),
    }
}

/// The words of a text from an offset, each with its offset.
fn words(text: &str, from: usize) -> impl Iterator<Item = (usize, &str)> {
    text[from..].split_ascii_whitespace().map(move |word| {
        let at = word.as_ptr() as usize - text.as_ptr() as usize;
        (at, word)
    })
}

struct Lexer<'s> {
    source: &'s Source,
    game: NetGame,
    faults: Diagnostics,
    /// The player of the turn, once a mark has named one.
    by: Option<Seat>,
    /// A roll that waits for its `--`.
    roll: Option<(Span, u8)>,
}

impl Lexer<'_> {
    fn fault(&self, span: Span, title: impl Into<String>) -> Diagnostic {
        Diagnostic::error("rgn/syntax", title).at(self.source, span, "")
    }

    /// Reads the tags, and returns the offset at which the moves begin.
    fn tags(&mut self, text: &str, start: usize) -> usize {
        let mut at = start;
        for line in text[start..].split_inclusive('\n') {
            let tag = line.trim();
            if !tag.is_empty() && !tag.starts_with('[') {
                break;
            }
            if let Some(inside) = tag.strip_prefix('[') {
                let span = Span::new(at, at + line.trim_end().len());
                match inside.strip_suffix(']').and_then(key_and_value) {
                    Some((key, value)) => {
                        if let Some(seat) = Seat::BOTH
                            .into_iter()
                            .find(|seat| NAME_KEYS[seat.index()] == key)
                        {
                            self.game.names[seat] = Some(value);
                        }
                    }
                    None => self
                        .faults
                        .push(self.fault(span, "a tag is `[Key \"value\"]`")),
                }
            }
            at += line.len();
        }
        at
    }

    fn word(&mut self, at: usize, word: &str) -> Result<(), Diagnostic> {
        let span = Span::new(at, at + word.len());
        let body = word.trim_end_matches('#');
        let is_end = body.len() < word.len();
        match body {
            "" => {}
            "/" => self.by = Some(Seat::Second),
            "*" => self.rosette(span)?,
            "--" => {
                let Some((roll, value)) = self.roll.take() else {
                    return Err(self.fault(span, "`--` follows a roll: `0 --`"));
                };
                self.record(roll.to(span), Some(value), NetAction::NoMove)?;
            }
            number if number.ends_with('.') && is_number(&number[..number.len() - 1]) => {
                self.by = Some(Seat::First);
            }
            number if is_number(number) => match number.parse() {
                Ok(value @ 0..=4) => self.roll = Some((span, value)),
                _ => return Err(self.fault(span, "a roll is a number from 0 to 4")),
            },
            text => self.mv(span, text)?,
        }
        if is_end {
            let end = Span::new(at + body.len(), at + word.len());
            self.record(end, None, NetAction::End(None))?;
        }
        Ok(())
    }

    /// Marks that the last move reached a rosette.
    fn rosette(&mut self, span: Span) -> Result<(), Diagnostic> {
        let last = self
            .game
            .records
            .last_mut()
            .map(|record| &mut record.action);
        match last {
            Some(NetAction::Move(NetMove {
                is_on_rosette: Some(mark),
                ..
            })) if !*mark => {
                *mark = true;
                Ok(())
            }
            _ => Err(self.fault(span, "`*` follows a move to a rosette")),
        }
    }

    fn mv(&mut self, span: Span, text: &str) -> Result<(), Diagnostic> {
        let by = self.player(span)?;
        let no_move = || {
            let title = format!("{} is no move", visible::quoted(text).at_most(40));
            self.fault(span, title).help(HELP)
        };
        let is_on_rosette = text.ends_with('*');
        let text_without = text.trim_end_matches('*');
        let body = text_without.strip_suffix('x').unwrap_or(text_without);
        if body.len() != 4 || !body.is_ascii() {
            return Err(no_move());
        }
        let column = tile::own_column(by);
        let (from, to) = body.split_at(2);
        let is_own = |word: &str, mark: char| word.starts_with(column) && word.ends_with(mark);
        let not_on_path = |name: &str| {
            let player = ["Light", "Dark"][by.index()];
            let title = format!(
                "{} is not on the path of {player}",
                visible::quoted(name).at_most(40)
            );
            self.fault(span, title).help(HELP)
                .note("RGN does not name its rules; urtext reads games on the bell path with four binary dice and 7 pieces")
        };
        let from = match is_own(from, '@') {
            true => START,
            false => tile::cell(by, from).ok_or_else(|| not_on_path(from))?,
        };
        let to = match is_own(to, '+') {
            true => END,
            false => tile::cell(by, to).ok_or_else(|| not_on_path(to))?,
        };
        let action = NetAction::Move(NetMove {
            from,
            to,
            captures: text_without.len() > body.len(),
            is_on_rosette: Some(is_on_rosette),
        });
        self.record(span, None, action)
    }

    fn player(&self, span: Span) -> Result<Seat, Diagnostic> {
        self.by
            .ok_or_else(|| self.fault(span, "a move comes after the number of its turn: `1. A@A4`"))
    }

    fn record(
        &mut self,
        span: Span,
        roll: Option<u8>,
        action: NetAction,
    ) -> Result<(), Diagnostic> {
        let by = self.player(span)?;
        self.roll_without_move();
        self.game.records.push(NetRecord {
            span,
            by,
            roll,
            at: None,
            action,
        });
        Ok(())
    }

    /// Refuses a roll that no `--` follows.
    fn roll_without_move(&mut self) {
        if let Some((span, _)) = self.roll.take() {
            self.faults
                .push(self.fault(span, "a roll is written only where no move follows: `0 --`"));
        }
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The key and the value of a tag; each is a word or a text in quotation marks.
fn key_and_value(inside: &str) -> Option<(String, String)> {
    let (key, rest) = value(inside.trim())?;
    let (value, rest) = value(rest.trim_start())?;
    rest.trim().is_empty().then_some((key, value))
}

/// The value at the beginning of a text, and the rest of the text.
fn value(text: &str) -> Option<(String, &str)> {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        return (end > 0).then(|| (text[..end].to_owned(), &text[end..]));
    };
    let mut value = String::new();
    let mut characters = quoted.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Some((value, &quoted[at + 1..])),
            '\\' => value.push(match characters.next()?.1 {
                'n' => '\n',
                'r' => '\r',
                other => other,
            }),
            other => value.push(other),
        }
    }
    None
}
