//! The size of the production code: the characters of `src` without white space, comments and tests; strings count.
//!
//! `snapshots/size.txt` has a row for each room, a room being a module of the crate. `URTEXT_BLESS_SIZE=1 cargo test --test layers` writes the
//! file anew, so that the difference of a change states its growth.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

use crate::source::{SOURCES, Source};

const KEPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots/size.txt");

const TITLE: &str = "\
Characters of production code in each room of src, without white space, comments and tests, strings included.
tests/layers/size.rs writes this file.
";

/// Changes of a room up to so many characters, or up to this part of it, one in so many, need no new row.
const SMALL: usize = 500;
const SHARE: usize = 50;

/// The room of the files that belong to the crate itself.
const CRATE: &str = "(crate)";

fn size(source: &Source) -> usize {
    source.code.chars().filter(|c| !c.is_whitespace()).count()
}

fn sizes(sources: &[Source]) -> BTreeMap<String, usize> {
    let mut sizes = BTreeMap::new();
    for source in sources {
        *sizes
            .entry(source.layer().unwrap_or(CRATE).to_owned())
            .or_default() += size(source);
    }
    sizes
}

/// The file's text: rows apart from each other, so that changes of two rooms are merged without a conflict.
fn table(sizes: &BTreeMap<String, usize>) -> String {
    let mut text = TITLE.to_owned();
    for (room, size) in sizes {
        writeln!(text, "\n{room:<12} {size:>7}").unwrap();
    }
    text
}

fn read(text: &str) -> BTreeMap<String, usize> {
    let row = |line: &str| {
        let (room, size) = line.split_once(' ')?;
        Some((room.to_owned(), size.trim().parse().ok()?))
    };
    text.lines().filter_map(row).collect()
}

/// A line for each room that has changed much, then one for all rooms.
fn changes(kept: &BTreeMap<String, usize>, now: &BTreeMap<String, usize>) -> Vec<String> {
    let row = |room: &str, kept: usize, now: usize| {
        format!("{room}: {kept} -> {now} ({:+})", now as i64 - kept as i64)
    };
    let of = |sizes: &BTreeMap<String, usize>, room: &String| sizes.get(room).copied().unwrap_or(0);
    let rooms = kept
        .keys()
        .chain(now.keys().filter(|room| !kept.contains_key(*room)));
    let sizes = rooms.map(|room| (room, of(kept, room), of(now, room)));
    let changed = sizes.filter(|(_, kept, now)| kept.abs_diff(*now) > SMALL.max(kept / SHARE));
    let mut rows: Vec<_> = changed
        .map(|(room, kept, now)| row(room, kept, now))
        .collect();
    if !rows.is_empty() {
        rows.push(row("in all", kept.values().sum(), now.values().sum()));
    }
    rows
}

#[test]
fn the_size_of_every_room_is_about_as_kept() {
    let now = sizes(&SOURCES);
    println!("in all: {}", now.values().sum::<usize>());
    if std::env::var_os("URTEXT_BLESS_SIZE").is_some() {
        return fs::write(KEPT, table(&now)).unwrap();
    }
    let changes = changes(&read(&fs::read_to_string(KEPT).unwrap()), &now);
    let advice = "URTEXT_BLESS_SIZE=1 cargo test --test layers writes snapshots/size.txt anew";
    assert!(changes.is_empty(), "{}\n{advice}", changes.join("\n"));
}

#[test]
fn counts_code_and_strings_without_white_space_comments_and_tests() {
    let size = |text: &str| size(&Source::new("judge/mod.rs", text));
    assert_eq!(size("fn f() {}\n"), 7);
    assert_eq!(
        size("//! About.\n\n/// More.\n#[inline]\nfn f() { /* a /* b */ */ } // c\n"),
        16
    );
    assert_eq!(size("const A: &str = \"a // b\";"), 19);
    assert_eq!(size("const A: &str = r#\"a \" é\"#;"), 21);
    assert_eq!(
        size("fn f() {}\n#[cfg(test)]\nmod tests {\n    fn g() {}\n}\n"),
        7
    );
    assert_eq!(size("impl A { #[cfg(test)] fn f() {} fn g() {} }"), 14);
}

#[test]
fn says_what_has_changed() {
    let kept = read("cli 10\njudge 7");
    assert_eq!(read(&table(&kept)), kept);
    let said = |kept: &str, now: &str| changes(&read(kept), &read(now)).join("; ");
    assert_eq!(said("cli 10\njudge 7", "cli 10\njudge 7"), "");
    assert_eq!(
        said(
            "cli 1000\nevent 600\njudge 7",
            "cli 1501\njudge 8\npack 501"
        ),
        "cli: 1000 -> 1501 (+501); event: 600 -> 0 (-600); pack: 0 -> 501 (+501); in all: 1607 -> 2010 (+403)"
    );
    assert_eq!(said("cli 100000", "cli 98000"), "");
    assert_ne!(said("cli 100000", "cli 97999"), "");
}
