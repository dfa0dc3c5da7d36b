//! Look-up in the packs of the process.

use std::str::FromStr;
use std::sync::{Mutex, PoisonError};

use super::{Notation, Pack};
use crate::protocol::Dialect;
use crate::requirement::{Catalogue, GoneRequirement, Requirement, Specification};
use crate::rules::Game;

/// Every pack of the process.
pub fn all() -> impl DoubleEndedIterator<Item = &'static Pack> + Clone {
    crate::packs().iter().copied()
}

/// Returns the pack of the game that is played where none is named.
///
/// # Panics
/// Never: there is always a pack.
#[must_use]
pub fn usual() -> &'static Pack {
    all().next().expect("there is always a pack")
}

/// Returns the pack of the game with that name or alias.
#[must_use]
pub fn find(name: &str) -> Option<&'static Pack> {
    all().find(|pack| pack.game.name() == name || pack.game.aliases().contains(&name))
}

/// Every game of the process.
pub fn games() -> impl Iterator<Item = &'static dyn Game> + Clone {
    all().map(|pack| pack.game)
}

/// Returns the game with that name or alias.
#[must_use]
pub fn game(name: &str) -> Option<&'static dyn Game> {
    find(name).map(|pack| pack.game)
}

/// Every wire protocol of the process; the first of a game is its usual one.
pub fn dialects() -> impl DoubleEndedIterator<Item = &'static dyn Dialect> + Clone {
    all().flat_map(|pack| pack.dialects.iter().copied())
}

/// Returns the wire protocol of that name, or the usual one of the game with that name or alias.
#[must_use]
pub fn dialect(name: &str) -> Option<&'static dyn Dialect> {
    Protocol::find(name)?.dialect()
}

/// Every notation of the process.
pub fn notations() -> impl Iterator<Item = &'static Notation> + Clone {
    all().flat_map(|pack| pack.notations.iter().copied())
}

/// Catalogues of dialogues, each with the name of its file.
static OF_DIALOGUES: Mutex<Vec<(String, &'static Specification)>> = Mutex::new(Vec::new());

/// The specifications of the packs, and those of dialogues that were read from other files.
fn all_but(file: &str) -> impl Iterator<Item = &'static Specification> + Clone + use<> {
    let known = OF_DIALOGUES.lock().unwrap_or_else(PoisonError::into_inner);
    let others = known.iter().filter(|(name, _)| name != file);
    let others: Vec<_> = others.map(|(_, one)| *one).collect();
    let of_packs = all().flat_map(|pack| {
        let dialects = pack.dialects.iter();
        let notations = pack.notations.iter();
        dialects
            .map(|dialect| dialect.data().specification)
            .chain(notations.filter_map(|notation| notation.specification))
    });
    of_packs.chain(others)
}

/// Every catalogue of requirements of the process: those of the packs, and those of dialogues that were read.
pub fn catalogues() -> impl Iterator<Item = &'static Catalogue> + Clone {
    all_but("").map(Specification::catalogue)
}

/// The games and notations with a catalogue of a pack, which is not read for that.
pub fn specified() -> impl Iterator<Item = &'static str> {
    all_but("").map(|one| one.protocol)
}

/// The requirements of a protocol. Only its catalogues are read.
pub fn requirements_of(protocol: &str) -> impl Iterator<Item = &'static Requirement> {
    let its = all_but("").filter(move |one| one.protocol == protocol);
    its.flat_map(|one| &one.catalogue().requirements)
}

/// Adds the catalogue of a dialogue to those of the process, in the place of an earlier one from the file of that name.
///
/// # Errors
/// The number of a requirement whose id another catalogue has given to another requirement.
pub fn add_catalogue(file: &str, catalogue: Catalogue) -> Result<&'static Catalogue, usize> {
    let others = all_but(file);
    let is_taken = |own: &Requirement| {
        let other = others.clone().find_map(|one| one.find(&own.id));
        other.is_some_and(|other| own != other)
    };
    if let Some(taken) = catalogue.requirements.iter().position(is_taken) {
        return Err(taken);
    }
    let mut known = OF_DIALOGUES.lock().unwrap_or_else(PoisonError::into_inner);
    let mut each = known.iter().map(|(_, one)| one.catalogue());
    if let Some(same) = each.find(|known| **known == catalogue) {
        return Ok(same);
    }
    // Ids are held for as long as the process runs. A file that has changed is rare.
    let own: &'static Specification = Box::leak(Box::new(Specification::of(catalogue)));
    known.retain(|(name, _)| name != file);
    known.push((file.to_owned(), own));
    Ok(own.catalogue())
}

