//! The page for a keyboard, a screen reader, a phone, a printer, and without scripts.

use std::path::Path;

use serde_json::{Value, json};

use super::at;
use super::chromium::Chromium;
use super::pictures::screenshot;

pub(super) fn keyboard(browser: &mut Chromium, _file: &Path) {
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
    let all = "#164 slider Home ArrowLeft play ArrowRight End c r s search - + f link ? moves";
    let all: Vec<_> = all.split(' ').collect();
    assert_eq!(stops, all);
    browser.value("document.querySelector('[data-key=ArrowLeft]').focus()");
    browser.press(" ");
    at(browser, 163);
    browser.press("Enter");
    at(browser, 162);
}

pub(super) fn accessibility(browser: &mut Chromium, _file: &Path) {
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
    assert_eq!(buttons.len(), 12, "{buttons:?}");
    assert!(buttons.iter().all(|name| !name.is_empty()), "{buttons:?}");
    for name in "Start|Previous turn|Play|Next turn|End|capture|flip|keys".split('|') {
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

pub(super) fn sizes(browser: &mut Chromium, file: &Path) {
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
    // Letters of names and tokens are no smaller than those of small print, and no line of coins is broken.
    for (part, least) in [(".board .n", 12.0), (".board .item text", 9.0)] {
        let height = format!("document.querySelector('{part}').getBoundingClientRect().height");
        let height = browser.value(&height);
        assert!(height.as_f64().unwrap() >= least, "{part}: {height}");
    }
    let heights = "[...document.querySelectorAll('#moves p')].filter((line) => /^[01]( [01]){3}$/.test(line.textContent)).map((line) => line.offsetHeight)";
    let heights = browser.value(heights);
    let heights: Vec<_> = heights.as_array().unwrap().iter().collect();
    assert!(
        heights.len() > 100 && heights.iter().all(|height| *height == heights[0]),
        "{heights:?}"
    );
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

pub(super) fn without_scripts(browser: &mut Chromium, file: &Path) {
    browser.call(
        "Emulation.setScriptExecutionDisabled",
        json!({"value": true}),
    );
    browser.open(file, "#12");
    assert_eq!(
        browser.text("document.querySelector('#result a').textContent"),
        "Bob (second) has won"
    );
    let printed = browser.text("document.querySelector('noscript pre').innerText");
    for words in ["\n 99 A ", "\n164 B ", "\nBob (second) has won"] {
        assert!(printed.contains(words), "no {words} in {printed}");
    }
    for part in ["main", "dialog"] {
        let display = format!("getComputedStyle(document.querySelector('{part}')).display");
        assert_eq!(browser.text(&display), "none", "{part}");
    }
    screenshot(browser, "without-scripts");
    browser.call(
        "Emulation.setScriptExecutionDisabled",
        json!({"value": false}),
    );
}
