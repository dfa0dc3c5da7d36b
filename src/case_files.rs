//! Cases of unit tests: the files of a folder in `tests/cases`, each with what the code says of it in a file of `snapshots`.
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

/// Holds what is said of each file `tests/cases/FOLDER/NAME.txt` against `snapshots/FOLDER/NAME.snap`.
pub(crate) fn assert_kept(folder: &str, say: impl Fn(&str) -> String) {
    let cases = Path::new(ROOT).join("tests/cases").join(folder);
    let kept = Path::new(ROOT).join("snapshots").join(folder);
    let all = names(&cases, ".txt");
    assert!(!all.is_empty(), "{cases:?}");
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(&kept);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for name in &all {
            let text = fs::read_to_string(cases.join(name).with_extension("txt")).unwrap();
            assert_snapshot!(name.as_str(), say(&text));
        }
    });
    assert_eq!(
        names(&kept, ".snap"),
        all,
        "each snapshot belongs to a case"
    );
}

/// A text in which `\r`, `\t`, `\0` and `\s` are the characters that they mean, the last one a blank.
pub(crate) fn unescaped(text: &str) -> String {
    let meanings = [("\\r", "\r"), ("\\t", "\t"), ("\\0", "\0"), ("\\s", " ")];
    let replaced = |text: String, (word, meant): &(&str, &str)| text.replace(word, meant);
    meanings.iter().fold(text.to_owned(), replaced)
}
