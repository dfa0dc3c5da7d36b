//! The page of `urtext replay --html` in a real browser. One browser serves all parts, so they are one test.

mod chromium;

use std::fs;
use std::path::{Path, PathBuf};

use data_encoding::BASE64;
use serde_json::{Value, json};

use crate::harness::{DATA, Place, ROOT, skip};
use crate::page::{HOSTILE, captured, page, spoiled};
use chromium::Chromium;

/// The number of the turn that the page shows.
const TURN: &str = "+document.querySelector('#slider').value";

/// The sentence of the turn that the page shows.
const CAPTION: &str = "document.querySelector('#caption').textContent";

/// The position in words.
const BOARD: &str = "document.querySelector('.board:not([hidden])').getAttribute('aria-label')";

#[test]
fn the_page_works_in_a_real_browser() {
    let Some(mut browser) = Chromium::start() else {
        return skip("chromium-headless-shell or chromium");
    };
    let place = Place::new();
    let file = |name: &str| place.join(name);
    page(&place, &captured(), &[]);
    fs::rename(file("page.html"), file("game.html")).unwrap();
    type Part = fn(&mut Chromium, &Path);
    let parts: [(&str, Part); 9] = [
        ("keys step and look for turns", keys),
        ("buttons, slider, list and swipes step", pointers),
        ("addresses name turns", addresses),
        ("the game plays by itself", playback),
        ("the board is the same from both sides", sides),
        ("the keyboard reaches everything", keyboard),
        ("a screen reader finds everything", accessibility),
        ("the page fits a phone and a sheet of paper", sizes),
        ("the page is static without scripts", without_scripts),
    ];
    for (name, part) in parts {
        eprintln!("{name}");
        browser.open(&file("game.html"), "");
        part(&mut browser, &file("game.html"));
        assert_eq!(browser.troubles(), [""; 0], "{name}");
    }
    eprintln!("every game steps");
    every_game(&mut browser, &place);
    eprintln!("an animated picture plays");
    animated(&mut browser, &place);
    eprintln!("hostile text stays text");
    hostile(&mut browser, &place);
    eprintln!("light and dark look as kept");
    themes(&mut browser, &file("game.html"));
}

#[track_caller]
fn at(browser: &mut Chromium, turn: u64) {
    assert_eq!(browser.value(TURN), turn);
    let caption = browser.text(CAPTION);
    let start = if turn == 0 {
        "before".to_owned()
    } else {
        format!("{turn}. ")
    };
    assert!(caption.starts_with(&start), "{caption} at turn {turn}");
    let marked = "document.querySelector('tr.on').cells[0].textContent + document.querySelectorAll('tr.on, [aria-current]').length";
    assert_eq!(browser.text(marked), format!("{turn}1"));
}

fn keys(browser: &mut Chromium, _file: &Path) {
    at(browser, 164);
    for (key, turn) in [
        ("Home", 0),
        ("ArrowRight", 1),
        ("ArrowDown", 2),
        ("l", 3),
        ("PageDown", 13),
        ("PageUp", 3),
        ("ArrowLeft", 2),
        ("s", 8),
        ("n", 23),
        ("N", 8),
        ("r", 9),
        ("G", 164),
        ("ArrowRight", 164),
        ("g", 0),
        ("ArrowLeft", 0),
    ] {
        browser.press(key);
        at(browser, turn);
    }
    browser.type_text("98");
    browser.press("Enter");
    at(browser, 98);
    browser.press("c");
    at(browser, 100);
    let caption = "100. Bob (second) rolled 0 1 1 0, moved 5: token 5 from cell 4 to cell 6, captures token 3";
    assert_eq!(browser.text(CAPTION), caption);
    let cross = "getComputedStyle(document.querySelector('[data-mark=captured]')).visibility";
    assert_eq!(browser.text(cross), "visible");
    browser.type_text("/token 6 from cell 3");
    browser.press("Enter");
    let caption = browser.text(CAPTION);
    assert!(caption.contains("token 6 from cell 3"), "{caption}");
    browser.press("Escape");
    browser.type_text("1000");
    browser.press("Enter");
    assert_eq!(
        browser.text("document.querySelector('#message').textContent"),
        "there is no turn 1000"
    );
    browser.press("e");
    let said = browser.text("document.querySelector('#message').textContent");
    assert_eq!(said, "no error or finding");
    browser.press("?");
    assert_eq!(browser.value("document.querySelector('#keys').open"), true);
    browser.press("Escape");
    assert_eq!(browser.value("document.querySelector('#keys').open"), false);
}

