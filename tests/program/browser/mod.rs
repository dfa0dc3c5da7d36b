//! The page of `urtext replay --html`, and the HTML report, in a real browser. One browser serves all parts of a page, so they are one test.

mod access;
mod boards;
mod chromium;
mod games;
mod pictures;
mod report;
mod stepping;

use std::fs;
use std::path::Path;

use crate::harness::{Place, skip};
use crate::page::{captured, page};
use access::{accessibility, keyboard, sizes, without_scripts};
use boards::{marks, offers, wrong_lines};
use chromium::Chromium;
use games::{every_game, hostile};
use pictures::themes;
use stepping::{addresses, keys, playback, pointers, sides};

/// The number of the turn that the page shows.
const TURN: &str = "+document.querySelector('#slider').value";

/// The sentence of the turn that the page shows.
const CAPTION: &str = "document.querySelector('#caption').textContent";

/// The position in words.
const BOARD: &str = "document.querySelector('.board').getAttribute('aria-label')";

#[test]
#[ignore = "it starts a browser; .ci/run has it played"]
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
        ("the page shows the moves without scripts", without_scripts),
    ];
    for (name, part) in parts {
        eprintln!("{name}");
        browser.open(&file("game.html"), "");
        part(&mut browser, &file("game.html"));
        assert_eq!(browser.troubles(), [""; 0], "{name}");
    }
    eprintln!("every game steps");
    every_game(&mut browser, &place);
    eprintln!("the board shows what its caption says");
    marks(&mut browser, &place);
    eprintln!("a game offers what it has");
    offers(&mut browser, &place);
    eprintln!("a wrong line is marked in its lane");
    wrong_lines(&mut browser, &place);
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
    let marked = "document.querySelector('[aria-current]').cells[0].textContent + document.querySelectorAll('[aria-current]').length";
    assert_eq!(browser.text(marked), format!("{turn}1"));
}
