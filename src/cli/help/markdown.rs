//! Markdown as text for a terminal: headings, paragraphs, lists, tables and code blocks, as the pages use them.

use anstream::adapter::strip_str;
use anstyle::Style;

const BOLD: Style = Style::new().bold();

/// The page as text with styles, in lines of at most `width` columns where words and code allow it. `topic` names the page that a
/// link leads to; these pages are listed at the end.
pub(super) fn render(page: &str, width: usize, topic: impl Fn(&str) -> Option<String>) -> String {
    let (mut text, mut pages) = (String::new(), Vec::new());
    let mut inline = |raw: &str| inline(raw, &mut |target| pages.extend(topic(target)));
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            let fence = line.trim_end_matches(|letter| letter != '`');
            let code = lines.by_ref().take_while(|code| *code != fence);
            text.extend(code.map(|code| format!("    {code}\n")));
        } else if line.starts_with('|') {
            let mut rows = vec![cells(line, &mut inline)];
            while let Some(row) = lines.next_if(|row| row.starts_with('|')) {
                rows.push(cells(row, &mut inline));
            }
            table(&rows, width, &mut text);
        } else if line.starts_with('#') {
            let heading = inline(line.trim_start_matches('#').trim());
            text += &format!("{BOLD}{heading}{BOLD:#}\n");
        } else {
            let mut whole = line.to_owned();
            let ends = |next: &str| {
                next.is_empty()
                    || marked(next) > 0
                    || next.starts_with(['|', '#'])
                    || next.starts_with("```")
            };
            while let Some(more) = lines.next_if(|next| !line.is_empty() && !ends(next)) {
                whole += &format!(" {}", more.trim());
            }
            let hang = marked(line);
            let parts = wrapped(&inline(&whole), width - hang);
            text += &format!("{}\n", parts.join(&format!("\n{:hang$}", "")));
        }
    }
    pages.sort_unstable();
    pages.dedup();
    let names = format!(
        "\nPages named above, by `urtext help TOPIC`: {}",
        pages.join(", ")
    );
    if pages.is_empty() {
        text
    } else {
        text + &wrapped(&names, width).join("\n") + "\n"
    }
}

/// The columns before the text of an item of a list; 0 for any other line.
fn marked(line: &str) -> usize {
    let item = line.trim_start();
    let number = item.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let numbered = number
        .strip_prefix(". ")
        .filter(|_| number.len() < item.len());
    item.strip_prefix("- ")
        .or(numbered)
        .map_or(0, |text| line.len() - text.len())
}

/// The cells of a row of a table; `\|` is no border.
fn cells(row: &str, inline: &mut impl FnMut(&str) -> String) -> Vec<String> {
    let row = row.trim_end().trim_matches('|').replace("\\|", "\0");
    row.split('|')
        .map(|cell| inline(&cell.trim().replace('\0', "|")))
        .collect()
}

/// The text with bold for `**`. Code keeps its backticks, a link only its text.
fn inline(raw: &str, link: &mut impl FnMut(&str)) -> String {
    let (mut text, mut rest, mut is_bold) = (String::new(), raw, false);
    while let Some(first) = rest.chars().next() {
        let code = rest.strip_prefix('`').and_then(|after| after.find('`'));
        let label = rest
            .strip_prefix('[')
            .and_then(|after| after.split_once("]("));
        let linked = label.filter(|(label, _)| !label.contains(']'));
        if let Some((label, (target, after))) =
            linked.and_then(|(label, rest)| Some((label, rest.split_once(')')?)))
        {
            link(target);
            text += label;
            rest = after;
        } else if let Some(after) = rest.strip_prefix("**") {
            is_bold = !is_bold;
            text += &if is_bold {
                format!("{BOLD}")
            } else {
                format!("{BOLD:#}")
            };
            rest = after;
        } else {
            let (part, after) = rest.split_at(code.map_or(first.len_utf8(), |end| end + 2));
            text += part;
            rest = after;
        }
    }
    text
}

fn columns(text: &str) -> usize {
    strip_str(text).to_string().chars().count()
}

/// The text in lines of at most so many columns, broken at spaces.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if columns(line) + 1 + columns(word) <= width => {
                *line += &format!(" {word}")
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A table in columns; what is too wide is wrapped inside its column.
fn table(rows: &[Vec<String>], width: usize, text: &mut String) {
    let widest = |column: usize| {
        rows.iter()
            .filter_map(|row| row.get(column))
            .map(|cell| columns(cell))
            .max()
    };
    let mut widths: Vec<usize> = (0..rows[0].len()).filter_map(widest).collect();
    let mut narrow: Vec<usize> = (0..widths.len()).collect();
    narrow.sort_by_key(|&column| widths[column]);
    let mut left = width.saturating_sub(2 * widths.len());
    for (place, &column) in narrow.iter().enumerate() {
        widths[column] = widths[column].min((left / (widths.len() - place)).max(8));
        left = left.saturating_sub(widths[column]);
    }
    let rule: Vec<String> = widths.iter().map(|&width| "-".repeat(width)).collect();
    for (place, row) in rows.iter().enumerate() {
        // The second row only separates the head from the rest.
        let row = if place == 1 { &rule } else { row };
        let cells: Vec<_> = row
            .iter()
            .zip(&widths)
            .map(|(cell, &width)| wrapped(cell, width))
            .collect();
        for line in 0..cells.iter().map(Vec::len).max().unwrap_or(0) {
            let mut drawn = String::new();
            for (cell, width) in cells.iter().zip(&widths) {
                let part = cell.get(line).map_or("", String::as_str);
                let gap = (width + 2).saturating_sub(columns(part)).max(1);
                drawn += &format!("{part}{:gap$}", "");
            }
            *text += &format!("{}\n", drawn.trim_end());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{render, strip_str};

    #[test]
    fn wraps_lists_and_tables_and_lists_the_pages_at_the_end() {
        let page = "\
# A *page*

Words that [lead](other.md#there) to **another** page, and `some code`.

- one item
  in two lines
  - below it
12. another

| a | b \\| c |
| --- | --- |
| `x` | some words that are wrapped |

```text
| # as it is, however long it is
```
";
        let page = page.replace("\\\\", "\\");
        let text = render(&page, 24, |target| {
            Some(target.split('.').next()?.to_owned())
        });
        let expected = "\
A *page*

Words that lead to
another page, and `some
code`.

- one item in two
  lines
  - below it
12. another

a    b | c
---  -----------------
`x`  some words that
     are wrapped

    | # as it is, however long it is
";
        let text = strip_str(&text).to_string();
        assert_eq!(text.split("\nPages named").next(), Some(expected), "{text}");
        assert!(
            text.replace('\n', " ")
                .ends_with("`urtext help TOPIC`: other "),
            "{text}"
        );
    }
}
