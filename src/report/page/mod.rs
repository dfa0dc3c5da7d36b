//! A finished game as one HTML page: a script draws it from the lines of `urtext replay --json`. Without scripts, the page shows the moves.
//! Nothing is loaded, and the page allows only its own style and script.

use std::fmt::{self, Write};

use askama::Template;
use askama::filters::Escaper;
use data_encoding::BASE64;
use sha2::{Digest, Sha256};

use crate::diagnostic::visible;
use crate::replay::{PrintedParts, Replay};
use crate::rules::Seat;

const STYLE: &str = concat!(include_str!("../base.css"), include_str!("page.css"));
const SCRIPT: &str = include_str!("page.js");

#[derive(Template)]
#[template(path = "page/page.html", config = "src/report/askama.toml")]
struct Page<'r> {
    replay: &'r Replay,
    players: [String; 2],
    turn: usize,
    trouble: Option<&'r str>,
    printed: String,
    lines: String,
    style: Inline<'static>,
    script: Inline<'static>,
}

/// Returns a game as a page that opens at the turn at which the replay stands. `trouble` is the drawing of what is wrong with the game, without
/// colours.
#[must_use]
pub fn draw(replay: &Replay, trouble: Option<&str>) -> String {
    let lines = replay.json(replay.frames());
    let page = Page {
        replay,
        players: Seat::BOTH.map(|seat| replay.player(seat)),
        turn: replay.frame().number,
        trouble,
        printed: replay.print(&mut 0, PrintedParts::default()),
        lines: in_script(&lines),
        style: Inline(STYLE),
        script: Inline(SCRIPT),
    };
    page.render().expect("a string takes all")
}

/// Escapes texts: they open no element and leave no attribute, and characters that steer or hide are made visible. Only line breaks stay.
#[derive(Debug, Clone, Copy)]
pub(super) struct Visible;

impl Escaper for Visible {
    fn write_escaped_str<W: Write>(&self, mut page: W, text: &str) -> fmt::Result {
        for (number, line) in text.split('\n').enumerate() {
            if number > 0 {
                page.write_char('\n')?;
            }
            for letter in visible::plain(line).to_string().chars() {
                match letter {
                    '&' => page.write_str("&amp;")?,
                    '<' => page.write_str("&lt;")?,
                    '>' => page.write_str("&gt;")?,
                    '"' => page.write_str("&quot;")?,
                    letter => page.write_char(letter)?,
                }
            }
        }
        Ok(())
    }
}

/// A style or a script of a page. The page allows no other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Inline<'t>(pub(super) &'t str);

impl Inline<'_> {
    /// Its source expression in a content security policy.
    pub(super) fn hash(self) -> String {
        format!("'sha256-{}'", BASE64.encode(&Sha256::digest(self.0)))
    }
}

/// JSON that cannot end the element around it, nor a line of a script.
fn in_script(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for letter in json.chars() {
        match letter {
            // Such characters are parts of strings only.
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                write!(text, "\\u{:04x}", u32::from(letter)).expect("a string takes all");
            }
            letter => text.push(letter),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_open_no_element_and_steer_nothing() {
        let mut page = String::new();
        let text = "a\nb</script><!-- \"&\u{202e}\u{1b}";
        Visible.write_escaped_str(&mut page, text).unwrap();
        let escaped = "a\nb&lt;/script&gt;&lt;!-- &quot;&amp;\\u{202e}\\x1b";
        assert_eq!(page, escaped);
    }

    #[test]
    fn json_in_a_script_means_the_same() {
        let text = "</script><!-- &\u{2028}\u{2029}";
        let json = in_script(&serde_json::to_string(text).unwrap());
        assert!(
            !json.contains(['<', '>', '&', '\u{2028}', '\u{2029}']),
            "{json}"
        );
        let read: String = serde_json::from_str(&json).unwrap();
        assert_eq!(read, text);
    }
}
