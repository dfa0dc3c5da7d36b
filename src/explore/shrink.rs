//! Shorter games that may fail as a longer one did; every one of them is legal, and whether it fails, only playing it tells.

use std::collections::{BTreeMap, HashSet};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::Answers;
use super::script::{Script, ScriptDeed, ScriptTurn};
use crate::protocol::Said;
use crate::rules::{Move, Phase, Roll, Seat, Table, below};
use crate::scenario::Side;

/// How many positions are looked at after each number of turns.
const BEAM: usize = 1500;
/// How many turns a game that is looked for has at most.
const DEEPEST: usize = 16;
/// How many games at random are tried.
const SPRINTS: usize = 150;

/// What the last turn of a game shows, of which one may be what it fails by.
enum Aim {
    /// Turns that show a coverage item.
    Items(Vec<usize>),
    /// A move that is refused for the reason with this code.
    Refusal(&'static str),
    /// Whatever turn it is.
    AnyTurn,
}

/// What stands after the turn that is aimed at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Follows {
    Nothing,
    OneMove,
}

impl Aim {
    /// What is to be met, each by a number.
    fn wanted(&self) -> Vec<usize> {
        match self {
            Aim::Items(items) => items.clone(),
            Aim::Refusal(_) | Aim::AnyTurn => vec![0],
        }
    }
}

/// A position that can be reached, and how.
struct Reached {
    table: Box<dyn Table>,
    turns: Vec<ScriptTurn>,
}

/// A turn that has begun there; one that is skipped is left as it was before its roll.
struct Begun<'b> {
    table: Box<dyn Table>,
    roll: Option<Roll>,
    reached: &'b Reached,
    /// What the bot under test answers, as far as that is known.
    answers: &'b Answers,
}

