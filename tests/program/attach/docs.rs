//! The page about subjects holds: its examples are sound, and nothing is missing.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use urtext::config::{HOLES, LISTS, LateSpectator, Reach, placeholders};
use urtext::yaml::Words;

use crate::harness::{Place, URTEXT};

const DOCS: &str = include_str!("../../../docs/urtext-yaml.md");

/// The examples, as they are written.
fn examples() -> Vec<&'static str> {
    let blocks = DOCS.split("```yaml\n").skip(1);
    blocks
        .map(|block| block.split("```").next().unwrap())
        .collect()
}

#[test]
fn every_example_is_sound() {
    assert!(examples().len() > 5);
    for example in examples() {
        let place = Place::new();
        fs::create_dir(place.path().join("bin")).unwrap();
        for program in [
            "bin/referee",
            "bin/bot",
            "lobby",
            "bin/cargo",
            "bin/java",
            "bin/cocod",
            "bin/python3",
        ] {
            symlink("/bin/sh", place.path().join(program)).unwrap();
        }
        fs::write(place.path().join("urtext.yaml"), example).unwrap();
        let mut check = Command::new(URTEXT);
        check
            .arg("check")
            .current_dir(place.path())
            .env("PATH", place.path().join("bin"));
        let checked = check.output().unwrap();
        let said = String::from_utf8(checked.stderr).unwrap();
        assert_eq!(
            (checked.status.code(), said.as_str()),
            (Some(0), ""),
            "{example}"
        );
    }
}

#[test]
fn every_place_and_every_word_is_described() {
    let says = |text: String| assert!(DOCS.contains(&text), "{text} is not described");
    placeholders().for_each(|name| says(format!("`{{{name}}}`")));
    LISTS
        .iter()
        .for_each(|name| says(format!("{{{name}...}}`")));
    HOLES.iter().for_each(|name| says(format!("`{{{name}}}`")));
    Reach::WORDS
        .iter()
        .for_each(|(word, _)| says(format!("`{word}`")));
    LateSpectator::WORDS
        .iter()
        .for_each(|(word, _)| says(format!("| `{word}` |")));
}

#[test]
fn every_key_is_described_and_used_in_an_example() {
    let schema = Place::new().urtext(&["schema", "config"]);
    let schema: serde_json::Value = serde_json::from_str(&schema.stdout).unwrap();
    let subject = &schema["properties"]["subjects"]["additionalProperties"]["properties"];
    let keys: Vec<_> = subject.as_object().unwrap().keys().collect();
    assert!(keys.len() > 12, "{keys:?}");
    for key in keys {
        let row = DOCS.lines().any(|line| {
            let named = line
                .strip_prefix("| ")
                .and_then(|row| row.split('|').next());
            named.is_some_and(|named| named.contains(&format!("`{key}`")))
        });
        assert!(row, "{key} has no row in the table of keys");
        assert!(
            examples()
                .iter()
                .any(|example| example.contains(&format!("{key}:"))),
            "{key} has no example"
        );
    }
}
