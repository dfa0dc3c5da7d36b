//! The folder of the HTML report, as a parser of HTML reads its pages.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::play_own;
use crate::harness::{Place, Ran, has, has_python};
use crate::page::{HOSTILE, structure};

/// The largest page of a report with the findings of two scenarios: the matrix has a row for every requirement of the game.
const MOST: usize = 100_000;

fn texts(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|text| text.as_str().unwrap())
        .collect()
}

/// Checks a page: it loads nothing, its policy allows its own style and scripts only, and each link leads somewhere.
fn assert_sound(place: &Place, file: &str) -> Value {
    let read = structure(place, file);
    let hashes = |kind: &str| texts(&read[kind]).join(" ");
    let (style, script) = (hashes("styles"), hashes("scripts"));
    let script = if script.is_empty() {
        String::new()
    } else {
        format!("script-src {script}; ")
    };
    assert_eq!(
        read["policy"],
        format!(
            "default-src 'none'; {script}style-src {style}; base-uri 'none'; form-action 'none'"
        )
    );
    for name in texts(&read["attributes"]) {
        assert!(
            name != "style" && name != "src" && !name.starts_with("on"),
            "{name}"
        );
    }
    assert_eq!(read["addresses"], serde_json::json!([]));
    let ids = texts(&read["ids"]);
    let unique: std::collections::BTreeSet<_> = ids.iter().collect();
    assert_eq!(unique.len(), ids.len(), "an id is there twice: {ids:?}");
    for link in texts(&read["links"]) {
        match link.strip_prefix('#') {
            // The script of a replay follows the number of a turn.
            Some(turn) if !script.is_empty() && turn.parse::<usize>().is_ok() => {}
            Some(id) => assert!(ids.contains(&id), "{file}: {link}"),
            None => {
                let target = Path::new(file).parent().unwrap().join(link);
                assert!(
                    place.join(target.to_str().unwrap()).is_file(),
                    "{file}: {link}"
                );
            }
        }
    }
    read
}

/// Plays a scenario of the user with a referee that has this fault.
pub(crate) fn played(fault: &str, more: &[&str]) -> (Place, Ran) {
    let place = Place::new();
    let ran = play_own(
        &place,
        fault,
        &[&["--report", "json=run.json"], more].concat(),
    );
    (place, ran)
}

#[test]
fn a_failing_cell_leads_to_its_finding_and_to_the_replay_of_its_game() {
    let (place, ran) = played("second-starts", &["--report", "html=site"]);
    ran.expect(1);
    let mut files = place.files();
    files.retain(|file| file.starts_with("site"));
    files.sort();
    assert_eq!(
        files,
        [
            "site/games/game-1.html",
            "site/games/game-1.jsonl",
            "site/index.html"
        ]
    );
    let page = place.read("site/index.html");
    assert!(page.len() < MOST, "{}", page.len());
    let cell = page
        .split("<code>ur/handshake/first-player-starts</code>")
        .nth(1)
        .unwrap();
    let cell = cell.lines().next().unwrap();
    let link = "<td class=fail><a href=\"#f0-0\">fail</a>";
    assert!(cell.contains(link), "{cell}");
    // The failures come first: counts, then each with its games.
    let order = [
        "id=\"show-fail\"><b>1</b> fail",
        "<article id=\"s0\"",
        "<h2 id=\"m0\">",
    ];
    let places = order.map(|part| {
        page.find(part)
            .unwrap_or_else(|| panic!("no {part} in {page}"))
    });
    assert!(places.is_sorted(), "{places:?}");
    let finding = page.split("id=\"f0-0\"").nth(1).unwrap();
    let before = page.split("id=\"f0-0\"").next().unwrap();
    has(
        before,
        "<a href=\"games/game-1.html\">Replay of the game</a>",
    );
    for text in [
        "fail[ur/handshake/first-player-starts]",
        "= specification: ",
        "games/own.yaml:6",
        "first: 0 0 1 1 &gt; 3",
        "received  ",
    ] {
        assert!(finding.contains(text), "no {text} in {finding}");
    }
    let replayed = place.urtext(&["replay", "site/games/game-1.jsonl", "--html", "replay.html"]);
    replayed.expect(1);
    assert_eq!(
        place.read("replay.html"),
        place.read("site/games/game-1.html")
    );
    if has_python() {
        let read = assert_sound(&place, "site/index.html");
        assert_eq!(read["scripts"], serde_json::json!([]));
        assert_sound(&place, "site/games/game-1.html");
    }
    // The same page is made later, and a better run leaves nothing of the old one.
    place
        .urtext(&["report", "html", "run.json", "--output", "later"])
        .expect(0);
    assert_eq!(place.read("later/index.html"), page);
    assert_eq!(
        place.read("later/games/game-1.html"),
        place.read("site/games/game-1.html")
    );
    place.write("site/games/mine.html", "mine");
    play_own(&place, "", &["--report", "html=site"]).expect(0);
    let mut files = place.files();
    files.retain(|file| file.starts_with("site"));
    files.sort();
    assert_eq!(files, ["site/games/mine.html", "site/index.html"]);
    assert!(
        place
            .read("site/index.html")
            .contains("<p>Every scenario passed.")
    );
}

