//! The folder of an HTML report: `index.html`, and the replay pages and recordings of games that did not pass in `games`.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::replay;
use crate::platform::write_output;
use crate::report::{Results, draw_html};

/// The folder of an HTML report.
#[derive(Debug, Clone, Copy)]
pub(super) struct HtmlFolder<'p>(pub(super) &'p Path);

impl HtmlFolder<'_> {
    /// Moves the recordings of games that did not pass into the folder. The other games have no recording then.
    pub(super) fn adopt(self, results: &mut Results) -> io::Result<()> {
        for (number, scenario) in results.scenarios.iter_mut().enumerate() {
            let recording = scenario.recording.take();
            let Some(recording) = recording.filter(|_| scenario.has_reason()) else {
                continue;
            };
            let kept = self.games()?.join(format!("{}.jsonl", name(number)));
            match fs::rename(recording, &kept) {
                Ok(()) => scenario.recording = kept.to_str().map(str::to_owned),
                // It could not be written, which the finding says.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Writes the report of a run. The page with the links comes last.
    pub(super) fn write(self, results: &Results) -> io::Result<()> {
        let games = self.games()?;
        let (mut pages, mut kept) = (BTreeMap::new(), HashSet::new());
        for (number, scenario) in results.scenarios.iter().enumerate() {
            let recording = scenario.recording.as_ref().map(Path::new);
            let Some(path) = recording.filter(|path| scenario.has_reason() && path.is_file())
            else {
                continue;
            };
            kept.extend(path.file_name().map(ToOwned::to_owned));
            if let Some(page) = replay::page(path) {
                let name = format!("{}.html", name(number));
                write_output(&games.join(&name), page.as_bytes())?;
                pages.insert(number, format!("games/{name}"));
                kept.insert(name.into());
            }
        }
        let page = draw_html(results, &pages);
        write_output(&self.0.join("index.html"), page.as_bytes())?;
        // Files of an earlier report have names such as `game-12.html`.
        for entry in fs::read_dir(&games)? {
            let file = entry?.file_name();
            let name = file.to_str().and_then(|file| file.strip_prefix("game-"));
            let is_ours =
                name.and_then(|name| name.split_once('.'))
                    .is_some_and(|(number, ending)| {
                        number.parse::<usize>().is_ok() && matches!(ending, "html" | "jsonl")
                    });
            if is_ours && !kept.contains(&file) {
                fs::remove_file(games.join(&file))?;
            }
        }
        Ok(())
    }

    /// The folder of the games, which is made.
    pub(super) fn games(self) -> io::Result<PathBuf> {
        let games = self.0.join("games");
        fs::create_dir_all(&games)?;
        Ok(games)
    }
}

/// The name of a game's files: numbers only, because names of scenarios are not safe in addresses.
fn name(scenario: usize) -> String {
    format!("game-{}", scenario + 1)
}
