//! The known mistakes in the rules of a game, made from the settings of its rules.

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use super::misread::{Misread, Occasions};
use super::{Course, Mistake, Rules, Seat, Setup, Table};

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
    /// The mistakes that both players make in every turn, with their settings. The named ones are first.
    both: Vec<(Mistake, V)>,
    /// True if mistakes are added that are considered only where no other explains as many failures.
    is_further: bool,
    all: Mistakes,
}

impl<V: Copy + PartialEq, R: Rules> MistakesOf<V, R> {
    /// No mistake yet.
    #[must_use]
    pub fn new(standard: V, rules: fn(V) -> R) -> Self {
        MistakesOf {
            standard,
            rules,
            both: Vec::new(),
            is_further: false,
            all: Mistakes::default(),
        }
    }

    /// Adds the mistakes that the built-in referee can be told to make; called first.
    #[must_use]
    pub fn named(mut self, rows: &[MistakeRow<V>]) -> Self {
        self = self.rows(rows);
        self.all.named = self.both.len();
        self
    }

    /// The mistakes that are added from here on are considered only where no other explains as many failures.
    #[must_use]
    pub fn further(self) -> Self {
        let is_further = true;
        MistakesOf { is_further, ..self }
    }

    /// Adds these mistakes; see [`MistakesOf::add`].
    #[must_use]
    pub fn rows(mut self, rows: &[MistakeRow<V>]) -> Self {
        for &(name, summary, breaks, change) in rows {
            self.add(&[], name, summary, breaks, change);
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
                self.add(&[], name, summary, breaks, |settings| {
                    change(settings, number)
                });
            }
        }
        self
    }

    /// Adds a mistake that is made of these simpler ones, unless it is known under another name, or is no deviation.
    pub fn add(
        &mut self,
        contains: &[&str],
        name: impl Into<String>,
        summary: impl Into<String>,
        breaks: &'static str,
        change: impl FnOnce(&mut V),
    ) {
        let settings = self.with(change);
        let mut known = self.both.iter().map(|(_, known)| known);
        let is_known = settings == self.standard || known.any(|known| *known == settings);
        if is_known && !self.is_further {
            return;
        }
        let contains = contains.iter().map(|&name| kept(name));
        let row = Mistake {
            contains: Vec::leak(contains.collect()),
            ..Mistake::new(kept(name), kept(summary), breaks)
        };
        self.make(&row, settings, Occasions::Always, Whose::Both);
        match self.is_further {
            true => self.all.further.push(row),
            false => self.both.push((row, settings)),
        }
    }

    /// Adds each mistake of both players again for one player alone, where `matters` says that this is no empty claim. `players` are short
    /// names of the seats, and their names in a sentence.
    #[must_use]
    pub fn one_sided(mut self, players: &[(&str, &str)], matters: impl Fn(&V) -> bool) -> Self {
        let mut rows = self.both.clone();
        rows.retain(|(_, settings)| matters(settings));
        let players = Seat::BOTH.into_iter().zip(players);
        let alone = players
            .map(|(seat, (short, player))| (Occasions::Always, (Whose::Of(seat), *short, *player)));
        self.all.whole = self.parts(&rows, alone);
        self
    }

    /// Adds each mistake of both players again as one that is made on these occasions only.
    #[must_use]
    pub fn occasional(mut self, all: &[Occasions]) -> Self {
        let rows = self.both.clone();
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
        let (named, rest) = self.both.split_at(self.all.named);
        let rest = rest.iter().filter(|(row, _)| others.contains(&row.name));
        let mut all: Vec<_> = named.iter().chain(rest).copied().collect();
        all.retain(|(_, settings)| is_meant(settings));
        for &(name, summary, breaks, change) in rows {
            let mut wholes = self.all.kept.iter().map(|row| row.name);
            let row = Mistake {
                general: wholes.find(|whole| name.starts_with(whole)),
                ..Mistake::new(name, summary, breaks)
            };
            all.push((row, self.with(change)));
            self.make(&row, self.with(change), Occasions::Always, Whose::Both);
            self.all.kept.push(row);
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

    /// Ends the collection.
    #[must_use]
    pub fn done(mut self) -> Mistakes {
        let both = self.both.into_iter().map(|(row, _)| row);
        self.all.whole.splice(0..0, both);
        self.all
    }

    /// The settings with this change.
    fn with(&self, change: impl FnOnce(&mut V)) -> V {
        let mut settings = self.standard;
        change(&mut settings);
        settings
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
            let (ending, words) = when.words();
            let (mut ending, mut words) = (ending.to_owned(), words.to_owned());
            if !short.is_empty() {
                let but = if words.is_empty() { "but only " } else { "" };
                ending += &format!("-for-{short}");
                words += &format!(", {but}in turns of {player}");
            }
            let contains = row.contains.iter();
            let contains = contains.filter_map(|simpler| {
                let name = format!("{simpler}{ending}");
                let known = self.all.tables.get_key_value(name.as_str());
                known.map(|(name, _)| *name)
            });
            let (name, summary) = (
                row.name.to_owned() + &ending,
                row.summary.to_owned() + &words,
            );
            let part = Mistake {
                general: Some(row.name),
                contains: Vec::leak(contains.collect()),
                ..Mistake::new(kept(name), kept(summary), row.breaks)
            };
            self.make(&part, settings, when, whose);
            part
        })
        .collect()
    }

    fn make(&mut self, row: &Mistake, settings: V, when: Occasions, whose: Whose) {
        let [rules, other] = [self.standard, settings].map(self.rules);
        let table = move |setup, subject| {
            let misread = Misread::new(other.clone(), when, whose.seat(subject));
            let course = Course::misread(rules.clone(), Some(misread), setup);
            Box::new(course) as Box<dyn Table>
        };
        self.all.tables.insert(row.name, Box::new(table));
    }
}

/// In whose turns a mistake is made: the end of its name, and the player in its words.
type Player<'a> = (Whose, &'a str, &'a str);

/// In the turns of both.
const BOTH: Player<'_> = (Whose::Both, "", "");

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
    fn a_mistake_can_be_made_once_or_after_other_turns() {
        assert_lines("movers", |row| {
            let (name, turns) = row.split_once(": ").unwrap();
            let game = pack::game("royalur").unwrap();
            let mut rows = game.mistakes().occasional().iter();
            assert!(rows.any(|row| row.name == name));
            let mut table = game.mistakes().table(Setup::default(), name).unwrap();
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
