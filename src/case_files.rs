//! Cases of unit tests: files below `tests/cases`, each with what the code says of it in a file below `snapshots`.
//!
//! `INSTA_UPDATE=always cargo test --lib` writes the snapshots.

use std::fs;
use std::path::Path;

use insta::assert_snapshot;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The names of the files of a folder with this ending, without it.
fn names(folder: &Path, ending: &str) -> Vec<String> {
    let files = fs::read_dir(folder).unwrap();
    let files = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = files
        .filter_map(|file| Some(file.strip_suffix(ending)?.to_owned()))
        .collect();
    names.sort();
    names
}

/// Holds what is said of the file `tests/cases/FOLDER/NAME.txt` against `snapshots/FOLDER/NAME.snap`.
fn assert_case(folder: &str, name: &str, say: impl FnOnce(&str) -> String) {
    let root = Path::new(ROOT);
    let file = root.join("tests/cases").join(folder).join(name);
    let text = fs::read_to_string(file.with_extension("txt")).unwrap();
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root.join("snapshots").join(folder));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| assert_snapshot!(name, say(&text)));
}

/// Holds what is said of each file of a folder, which all have this form, against its snapshot.
pub(crate) fn assert_all(folder: &str, say: impl Fn(&str) -> String) {
    let all = names(&Path::new(ROOT).join("tests/cases").join(folder), ".txt");
    assert!(!all.is_empty(), "{folder}");
    all.iter().for_each(|name| assert_case(folder, name, &say));
    let kept = names(&Path::new(ROOT).join("snapshots").join(folder), ".snap");
    assert_eq!(kept, all, "each snapshot belongs to a case");
}

/// Holds what is said of each line of the file `tests/cases/units/NAME.txt` against its snapshot; empty lines and those that begin with `#`
/// stay as they are.
pub(crate) fn assert_lines(name: &str, mut say: impl FnMut(&str) -> String) {
    let mut said = |line: &str| match line {
        line if line.is_empty() || line.starts_with('#') => format!("{line}\n"),
        line => format!("{line} -> {}\n", say(&unescaped(line))),
    };
    assert_case("units", name, |text| text.lines().map(&mut said).collect());
}

/// Returns the results of a case: a sentence, then `---` and a text. If `each A B` follows the sentence, every further line is a row with
/// values, divided by ` | `; the text is used once for each row, with its values in place of `$A` and `$B`.
pub(crate) fn each_row(case: &str, say: impl Fn(&str) -> String) -> String {
    let (about, text) = case.split_once("---\n").unwrap();
    let mut lines = about.trim_end().lines();
    let mut said = format!("{}\n", lines.next().unwrap());
    let Some(names) = lines.next() else {
        return said + "\n" + &say(text);
    };
    let names: Vec<_> = names.strip_prefix("each ").unwrap().split(' ').collect();
    for row in lines {
        let values: Vec<_> = row.split(" | ").collect();
        assert_eq!(values.len(), names.len(), "{row}");
        let fill = |text: String, (name, value): (&&str, &&str)| {
            text.replace(&format!("${name}"), &value.replace("\\n", "\n"))
        };
        let text = names.iter().zip(&values).fold(text.to_owned(), fill);
        said += &format!("\n{row}\n{}", say(&text));
    }
    said
}

/// A text in which `\r`, `\t`, `\0` and `\s` are the characters that they mean, the last one a blank, and `\e` is nothing.
pub(crate) fn unescaped(text: &str) -> String {
    let meanings = [
        ("\\r", "\r"),
        ("\\t", "\t"),
        ("\\0", "\0"),
        ("\\s", " "),
        ("\\e", ""),
    ];
    let replaced = |text: String, (word, meant): &(&str, &str)| text.replace(word, meant);
    meanings.iter().fold(text.to_owned(), replaced)
}
