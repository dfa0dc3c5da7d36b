//! `urtext replay --html`, as a parser of HTML reads the page.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::harness::{DATA, Place, ROOT, Ran, URTEXT, has_python, python_words};
use crate::picture::COMMAND;

/// The lanes of a captured game of 164 turns.
const LANES: [&str; 5] = [
    "alice.received",
    "alice.sent",
    "bob.received",
    "bob.sent",
    "spectator.received",
];

/// The most bytes of the page of a game of 170 turns: most of them are the cells of each position, which a server compresses to a twentieth.
const MOST: usize = 320_000;

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

/// The page holds what `replay --json` says, and shows what `replay --moves` says where there are no scripts.
pub(crate) fn tells_all(read: &Value, json: &str, printed: &str) {
    let lines = read["data"][0].as_str().unwrap();
    let parsed = |text: &str| -> Vec<Value> {
        let lines = text.lines().map(serde_json::from_str);
        lines.collect::<Result<_, _>>().unwrap()
    };
    let records = parsed(json);
    assert_eq!(parsed(lines), records);
    let shown = read["text"]["noscript"].as_str().unwrap();
    assert_eq!(shown.trim(), printed.trim());
    let result = read["text"]["result"].as_str().unwrap();
    assert_eq!(
        result.lines().next().unwrap(),
        records.last().unwrap()["says"]
    );
}

#[test]
fn the_page_holds_the_lines_of_the_game_and_its_text_without_scripts() {
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
        let said = ["--json", "--moves"].map(|form| {
            let mut arguments = vec!["replay", form];
            arguments.extend(files.iter().map(String::as_str));
            place.urtext(&arguments).stdout
        });
        tells_all(&structure(&place, "page.html"), &said[0], &said[1]);
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
    assert_eq!(read["text"]["turn"], "100");
    let args = captured();
    let mut none: Vec<_> = vec!["replay", "--html", "none.html", "--at", "1000"];
    none.extend(args.iter().map(String::as_str));
    place
        .urtext(&none)
        .expect(2)
        .complains("there is no turn 1000");
    assert!(!place.join("none.html").exists());
}

/// The lines that the page of a game marks, each with the name of its lane.
fn wrong_lines(page: &str) -> Vec<(String, String)> {
    let (_, lines) = page.split_once("id=\"lines\">").unwrap();
    let (lines, _) = lines.split_once("</script>").unwrap();
    let records: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let lines = records
        .iter()
        .filter_map(|record| record["lines"].as_array())
        .flatten();
    let wrong = lines.filter(|line| line["is_wrong"] == true);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let named = wrong.map(|line| {
        let lane = usize::try_from(line["lane"].as_u64().unwrap()).unwrap();
        (text(&records[0]["lanes"][lane]), text(&line["text"]))
    });
    named.collect()
}

#[test]
fn a_wrong_line_is_marked_in_its_lane() {
    // A file of lanes: the line that is not legal.
    let place = Place::new();
    let golden =
        fs::read_to_string(format!("{ROOT}/snapshots/royalur/referee/own-token.txt")).unwrap();
    place.write("bad.txt", &golden.replace("\n0 0 1 1\n", "\n0 0 0 1\n"));
    let bad = vec![place.join("bad.txt").to_str().unwrap().to_owned()];
    let wrong = wrong_lines(&page(&place, &bad, &[]));
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    assert_eq!(wrong[0].1, "0");
    assert!(wrong_lines(&page(&place, &captured(), &[])).is_empty());
    // Recordings: what a referee sent to a player, and what a bot sent.
    let referee =
        "run --suite royalur/referee/blocked-roll --subject built-in --fault echoes-to-mover";
    let plays = [
        (referee, "referee/blocked-roll", "0"),
        (COMMAND, "bot/captures-both-ways", "2"),
    ];
    for (command, name, text) in plays {
        let command = command.replacen("run ", "run --record games ", 1);
        let mut command = place.command(&command.split(' ').collect::<Vec<_>>());
        let folder = Path::new(URTEXT).parent().unwrap();
        Ran::of(command.env("PATH", folder)).expect(1);
        let recording = format!("games/royalur/{name}.jsonl");
        let wrong = wrong_lines(&page(&place, &[recording], &[]));
        assert_eq!(
            wrong,
            [("PlayerA (first)".to_owned(), text.to_owned())],
            "{name}"
        );
    }
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
    let lines = hostile["data"][0].as_str().unwrap();
    let escaped = "\\u003ctr id=0\\u003e\\u003ctd\\u003e";
    assert_eq!(lines.matches(escaped).count(), 20, "{lines}");
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
    assert!(page.contains("max=\"170\"") && page.contains("spectator 1"));
    assert!(page.len() <= MOST, "{} bytes", page.len());
}

#[test]
fn a_page_that_cannot_be_written_is_3() {
    let place = Place::new();
    let game = format!("{ROOT}/tests/data/seed/spectator.txt");
    place
        .urtext(&["replay", &game, "--html", "/dev/null/page.html"])
        .expect(3)
        .complains("/dev/null/page.html cannot be written");
}
