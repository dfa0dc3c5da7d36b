//! The picture in the README is what the program prints now.
//!
//! With `URTEXT_BLESS_PICTURE=1` the test draws it anew.

use std::{env, fs};

use crate::harness::{Place, ROOT, Ran, URTEXT};

/// Built-in peers on a virtual clock: the same bytes on every machine.
const COMMAND: &str = "run --simulated --suite royalur/bot/captures-both-ways --as bot -- urtext bot royalur --fault forgets-captures";

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
    let typed = COMMAND.replace(" --as", " \\\n    --as");
    let text = format!("$ urtext {typed}\n{}", ran.stdout);
    let drawn = anstyle_svg::Term::new().render_svg(&broken(&text));
    let path = format!("{ROOT}/docs/failing-run.svg");
    if env::var_os("URTEXT_BLESS_PICTURE").is_some() {
        fs::write(&path, &drawn).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == drawn,
        "docs/failing-run.svg is out of date; URTEXT_BLESS_PICTURE=1 draws it anew: {}",
        ran.stdout
    );
}
