//! `urtext completions`, `urtext man`, and the size of the help.

use std::fs;
use std::process::Command;

use crate::harness::{Place, URTEXT, skip, urtext};

/// The names of the commands, as the help lists them.
fn commands() -> Vec<String> {
    let help = urtext(&["--help"]).expect(0).stdout;
    let (_, list) = help.split_once("Test:\n").unwrap();
    let (list, _) = list.split_once("Options:\n").unwrap();
    let names = list.lines().filter_map(|line| {
        let name = line.strip_prefix("  ")?;
        name.starts_with(|letter: char| letter.is_ascii_lowercase())
            .then(|| name.split(' ').next().unwrap().to_owned())
    });
    let names: Vec<_> = names.collect();
    assert!(names.len() > 10, "{names:?}");
    names
}

#[test]
fn every_shell_knows_every_command() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = urtext(&["completions", shell]).expect(0).stdout;
        for command in commands() {
            let mut words = script.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
            assert!(words.any(|word| word == command), "{shell}: {command}");
        }
        assert!(script.contains("verbose"), "{shell}");
    }
}

#[test]
fn bash_completes_a_command_and_an_option() {
    if Command::new("bash").arg("--version").output().is_err() {
        return skip("bash");
    }
    let place = Place::new();
    let script = place.urtext(&["completions", "bash"]).expect(0).stdout;
    place.write("urtext.bash", &script);
    let completed = |words: &str, last: usize| {
        let ask = format!(
            "set -e; source urtext.bash; function=$(complete -p urtext | sed 's/.*-F \\([^ ]*\\).*/\\1/'); \
             COMP_WORDS=({words}); COMP_CWORD={last}; $function urtext \"${{COMP_WORDS[{last}]}}\" \
             \"${{COMP_WORDS[{last}-1]}}\"; echo \"${{COMPREPLY[*]}}\""
        );
        let bash = Command::new("bash")
            .args(["--norc", "-c", &ask])
            .current_dir(place.path())
            .output();
        String::from_utf8(bash.unwrap().stdout).unwrap()
    };
    assert_eq!(completed("urtext verif", 1), "verify\n");
    assert_eq!(completed("urtext run --free", 2), "--free-games\n");
}

#[test]
fn every_command_has_its_manual_page() {
    let place = Place::new();
    place.urtext(&["man", "pages"]).expect(0);
    for command in commands() {
        let page = fs::read_to_string(place.path().join(format!("pages/urtext-{command}.1")));
        assert!(page.unwrap().contains(".SH NAME"), "{command}");
    }
    assert!(place.path().join("pages/urtext.1").is_file());
}

/// The short help fits on a screen, and all of it can be read in an hour.
#[test]
fn the_help_is_short() {
    let mut short = Command::new(URTEXT);
    let short = short.args(["run", "-h"]).env("COLUMNS", "80").output();
    let screen = String::from_utf8(short.unwrap().stdout).unwrap();
    assert!(screen.lines().count() <= 40, "{screen}");
    // `--version` and `--color` belong to the program.
    let (mut bytes, mut options) = (urtext(&["--help"]).expect(0).stdout.len(), 2);
    for command in commands().iter().map(String::as_str).chain(["seat"]) {
        let help = urtext(&[command, "--help"]).expect(0).stdout;
        bytes += help.len();
        let names = help.lines().filter_map(|line| {
            // Text is indented further.
            let option = line.strip_prefix("      ").or(line.get(6..));
            let option = option.filter(|_| line.starts_with("  -") || line.starts_with("      --"));
            option.and_then(|option| option.split(' ').next())
        });
        options += names
            .filter(|name| !["--help", "--color"].contains(name))
            .count();
    }
    // These numbers go down only.
    assert!(
        options <= 130 && bytes <= 40_000,
        "{options} options, {bytes} bytes"
    );
}
