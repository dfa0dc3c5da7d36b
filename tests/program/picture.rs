//! The pictures in the documentation are what the program draws now.
//!
//! With `URTEXT_BLESS_PICTURE=1` the tests draw them anew.

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
    assert_kept("docs/failing-run.svg", &drawn);
    // The line below the picture, from what the run says.
    let said = anstream::adapter::strip_str(&ran.stdout).to_string();
    let after = |start: &str| {
        let (_, rest) = said.split_once(start).unwrap();
        let end = rest.find([',', '\n']).unwrap();
        rest[..end].trim().to_owned()
    };
    let [turn, roll] = ["the board in turn ", " first rolled "].map(after);
    let [sent, legal] = [" received  ", "a legal move: "].map(after);
    let caption = format!(
        "\n\nTurn {turn}: the bot rolled {roll} and sent {sent}, which is not legal. {legal} is.\n"
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

/// Draws the position after a turn of a finished game.
fn board(file: &str, turn: &str) -> String {
    let place = Place::new();
    let file = format!("{ROOT}/{file}");
    let arguments = ["replay", &file, "--at", turn, "--svg", "board.svg"];
    let ran = place.urtext(&arguments);
    assert!(ran.stdout.is_empty(), "{ran:#?}");
    place.read("board.svg")
}

/// The x and y of the first element of this class.
fn at<'s>(drawn: &'s str, class: &str) -> &'s str {
    let start = format!("<rect class=\"{class}\" data-mark=\"{class}\" ");
    let (_, rest) = drawn
        .split_once(&start)
        .unwrap_or_else(|| panic!("no {class} in {drawn}"));
    rest.split(" width").next().unwrap()
}

/// The line of the first element with this text.
fn element<'s>(drawn: &'s str, text: &str) -> &'s str {
    let mut lines = drawn.lines();
    lines
        .find(|line| line.contains(text))
        .unwrap_or_else(|| panic!("no {text} in {drawn}"))
}

/// The place that shows the item of this label.
fn item<'s>(drawn: &'s str, label: &str) -> &'s str {
    let symbol = element(drawn, &format!(">{label}</text></symbol>"));
    let id = symbol.split('"').nth(1).unwrap();
    element(drawn, &format!(" href=\"#{id}\"/>"))
}

#[test]
fn the_picture_of_a_board_shows_what_its_title_says() {
    let drawn = board("snapshots/royalur/referee/seed-example.txt", "6");
    assert_kept("docs/board.svg", &drawn);
    let title = "6. PlayerA (first) rolled 1 0 1 1, moved 3: token 3 from cell 3 to cell 6, captures token 0";
    assert!(
        drawn.contains(&format!("<title id=\"title\">{title}</title>")),
        "{drawn}"
    );
    let page = fs::read_to_string(format!("{ROOT}/docs/how-to/replaying.md")).unwrap();
    assert!(page.contains("PlayerA moved token 3 from cell 3 to cell 6 and captured token 0"));
    // Marks are three units inside their cells: 14 is the left border, 56 the width of a cell.
    assert!(
        at(&drawn, "to").starts_with(&format!("x=\"{}\"", 14 + 56 + 3)),
        "cell 6 is in the second column"
    );
    assert!(
        at(&drawn, "from").starts_with(&format!("x=\"{}\"", 14 + 56 + 3)),
        "so is cell 3"
    );
    let captured = element(&drawn, "data-mark=\"captured\"");
    assert!(!captured.contains("hidden"), "{captured}");
    assert!(
        captured.contains(at(&drawn, "to")),
        "the capture is at the destination: {captured}"
    );
    let token = item(&drawn, "a3");
    assert!(
        token.contains(at(&drawn, "to")),
        "the token that moved: {token}"
    );
    assert_eq!(drawn.matches("href=\"#rosette\"").count(), 5);
    let height = |line: &str| line.split_once(" y=\"").unwrap().1[..2].to_owned();
    let on_turn: Vec<_> = drawn
        .lines()
        .filter(|line| line.contains("◀ on turn") && !line.contains("hidden"))
        .collect();
    assert_eq!(on_turn.len(), 1, "{on_turn:?}");
    let name = element(&drawn, "PlayerB (second)</text>");
    let (_, name) = name.split_once("class=\"n\"").unwrap();
    assert_eq!(height(on_turn[0]), height(name), "the line of PlayerB");
}

#[test]
fn a_rosette_is_seen_under_a_token_and_cards_beside_the_board() {
    // After turn 2, the token b0 stands on a rosette.
    let drawn = board("snapshots/royalur/referee/seed-example.txt", "2");
    let token = item(&drawn, "b0");
    let (_, place) = token.split_once("<use ").unwrap();
    let (place, _) = place.split_once(" width").unwrap();
    let rosette = format!("<use href=\"#rosette\" {place} ");
    let under = drawn
        .find(&rosette)
        .unwrap_or_else(|| panic!("no {rosette} in {drawn}"));
    assert!(under < drawn.find(token).unwrap(), "drawn first");
    let onitama = board("tests/data/onitama-judge/top.txt", "1");
    assert_eq!(onitama.matches("href=\"#card\"").count(), 5, "five cards");
}

#[test]
fn a_name_cannot_break_out_of_a_picture() {
    let place = Place::new();
    let game = fs::read_to_string(format!("{ROOT}/tests/data/seed/spectator.txt")).unwrap();
    let hostile = "</title><script>alert(1)</script>\"&\u{202e}";
    place.write("game.txt", &game.replacen("PlayerA", hostile, 1));
    place.urtext(&["replay", "game.txt", "--svg", "board.svg"]);
    let drawn = place.read("board.svg");
    assert!(
        !drawn.contains("<script") && !drawn.contains('\u{202e}'),
        "{drawn}"
    );
    assert!(drawn.contains("&lt;/title&gt;&lt;script&gt;"), "{drawn}");
    let missing = place.urtext(&["replay", "game.txt", "--svg", "missing/board.svg"]);
    missing
        .expect(3)
        .complains("missing/board.svg cannot be written");
}