fn pointers(browser: &mut Chromium, _file: &Path) {
    for (button, turn) in [
        ("Home", 0),
        ("ArrowRight", 1),
        ("c", 16),
        ("ArrowLeft", 15),
        ("End", 164),
    ] {
        browser.click(&format!("[data-key=\"{button}\"]"));
        at(browser, turn);
    }
    browser.value("document.querySelector('#slider').focus()");
    browser.press("ArrowLeft");
    at(browser, 163);
    browser.click("#moves tbody tr:nth-child(161)");
    at(browser, 160);
    browser.swipe(".board", -120.0);
    at(browser, 161);
    browser.swipe(".board", 120.0);
    at(browser, 160);
}

fn addresses(browser: &mut Chromium, file: &Path) {
    browser.open(file, "#12");
    at(browser, 12);
    browser.value("location.hash = '#20'");
    browser.until("location.hash === '#20' && document.querySelector('#slider').value === '20'");
    at(browser, 20);
    browser.click("#moves tbody tr:nth-child(23)");
    at(browser, 22);
    assert_eq!(browser.text("location.hash"), "#22");
    for (go, turn) in [("back", 20), ("back", 12), ("forward", 20)] {
        browser.value(&format!("history.{go}()"));
        browser.until(&format!(
            "document.querySelector('#slider').value === '{turn}'"
        ));
        at(browser, turn);
    }
    browser.press("ArrowRight");
    browser.until("location.hash === '#21'");
    assert_eq!(browser.text("document.querySelector('#link').hash"), "#21");
    browser.open(file, "#1000");
    at(browser, 164);
    browser.open(file, "#<img>");
    at(browser, 164);
}

fn playback(browser: &mut Chromium, _file: &Path) {
    browser.type_text("140");
    browser.press("Enter");
    (0..5).for_each(|_| browser.press("+"));
    assert_eq!(
        browser.text("document.querySelector('#speed').textContent"),
        "3200 %"
    );
    browser.press(" ");
    assert_eq!(
        browser.text("document.querySelector('#play').getAttribute('aria-label')"),
        "Pause"
    );
    browser.until("document.querySelector('#slider').value === '164'");
    browser.until("document.querySelector('#play').getAttribute('aria-label') === 'Play'");
    at(browser, 164);
    browser.press(" ");
    browser.until("document.querySelector('#slider').value > '0'");
    browser.press("Home");
    assert_eq!(
        browser.text("document.querySelector('#play').getAttribute('aria-label')"),
        "Play"
    );
}

fn sides(browser: &mut Chromium, _file: &Path) {
    // The script finds the words that the page had before.
    let was = browser.text(BOARD);
    browser.press("Home");
    let start = browser.text(BOARD);
    assert!(
        start.starts_with(
            "Alice (first), on turn: start a0 a1 a2 a3 a4 a5 a6. Bob (second): start b0"
        ),
        "{start}"
    );
    browser.press("End");
    assert_eq!(browser.text(BOARD), was);
    let shown = "[...document.querySelectorAll('.board:not([hidden]) [data-mark=items] use')].map((use) => use.getAttribute('href')).join()";
    let items = browser.text(shown);
    browser.press("f");
    assert_eq!(browser.text(BOARD), was);
    assert_eq!(browser.text(shown), items);
    let above = "document.querySelector('.board:not([hidden]) .n').textContent";
    assert_eq!(browser.text(above), "Alice (first)");
    browser.press("f");
    assert_eq!(browser.text(above), "Bob (second)");
}

fn keyboard(browser: &mut Chromium, _file: &Path) {
    let reached = "(() => { const e = document.activeElement; return e.id || e.dataset.key || e.getAttribute('href') || e.tagName; })()";
    let mut stops = Vec::new();
    loop {
        browser.press("Tab");
        let stop = browser.text(reached);
        if stops.contains(&stop) || stop == "BODY" {
            break;
        }
        stops.push(stop);
    }
    let all = [
        "#164",
        "slider",
        "Home",
        "ArrowLeft",
        "play",
        "ArrowRight",
        "End",
        "c",
        "r",
        "s",
        "e",
        "search",
        "-",
        "+",
        "f",
        "d",
        "link",
        "?",
        "moves",
    ];
    assert_eq!(stops, all);
    browser.value("document.querySelector('[data-key=ArrowLeft]').focus()");
    browser.press(" ");
    at(browser, 163);
    browser.press("Enter");
    at(browser, 162);
}

