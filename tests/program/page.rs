//! `urtext replay --html`, as a parser of HTML reads the page.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::harness::{DATA, Place, ROOT, Ran, has_python, python_words};

/// The lanes of a captured game of 164 turns.
const LANES: [&str; 5] = [
    "alice.received",
    "alice.sent",
    "bob.received",
    "bob.sent",
    "spectator.received",
];

/// The most bytes of the page of a game of 170 turns.
const MOST: usize = 60_000;

/// Lines that a careless page would take for its own.
pub(crate) const HOSTILE: [&[u8]; 10] = [
    b"</script><img src=x onerror=alert(1)>",
    b"\"><svg onload=alert(1)>",
    b"' onmouseover='alert(1)",
    b"<!--<script>",
    b"-->]]></style><style>*{display:none}</style>",
    b"\x1b[2J\x1b]0;owned\x07",
    "\u{202e}reversed\u{2028}line\u{feff}".as_bytes(),
    b"\xff\xfe\xc3(",
    b"{{DATA}} &lt;b&gt; \\u003c",
    b"<p><tr id=0><td>javascript:alert(1)",
];

/// The structure of a page.
pub(crate) fn structure(place: &Place, name: &str) -> Value {
    let [python, no_site] = python_words();
    let mut command = Command::new(python);
    command.args([no_site, &format!("{ROOT}/tests/program/page.py")]);
    let ran = Ran::of(command.arg(place.join(name))).expect(0);
    serde_json::from_str(&ran.stdout).unwrap()
}

/// The arguments that replay the captured game.
pub(crate) fn captured() -> Vec<String> {
    LANES
        .map(|lane| format!("{DATA}/code-colosseum/{lane}"))
        .to_vec()
}

/// Writes the page of these files.
pub(crate) fn page(place: &Place, files: &[String], more: &[&str]) -> String {
    let mut arguments = vec!["replay"];
    arguments.extend(files.iter().map(String::as_str));
    arguments.extend(["--html", "page.html"]);
    arguments.extend(more);
    let ran = place.urtext(&arguments);
    assert!(ran.stdout.is_empty(), "{ran:#?}");
    place.read("page.html")
}

#[test]
fn the_page_allows_its_own_style_and_script_and_nothing_else() {
    if !has_python() {
        return;
    }
    let place = Place::new();
    page(&place, &captured(), &[]);
    let read = structure(&place, "page.html");
    let (styles, scripts) = (&read["styles"], &read["scripts"]);
    assert_eq!(
        (
            styles.as_array().unwrap().len(),
            scripts.as_array().unwrap().len()
        ),
        (1, 1)
    );
    let policy = format!(
        "default-src 'none'; script-src {}; style-src {}; base-uri 'none'; form-action 'none'",
        scripts[0].as_str().unwrap(),
        styles[0].as_str().unwrap()
    );
    assert_eq!(read["policy"], policy);
    for attribute in read["attributes"].as_array().unwrap() {
        let name = attribute.as_str().unwrap();
        assert!(
            name != "style" && name != "src" && !name.starts_with("on"),
            "{name}"
        );
    }
    assert_eq!(read["addresses"], serde_json::json!([]));
}

/// Every turn and every line of the game is in the static part of the page.
pub(crate) fn tells_all(read: &Value, json: &str) {
    let records: Vec<Value> = json
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let lanes = records[0]["lanes"].as_array().unwrap().len();
    let rows = read["rows"].as_array().unwrap();
    let turns: Vec<_> = records
        .iter()
        .filter(|record| record["type"] == "turn")
        .collect();
    assert_eq!(rows.len(), turns.len());
    for (row, turn) in rows.iter().zip(turns) {
        let cells = row.as_array().unwrap();
        assert_eq!(cells[0][0], turn["turn"].to_string());
        assert_eq!(cells[1][0], turn["short"]);
        let first = cells.len() - lanes;
        for lane in 0..lanes {
            let lines = turn["lines"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|line| line["lane"] == lane);
            let lines: Vec<_> = lines
                .map(|line| {
                    let text = line["text"].as_str().unwrap();
                    match line["is_sent"].as_bool().unwrap() {
                        true => (true, format!("> {text}")),
                        false => (false, text.to_owned()),
                    }
                })
                .collect();
            let shown = cells[first + lane].as_array().unwrap()[1..].iter();
            let shown: Vec<_> = shown
                .map(|line| {
                    (
                        line["is_sent"].as_bool().unwrap(),
                        line["text"].as_str().unwrap().to_owned(),
                    )
                })
                .collect();
            assert_eq!(shown, lines, "turn {} lane {lane}", turn["turn"]);
        }
    }
    let end = records.last().unwrap();
    assert_eq!(
        read["text"]["result"]
            .as_str()
            .unwrap()
            .lines()
            .next()
            .unwrap(),
        end["says"]
    );
    let opened = records[records.len() - 2]["says"].as_str().unwrap();
    assert_eq!(
        read["text"]["caption"]
            .as_str()
            .unwrap()
            .lines()
            .next()
            .unwrap(),
        opened
    );
    let data = &read["data"][0];
    assert_eq!(data["turns"].as_array().unwrap().len(), rows.len());
}

