//! Texts in HTML and SVG.

use crate::diagnostic::visible;

/// A text inside an element or an attribute, with what steers a display made visible.
pub(in crate::report) fn escaped(text: &str) -> String {
    let text = visible::plain(text).to_string();
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
