//! The pictures in the documentation are what the program draws now.
//!
//! With `URTEXT_BLESS_PICTURE=1` the tests draw them anew.

use std::{env, fs};

use crate::harness::{Place, ROOT, Ran, URTEXT};

/// Built-in peers on a virtual clock: the same bytes on every machine.
pub(crate) const COMMAND: &str =
    "run --suite royalur/bot/captures-both-ways --subject built-in --fault forgets-captures";

/// The columns of the drawn terminal.
const COLUMNS: usize = 112;

/// The text in lines of at most so many columns, as a terminal breaks them; styles take no room.
fn broken(text: &str) -> String {
    let (mut lines, mut column, mut is_style) = (String::new(), 0, false);
    for letter in text.chars() {
        is_style |= letter == '\x1b';
        if letter == '\n' {
            column = 0;
        } else if !is_style {
            if column == COLUMNS {
                lines.push('\n');
                column = 0;
            }
            column += 1;
        }
        is_style &= letter != 'm';
        lines.push(letter);
    }
    lines
}

#[test]
fn the_picture_of_a_failing_run_is_what_the_program_prints() {
    let place = Place::new();
    let mut command = place.command(&COMMAND.split(' ').collect::<Vec<_>>());
    let folder = std::path::Path::new(URTEXT).parent().unwrap();
    let ran = Ran::of(command.env("CLICOLOR_FORCE", "1").env("PATH", folder)).expect(1);
    let typed = COMMAND.replace(" --subject", " \\\n    --subject");
    let text = format!("$ urtext {typed}\n{}", ran.stdout);
    let drawn = anstyle_svg::Term::new().render_svg(&broken(&text));
    assert_kept("docs/failing-run.svg", &drawn);
    // The line below the picture, from what the run says.
    let said = anstream::adapter::strip_str(&ran.stdout).to_string();
    let after = |start: &str| {
        let (_, rest) = said.split_once(start).unwrap();
        let end = rest.find([',', '\n']).unwrap();
        rest[..end].trim().to_owned()
    };
    let [turn, roll] = ["the board in turn ", " first rolled "].map(after);
    let [sent, legal] = [" received  ", " expected  "].map(after);
    let caption = format!(
        "\n\nTurn {turn}: the bot rolled {roll} and sent {sent}, which is not legal. Only {legal} is.\n"
    );
    let readme = fs::read_to_string(format!("{ROOT}/README.md")).unwrap();
    assert!(
        readme.contains(&format!("failing-run.svg){caption}")),
        "{caption}"
    );
}

/// The picture is the one in this file.
fn assert_kept(name: &str, drawn: &str) {
    let path = format!("{ROOT}/{name}");
    if env::var_os("URTEXT_BLESS_PICTURE").is_some() {
        fs::write(&path, drawn).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == drawn,
        "{name} is out of date; URTEXT_BLESS_PICTURE=1 draws it anew: {drawn}"
    );
}