fn accessibility(browser: &mut Chromium, _file: &Path) {
    let tree = browser.call("Accessibility.getFullAXTree", json!({}));
    let nodes: Vec<&Value> = tree["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|node| node["ignored"] == false)
        .collect();
    let named = |role: &str| -> Vec<&str> {
        let of_role = nodes.iter().filter(|node| node["role"]["value"] == role);
        of_role
            .map(|node| node["name"]["value"].as_str().unwrap())
            .collect()
    };
    let boards = named("image");
    assert!(
        boards.len() == 1 && boards[0].contains("Bob (second): out b0 b1"),
        "{boards:?}"
    );
    let buttons = named("button");
    assert_eq!(buttons.len(), 14, "{buttons:?}");
    assert!(buttons.iter().all(|name| !name.is_empty()), "{buttons:?}");
    for name in [
        "Start",
        "Previous turn",
        "Play",
        "Next turn",
        "End",
        "capture",
        "flip",
        "keys",
    ] {
        assert!(buttons.contains(&name), "{name} in {buttons:?}");
    }
    assert_eq!(named("slider"), ["Turn"]);
    assert_eq!(named("searchbox").len(), 1);
    assert_eq!(named("columnheader").len(), 5);
    let live: Vec<_> = nodes
        .iter()
        .filter(|node| {
            let properties = node["properties"].as_array();
            properties.is_some_and(|all| {
                all.iter()
                    .any(|one| one["name"] == "live" && one["value"]["value"] == "polite")
            })
        })
        .map(|node| node["role"]["value"].as_str().unwrap())
        .collect();
    assert!(
        live.contains(&"paragraph"),
        "the sentence of the turn is announced: {live:?}"
    );
}

fn sizes(browser: &mut Chromium, file: &Path) {
    let phone = json!({"width": 375, "height": 700, "deviceScaleFactor": 1, "mobile": true});
    browser.call("Emulation.setDeviceMetricsOverride", phone);
    browser.open(file, "#100");
    assert_eq!(browser.value("document.scrollingElement.scrollWidth"), 375);
    let inside = |selector: &str| {
        format!(
            "(() => {{ const box = document.querySelector(`{selector}`).getBoundingClientRect(); \
             return box.top >= 0 && box.bottom <= 700 && box.left >= 0 && box.right <= 375 && box.width > 40; }})()"
        )
    };
    for part in [
        ".board",
        "#caption",
        "[data-key=ArrowRight]",
        "[data-key=ArrowLeft]",
    ] {
        assert_eq!(browser.value(&inside(part)), true, "{part}");
    }
    screenshot(browser, "phone");
    browser.call("Emulation.clearDeviceMetricsOverride", json!({}));
    browser.call("Emulation.setEmulatedMedia", json!({"media": "print"}));
    let shown = "['#controls', '#game .board', '#moves'].map((part) => getComputedStyle(document.querySelector(part)).display).join()";
    assert_eq!(browser.text(shown), "none,block,block");
    assert_eq!(
        browser.text("getComputedStyle(document.querySelector('#moves')).overflow"),
        "visible"
    );
    browser.call("Emulation.setEmulatedMedia", json!({"media": ""}));
}

fn without_scripts(browser: &mut Chromium, file: &Path) {
    browser.call(
        "Emulation.setScriptExecutionDisabled",
        json!({"value": true}),
    );
    browser.open(file, "#12");
    assert_eq!(
        browser.value("document.documentElement.classList.contains('run')"),
        false
    );
    assert_eq!(
        browser.text("document.querySelector('#result a').textContent"),
        "Bob (second) has won"
    );
    assert!(
        browser
            .text(CAPTION)
            .starts_with("164. Bob (second) rolled")
    );
    assert!(browser.text(BOARD).contains("a3 on 12"));
    let tokens = "[...document.querySelectorAll('.board:not([hidden]) [data-mark=items] use[href]')].filter((use) => use.getBoundingClientRect().width > 5).length";
    assert_eq!(browser.value(tokens), 14);
    assert_eq!(
        browser.value("document.querySelectorAll('#moves tbody tr').length"),
        165
    );
    assert_eq!(
        browser.text("document.querySelector('tr:target').cells[3].textContent"),
        " 0 1 1 13".trim()
    );
    assert_eq!(
        browser.text("getComputedStyle(document.querySelector('#controls')).display"),
        "none"
    );
    screenshot(browser, "without-scripts");
    browser.call(
        "Emulation.setScriptExecutionDisabled",
        json!({"value": false}),
    );
}

fn every_game(browser: &mut Chromium, place: &Place) {
    let games: [&[&str]; 3] = [
        &["onitama-judge/top.txt", "onitama-judge/bottom.txt"],
        &["seed/first.txt", "seed/second.txt"],
        &["hc-ur/captured.json"],
    ];
    for files in games {
        let files: Vec<_> = files.iter().map(|file| format!("{DATA}/{file}")).collect();
        page(place, &files, &[]);
        browser.open(&place.join("page.html"), "");
        let shown = format!("[{TURN}, {CAPTION}, {BOARD}]");
        let was = browser.value(&shown);
        browser.press("Home");
        assert_ne!(browser.value(&shown), was);
        browser.press("ArrowRight");
        at(browser, 1);
        browser.type_text(&was[0].to_string());
        browser.press("Enter");
        assert_eq!(browser.value(&shown), was);
        browser.press("f");
        assert_eq!(browser.value(&shown), was);
        if files.len() == 2 && files[0].contains("seed") {
            browser.press("Home");
            browser.press("e");
            assert_eq!(browser.value(&shown), was, "the loss is at the end");
        }
        assert_eq!(browser.troubles(), [""; 0], "{files:?}");
    }
}

/// The animated picture of a game without times shows a turn each second, as the picture of that turn does.
fn animated(browser: &mut Chromium, place: &Place) {
    let write = |arguments: &[&str]| {
        let game = format!("{ROOT}/snapshots/royalur/referee/seed-example.txt");
        let ran = place.urtext(&[&["replay", &game], arguments].concat());
        assert!(ran.stdout.is_empty(), "{ran:#?}");
    };
    let shown = "JSON.stringify([\
        [...document.querySelectorAll('use[width=\"50\"]')].map((use) => [use.x.animVal.value, use.y.animVal.value, \
          document.querySelector(use.href.animVal || '#none')?.textContent ?? '']).filter(([, , label]) => /^[ab]/.test(label)).sort(), \
        [...document.querySelectorAll('rect:is(.from, .to)')].filter((mark) => getComputedStyle(mark).visibility === 'visible') \
          .map((mark) => [mark.className.baseVal, mark.x.animVal.value, mark.y.animVal.value])])";
    write(&["--svg-animated", "animated.svg"]);
    for turn in ["0", "2", "6", "9"] {
        write(&["--svg", "still.svg", "--at", turn]);
        browser.open(&place.join("still.svg"), "");
        let still = browser.text(shown);
        let is_told =
            still.contains("\"a3\"") && still.contains("\"from\"") && still.contains("\"to\"");
        assert!(is_told || turn != "6", "{still}");
        browser.open(&place.join("animated.svg"), "");
        browser.value("document.documentElement.pauseAnimations()");
        browser.value(&format!(
            "document.documentElement.setCurrentTime({turn}.5)"
        ));
        assert_eq!(browser.text(shown), still, "turn {turn}");
        let sentence = "[...document.querySelectorAll('text.ink')].filter((text) => text.parentNode.tagName === 'svg' \
            && getComputedStyle(text).visibility === 'visible').map((text) => text.firstChild.data).join('|')";
        let start = if turn == "0" {
            "before the first turn".to_owned()
        } else {
            format!("{turn}. Player")
        };
        let sentence = browser.text(sentence);
        assert!(
            sentence.starts_with(&start) && !sentence.contains('|'),
            "{sentence}"
        );
    }
    assert_eq!(browser.troubles(), [""; 0]);
}

fn hostile(browser: &mut Chromium, place: &Place) {
    let elements = "JSON.stringify([...document.querySelectorAll('*')].reduce((all, {tagName}) => ({...all, [tagName]: (all[tagName] ?? 0) + 1}), {}))";
    let mut trees = Vec::new();
    for (name, lines) in [
        (b"Alice".as_slice(), [b"x".as_slice(); 10]),
        (HOSTILE[0], HOSTILE),
    ] {
        page(place, &spoiled(place, name, &lines), &[]);
        browser.open(&place.join("page.html"), "");
        browser.press("Home");
        browser.press("End");
        trees.push(browser.text(elements));
        assert_eq!(browser.troubles(), [""; 0]);
    }
    assert_eq!(trees[0], trees[1]);
    let shown = browser.text("document.querySelector('tr.on').cells[2].textContent");
    assert_eq!(
        shown
            .matches("</script><img src=x onerror=alert(1)>")
            .count(),
        20,
        "{shown}"
    );
    let player = browser.text("document.querySelector('.players .a').textContent");
    assert!(player.starts_with("</script><img"), "{player}");
    browser.press("Home");
    assert!(browser.text(BOARD).starts_with("</script><img"));
}

/// Keeps a picture of the page, and returns it as Base64.
fn screenshot(browser: &mut Chromium, name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("browser");
    fs::create_dir_all(&folder).unwrap();
    let shot = browser.call("Page.captureScreenshot", json!({"format": "png"}));
    let data = shot["data"].as_str().unwrap().to_owned();
    fs::write(
        folder.join(format!("{name}.png")),
        BASE64.decode(data.as_bytes()).unwrap(),
    )
    .unwrap();
    data
}

/// Columns and rows of a small picture, a hexadecimal digit for the brightness of each part.
const SMALL: (usize, usize) = (48, 30);

/// A screenshot so small that fonts do not count.
fn small(browser: &mut Chromium, data: &str) -> String {
    browser.value("document.documentElement.innerHTML = ''");
    let (columns, rows) = SMALL;
    browser.text(&format!(
        "(async () => {{ const image = new Image(); image.src = 'data:image/png;base64,{data}'; await image.decode(); \
         const canvas = document.createElement('canvas'); [canvas.width, canvas.height] = [{columns}, {rows}]; \
         const context = canvas.getContext('2d'); context.imageSmoothingQuality = 'high'; \
         context.drawImage(image, 0, 0, {columns}, {rows}); \
         const {{data}} = context.getImageData(0, 0, {columns}, {rows}); \
         return Array.from({{length: {rows}}}, (_, row) => Array.from({{length: {columns}}}, (_, column) => {{ \
           const at = 4 * (row * {columns} + column); \
           return (data[at] + data[at + 1] + data[at + 2] >> 4) / 3 | 0; \
         }}).map((level) => level.toString(16)).join('')).join('\\n') + '\\n'; }})()"
    ))
}

/// The share of parts whose brightness differs by more than two of sixteen levels, in percent.
fn difference(one: &str, other: &str) -> usize {
    let level = |digit: char| digit.to_digit(16).unwrap_or(16);
    let pairs = one.chars().zip(other.chars());
    let differ = pairs.filter(|&(one, other)| level(one).abs_diff(level(other)) > 2);
    differ.count() * 100 / one.len().max(1)
}

fn themes(browser: &mut Chromium, file: &Path) {
    let size = json!({"width": 1280, "height": 800, "deviceScaleFactor": 1, "mobile": false});
    browser.call("Emulation.setDeviceMetricsOverride", size);
    let mut seen = Vec::new();
    for theme in ["light", "dark"] {
        let feature = json!({"features": [{"name": "prefers-color-scheme", "value": theme}]});
        browser.call("Emulation.setEmulatedMedia", feature);
        browser.open(file, "#100");
        let data = screenshot(browser, theme);
        browser.press("d");
        let other = screenshot(browser, &format!("switched-from-{theme}"));
        assert_eq!(browser.troubles(), [""; 0]);
        browser.open(Path::new("/dev/null"), "");
        let pictures = [small(browser, &data), small(browser, &other)];
        let kept = format!("{ROOT}/snapshots/browser/{theme}.areas");
        if std::env::var_os("URTEXT_BLESS_PICTURE").is_some() {
            fs::write(&kept, &pictures[0]).unwrap();
        }
        let wanted = fs::read_to_string(&kept).unwrap();
        let differs = difference(&wanted, &pictures[0]);
        assert!(
            wanted.len() == pictures[0].len() && differs < 10,
            "{theme}: {differs} % of\n{}",
            pictures[0]
        );
        seen.push(pictures);
        browser.troubles();
    }
    assert!(
        difference(&seen[0][0], &seen[1][0]) > 60,
        "light and dark differ"
    );
    assert!(
        difference(&seen[0][0], &seen[1][1]) < 10,
        "the switch turns dark to light"
    );
    assert!(
        difference(&seen[1][0], &seen[0][1]) < 10,
        "the switch turns light to dark"
    );
}