#[test]
fn the_static_part_tells_every_move_with_its_lines() {
    if !has_python() {
        return;
    }
    let data = |names: &[&str]| names.iter().map(|name| format!("{DATA}/{name}")).collect();
    let cut = Place::new();
    let whole = fs::read_to_string(format!("{DATA}/code-colosseum/spectator.received")).unwrap();
    cut.write("cut.txt", &whole[..whole.len() / 2]);
    let games: [Vec<String>; 7] = [
        captured(),
        data(&["seed/first.txt", "seed/second.txt"]),
        data(&["seed/spectator.txt"]),
        data(&["onitama-judge/top.txt", "onitama-judge/bottom.txt"]),
        data(&["hc-ur/captured.json"]),
        vec![cut.join("cut.txt").to_str().unwrap().to_owned()],
        vec![format!("{ROOT}/snapshots/royalur/referee/seed-example.txt")],
    ];
    for files in games {
        let place = Place::new();
        page(&place, &files, &[]);
        let mut arguments = vec!["replay", "--json"];
        arguments.extend(files.iter().map(String::as_str));
        tells_all(
            &structure(&place, "page.html"),
            &place.urtext(&arguments).stdout,
        );
    }
}

#[test]
fn the_page_opens_at_the_turn_that_is_asked_for() {
    if !has_python() {
        return;
    }
    let place = Place::new();
    page(&place, &captured(), &["--at", "100"]);
    let read = structure(&place, "page.html");
    let caption = read["text"]["caption"].as_str().unwrap();
    assert!(
        caption.starts_with("100. Bob (second) rolled 0 1 1 0"),
        "{caption}"
    );
    let board = read["text"]["board"].as_str().unwrap();
    assert!(
        board.contains("Bob (second): ") && board.contains("b5 on 6"),
        "{board}"
    );
    let args = captured();
    let mut none: Vec<_> = vec!["replay", "--html", "none.html", "--at", "1000"];
    none.extend(args.iter().map(String::as_str));
    place
        .urtext(&none)
        .expect(2)
        .complains("there is no turn 1000");
    assert!(!place.join("none.html").exists());
}

/// A spectator's stream of the captured game with this name, and these lines after its end.
pub(crate) fn spoiled(place: &Place, name: &[u8], lines: &[&[u8]]) -> Vec<String> {
    let stream = fs::read(format!("{DATA}/code-colosseum/spectator.received")).unwrap();
    let rest = stream.strip_prefix(b"Alice\n").unwrap();
    let mut text = [name, b"\n", rest].concat();
    for line in lines.iter().cycle().take(200) {
        text.extend_from_slice(line);
        text.push(b'\n');
    }
    fs::write(place.join("game.txt"), text).unwrap();
    vec![place.join("game.txt").to_str().unwrap().to_owned()]
}

#[test]
fn hostile_names_and_lines_leave_the_elements_of_the_page_as_they_are() {
    if !has_python() {
        return;
    }
    let place = Place::new();
    page(
        &place,
        &spoiled(&place, b"Alice", &[b"x".as_slice(); 10]),
        &[],
    );
    let tame = structure(&place, "page.html");
    let page = page(&place, &spoiled(&place, HOSTILE[0], &HOSTILE), &[]);
    let hostile = structure(&place, "page.html");
    assert_eq!(tame["elements"], hostile["elements"]);
    assert_eq!(tame["attributes"], hostile["attributes"]);
    assert_eq!(hostile["addresses"], serde_json::json!([]));
    let lines = hostile["rows"]
        .as_array()
        .unwrap()
        .last()
        .unwrap()
        .to_string();
    assert_eq!(lines.matches("<tr id=0><td>").count(), 20, "{lines}");
    assert!(!page.contains(['\u{202e}', '\u{2028}', '\u{feff}', '\u{1b}', '\0']));
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(!page.contains("<!--"));
}

#[test]
fn the_page_of_a_game_of_170_turns_is_small() {
    let place = Place::new();
    let run = "run --record games --game royalur --free-games 28 --seed 7";
    place.urtext(&run.split(' ').collect::<Vec<_>>()).expect(0);
    let page = page(
        &place,
        &["games/royalur/free-game-28.jsonl".to_owned()],
        &[],
    );
    assert!(page.contains("\n<tr id=170") && !page.contains("\n<tr id=171"));
    assert!(
        page.contains("<th scope=col id=time>Time") && page.contains("<th scope=col>spectator 1")
    );
    assert!(page.len() <= MOST, "{} bytes", page.len());
}

/// The page of a finished game, opened after a turn, without the board from the other side.
fn board(file: &str, turn: &str) -> String {
    let place = Place::new();
    let page = page(&place, &[format!("{ROOT}/{file}")], &["--at", turn]);
    let (before, from_other_side) = page.split_once("<svg class=\"board\" hidden").unwrap();
    let (_, caption) = from_other_side.split_once("<p id=\"caption\"").unwrap();
    format!("{before}{caption}")
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
fn the_board_of_a_page_shows_what_its_caption_says() {
    let drawn = board("snapshots/royalur/referee/seed-example.txt", "6");
    let caption = "6. PlayerA (first) rolled 1 0 1 1, moved 3: token 3 from cell 3 to cell 6, captures token 0";
    assert!(
        drawn.contains(&format!("aria-live=\"polite\">{caption}</p>")),
        "{drawn}"
    );
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
    let card = " width=\"80\" height=\"80\" href=";
    assert_eq!(onitama.matches(card).count(), 5, "five cards");
}

#[test]
fn a_page_that_cannot_be_written_is_3() {
    let place = Place::new();
    let game = format!("{ROOT}/tests/data/seed/spectator.txt");
    place
        .urtext(&["replay", &game, "--html", "missing/page.html"])
        .expect(3)
        .complains("missing/page.html cannot be written");
}
