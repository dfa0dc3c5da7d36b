//! The known mistakes in the rules of a game, made from the settings of its rules.

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use super::misread::{Misread, Occasions};
use super::{Course, Rules, Seat, Setup, Table};

/// A known way to get the rules of a game wrong: what a faulty peer plays, and what an explanation considers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mistake {
    /// Name, as the user writes it.
    pub name: &'static str,
    /// Description, in words that follow "behaves as if".
    pub summary: &'static str,
    /// Id of the requirement that whoever makes the mistake breaks first.
    pub breaks: &'static str,
    /// Name of the mistake of which this is a part: that one in some turns only. It is considered where the whole is refuted.
    pub general: Option<&'static str>,
    /// Names of the simpler mistakes of which this one is made. It is considered where they are refuted.
    pub contains: &'static [&'static str],
}

impl Mistake {
    /// A mistake that is no part of another one.
    #[must_use]
    pub const fn new(name: &'static str, summary: &'static str, breaks: &'static str) -> Mistake {
        Mistake {
            name,
            summary,
            breaks,
            general: None,
            contains: &[],
        }
    }

    /// Returns true if none of these mistakes is the whole of which this one is a part, or a simpler one that it contains.
    #[must_use]
    pub fn is_simplest_of(&self, all: &[&Mistake]) -> bool {
        let is_simpler = |other: &&Mistake| {
            self.general == Some(other.name) || self.contains.contains(&other.name)
        };
        !all.iter().any(is_simpler)
    }
}

/// Makes a game before its first turn, as a subject on this seat plays it.
type NewTable = Box<dyn Fn(Setup, Seat) -> Box<dyn Table> + Send + Sync>;

/// The player in whose turns a mistake is made.
#[derive(Debug, Clone, Copy)]
enum Whose {
    /// Either.
    Both,
    /// This one.
    Of(Seat),
    /// A bot that makes the mistake.
    Own,
    /// Its opponent.
    Opponents,
}

impl Whose {
    /// That player; `subject`: the seat of the bot that makes it.
    fn seat(self, subject: Seat) -> Option<Seat> {
        match self {
            Whose::Both => None,
            Whose::Of(seat) => Some(seat),
            Whose::Own => Some(subject),
            Whose::Opponents => Some(subject.other()),
        }
    }
}

/// The known mistakes in the rules of a game, each with a game that is played with it. [`MistakesOf`] collects them.
#[derive(Default)]
pub struct Mistakes {
    /// In every turn, of both players or of one. The named ones are first.
    whole: Vec<Mistake>,
    named: usize,
    /// In every turn, and less usual.
    further: Vec<Mistake>,
    /// On some occasions.
    occasional: Vec<Mistake>,
    /// In what a bot keeps of the game.
    kept: Vec<Mistake>,
    /// Under one more condition.
    conditional: Vec<Mistake>,
    tables: HashMap<&'static str, NewTable>,
}

impl Mistakes {
    /// Returns the mistakes of a game of which none is known.
    #[must_use]
    pub fn none() -> &'static Mistakes {
        static NONE: LazyLock<Mistakes> = LazyLock::new(Mistakes::default);
        &NONE
    }

    /// The mistakes that the built-in referee can be told to make, and by which the suites are measured.
    #[must_use]
    pub fn named(&self) -> &[Mistake] {
        &self.whole[..self.named]
    }

    /// The mistakes that an explanation considers: the named ones, and others that differ from the rules in the same settings.
    #[must_use]
    pub fn whole(&self) -> &[Mistake] {
        &self.whole
    }

    /// Mistakes in every turn that an explanation considers only where no other explains as many failures. The suites do not have to tell them
    /// from the rules.
    #[must_use]
    pub fn further(&self) -> &[Mistake] {
        &self.further
    }

    /// The mistakes that are made on some occasions only, such as every time but the first. An explanation of a referee's failures considers them
    /// where no other explains as many.
    #[must_use]
    pub fn occasional(&self) -> &[Mistake] {
        &self.occasional
    }

    /// The mistakes in what a bot keeps of the game: in its own turns, in its opponent's, or in both. An explanation of a bot's failures
    /// considers them where no other explains as many.
    #[must_use]
    pub fn kept(&self) -> &[Mistake] {
        &self.kept
    }

    /// The mistakes that are made under one more condition only, such as once a token is out. Games are made that refute them; an explanation
    /// does not consider them.
    #[must_use]
    pub fn conditional(&self) -> &[Mistake] {
        &self.conditional
    }

    /// A game before its first turn with the mistake of that name.
    #[must_use]
    pub fn table(&self, setup: Setup, name: &str) -> Option<Box<dyn Table>> {
        self.table_of(Seat::First, setup, name)
    }

    /// The same as a bot on this seat plays it.
    #[must_use]
    pub fn table_of(&self, bot: Seat, setup: Setup, name: &str) -> Option<Box<dyn Table>> {
        self.tables.get(name).map(|table| table(setup, bot))
    }
}