#[test]
fn recordings_stay_where_the_user_wants_them() {
    let options = ["--report", "html=site", "--record", "kept"];
    let (place, ran) = played("second-starts", &options);
    ran.expect(1);
    assert!(
        place.join("kept/games/own.jsonl").is_file(),
        "{:?}",
        place.files()
    );
    assert!(place.join("site/games/game-1.html").is_file());
    assert!(!place.join("site/games/game-1.jsonl").exists());
    let text = place.read("run.json");
    let result: Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
    let recording = result["recording"].as_str().unwrap();
    // The silence was seen twice, and the second game decides.
    assert_eq!(recording, "kept/games/own.again.jsonl");
    assert!(place.join(recording).is_file());
    // Without the recording, the finding stays.
    fs::remove_dir_all(place.join("kept")).unwrap();
    place
        .urtext(&["report", "html", "run.json", "-o", "later"])
        .expect(0);
    let page = place.read("later/index.html");
    assert!(page.contains("No replay page"), "{page}");
    assert!(!page.contains("href=\"games/"), "{page}");
}

#[test]
fn subjects_stand_side_by_side_and_the_ledger_has_what_each_chose() {
    let (bad, _) = played("second-starts", &["--report", "html=site"]);
    let (good, _) = played("", &[]);
    bad.write(
        "good.json",
        &good
            .read("run.json")
            .replace("\"the built-in referee\"", "\"<b>other</b>\""),
    );
    bad.urtext(&["report", "html", "run.json", "good.json", "-o", "both"])
        .expect(0);
    let page = bad.read("both/index.html");
    let row = page
        .split("<code>ur/handshake/first-player-starts</code>")
        .nth(1)
        .unwrap();
    let cells: Vec<_> = row
        .lines()
        .next()
        .unwrap()
        .split("<td class=")
        .skip(1)
        .collect();
    assert_eq!(cells.len(), 2, "{row}");
    assert!(
        cells[0].starts_with("fail>") && cells[1].starts_with("pass>pass"),
        "{cells:?}"
    );
    let columns = page.split("<th scope=col>").skip(1);
    let columns: Vec<_> = columns
        .map(|rest| rest.split('<').next().unwrap())
        .collect();
    let other = "&lt;b&gt;other&lt;/b&gt; (referee)";
    assert_eq!(columns, ["Requirement", "second-starts (referee)", other]);
    // Attempts, each with its duration.
    let text = bad.read("run.json").replacen(
        "\"checks\"",
        "\"games\":[{\"verdict\":\"fail\",\"failed\":true,\"seconds\":1.5,\"title\":\"too <late>\"},{\"verdict\":\"pass\",\"seconds\":0.25}],\"checks\"",
        1,
    );
    bad.write("attempts.json", &text);
    bad.urtext(&["report", "html", "attempts.json", "-o", "attempts"])
        .expect(0);
    let page = bad.read("attempts/index.html");
    for text in [
        "; 1 of 2 games failed",
        "<li><span class=\"fail\">fail</span>, 1.500 s: too &lt;late&gt;",
        "<li><span class=\"pass\">pass</span>, 0.250 s: pass",
    ] {
        assert!(page.contains(text), "no {text} in {page}");
    }
    // A choice that the specification leaves open.
    let text = good.read("run.json").replacen(
        "\"checks\"",
        "\"open\":[{\"requirement\":\"ur/framing/crlf\",\"seen\":\"takes <CRLF>\"}],\"checks\"",
        1,
    );
    bad.write("open.json", &text);
    bad.urtext(&["report", "html", "open.json", "good.json", "-o", "open"])
        .expect(0);
    let page = bad.read("open/index.html");
    has(
        &page,
        "<ul><li>takes &lt;CRLF&gt; <small>1 scenario</small></ul><td class=soft>not tested",
    );
    if has_python() {
        assert_sound(&bad, "both/index.html");
        assert_sound(&bad, "open/index.html");
    }
}

/// Makes a report in the folder `other`, with hostile text in every field.
pub(crate) fn hostile_report() -> Place {
    let (place, _) = played("second-starts", &["--report", "html=site"]);
    let mut lines: Vec<Value> = place
        .read("run.json")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let hostile: Vec<_> = HOSTILE
        .iter()
        .map(|line| String::from_utf8_lossy(line))
        .collect();
    let hostile = hostile.join(" ");
    lines[0]["heading"] = hostile.as_str().into();
    let scenario = &mut lines[1];
    for field in ["name", "title", "stderr", "repeat", "game", "recording"] {
        scenario[field] = hostile.as_str().into();
    }
    scenario["checks"][0]["requirement"] = hostile.as_str().into();
    scenario["open"] = serde_json::json!([{"requirement": hostile, "seen": hostile}]);
    for field in ["title", "requirement", "specification", "text"] {
        scenario["findings"][0][field] = hostile.as_str().into();
    }
    for field in ["lane", "expected", "received"] {
        scenario["findings"][0]["lanes"][0][field] = hostile.as_str().into();
    }
    // Two subjects, so that they stand side by side.
    for (file, more) in [("hostile.json", ""), ("other.json", " too")] {
        lines[1]["subject"]["name"] = format!("{hostile}{more}").into();
        let text: Vec<_> = lines.iter().map(Value::to_string).collect();
        place.write(file, &(text.join("\n") + "\n"));
    }
    place
        .urtext(&[
            "report",
            "html",
            "hostile.json",
            "other.json",
            "-o",
            "other",
        ])
        .expect(0);
    place
}

#[test]
fn hostile_names_and_lines_stay_text() {
    let place = hostile_report();
    let page = place.read("other/index.html");
    assert!(page.contains("&lt;/script&gt;"), "{page}");
    let steers = |c: char| c != '\n' && (c.is_control() || "\u{202e}\u{2028}\u{feff}".contains(c));
    assert!(!page.contains(steers), "{page}");
    if has_python() {
        let read = assert_sound(&place, "other/index.html");
        for element in ["script", "img", "svg"] {
            assert_eq!(read["elements"][element], Value::Null);
        }
    }
}
