//! The pages of other games, and of hostile ones.

use super::chromium::Chromium;
use super::{BOARD, CAPTION, TURN, at};
use crate::harness::{DATA, Place};
use crate::page::{HOSTILE, page, spoiled};

pub(super) fn every_game(browser: &mut Chromium, place: &Place) {
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
        browser.value(&format!("location.hash = '#{}'", was[0]));
        browser.until(&format!("{TURN} === {}", was[0]));
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

pub(super) fn hostile(browser: &mut Chromium, place: &Place) {
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
    let shown = browser.text("document.querySelector('tr[aria-current]').cells[2].textContent");
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