/// Returns the requirement of that id that went.
#[must_use]
pub fn gone_requirement(id: &str) -> Option<&'static GoneRequirement> {
    let mut gone = catalogues().flat_map(|catalogue| &catalogue.gone);
    gone.find(|gone| gone.id == id)
}

/// Returns the requirement of that id in any catalogue.
pub fn requirement(id: &str) -> Option<&'static Requirement> {
    all_but("").find_map(|one| one.find(id))
}

/// A protocol: a game's, or that of dialogues, which have none.
#[derive(Debug, Clone, Copy, Default)]
pub enum Protocol {
    /// The wire protocol of a game.
    Game(&'static dyn Dialect),
    /// Lines without rules.
    #[default]
    Lines,
}

/// Protocols are equal if they have the same name.
impl PartialEq for Protocol {
    fn eq(&self, other: &Protocol) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Protocol {}

impl FromStr for Protocol {
    type Err = String;

    /// Reads the name or alias of a game as its usual protocol.
    fn from_str(name: &str) -> Result<Protocol, String> {
        Protocol::of_game(name).ok_or_else(|| {
            let games: Vec<_> = Protocol::game_names().collect();
            format!("the games are {}", games.join(", "))
        })
    }
}

impl Protocol {
    /// Name in scenarios and files of lines without rules.
    pub const LINES: &str = "lines";

    /// Every protocol of the process, that of lines last.
    pub fn all() -> impl Iterator<Item = Protocol> + Clone {
        dialects().map(Protocol::Game).chain([Protocol::Lines])
    }

    /// The names of all protocols, separated by commas.
    #[must_use]
    pub fn names() -> String {
        Protocol::all()
            .map(Protocol::name)
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// Returns the protocol of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Protocol> {
        Protocol::all().find(|protocol| protocol.name() == name)
    }

    /// Returns the protocol of that name, or the usual one of the game with that name or alias.
    #[must_use]
    pub fn find(name: &str) -> Option<Protocol> {
        Protocol::named(name).or_else(|| Protocol::of_game(name))
    }

    /// Returns the usual protocol of the game with that name or alias, or that of lines.
    #[must_use]
    pub fn of_game(name: &str) -> Option<Protocol> {
        match name {
            Protocol::LINES => Some(Protocol::Lines),
            name => find(name)?.dialects.first().copied().map(Protocol::Game),
        }
    }

    /// The name of every game of the process, that of lines last.
    pub fn game_names() -> impl Iterator<Item = &'static str> + Clone {
        games().map(|game| game.name()).chain([Protocol::LINES])
    }

