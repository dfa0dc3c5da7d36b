//! The HTML report: from a cell of the matrix to the finding, and from there to the replay of the game.

use serde_json::{Value, json};

use super::CAPTION;
use super::chromium::Chromium;
use crate::harness::{has, skip};
use crate::report::html::{hostile_report, played};

/// The cell of the matrix that failed.
const FAILED: &str = "td.fail a";

/// The link from a finding to the replay.
const REPLAY: &str = "a[href^=\"games/\"]";

/// The address names something of the page.
const TARGETED: &str = "document.querySelector(':target') !== null";

/// The requirement of the finding that the address names.
const TARGET: &str = "document.querySelector(':target pre').textContent";

#[test]
#[ignore = "it starts a browser; .ci/run has it played"]
fn the_report_works_in_a_real_browser() {
    let Some(mut browser) = Chromium::start() else {
        return skip("chromium-headless-shell or chromium");
    };
    let (place, _) = played("second-starts", &["--report", "html=site"]);
    let page = place.join("site/index.html");
    for has_scripts in [true, false] {
        let off = json!({"value": !has_scripts});
        browser.call("Emulation.setScriptExecutionDisabled", off);
        browser.open(&page, "");
        browser.click(FAILED);
        browser.until(TARGETED);
        let finding = browser.text(TARGET);
        has(&finding, "ur/handshake/first-player-starts");
        browser.leave_by(|browser| browser.click(REPLAY));
        let shown = match has_scripts {
            true => browser.text(CAPTION),
            false => browser.text("document.querySelector('noscript pre').innerText"),
        };
        assert!(!shown.is_empty());
        assert_eq!(browser.troubles(), [""; 0], "scripts: {has_scripts}");
    }
    let on = json!({"value": false});
    browser.call("Emulation.setScriptExecutionDisabled", on);
    browser.open(&page, "");
    by_keyboard(&mut browser);
    browser.open(&page, "");
    accessible(&mut browser);
    filters(&mut browser);
    in_both_themes(&mut browser);
    assert_eq!(browser.troubles(), [""; 0]);

    let place = hostile_report();
    browser.open(&place.join("other/index.html"), "");
    let elements = "document.querySelectorAll('script, img, svg, iframe').length";
    assert_eq!(browser.value(elements), 0);
    let columns = "document.querySelectorAll('thead th').length > 2";
    assert_eq!(browser.value(columns), true);
    let text = browser.text("document.body.innerText");
    has(&text, "</script><img src=x onerror=alert(1)>");
    assert_eq!(browser.troubles(), [""; 0]);
}

/// A count shows its own failures. A link from the matrix leads to its failure also where a filter hides it.
fn filters(browser: &mut Chromium) {
    let shown = "[...document.querySelectorAll('article')].filter((failure) => failure.offsetHeight).map((failure) => failure.className).join()";
    let all = browser.text(shown);
    assert!(all.starts_with("is-fail"), "{all}");
    browser.click("label.fail");
    browser.until(&format!("{shown} === 'is-fail'"));
    browser.value("document.querySelector('#show-all').click()");
    assert_eq!(browser.text(shown), all);
    browser.value("[...document.querySelectorAll('fieldset input')].at(-1).click()");
    browser.click(FAILED);
    browser.until(&format!("{shown}.includes('is-fail')"));
}

/// The Tab key reaches the failed cell, Enter its finding, and then the replay.
fn by_keyboard(browser: &mut Chromium) {
    reach(browser, FAILED);
    browser.press("Enter");
    browser.until(TARGETED);
    assert!(browser.text(TARGET).contains("first-player-starts"));
    reach(browser, REPLAY);
    browser.leave_by(|browser| browser.press("Enter"));
    assert!(!browser.text(CAPTION).is_empty());
}

/// Presses Tab until the element has the focus.
fn reach(browser: &mut Chromium, selector: &str) {
    let is_reached = format!("document.activeElement.matches(`{selector}`)");
    for _ in 0..200 {
        browser.press("Tab");
        if browser.value(&is_reached) == true {
            return;
        }
    }
    panic!("Tab does not reach {selector}");
}

/// A screen reader finds headings, and the headers of every table.
fn accessible(browser: &mut Chromium) {
    let tree = browser.call("Accessibility.getFullAXTree", json!({}));
    let nodes = tree["nodes"].as_array().unwrap();
    let named = |role: &str| -> Vec<&str> {
        let of_role = |node: &&Value| node["ignored"] == false && node["role"]["value"] == role;
        let nodes = nodes.iter().filter(of_role);
        nodes
            .map(|node| node["name"]["value"].as_str().unwrap())
            .collect()
    };
    let headings = named("heading");
    assert!(
        headings.len() >= 3 && !headings.contains(&""),
        "{headings:?}"
    );
    let headers = named("columnheader");
    assert!(headers.contains(&"second-starts (referee)"), "{headers:?}");
    let rows = named("rowheader");
    let is_requirement = |name: &&&str| name.contains("ur/handshake/first-player-starts");
    assert_eq!(rows.iter().filter(is_requirement).count(), 1, "{rows:?}");
    assert!(named("link").iter().all(|name| !name.is_empty()));
}

/// The text can be read on its background in light and in dark.
fn in_both_themes(browser: &mut Chromium) {
    let light = |colour: &str| {
        format!(
            "(([r, g, b]) => 0.3 * r + 0.6 * g + 0.1 * b)(getComputedStyle(document.body).{colour}.match(/\\d+/g).map(Number))"
        )
    };
    let mut backgrounds = Vec::new();
    for theme in ["light", "dark"] {
        let features = json!([{"name": "prefers-color-scheme", "value": theme}]);
        browser.call("Emulation.setEmulatedMedia", json!({"features": features}));
        let [text, background] = ["color", "backgroundColor"].map(|colour| {
            let value = browser.value(&light(colour));
            value.as_f64().unwrap()
        });
        assert!(
            (text - background).abs() > 120.0,
            "{theme}: {text} on {background}"
        );
        backgrounds.push(background);
    }
    assert!(backgrounds[0] > backgrounds[1] + 120.0, "{backgrounds:?}");
    browser.call("Emulation.setEmulatedMedia", json!({"features": []}));
}