impl Script {
    /// Games with fewer turns that may fail under this requirement too, the most promising first, each sort made up only when those before
    /// it are used up. What a bot answers where it is not known is guessed.
    pub fn shorter<'s>(
        &'s self,
        answers: &'s Answers,
        requirement: Option<&'static str>,
    ) -> impl Iterator<Item = Script> + use<'s> {
        let later = |make: fn(&'s Script, &'s Answers) -> Vec<Script>| {
            std::iter::once_with(move || make(self, answers)).flatten()
        };
        let all = later(Script::that_show_the_same)
            .chain(std::iter::once_with(move || self.that_show(requirement, answers)).flatten())
            .chain(later(Script::with_less))
            .chain(later(Script::quieter))
            .chain(later(Script::that_show_the_same_and_go_on_otherwise))
            .chain(later(Script::played_on));
        let shorter = all.filter(|script| script.is_shorter_than(self));
        shorter.map(|script| Script { free_from: script.known_until(answers), ..script })
    }

    /// The shortest games found that show the requirement, each with any one move after it: its failure may have come out long after. Of a
    /// bot none, for which [`Script::played_on`] does this.
    fn that_show(&self, requirement: Option<&'static str>, answers: &Answers) -> Vec<Script> {
        if self.side == Side::Bot {
            return Vec::new();
        }
        let all = self.dialect.game().coverage_items();
        let shows = |item: &usize| requirement.is_some() && all[*item].requirement == requirement;
        let items: Vec<_> = (0..all.len()).filter(shows).collect();
        let Some(last) = self.turns.last().filter(|_| !items.is_empty()) else { return Vec::new() };
        let plain = ScriptTurn { ignored: Vec::new(), ..last.clone() };
        let mut found = Vec::new();
        self.quickest(&Aim::Items(items), &plain, answers, &mut |script, _| found.push(script));
        let mut games: Vec<_> =
            found.into_iter().flat_map(|script| self.ended(script.turns, Follows::OneMove)).collect();
        games.sort_by_key(Script::cost);
        games
    }

    /// The shortest games found whose last turns show what those of this one show, each with one move after it where there was one.
    fn that_show_the_same(&self, answers: &Answers) -> Vec<Script> {
        self.similar(answers, |ended| ended.into_iter().take(1).collect())
    }

    /// The same games with any other move after them, by which alone it may be seen what they have led to.
    fn that_show_the_same_and_go_on_otherwise(&self, answers: &Answers) -> Vec<Script> {
        self.similar(answers, |ended| ended.into_iter().skip(1).collect())
    }

    fn similar(&self, answers: &Answers, chosen: fn(Vec<Script>) -> Vec<Script>) -> Vec<Script> {
        let mut all = Vec::new();
        for (aim, last, follows) in self.aims() {
            let mut found = Vec::new();
            self.quickest(&aim, &last, answers, &mut |script, _| found.push(script));
            found.extend(self.sprints(&aim, &last, answers));
            all.extend(found.into_iter().flat_map(|script| chosen(self.ended(script.turns, follows))));
        }
        all.sort_by_key(Script::cost);
        all
    }

    /// The turn up to which the bot was seen to answer so.
    fn known_until(&self, answers: &Answers) -> usize {
        let is_guessed = |(place, turn): (usize, &ScriptTurn)| {
            let is_known = |mv| answers.after(&self.turns[..place], turn.roll) == Some(mv);
            matches!(turn.what, ScriptDeed::Move(mv) if self.is_bots(turn.seat) && !is_known(mv))
        };
        self.turns.iter().enumerate().position(is_guessed).unwrap_or(self.turns.len())
    }

    /// Whether there is less to read in it than in the other one.
    #[must_use]
    pub fn is_shorter_than(&self, other: &Script) -> bool {
        self.cost() < other.cost()
    }

    /// Of a bot, games that soon show something which this one showed anywhere, what came last first, and then go on freely: what it
    /// forgets can show long after.
    fn played_on(&self, answers: &Answers) -> Vec<Script> {
        if self.side == Side::Referee || self.turns.len() < 2 {
            return Vec::new();
        }
        let mut items: Vec<usize> = Vec::new();
        for place in (0..self.turns.len() - 1).rev() {
            if let Some((Aim::Items(shown), _)) = self.aim(place) {
                items.extend(shown.into_iter().filter(|item| !items.contains(item)).collect::<Vec<_>>());
            }
        }
        let rank = |item: &usize| items.iter().position(|known| known == item);
        let mut all = Vec::new();
        let aim = Aim::Items(items.clone());
        self.quickest(&aim, &self.turns[0], answers, &mut |script, shown| {
            if let Some(rank) = shown.iter().filter_map(rank).min() {
                all.push((rank, script));
            }
        });
        all.sort_by_key(|(rank, _)| *rank);
        let scripts = all.into_iter().map(|(_, script)| script).chain([self.with_turns(Vec::new())]);
        let plays_on = |script: Script| {
            let then_free = self.turns.len().checked_sub(script.turns.len() + 1).filter(|left| *left > 0)?;
            Some(Script { then_free, ..script })
        };
        scripts.filter_map(plays_on).collect()
    }

    /// What there is to read in it: a turn that is skipped is half of one.
    fn cost(&self) -> usize {
        let turns = self.turns.iter().map(|turn| if turn.what == ScriptDeed::Skip { 1 } else { 2 });
        turns.sum::<usize>() + self.then_free
    }

    fn start(&self) -> Box<dyn Table> {
        self.dialect.game().table(self.setup.unwrap_or_default())
    }

    fn with_turns(&self, turns: Vec<ScriptTurn>) -> Script {
        Script { turns, ..self.clone() }
    }

    /// The game without some of its turns: first large parts are left out, then small ones.
    fn with_less(&self, answers: &Answers) -> Vec<Script> {
        let before_last = self.turns.len().saturating_sub(1);
        let some = |size: usize| Some(size).filter(|size| *size > 0);
        let sizes = std::iter::successors(some(before_last), |size| some(size / 2));
        let mut all = Vec::new();
        for size in sizes {
            for from in (0..before_last).step_by(size) {
                let until = (from + size).min(before_last);
                let kept = self.turns[..from].iter().chain(&self.turns[until..]);
                all.extend(self.replayed(kept, answers));
            }
        }
        all
    }

    /// The same game with turns of a player skipped: all of them, or single ones.
    fn quieter(&self, answers: &Answers) -> Vec<Script> {
        let Some(&least) = self.dialect.game().kinds_of_roll().first() else { return Vec::new() };
        let before_last = self.turns.len().saturating_sub(1);
        let all_of = |seat: Seat| (0..before_last).filter(|&place| self.turns[place].seat == seat).collect();
        let groups = Seat::BOTH.map(all_of).into_iter().chain((0..before_last).map(|place| vec![place]));
        let quieter = groups.filter_map(|group: Vec<usize>| {
            let mut turns = self.turns.clone();
            group.into_iter().for_each(|place| turns[place].roll = Some(least));
            self.replayed(turns.iter(), answers)
        });
        quieter.collect()
    }

    /// Games at random, mostly by the greatest roll and by the first move that there is, until a turn shows what the last one shows: the
    /// shortest one for each thing that it shows. In most of them only one player moves, and the other one's turns are skipped.
    fn sprints(&self, aim: &Aim, last: &ScriptTurn, answers: &Answers) -> Vec<Script> {
        let [least, .., greatest] = self.dialect.game().kinds_of_roll() else { return Vec::new() };
        let kinds = self.dialect.game().kinds_of_roll();
        let mut random = ChaCha8Rng::seed_from_u64(self.turns.len() as u64);
        let mut all: BTreeMap<usize, Script> = BTreeMap::new();
        for number in 0..SPRINTS {
            let runner = Seat::BOTH.get(number % 3);
            let mut wanted = aim.wanted();
            let mut reached = Reached { table: self.start(), turns: Vec::new() };
            while reached.turns.len() < self.turns.len() && reached.table.phase() == Phase::Roll {
                let any = kinds[below(random.next_u64(), kinds.len())];
                let is_fast = below(random.next_u64(), 4) > 0;
                let runs = runner.is_none_or(|runner| *runner == reached.table.to_move());
                let roll = match (runs, is_fast) {
                    (true, true) => *greatest,
                    (true, false) => any,
                    (false, _) => *least,
                };
                let mut table = reached.table.fork();
                let can_move = table.take_roll(roll);
                let before = if can_move { table } else { reached.table.fork() };
                let begun = Begun { table: before, roll: Some(roll), reached: &reached, answers };
                self.hits(&begun, aim, last, &mut wanted, &mut |turn, shown| {
                    let turns = reached.turns.iter().cloned().chain([turn]);
                    let script = self.with_turns(turns.collect());
                    for item in shown {
                        let known = all.entry(*item).or_insert_with(|| script.clone());
                        if script.cost() < known.cost() {
                            known.clone_from(&script);
                        }
                    }
                });
                if wanted.is_empty() {
                    break;
                }
                let next = self.goes_on(begun, &mut HashSet::new());
                let is_first = below(random.next_u64(), 4) > 0;
                let place = if is_first { 0 } else { below(random.next_u64(), next.len().max(1)) };
                let Some(next) = next.into_iter().nth(place) else { break };
                reached = next;
            }
        }
        all.into_values().collect()
    }

    /// These turns one after the other; where a move is not possible any more, another one is made instead. `None` where the last turn
    /// is not.
    fn replayed<'t>(&self, turns: impl Iterator<Item = &'t ScriptTurn>, answers: &Answers) -> Option<Script> {
        let mut table = self.start();
        let mut turns = turns.peekable();
        let mut played = Vec::new();
        while let Some(turn) = turns.next() {
            let seat = table.to_move();
            let is_last = turns.peek().is_none();
            match table.phase() {
                Phase::Over(_) => return None,
                Phase::Roll if !table.take_roll(turn.roll?) => {
                    if is_last && turn.what != ScriptDeed::Skip {
                        return None;
                    }
                    played.push(ScriptTurn { seat, what: ScriptDeed::Skip, ..turn.clone() });
                    continue;
                }
                Phase::Roll | Phase::Move => {}
            }
            let legal = self.choices(&played, table.as_ref(), turn.roll, answers);
            let what = match &turn.what {
                ScriptDeed::Any if !self.is_bots(seat) => return None,
                ScriptDeed::Move(mv) if legal.contains(mv) => ScriptDeed::Move(*mv),
                ScriptDeed::Move(_) | ScriptDeed::Skip if is_last => return None,
                ScriptDeed::Move(_) | ScriptDeed::Skip => ScriptDeed::Move(*legal.first()?),
                last => last.clone(),
            };
            if let ScriptDeed::Move(mv) = what {
                table.play(mv).ok()?;
            }
            played.push(ScriptTurn { seat, what, ..turn.clone() });
        }
        Some(self.with_turns(played))
    }

    /// What is aimed at, and of a referee whatever else belongs to the same requirements: another cell or the other player may be reached
    /// sooner.
    fn wanted_and_alike(&self, aim: &Aim) -> Vec<usize> {
        let all = self.dialect.game().coverage_items();
        let wanted = aim.wanted();
        let requirements: Vec<_> = match aim {
            Aim::Items(items) if self.side == Side::Referee => {
                items.iter().filter_map(|&item| all[item].requirement).collect()
            }
            _ => Vec::new(),
        };
        let is_alike = |item: &usize| {
            !wanted.contains(item) && all[*item].requirement.is_some_and(|id| requirements.contains(&id))
        };
        let alike: Vec<_> = (0..all.len()).filter(is_alike).collect();
        wanted.into_iter().chain(alike).collect()
    }

    /// Finds the shortest games by any rolls and moves whose last turn shows what is aimed at, and those that show the like sooner.
    fn quickest(
        &self,
        aim: &Aim,
        last: &ScriptTurn,
        answers: &Answers,
        found: &mut dyn FnMut(Script, &[usize]),
    ) {
        let mut random = ChaCha8Rng::seed_from_u64(self.turns.len() as u64);
        let own = aim.wanted();
        let mut wanted = self.wanted_and_alike(aim);
        let mut seen = HashSet::new();
        let mut level = vec![Reached { table: self.start(), turns: Vec::new() }];
        for _ in 0..DEEPEST.min(self.turns.len() - 1) {
            let mut next = Vec::new();
            for reached in &level {
                for (table, roll) in self.begun(reached.table.as_ref()) {
                    let begun = Begun { table, roll, reached, answers };
                    self.hits(&begun, aim, last, &mut wanted, &mut |turn, shown| {
                        let turns = reached.turns.iter().cloned().chain([turn]);
                        found(self.with_turns(turns.collect()), shown);
                    });
                    if !own.iter().any(|item| wanted.contains(item)) {
                        return;
                    }
                    next.extend(self.goes_on(begun, &mut seen));
                }
            }
            while next.len() > BEAM {
                next.swap_remove(below(random.next_u64(), next.len()));
            }
            level = next;
        }
    }

    /// The turn that begins in a position, with each kind of roll; a skipped turn is left as one before its roll.
    fn begun(&self, reached: &dyn Table) -> Vec<(Box<dyn Table>, Option<Roll>)> {
        let game = self.dialect.game();
        match reached.phase() {
            Phase::Over(_) => Vec::new(),
            Phase::Move => vec![(reached.fork(), None)],
            Phase::Roll => {
                let rolled = |&roll: &Roll| {
                    let mut table = reached.fork();
                    let can_move = table.take_roll(roll);
                    (if can_move { table } else { reached.fork() }, Some(roll))
                };
                game.kinds_of_roll().iter().map(rolled).collect()
            }
        }
    }

    /// Names the turns that show what is wanted, which is not wanted any more then.
    fn hits(
        &self,
        begun: &Begun<'_>,
        aim: &Aim,
        last: &ScriptTurn,
        wanted: &mut Vec<usize>,
        hit: &mut dyn FnMut(ScriptTurn, &[usize]),
    ) {
        let (table, roll) = (begun.table.as_ref(), begun.roll);
        let of = |what: ScriptDeed| ScriptTurn { seat: table.to_move(), roll, what, ..last.clone() };
        let is_skipped = table.phase() == Phase::Roll;
        // What a bot does, its opponent does not.
        let is_his = self.is_bots(table.to_move()) == self.is_bots(last.seat);
        match aim {
            Aim::Items(_) => {
                let legal = self.choices(&begun.reached.turns, table, roll, begun.answers);
                let legal = legal.into_iter().map(Some);
                for mv in legal.chain(is_skipped.then_some(None)) {
                    let mut shown = Vec::new();
                    table.covers(roll.unwrap_or(Roll(0)), mv, &mut |item| shown.push(item));
                    shown.retain(|item| wanted.contains(item));
                    wanted.retain(|item| !shown.contains(item));
                    if !shown.is_empty() {
                        hit(of(mv.map_or(ScriptDeed::Skip, ScriptDeed::Move)), &shown);
                    }
                }
            }
            Aim::Refusal(code) if !is_skipped => {
                let is_refused = |mv: &Move| {
                    table.check(*mv).is_err_and(|refusal| refusal.code == *code) && table.breaks_one_rule(*mv)
                };
                if let Some(mv) = self.dialect.game().every_move().into_iter().find(is_refused) {
                    wanted.clear();
                    hit(of(ScriptDeed::Illegal(self.dialect.write_move(mv))), &[0]);
                }
            }
            Aim::AnyTurn if !is_skipped && is_his => {
                wanted.clear();
                // What was ignored before has a legal move after it.
                match (&last.what, table.legal_moves().first()) {
                    (ScriptDeed::Move(_), Some(&mv)) => hit(of(ScriptDeed::Move(mv)), &[0]),
                    (deed, _) => hit(of(deed.clone()), &[0]),
                }
            }
            Aim::Refusal(_) | Aim::AnyTurn => {}
        }
    }

    /// The new positions after the turn that has begun.
    fn goes_on(&self, begun: Begun<'_>, seen: &mut HashSet<u64>) -> Vec<Reached> {
        let Begun { table, roll, reached, answers } = begun;
        let seat = table.to_move();
        let turn = |what| ScriptTurn { seat, roll, ignored: Vec::new(), what };
        let with = |what| reached.turns.iter().cloned().chain([turn(what)]).collect();
        let mut next = Vec::new();
        if table.phase() == Phase::Roll {
            let mut after = table;
            if let Some(roll) = roll {
                after.take_roll(roll);
            }
            if seen.insert(after.canonical_fingerprint()) {
                next.push(Reached { table: after, turns: with(ScriptDeed::Skip) });
            }
            return next;
        }
        for mv in self.choices(&reached.turns, table.as_ref(), roll, answers) {
            let mut after = table.fork();
            if after.play(mv).is_ok() && seen.insert(after.canonical_fingerprint()) {
                next.push(Reached { table: after, turns: with(ScriptDeed::Move(mv)) });
            }
        }
        next
    }

    /// The moves that can follow: of a bot the one that it was seen to answer there, where that is known.
    fn choices(
        &self,
        turns: &[ScriptTurn],
        table: &dyn Table,
        roll: Option<Roll>,
        answers: &Answers,
    ) -> Vec<Move> {
        let mut legal = table.legal_moves();
        if self.is_bots(table.to_move())
            && let Some(answer) = answers.after(turns, roll)
        {
            legal.retain(|mv| *mv == answer);
        }
        legal
    }

    /// The position after so many turns.
    fn reached(&self, turns: usize) -> Option<Box<dyn Table>> {
        let mut table = self.start();
        for turn in &self.turns[..turns] {
            if let Some(roll) = turn.roll {
                table.take_roll(roll);
            }
            if let ScriptDeed::Move(mv) = turn.what {
                table.play(mv).ok()?;
            }
        }
        Some(table)
    }

    /// The position before a turn, its roll taken unless it skips the turn, and that turn.
    pub(super) fn before(&self, place: usize) -> Option<(Box<dyn Table>, &ScriptTurn)> {
        let last = self.turns.get(place)?;
        let mut table = self.reached(place)?;
        if let Some(roll) = last.roll.filter(|_| last.what != ScriptDeed::Skip) {
            table.take_roll(roll);
        }
        Some((table, last))
    }

    /// What the last turn shows, and what the one before it: what that led to may have shown only in the last one.
    fn aims(&self) -> Vec<(Aim, ScriptTurn, Follows)> {
        let Some(last) = self.turns.len().checked_sub(1) else { return Vec::new() };
        let aim = |place, follows| self.aim(place).map(|(aim, turn)| (aim, turn, follows));
        let before = last.checked_sub(1).and_then(|place| aim(place, Follows::OneMove));
        aim(last, Follows::Nothing).into_iter().chain(before).collect()
    }

    /// Games with these turns, and with a move after them where that follows: one for each roll, the greatest first, and for each
    /// position that a move leads to.
    fn ended(&self, turns: Vec<ScriptTurn>, follows: Follows) -> Vec<Script> {
        let script = self.with_turns(turns);
        if follows == Follows::Nothing {
            return vec![script];
        }
        let Some(table) = script.reached(script.turns.len()) else { return Vec::new() };
        let mut all = Vec::new();
        for (table, roll) in self.begun(table.as_ref()).into_iter().rev() {
            let mut seen = HashSet::new();
            for mv in table.legal_moves() {
                let mut after = table.fork();
                if after.play(mv).is_ok() && seen.insert(after.canonical_fingerprint()) {
                    let what = ScriptDeed::Move(mv);
                    let turn = ScriptTurn { seat: table.to_move(), roll, ignored: Vec::new(), what };
                    all.push(self.with_turns(script.turns.iter().cloned().chain([turn]).collect()));
                }
            }
        }
        all
    }

    /// What a turn shows.
    fn aim(&self, place: usize) -> Option<(Aim, ScriptTurn)> {
        let (table, last) = self.before(place)?;
        let roll = last.roll.unwrap_or(Roll(0));
        let items = |mv: Option<Move>| {
            let mut items = Vec::new();
            table.covers(roll, mv, &mut |item| items.push(item));
            Aim::Items(items)
        };
        let aim = match &last.what {
            ScriptDeed::Move(_) if !last.ignored.is_empty() => Aim::AnyTurn,
            ScriptDeed::Move(mv) => items(Some(*mv)),
            ScriptDeed::Skip => items(None),
            ScriptDeed::Illegal(line) => match self.dialect.read_said(line) {
                Said::Move(mv) => Aim::Refusal(table.check(mv).err()?.code),
                _ => Aim::AnyTurn,
            },
            ScriptDeed::Any | ScriptDeed::Silent | ScriptDeed::Leave(_) => Aim::AnyTurn,
        };
        Some((aim, last.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol;

    /// A long game of Ur by random rolls and moves, up to the move after the first one that leaves the track.
    fn up_to_an_exit(seed: u64) -> Script {
        let dialect = protocol::find("royalur").unwrap();
        let game = dialect.game();
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut table = game.table(crate::rules::Setup::default());
        let mut turns = Vec::new();
        let mut is_last = false;
        loop {
            let (seat, roll) = (table.to_move(), game.draw_roll(random.next_u64()));
            let turn = |what| ScriptTurn { seat, roll: Some(roll), ignored: Vec::new(), what };
            if !table.take_roll(roll) {
                turns.push(turn(ScriptDeed::Skip));
                continue;
            }
            let legal = table.legal_moves();
            let mv = legal[below(random.next_u64(), legal.len())];
            turns.push(turn(ScriptDeed::Move(mv)));
            if is_last {
                let (side, bot_seat) = (Side::Referee, Seat::First);
                return Script {
                    dialect,
                    side,
                    bot_seat,
                    setup: None,
                    timeout: None,
                    turns,
                    free_from: usize::MAX,
                    then_free: 0,
                };
            }
            is_last = table.is_of_kind(mv, "exit");
            table.play(mv).unwrap();
        }
    }

    #[test]
    fn every_shorter_game_is_legal_and_reads_as_a_scenario() {
        let script = up_to_an_exit(3);
        let none = Answers::default();
        let shorter: Vec<_> = script.shorter(&none, None).collect();
        assert!(shorter.len() > 20, "{}", shorter.len());
        let readable = shorter.iter().filter(|script| script.scenario("shorter", None).is_some()).count();
        // A game that is left where nothing can follow is no scenario of its own.
        assert!(readable * 10 >= shorter.len() * 9, "{readable} of {}", shorter.len());
        assert!(shorter.iter().all(|shorter| shorter.cost() < script.cost()));
    }

    #[test]
    fn finds_a_short_way_to_what_the_turn_before_the_last_showed() {
        let script = up_to_an_exit(5);
        assert!(script.length() > 15, "{}", script.length());
        let leaves_early = |script: &Script| {
            let before_last = script.turns.len().checked_sub(2).and_then(|place| script.before(place));
            before_last.is_some_and(
                |(table, turn)| matches!(turn.what, ScriptDeed::Move(mv) if table.is_of_kind(mv, "exit")),
            )
        };
        let none = Answers::default();
        let shortest = script.shorter(&none, None).filter(leaves_early).map(|script| script.length()).min();
        // To cells 4, 8 and 12, a turn of the other player skipped, out, and a move after it: the fewest turns.
        assert_eq!(shortest, Some(6));
    }

    #[test]
    fn finds_a_short_way_to_what_failed_wherever_in_the_game_it_stood() {
        let script = up_to_an_exit(5);
        let (answers, requirement) = (Answers::default(), Some("ur/capture/last-shared-cell"));
        let captures_on_12 = |script: &Script| {
            let place = script.turns.len().checked_sub(2);
            place.and_then(|place| script.before(place)).is_some_and(|(table, turn)| {
                let mut shown = Vec::new();
                let ScriptDeed::Move(mv) = turn.what else { return false };
                table.covers(turn.roll.unwrap_or(Roll(0)), Some(mv), &mut |item| shown.push(item));
                let items = script.dialect.game().coverage_items();
                shown.iter().any(|&item| items[item].requirement == requirement)
            })
        };
        let games: Vec<_> = script.shorter(&answers, requirement).filter(captures_on_12).collect();
        // Each player by cells 4 and 8 to 12, and a move after it: which one shows the capture depends on what failed.
        assert_eq!(games.iter().map(Script::length).min(), Some(7));
        assert!(games.iter().filter(|script| script.length() == 7).count() > 3);
    }
}
