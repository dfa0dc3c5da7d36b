//! Files that are no scenario, and are called what they are.

use crate::diagnostic::{Diagnostic, Faults};
use crate::yaml::{Node, Value};

/// Says of a catalogue of requirements, and of a file that is to be included, that it is one, instead of every key that it has and
/// lacks.
pub(super) fn refuse(root: &Node, faults: &Faults<'_>) -> bool {
    let Value::Map(entries) = &root.value else {
        return false;
    };
    let has = |wanted: &str| root.has_key(wanted);
    let (code, title, help) = if has("protocol")
        && has("requirements")
        && !has("scenario")
        && !has("turns")
    {
        let title = "this is a catalogue of requirements, not a scenario";
        (
            "scenario/catalogue",
            title,
            "name a scenario, or the folder: catalogues in it are passed over".to_owned(),
        )
    } else if has("subjects") && !has("scenario") && !has("turns") {
        let title = "this is a file of subjects, not a scenario";
        let help = "`urtext check` checks it, and `urtext run --subject NAME --config FILE` tests one; in a folder of scenarios only `urtext.yaml` is passed over".to_owned();
        ("scenario/subjects", title, help)
    } else if entries.len() == 1 && has("turns") && is_part(faults.source().name()) {
        let title =
            "this file holds turns for the scenarios that include it, and is checked with them";
        (
            "scenario/part",
            title,
            "check a scenario that includes it, or the folder with both".to_owned(),
        )
    } else if entries.len() == 1 && has("turns") {
        let title = "this file has turns and nothing else: it is no scenario";
        (
            "scenario/part",
            title,
            "to include it in scenarios, let its name begin with `_`: such files in a folder are passed over".to_owned(),
        )
    } else {
        return false;
    };
    faults.push(
        Diagnostic::error(code, title)
            .in_file(faults.source().name())
            .help(help),
    );
    true
}

/// Returns true if a file of that name holds turns that scenarios include.
fn is_part(name: &str) -> bool {
    std::path::Path::new(name)
        .file_name()
        .is_some_and(crate::scenario::discover::is_part)
}