impl fmt::Debug for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.tables.keys()).finish()
    }
}

/// A mistake: its name, its words after "behaves as if", the requirement that it breaks first, and the change of a setting of the rules.
pub type MistakeRow<V> = (&'static str, &'static str, &'static str, fn(&mut V));

/// Mistakes of a kind, one for each of several numbers; see [`MistakesOf::each`].
pub type EachRow<V> = (&'static str, &'static str, &'static str, fn(&mut V, u8));

/// Collects the mistakes of a game whose rules have these settings.
#[derive(Debug)]
pub struct MistakesOf<V, R> {
    standard: V,
    /// Makes rules of their settings.
    rules: fn(V) -> R,
    /// The settings of the mistakes that both players make in every turn.
    settings: Vec<V>,
    all: Mistakes,
}

impl<V: Copy + PartialEq, R: Rules> MistakesOf<V, R> {
    /// No mistake yet.
    #[must_use]
    pub fn new(standard: V, rules: fn(V) -> R) -> Self {
        MistakesOf {
            standard,
            rules,
            settings: Vec::new(),
            all: Mistakes::default(),
        }
    }

    /// Adds the mistakes that the built-in referee can be told to make; called first.
    #[must_use]
    pub fn named(mut self, rows: &[MistakeRow<V>]) -> Self {
        self = self.rows(rows);
        self.all.named = self.settings.len();
        self
    }

    /// Adds these mistakes; see [`MistakesOf::add`].
    #[must_use]
    pub fn rows(mut self, rows: &[MistakeRow<V>]) -> Self {
        for &(name, summary, breaks, change) in rows {
            self.add(name, summary, breaks, change);
        }
        self
    }

    /// Adds these mistakes for each number and its word: in a name and its words, `{n}` stands for the number, and `{word}` for the word.
    #[must_use]
    pub fn each<'w>(
        mut self,
        numbers: impl IntoIterator<Item = (u8, &'w str)>,
        rows: &[EachRow<V>],
    ) -> Self {
        for (number, word) in numbers {
            for &(name, summary, breaks, change) in rows {
                let [name, summary] = [name, summary].map(|text| {
                    text.replace("{n}", &number.to_string())
                        .replace("{word}", word)
                });
                self.add(name, summary, breaks, |settings| change(settings, number));
            }
        }
        self
    }

    /// Adds a mistake, unless it is known under another name, or is no deviation.
    pub fn add(
        &mut self,
        name: impl Into<String>,
        summary: impl Into<String>,
        breaks: &'static str,
        change: impl FnOnce(&mut V),
    ) {
        self.add_containing(&[], name, summary, breaks, change);
    }

    /// Adds a mistake that is made of these simpler ones.
    pub fn add_containing(
        &mut self,
        contains: &[&str],
        name: impl Into<String>,
        summary: impl Into<String>,
        breaks: &'static str,
        change: impl FnOnce(&mut V),
    ) {
        let settings = self.with(change);
        if settings == self.standard || self.settings.contains(&settings) {
            return;
        }
        let contains = contains.iter().map(|&name| kept(name));
        let row = Mistake {
            contains: Vec::leak(contains.collect()),
            ..Mistake::new(kept(name), kept(summary), breaks)
        };
        self.settings.push(settings);
        self.make(&row, settings, Occasions::Always, Whose::Both);
        self.all.whole.push(row);
    }

    /// Adds each mistake of both players again for one player alone, where `matters` says that this is no empty claim. `players` are short
    /// names of the seats, and their names in a sentence.
    #[must_use]
    pub fn one_sided(mut self, players: &[(&str, &str)], matters: impl Fn(&V) -> bool) -> Self {
        let mut rows = self.of_both();
        rows.retain(|(_, settings)| matters(settings));
        let parts = alone(players).map(|player| (Occasions::Always, player));
        let parts = self.parts(&rows, parts);
        self.all.whole.extend(parts);
        self
    }

    /// Adds mistakes that are considered only where no other explains as many failures.
    #[must_use]
    pub fn further(mut self, rows: &[MistakeRow<V>]) -> Self {
        for &(name, summary, breaks, change) in rows {
            self.add_further(name, summary, breaks, change);
        }
        self
    }

    /// Adds one such mistake.
    pub fn add_further(
        &mut self,
        name: impl Into<String>,
        summary: impl Into<String>,
        breaks: &'static str,
        change: impl FnOnce(&mut V),
    ) {
        let settings = self.with(change);
        let row = Mistake::new(kept(name), kept(summary), breaks);
        self.make(&row, settings, Occasions::Always, Whose::Both);
        self.all.further.push(row);
    }

    /// Adds each mistake of both players again as one that is made on these occasions only.
    #[must_use]
    pub fn occasional(mut self, all: &[Occasions]) -> Self {
        let rows = self.of_both();
        self.all.occasional = self.parts(&rows, all.iter().map(|&when| (when, BOTH)));
        self
    }

    /// Adds mistakes in what a bot keeps of the game: these, and those that the built-in referee can be told to make or that `others` names, in
    /// the turns of one player only, and on these occasions, where `is_meant` says so. A row whose name begins with that of one before it is a part of that one.
    #[must_use]
    pub fn kept(
        mut self,
        rows: &[MistakeRow<V>],
        others: &[&str],
        is_meant: impl Fn(&V) -> bool,
        occasions: &[Occasions],
    ) -> Self {
        const ONE: [Player<'_>; 2] = [
            (Whose::Own, "own", "the bot"),
            (Whose::Opponents, "opponent", "its opponent"),
        ];
        let rest = self.of_both().split_off(self.all.named);
        let mut all = self.of_both();
        all.truncate(self.all.named);
        let rest = rest.into_iter();
        all.extend(rest.filter(|(row, _)| others.contains(&row.name)));
        all.retain(|(_, settings)| is_meant(settings));
        for row in rows {
            let (mut row, settings) = self.changed(row);
            let mut wholes = self.all.kept.iter().map(|row| row.name);
            row.general = wholes.find(|whole| row.name.starts_with(whole));
            self.make(&row, settings, Occasions::Always, Whose::Both);
            self.all.kept.push(row);
            all.push((row, settings));
        }
        let some = |player| occasions.iter().map(move |&when| (when, player));
        let of_one = ONE.into_iter().flat_map(|player| {
            let always = [(Occasions::Always, player)];
            always.into_iter().chain(some(player))
        });
        let parts = self.parts(&all, of_one.chain(some(BOTH)));
        self.all.kept.extend(parts);
        self
    }

    /// Adds the named mistakes of which `is_meant` says so, and these, again under each condition, of both players and of each of these
    /// alone.
    #[must_use]
    pub fn conditional(
        mut self,
        conditions: &[Occasions],
        players: &[(&str, &str)],
        is_meant: impl Fn(&V) -> bool,
        more: &[MistakeRow<V>],
    ) -> Self {
        let mut rows = self.of_both();
        rows.truncate(self.all.named);
        rows.retain(|(_, settings)| is_meant(settings));
        rows.extend(more.iter().map(|row| self.changed(row)));
        let each = conditions.iter().flat_map(|&when| {
            let players = [BOTH].into_iter().chain(alone(players));
            players.map(move |player| (when, player))
        });
        let parts = self.parts(&rows, each);
        self.all.conditional.extend(parts);
        self
    }

    /// The mistakes that both players make in every turn; the named ones are first.
    fn of_both(&self) -> Vec<(Mistake, V)> {
        let rows = self.all.whole.iter().copied();
        rows.zip(self.settings.iter().copied()).collect()
    }

    /// The settings with this change.
    fn with(&self, change: impl FnOnce(&mut V)) -> V {
        let mut settings = self.standard;
        change(&mut settings);
        settings
    }

    /// The mistake of a row, and its settings.
    fn changed(&self, &(name, summary, breaks, change): &MistakeRow<V>) -> (Mistake, V) {
        let settings = self.with(change);
        (Mistake::new(name, summary, breaks), settings)
    }

    /// Ends the collection.
    #[must_use]
    pub fn done(self) -> Mistakes {
        self.all
    }

    /// The parts of each of these mistakes: made on some occasions, or by one player.
    fn parts<'a>(
        &mut self,
        rows: &[(Mistake, V)],
        parts: impl Iterator<Item = (Occasions, Player<'a>)> + Clone,
    ) -> Vec<Mistake> {
        let each = |&row| parts.clone().map(move |part| (row, part));
        let each = rows.iter().flat_map(each);
        each.map(|((row, settings), (when, (whose, short, player)))| {
            let (mut name, mut summary) = (row.name.to_owned(), row.summary.to_owned());
            if let Some((ending, words)) = when.words() {
                name += &format!("-{ending}");
                summary += &format!(", but {words}");
            }
            if !short.is_empty() {
                let only = match when {
                    Occasions::Always => "but only in",
                    _ => "in",
                };
                name += &format!("-for-{short}");
                summary += &format!(", {only} turns of {player}");
            }
            let ending = &name[row.name.len()..];
            let contains = row.contains.iter();
            let contains = contains.filter_map(|simpler| {
                let name = format!("{simpler}{ending}");
                let known = self.all.tables.get_key_value(name.as_str());
                known.map(|(name, _)| *name)
            });
            let part = Mistake {
                general: Some(row.name),
                contains: Vec::leak(contains.collect()),
                ..Mistake::new(kept(name.as_str()), kept(summary), row.breaks)
            };
            self.make(&part, settings, when, whose);
            part
        })
        .collect()
    }

    fn make(&mut self, row: &Mistake, settings: V, when: Occasions, whose: Whose) {
        let [rules, other] = [self.standard, settings].map(self.rules);
        let table = move |setup, subject| {
            let misread = Misread {
                rules: rules.clone(),
                other: other.clone(),
                when,
                only: whose.seat(subject),
            };
            Box::new(Course::new(misread, setup)) as Box<dyn Table>
        };
        self.all.tables.insert(row.name, Box::new(table));
    }
}

/// In whose turns a mistake is made: the end of its name, and the player in its words.
type Player<'a> = (Whose, &'a str, &'a str);

/// In the turns of both.
const BOTH: Player<'_> = (Whose::Both, "", "");

/// In the turns of one of these players, by seat.
fn alone<'a>(players: &'a [(&'a str, &'a str)]) -> impl Iterator<Item = Player<'a>> + Clone {
    let seats = Seat::BOTH.into_iter().zip(players);
    seats.map(|(seat, (short, player))| (Whose::Of(seat), *short, *player))
}

