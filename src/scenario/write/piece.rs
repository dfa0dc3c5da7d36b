//! Bytes that are sent, as a scenario has them.

use crate::yaml::in_double_marks;

/// The shortest text that is written as a repeat, in bytes.
const LONG: usize = 64;

/// Writes bytes that are sent in one piece.
pub(super) fn piece(bytes: &[u8]) -> String {
    let period = period(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text)
            if bytes.len() >= LONG && period < bytes.len() && text.is_char_boundary(period) =>
        {
            let times = bytes.len() / period;
            format!(
                "{{repeat: {}, times: {times}}}",
                in_double_marks(&text[..period])
            )
        }
        Ok(text) => in_double_marks(text),
        Err(_) => {
            let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            format!("{{hex: \"{}\"}}", digits.join(" "))
        }
    }
}

/// Length of the shortest part that makes the whole when it is repeated.
fn period(bytes: &[u8]) -> usize {
    let mut borders = vec![0; bytes.len()];
    for end in 1..bytes.len() {
        let mut border: usize = borders[end - 1];
        while border > 0 && bytes[border] != bytes[end] {
            border = borders[border - 1];
        }
        borders[end] = border + usize::from(bytes[border] == bytes[end]);
    }
    let period = bytes.len() - borders.last().copied().unwrap_or_default();
    if bytes.len().is_multiple_of(period.max(1)) {
        period
    } else {
        bytes.len()
    }
}
