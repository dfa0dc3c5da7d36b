//! The drawn board: marks, tokens, cards, the targets that a game offers, and the wrong line of a lane.

use std::fs;

use serde_json::json;

use super::CAPTION;
use super::chromium::Chromium;
use crate::harness::{DATA, Place, ROOT};
use crate::page::page;

/// Opens the page of a game at a turn.
fn open(browser: &mut Chromium, place: &Place, file: &str, turn: usize) {
    page(place, &[file.to_owned()], &[]);
    browser.open(&place.join("page.html"), &format!("#{turn}"));
}

/// The places of elements on the board: x and y of the left upper corner.
fn corners(browser: &mut Chromium, selector: &str) -> Vec<(f64, f64)> {
    let corners = format!(
        "[...document.querySelectorAll('.board {selector}')].map((part) => ['x', 'y'].map((key) => +part.getAttribute(key)))"
    );
    let corners = browser.value(&corners);
    let number = |corner: &serde_json::Value, key: usize| corner[key].as_f64().unwrap();
    let corners = corners.as_array().unwrap().iter();
    corners
        .map(|corner| (number(corner, 0), number(corner, 1)))
        .collect()
}

/// The place of the token of that name.
fn token(browser: &mut Chromium, label: &str) -> (f64, f64) {
    let mark = format!(
        "[...document.querySelectorAll('.item')].find((item) => item.textContent === '{label}').id = 'found'"
    );
    browser.value(&mark);
    let place = corners(browser, "#found")[0];
    browser.value("document.querySelector('#found').removeAttribute('id')");
    place
}

pub(super) fn marks(browser: &mut Chromium, place: &Place) {
    let example = format!("{ROOT}/snapshots/royalur/referee/seed-example.txt");
    open(browser, place, &example, 6);
    let caption = "6. PlayerA (first) rolled 1 0 1 1, moved 3: token 3 from cell 3 to cell 6, captures token 0";
    assert_eq!(browser.text(CAPTION), caption);
    // Marks are three units inside their cells, which are 56 wide.
    let column = 56.0 + 3.0;
    let [from, to] = [".from", ".to"].map(|mark| corners(browser, mark));
    assert_eq!((from.len(), to.len()), (1, 1));
    assert_eq!(
        (from[0].0, to[0].0),
        (column, column),
        "cells 3 and 6 are in the second column"
    );
    assert_eq!(
        corners(browser, ".captured"),
        to,
        "the capture is at the destination"
    );
    assert_eq!(token(browser, "a3"), to[0], "the token that moved");
    assert_eq!(corners(browser, ".rosette").len(), 5);
    let names = "[...document.querySelectorAll('.board .n')].map((name) => [name.textContent, name.getBoundingClientRect().top])";
    let names = browser.value(names);
    let names = names.as_array().unwrap();
    let on_turn = names.iter().find(|name| name[0] == "◀ on turn").unwrap();
    let next = names
        .iter()
        .find(|name| name[0] == "PlayerB (second)")
        .unwrap();
    assert_eq!(on_turn[1], next[1], "{names:?}");
    // After turn 2, the token b0 stands on a rosette, which is drawn first.
    open(browser, place, &example, 2);
    let under = token(browser, "b0");
    assert!(corners(browser, ".rosette").contains(&under));
    let order = "document.querySelector('.rosette').compareDocumentPosition(document.querySelector('.item')) & Node.DOCUMENT_POSITION_FOLLOWING";
    assert_ne!(browser.value(order), 0);
    open(browser, place, &format!("{DATA}/onitama-judge/top.txt"), 1);
    assert_eq!(
        browser.value("document.querySelectorAll('.board .card').length"),
        5,
        "five cards"
    );
    assert_eq!(browser.troubles(), [""; 0]);
}

pub(super) fn offers(browser: &mut Chromium, place: &Place) {
    let offered = "[...document.querySelectorAll('[data-key]')].filter((button) => 'crse'.includes(button.dataset.key) && button.offsetWidth).map((button) => button.textContent).join()";
    open(browser, place, &format!("{DATA}/onitama-judge/top.txt"), 1);
    let onitama = browser.text(offered);
    browser.press("?");
    let text = browser.text("document.body.innerText");
    for word in ["rosette", "skip"] {
        assert!(
            !onitama.contains(word) && !text.contains(word),
            "{word} in {onitama} or {text}"
        );
    }
    let example = format!("{ROOT}/snapshots/royalur/referee/seed-example.txt");
    open(browser, place, &example, 1);
    assert_eq!(browser.text(offered), "capture,rosette,skip,finding");
    assert_eq!(browser.troubles(), [""; 0]);
}

pub(super) fn wrong_lines(browser: &mut Chromium, place: &Place) {
    let golden = fs::read_to_string(format!("{ROOT}/snapshots/royalur/referee/own-token.txt"));
    let spoiled = golden.unwrap().replace("\n0 0 1 1\n", "\n0 0 0 1\n");
    place.write("bad.txt", &spoiled);
    page(
        place,
        &[place.join("bad.txt").to_str().unwrap().to_owned()],
        &[],
    );
    browser.open(&place.join("page.html"), "");
    let wrong =
        "[...document.querySelectorAll('#moves .wrong')].map((line) => line.textContent).join()";
    assert_eq!(browser.text(wrong), "0");
    let shows = "(() => { const line = document.querySelector('#moves .wrong').getBoundingClientRect(); \
        const list = document.querySelector('#moves').getBoundingClientRect(); \
        return line.top >= list.top && line.bottom <= list.bottom; })()";
    assert_eq!(
        browser.value(shows),
        true,
        "the page opens where it can be seen"
    );
    let said = "getComputedStyle(document.querySelector('#moves .wrong'), '::after').content";
    assert!(browser.text(said).contains("wrong"));
    // It is seen on a phone as well.
    let phone = json!({"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": true});
    browser.call("Emulation.setDeviceMetricsOverride", phone);
    assert_eq!(browser.value("document.scrollingElement.scrollWidth"), 390);
    browser.call("Emulation.clearDeviceMetricsOverride", json!({}));
    assert_eq!(browser.troubles(), [""; 0]);
}