/// Keeps a text for as long as the process lasts: the mistakes of a game are collected once.
fn kept(text: impl Into<String>) -> &'static str {
    text.into().leak()
}

#[cfg(test)]
mod tests {
    use crate::case_files::assert_lines;
    use crate::pack;
    use crate::rules::{Move, Roll, Setup, Table};

    /// Plays a turn, as `HEADS>TOKEN` or `HEADS`, and returns its mover.
    fn play(table: &mut dyn Table, turn: &str) -> String {
        let mover = table.to_move();
        let (heads, token) = turn.split_once('>').unwrap_or((turn, ""));
        table.take_roll(Roll((1 << heads.parse::<u32>().unwrap()) - 1));
        if let Ok(token) = token.parse() {
            table.play(Move(token)).unwrap();
        }
        format!("{mover:?} ")
    }

    #[test]
    fn a_reading_can_hold_for_one_token_late_once_or_after_other_turns() {
        assert_lines("movers", |row| {
            let (name, turns) = row.split_once(": ").unwrap();
            let game = pack::game("royalur").unwrap();
            let mut rows = game
                .mistakes()
                .occasional()
                .iter()
                .chain(game.mistakes().conditional());
            assert!(rows.any(|row| row.name == name));
            let mut table = game.mistakes().table(Setup::default(), name).unwrap();
            let (skipped, turns) = turns.split_once("x0 ").unwrap_or(("0", turns));
            for _ in 0..skipped.parse().unwrap() {
                play(table.as_mut(), "0");
            }
            turns
                .split(' ')
                .map(|turn| play(table.as_mut(), turn))
                .collect()
        });
    }

    #[test]
    fn the_page_on_diagnosis_says_how_many_mistakes_are_known() {
        let page = include_str!("../../docs/diagnosis.md").replace('\n', " ");
        let [ur, onitama] =
            ["royalur", "onitama"].map(|name| pack::game(name).unwrap().mistakes().whole().len());
        let said = format!("{ur} for the referee of Ur and {onitama} for that of Onitama");
        assert!(page.contains(&said), "{said}");
    }
}
