//! HTML pages from templates: what a text, a style and a script need to be a part of one.

use std::fmt::{self, Write};

use askama::filters::Escaper;
use data_encoding::BASE64;
use sha2::{Digest, Sha256};

use crate::diagnostic::visible;

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
pub(super) fn in_script(json: &str) -> String {
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