    /// The names and aliases of every game of the process, the name of lines last.
    pub fn game_words() -> impl Iterator<Item = &'static str> + Clone {
        let words = |game: &'static dyn Game| {
            [game.name()]
                .into_iter()
                .chain(game.aliases().iter().copied())
        };
        games().flat_map(words).chain([Protocol::LINES])
    }

    /// The wire protocol; `None` for lines without rules.
    #[must_use]
    pub fn dialect(self) -> Option<&'static dyn Dialect> {
        match self {
            Protocol::Game(dialect) => Some(dialect),
            Protocol::Lines => None,
        }
    }

    /// The game; `None` for lines without rules.
    #[must_use]
    pub fn game(self) -> Option<&'static dyn Game> {
        self.dialect().map(|dialect| dialect.game())
    }

    /// Name of the wire protocol, as files with finished games have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.dialect()
            .map_or(Protocol::LINES, |dialect| dialect.name())
    }

    /// Name of the game, as scenarios have it.
    #[must_use]
    pub fn game_name(self) -> &'static str {
        self.game().map_or(Protocol::LINES, |game| game.name())
    }

    /// Title of the game.
    #[must_use]
    pub fn title(self) -> &'static str {
        self.game()
            .map_or("a dialogue of lines", |game| game.title())
    }

    /// Names of the seats.
    #[must_use]
    pub fn seat_names(self) -> [&'static str; 2] {
        self.game()
            .map_or(["first", "second"], |game| game.seat_names())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::case_files::assert_lines;
    use crate::protocol::PlayerLine;
    use crate::requirement::Level;

    #[test]
    fn every_id_is_given_once_and_every_level_has_what_it_needs() {
        let all = || catalogues().flat_map(|catalogue| &catalogue.requirements);
        let ids: HashSet<_> = all().map(|entry| &entry.id).collect();
        assert_eq!(ids.len(), all().count(), "an id is given twice");
        for entry in all() {
            let (id, is_open) = (&entry.id, entry.level == Level::Unspecified);
            let is_inferred = entry.level == Level::Should;
            assert_eq!(is_inferred, entry.inference.is_some(), "{id}");
            assert_eq!(is_open, entry.open.is_some(), "{id}");
            assert!(is_open || !entry.says.is_empty(), "{id}");
        }
    }

    #[test]
    fn every_requirement_says_what_exercises_it_or_why_no_scenario_can() {
        for catalogue in catalogues() {
            for entry in &catalogue.requirements {
                let is_played = catalogue.judged.is_none() && entry.unchecked.is_none();
                assert_eq!(entry.exercised.is_some(), is_played, "{}", entry.id);
                assert_eq!(entry.needs.is_some(), is_played, "{}", entry.id);
            }
        }
    }

    #[test]
    fn no_requirement_is_there_and_gone() {
        for entry in catalogues().flat_map(|catalogue| &catalogue.requirements) {
            assert_eq!(gone_requirement(&entry.id), None);
        }
    }

    #[test]
    fn the_ids_that_rules_and_faults_name_are_in_the_catalogue() {
        let of_rules = games()
            .flat_map(|game| game.mistakes().named().iter().chain(game.mistakes().kept()))
            .map(|row| row.breaks);
        let peers = all().filter_map(|pack| pack.peers.as_ref());
        let faults = peers.flat_map(|peers| peers.referee_faults.iter().chain(peers.bot_faults));
        for id in of_rules.chain(faults.map(|row| row.breaks)) {
            assert!(requirement(id).is_some(), "{id}");
        }
    }

    #[test]
    fn every_coverage_item_has_a_name_of_its_own_and_a_requirement_of_the_catalogue() {
        for game in games() {
            let items = game.coverage_items();
            let names: HashSet<_> = items.iter().map(|item| &item.name).collect();
            assert_eq!(names.len(), items.len(), "{}", game.name());
            let ids = items.iter().filter_map(|item| item.requirement);
            ids.for_each(|id| assert!(requirement(id).is_some(), "{id}"));
        }
    }

    #[test]
    fn every_pack_has_a_dialect_of_its_own_game() {
        for pack in all() {
            assert!(!pack.dialects.is_empty());
            for dialect in pack.dialects {
                assert_eq!(dialect.game().name(), pack.game.name());
            }
        }
    }

    #[test]
    fn each_dialect_reads_the_lines_of_players_in_its_own_way() {
        for (name, file) in [
            ("code-colosseum", "royalur-player-lines"),
            ("onitama-judge", "onitama-player-lines"),
        ] {
            let dialect = dialect(name).unwrap();
            let line = |mv| String::from_utf8(dialect.write_move(mv)).unwrap();
            assert_lines(file, |text| {
                match dialect.read_player_line(text.as_bytes()) {
                    PlayerLine::Move(mv) => format!("move {}", line(mv)),
                    PlayerLine::Open(open) => format!(
                        "open {}: move {:?}, may lose: {}, may be ignored: {}",
                        open.requirement,
                        open.mv.map(line),
                        open.may_lose,
                        open.may_be_ignored
                    ),
                    other => format!("{other:?}"),
                }
            });
        }
        let bytes = dialect("onitama-judge")
            .unwrap()
            .read_player_line(b"Cobra a5 b4\xff");
        assert_eq!(bytes, PlayerLine::Ignored("oni/input/not-a-move"));
    }
}
