//! Cases: what the program says of the files in `tests/cases`, kept in `snapshots/cases` under the same names.
//!
//! - `NAME.yaml` is checked by `urtext check`, in its own folder.
//! - `NAME.sh` has commands with empty lines between them. `sh` runs each in one new folder with a copy of `tests/data`, after the lines of
//!   `_prelude.sh`. One with `$PYTHON` is left out where there is none.
//!
//! A file whose name begins with `_` belongs to the cases beside it. How long a run took is left out.
//! `INSTA_UPDATE=always cargo test --test program cases::` writes the snapshots.

use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use urtext::scenario::{Scenario, load_file, write};
use walkdir::{DirEntry, WalkDir};

use crate::harness::{
    DATA, PEERS, Place, ROOT, Ran, URTEXT, has_python, python_words, without_settings,
};

/// The files with one of these endings below a folder, as paths in it, in order.
fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let is_wanted = |path: &Path| {
        let ending = path.extension().unwrap_or_default();
        let is_part = path.file_name().unwrap().as_encoded_bytes()[0] == b'_';
        !is_part && endings.iter().any(|wanted| *wanted == ending)
    };
    let entries = WalkDir::new(folder).sort_by_file_name().into_iter();
    let paths = entries.map(Result::unwrap).map(DirEntry::into_path);
    let inside = |path: PathBuf| path.strip_prefix(folder).unwrap().to_owned();
    paths.filter(|path| is_wanted(path)).map(inside).collect()
}

/// Runs a command of a shell, and returns it with all that it said.
fn ran(command: &str, folder: &Path) -> String {
    let programs = Path::new(URTEXT).parent().unwrap().as_os_str();
    let path = [programs, &std::env::var_os("PATH").unwrap()].join(":".as_ref());
    let mut shell = Command::new("/bin/sh");
    shell
        .args([
            "-c",
            &format!(". {ROOT}/tests/cases/_prelude.sh; {command}"),
        ])
        .current_dir(folder)
        .env("PATH", path)
        .env("PYTHON", python_words().join(" "))
        .env("PEERS", PEERS);
    let Ran {
        code,
        stdout,
        stderr,
    } = Ran::of(without_settings(&mut shell));
    let (status, stdout) = (code.unwrap(), timeless(&stdout));
    // How far a run is, after 10 s on a slow machine.
    let is_progress = |line: &&str| line.contains(" games played after ");
    let lines = stderr.split_inclusive('\n');
    let stderr: String = lines.filter(|line| !is_progress(line)).collect();
    let gap = if stdout.is_empty() || stdout.ends_with('\n') {
        ""
    } else {
        "\n"
    };
    match stderr.as_str() {
        "" => format!("$ {command}\n{stdout}{gap}status {status}\n"),
        _ => format!("$ {command}\n{stdout}{gap}status {status}, and on standard error:\n{stderr}"),
    }
}

/// The text without the time that a run took.
fn timeless(text: &str) -> String {
    let line = |line: &str| match line.trim_end().rsplit_once(" in ") {
        Some((counts, took)) if took.ends_with(" s") && counts.contains("scenario") => {
            format!("{counts}\n")
        }
        _ => line.to_owned(),
    };
    text.split_inclusive('\n').map(line).collect()
}

/// All that the program says of a case.
fn said(case: &Path) -> String {
    let folder = case.parent().unwrap();
    if case.extension().unwrap() == "yaml" {
        let name = case.file_name().unwrap().display();
        return ran(&format!("urtext check {name}"), folder) + &read(case);
    }
    let place = Place::new();
    ran(&format!("cp -R {DATA}/. ."), place.path());
    let text = fs::read_to_string(case).unwrap();
    if text.contains("$PYTHON") && !has_python() {
        return String::new();
    }
    let commands = text
        .split("\n\n")
        .map(|command| ran(command.trim_end(), place.path()));
    commands.collect::<Vec<_>>().join("\n")
}

/// The scenarios of a file without faults, each by its name and as the library writes what it has read.
fn read(case: &Path) -> String {
    let (scenarios, faults) = load_file(case);
    let scenarios = scenarios.iter().filter(|_| faults.is_empty());
    let text = |scenario: &Scenario| {
        let name = scenario.name.rsplit('/').next().unwrap();
        format!("\n[{name}]\n{}", write(scenario))
    };
    scenarios.map(text).collect()
}

fn assert_kept(case: &Path, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(Path::new("../../snapshots/cases").join(case.parent().unwrap()));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let name = case.file_stem().unwrap().to_str().unwrap();
    settings.bind(|| insta::assert_snapshot!(name, text));
}

#[test]
fn the_program_says_of_each_case_what_is_kept() {
    let root = &Path::new(ROOT).join("tests/cases");
    let mut cases = files(root, &["yaml", "sh"]);
    // Each thread takes the next case. Scripts wait for subjects, so they begin first, and more of them than there are processors.
    cases.sort_by_key(|case| case.extension().unwrap() == "yaml");
    let next = AtomicUsize::new(0);
    let some = || {
        let numbers = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        let numbers = numbers.take_while(|&number| number < cases.len());
        let said = |number: usize| (number, said(&root.join(&cases[number])));
        numbers.map(said).collect::<Vec<_>>()
    };
    let mut texts: Vec<_> = thread::scope(|scope| {
        let threads = [(); 16].map(|()| scope.spawn(some));
        let texts = threads.into_iter().flat_map(|some| some.join().unwrap());
        texts.collect()
    });
    texts.sort_unstable();
    texts.retain(|(_, text)| !text.is_empty());
    let is_other = |(number, text): &&(usize, String)| {
        catch_unwind(|| assert_kept(&cases[*number], text)).is_err()
    };
    let other: Vec<_> = texts
        .iter()
        .filter(is_other)
        .map(|(number, _)| &cases[*number])
        .collect();
    assert!(
        other.is_empty(),
        "the program says something else of {other:#?}"
    );
    let mut kept = files(&Path::new(ROOT).join("snapshots/cases"), &["snap"]);
    kept.sort();
    let mut named: Vec<_> = cases
        .iter()
        .map(|case| case.with_extension("snap"))
        .collect();
    named.sort();
    assert_eq!(kept, named, "each snapshot belongs to a case");
}
