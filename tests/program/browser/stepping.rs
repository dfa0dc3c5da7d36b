//! Keys, pointers, addresses and playback.

use std::path::Path;

use super::chromium::Chromium;
use super::{BOARD, CAPTION, at};

pub(super) fn keys(browser: &mut Chromium, _file: &Path) {
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
    browser.value("location.hash = '#98'");
    browser.until("document.querySelector('#slider').value === '98'");
    at(browser, 98);
    browser.press("c");
    at(browser, 100);
    let caption = "100. Bob (second) rolled 0 1 1 0, moved 5: token 5 from cell 4 to cell 6, captures token 3";
    assert_eq!(browser.text(CAPTION), caption);
    let crosses = "document.querySelectorAll('.board .captured').length";
    assert_eq!(browser.value(crosses), 1);
    browser.type_text("/token 6 from cell 3");
    browser.press("Enter");
    let caption = browser.text(CAPTION);
    assert!(caption.contains("token 6 from cell 3"), "{caption}");
    browser.press("Escape");
    browser.press("e");
    let said = browser.text("document.querySelector('#message').textContent");
    assert_eq!(said, "no error or finding");
    browser.press("?");
    assert_eq!(browser.value("document.querySelector('#keys').open"), true);
    browser.press("Escape");
    assert_eq!(browser.value("document.querySelector('#keys').open"), false);
}

pub(super) fn pointers(browser: &mut Chromium, _file: &Path) {
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

pub(super) fn addresses(browser: &mut Chromium, file: &Path) {
    browser.open(file, "#12");
    at(browser, 12);
    browser.value("location.hash = '#20'");
    browser.until("location.hash === '#20' && document.querySelector('#slider').value === '20'");
    at(browser, 20);
    browser.click("#moves tbody tr:nth-child(23)");
    at(browser, 22);
    browser.until("location.hash === '#22'");
    browser.press("ArrowRight");
    browser.until("location.hash === '#23'");
    assert_eq!(browser.text("document.querySelector('#link').hash"), "#23");
    browser.open(file, "#1000");
    at(browser, 164);
    browser.open(file, "#<img>");
    at(browser, 164);
}

pub(super) fn playback(browser: &mut Chromium, file: &Path) {
    browser.open(file, "#140");
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

pub(super) fn sides(browser: &mut Chromium, _file: &Path) {
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
    let shown = "[...document.querySelectorAll('.board .item text')].map((label) => label.textContent).join()";
    let items = browser.text(shown);
    browser.press("f");
    assert_eq!(browser.text(BOARD), was);
    assert_eq!(browser.text(shown), items);
    let above = "document.querySelector('.board .n').textContent";
    assert_eq!(browser.text(above), "Alice (first)");
    browser.press("f");
    assert_eq!(browser.text(above), "Bob (second)");
}
