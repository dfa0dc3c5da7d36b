//! Games with forced rolls that tell mistakes in the rules apart: from the rules, and from each other.
//!
//! Many short random games are played on paper by the rules, and each mistake is held against each. Of those games, the one that tells the
//! most pairs of mistakes apart for its length is taken, cut off after the turn that shows the last of it, and so on.

use std::collections::BTreeMap;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use urtext::mistake::first_sign;
use urtext::protocol::{Cause, Dialect, GameEvent};
use urtext::requirement::Role;
use urtext::rules::{Game, Mistake, Move, Phase, Roll, Seat, Setup, Table, below};
use urtext::scenario::{Deed, PlannedGame, Scenario, Side, Turn};

/// Lengths of the random games, in turns: most of what differs shows early, but some of it only at the end of a game.
const LENGTHS: [usize; 8] = [1, 4, 8, 12, 16, 24, 40, 1000];
/// Number of turns that a game costs beside its own: each is started for itself.
const START: usize = 8;
/// Number of mistakes of which one is sought that takes an illegal move.
const ASKED: usize = 24;
/// Weight of telling a mistake from the rules, which catches a fault, and a named variant from another mistake, which explains it; telling
/// two others apart weighs 1.
const HEAVY: usize = 20;

/// A game that tells mistakes in the rules apart.
#[derive(Debug)]
pub(crate) struct DistinguishingGame {
    plan: PlannedGame,
    /// The mistakes by which the game would have gone otherwise.
    pub(crate) refutes: Vec<&'static Mistake>,
    setup: Setup,
    history: Vec<GameEvent>,
    losing: Option<Move>,
}

/// Games that tell mistakes apart.
#[derive(Debug, Default)]
pub(crate) struct Told {
    /// The games, those first that tell the most for their length.
    pub(crate) games: Vec<DistinguishingGame>,
    /// Mistakes that no game found refutes.
    pub(crate) left: Vec<&'static Mistake>,
    /// Pairs of mistakes that no game found tells apart.
    pub(crate) alike: Vec<[&'static Mistake; 2]>,
}

/// A search for games of a referee.
pub(crate) struct Search {
    dialect: &'static dyn Dialect,
    seed: u64,
    /// The games found so far, and the mistakes that are left.
    pub(crate) told: Told,
}

impl Search {
    /// A search that has found nothing yet.
    pub(crate) fn new(dialect: &'static dyn Dialect, seed: u64) -> Search {
        let told = Told::default();
        Search {
            dialect,
            seed,
            told,
        }
    }

    /// Seeks games that tell these mistakes from the rules, and from each other, where those found before do not. `tries` is the number of
    /// random games; at most `most` of them are taken.
    pub(crate) fn seek(&mut self, mistakes: &[&'static Mistake], tries: usize, most: usize) {
        let dialect = self.dialect;
        let is_open = |row: &&&'static Mistake| {
            let mut games = self.told.games.iter();
            !games.any(|game| game.is_refuting(dialect, row))
        };
        let mistakes: Vec<_> = mistakes.iter().filter(is_open).copied().collect();
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        let candidates: Vec<_> = (0..tries)
            .map(|number| {
                let length = LENGTHS[number % LENGTHS.len()];
                Candidate::random(dialect, &mistakes, length, &mut random)
            })
            .collect();
        let mut open = pairs(dialect, &mistakes);
        let mut games = Vec::new();
        while games.len() < most {
            let best = candidates
                .iter()
                .filter_map(|candidate| candidate.best_cut(&open));
            // The first of equal ones.
            let best = best.reduce(|best, cut| if cut.is_better_than(&best) { cut } else { best });
            let Some(best) = best else { break };
            open.retain(|pair| !best.tells_apart(*pair));
            // An illegal move ends a game, so each game has room for one.
            let ended = best.ended_illegally(dialect, &mistakes, &open);
            let whole = ended.as_ref().map(|candidate| Cut {
                candidate,
                events: candidate.history.len(),
                turns: best.turns + 1,
                gain: best.gain,
            });
            let taken = whole.unwrap_or(best);
            open.retain(|pair| !taken.tells_apart(*pair));
            games.push(taken.game(dialect, &mistakes, &games));
        }
        let is_refuted = |row: &Mistake| {
            let mut refuted = games.iter().flat_map(|game| &game.refutes);
            refuted.any(|other| other.name == row.name)
        };
        let left = mistakes.iter().filter(|row| !is_refuted(row));
        self.told.left.extend(left);
        let alike = open.iter();
        let alike = alike.filter_map(|pair| Some([mistakes[pair.one], mistakes[pair.other?]]));
        self.told.alike.extend(alike);
        self.told.games.append(&mut games);
    }
}

/// Two mistakes by their numbers, or a mistake and the rules.
#[derive(Debug, Clone, Copy)]
struct Pair {
    one: usize,
    other: Option<usize>,
    /// Weight of telling them apart.
    weight: usize,
}

/// The pairs that are worth telling apart: each mistake from the rules, the whole ones from each other, and each part from its whole.
fn pairs(dialect: &dyn Dialect, mistakes: &[&'static Mistake]) -> Vec<Pair> {
    let named = dialect.game().mistakes().named();
    let is_named = |row: &Mistake| named.iter().any(|other| other.name == row.name);
    let from_rules = |one| Pair {
        one,
        other: None,
        weight: HEAVY,
    };
    let mut pairs: Vec<_> = (0..mistakes.len()).map(from_rules).collect();
    for (one, row) in mistakes.iter().enumerate() {
        for (other, later) in mistakes.iter().enumerate().skip(one + 1) {
            let is_part = later.general == Some(row.name);
            if row.general.is_none() && (later.general.is_none() || is_part) {
                let is_heavy = !is_part && (is_named(row) || is_named(later));
                pairs.push(Pair {
                    one,
                    other: Some(other),
                    weight: if is_heavy { HEAVY } else { 1 },
                });
            }
        }
    }
    pairs
}

/// First sign in a game that a referee makes a mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FirstSign {
    /// Number of the event that does not fit.
    event: usize,
    /// What would be next with the mistake, and whose turn it would be.
    due: (Phase, Seat),
}

/// A game on paper.
struct Candidate {
    setup: Setup,
    history: Vec<GameEvent>,
    /// The illegal move at its end.
    losing: Option<Move>,
    /// What each mistake shows in it.
    shown: Vec<Option<FirstSign>>,
}

/// The first part of a game.
struct Cut<'c> {
    candidate: &'c Candidate,
    /// Number of its events.
    events: usize,
    turns: usize,
    /// Weight of what it tells apart.
    gain: usize,
}

impl Candidate {
    /// Plays at random up to so many turns. Every second game ends with an illegal move that a mistake allows, where there is one.
    fn random(
        dialect: &'static dyn Dialect,
        mistakes: &[&'static Mistake],
        turns: usize,
        random: &mut ChaCha8Rng,
    ) -> Candidate {
        let game = dialect.game();
        let setup = game.draw_setup(random.next_u64());
        let mut table = game.table(setup);
        let mut history = Vec::new();
        let mut losing = None;
        let ends_illegally = random.next_u64().is_multiple_of(2);
        // Some games use the first tokens as long as they can.
        let is_orderly = random.next_u64().is_multiple_of(4);
        for turn in 1..=turns {
            if table.phase() == Phase::Roll {
                let roll = random_roll(game, random);
                let by = table.to_move();
                let skipped = !table.take_roll(roll);
                history.push(GameEvent::Rolled { by, roll, skipped });
                if skipped {
                    continue;
                }
            }
            let by = table.to_move();
            if turn == turns && ends_illegally {
                losing = allowed_by_one(dialect, mistakes, setup, &history, &*table, random);
                if let Some(mv) = losing {
                    let refusal = table.check(mv).expect_err("the move is illegal");
                    let cause = Cause::Invalid(refusal.requirement);
                    history.push(GameEvent::Lost { by, cause });
                    break;
                }
            }
            let moves = table.legal_moves();
            if moves.is_empty() {
                break;
            }
            let any = below(random.next_u64(), moves.len());
            let mv = moves[if is_orderly { 0 } else { any }];
            table.play(mv).expect("the move is legal");
            let result = table.phase().result();
            history.push(GameEvent::Moved { by, mv, result });
            if result.is_some() {
                break;
            }
        }
        Candidate::new(dialect, mistakes, setup, history, losing)
    }

    fn new(
        dialect: &'static dyn Dialect,
        mistakes: &[&'static Mistake],
        setup: Setup,
        history: Vec<GameEvent>,
        losing: Option<Move>,
    ) -> Candidate {
        let game = dialect.game();
        let mut table = game.table(setup);
        let shown = mistakes.iter().map(|row| {
            let mut variant = game.mistakes().table(setup, row.name)?;
            table.restart();
            let event = first_sign(&history, losing, variant.as_mut(), table.as_mut())?;
            let due = (variant.phase(), variant.to_move());
            Some(FirstSign { event, due })
        });
        let shown = shown.collect();
        Candidate {
            setup,
            history,
            losing,
            shown,
        }
    }

    /// The number of the event that tells them apart, if one does.
    fn tells_apart(&self, pair: Pair) -> Option<usize> {
        let one = self.shown[pair.one];
        let other = pair.other.and_then(|other| self.shown[other]);
        if one == other {
            return None;
        }
        let events = [one, other].into_iter().flatten();
        events.map(|sign| sign.event).min()
    }

    /// The first part of the game that tells the most of these pairs apart for its length; `None` where none tells any.
    fn best_cut(&self, open: &[Pair]) -> Option<Cut<'_>> {
        let mut gains = vec![0; self.history.len() + 1];
        for pair in open {
            if let Some(event) = self.tells_apart(*pair) {
                gains[event] += pair.weight;
            }
        }
        let mut best: Option<Cut<'_>> = None;
        let (mut gain, mut turns) = (0, 0);
        for (event, more) in gains.into_iter().enumerate() {
            gain += more;
            let ends_turn =
                |event: &GameEvent| !matches!(event, GameEvent::Rolled { skipped: false, .. });
            let is_whole = self.history.get(event).is_none_or(ends_turn);
            turns += usize::from(is_whole && event < self.history.len());
            let cut = Cut {
                candidate: self,
                // A turn is played whole.
                events: event + if is_whole { 1 } else { 2 },
                turns: turns + usize::from(!is_whole),
                gain,
            };
            if more > 0 && best.as_ref().is_none_or(|best| cut.is_better_than(best)) {
                best = Some(cut);
            }
        }
        best
    }
}

/// A roll: often one of each kind is as likely as another, so that rare ones come too.
fn random_roll(game: &dyn Game, random: &mut ChaCha8Rng) -> Roll {
    let kinds = game.kinds_of_roll();
    if random.next_u64().is_multiple_of(2) {
        kinds[below(random.next_u64(), kinds.len())]
    } else {
        game.draw_roll(random.next_u64())
    }
}

/// An illegal move that one of the mistakes allows now, if one of some is found that does.
fn allowed_by_one(
    dialect: &'static dyn Dialect,
    mistakes: &[&'static Mistake],
    setup: Setup,
    history: &[GameEvent],
    rules: &dyn Table,
    random: &mut ChaCha8Rng,
) -> Option<Move> {
    (0..ASKED.min(mistakes.len())).find_map(|_| {
        let row = mistakes[below(random.next_u64(), mistakes.len())];
        let mut variant = dialect.game().mistakes().table(setup, row.name)?;
        let mut table = dialect.game().table(setup);
        let is_equal = first_sign(history, None, variant.as_mut(), table.as_mut()).is_none();
        let is_due = variant.phase() == Phase::Move && variant.to_move() == rules.to_move();
        if !is_equal || !is_due {
            return None;
        }
        let mut moves = variant.legal_moves();
        moves.retain(|mv| rules.check(*mv).is_err());
        (!moves.is_empty()).then(|| moves[below(random.next_u64(), moves.len())])
    })
}

impl<'c> Cut<'c> {
    /// Returns true if this part of the game tells them apart.
    fn tells_apart(&self, pair: Pair) -> bool {
        let event = self.candidate.tells_apart(pair);
        event.is_some_and(|event| event < self.events)
    }

    /// This part of the game, and after it the illegal move that tells the most mistakes from the rules which no game has told; `None` where
    /// there is none, or where the move of a turn depends on a roll.
    fn ended_illegally(
        &self,
        dialect: &'static dyn Dialect,
        mistakes: &[&'static Mistake],
        open: &[Pair],
    ) -> Option<Candidate> {
        let (game, setup) = (dialect.game(), self.candidate.setup);
        let mut rules = game.table(setup);
        let mut events = self.events().iter();
        let goes_on = |event: &GameEvent| !matches!(event, GameEvent::Lost { .. });
        let is_open = events.all(|event| goes_on(event) && event.play_on(rules.as_mut()));
        if !is_open || rules.phase() != Phase::Move {
            return None;
        }
        let mut taken: BTreeMap<Move, usize> = BTreeMap::new();
        for pair in open.iter().filter(|pair| pair.other.is_none()) {
            let name = mistakes[pair.one].name;
            let mut variant = game.mistakes().table(setup, name)?;
            let mut start = game.table(setup);
            let sign = first_sign(self.events(), None, variant.as_mut(), start.as_mut());
            if sign.is_none() && variant.to_move() == rules.to_move() {
                let moves = variant.legal_moves().into_iter();
                for mv in moves.filter(|mv| rules.check(*mv).is_err()) {
                    *taken.entry(mv).or_default() += 1;
                }
            }
        }
        let (mv, _) = taken
            .into_iter()
            .rev()
            .max_by_key(|(_, mistakes)| *mistakes)?;
        let refusal = rules.check(mv).expect_err("the move is illegal");
        let (by, cause) = (rules.to_move(), Cause::Invalid(refusal.requirement));
        let mut history = self.events().to_vec();
        history.push(GameEvent::Lost { by, cause });
        Some(Candidate::new(dialect, mistakes, setup, history, Some(mv)))
    }

    fn is_better_than(&self, other: &Cut<'_>) -> bool {
        self.gain * (other.turns + START) > other.gain * (self.turns + START)
    }

    /// The game up to the end of the turn that shows the last difference. It checks what no game before it has told.
    fn game(
        &self,
        dialect: &'static dyn Dialect,
        mistakes: &[&'static Mistake],
        before: &[DistinguishingGame],
    ) -> DistinguishingGame {
        let shown = self.candidate.shown.iter().zip(mistakes);
        let is_shown =
            |shown: &Option<FirstSign>| shown.is_some_and(|shown| shown.event < self.events);
        let refutes: Vec<_> = shown
            .filter(|(shown, _)| is_shown(shown))
            .map(|(_, row)| *row)
            .collect();
        let game = dialect.game();
        let mut plan = PlannedGame {
            checks: vec![dialect.id(Role::FirstTurn)],
            ..PlannedGame::new(dialect, Side::Referee)
        };
        if !game.setup_keys().is_empty() {
            plan.setup = Some(self.candidate.setup);
        }
        let turns = self.turns(dialect);
        let plan = plan.with_steps(turns.into_iter().map(urtext::scenario::StepKind::Turn));
        let of_loss = self
            .candidate
            .history
            .iter()
            .filter_map(|event| match event {
                GameEvent::Lost {
                    cause: Cause::Invalid(id),
                    ..
                } => Some(*id),
                _ => None,
            });
        let is_told = |row: &Mistake| {
            let mut told = before.iter().flat_map(|game| &game.refutes);
            told.any(|other| other.name == row.name)
        };
        let mut wished = refutes.clone();
        wished.sort_by_key(|row| is_told(row));
        let wished = wished.iter().map(|row| row.breaks);
        let plan = with_checks(plan, wished.chain(of_loss));
        DistinguishingGame {
            plan,
            refutes,
            setup: self.candidate.setup,
            history: self.events().to_vec(),
            losing: self.candidate.losing,
        }
    }

    fn events(&self) -> &'c [GameEvent] {
        let history = &self.candidate.history;
        &history[..self.events.min(history.len())]
    }

    fn turns(&self, dialect: &'static dyn Dialect) -> Vec<Turn> {
        let mut turns = Vec::new();
        let mut rolled = None;
        for event in self.events() {
            let (seat, action) = match *event {
                GameEvent::Rolled { by, roll, skipped } => {
                    rolled = Some(roll);
                    if !skipped {
                        continue;
                    }
                    (by, Deed::Skip)
                }
                GameEvent::Moved { by, mv, .. } => (by, Deed::this(mv)),
                GameEvent::Lost { by, .. } => {
                    let line = self.candidate.losing.map(|mv| dialect.write_move(mv));
                    (by, Deed::Illegal(line.unwrap_or_default()))
                }
            };
            turns.push(Turn::new(seat, rolled.take(), action));
        }
        turns
    }
}

/// Number of requirements that a game checks at most: of those of all mistakes, a reader learns nothing.
const CHECKS: usize = 3;

/// The game with the first of these requirements that it puts to the test; without any of them it stays as it is.
fn with_checks(plan: PlannedGame, wished: impl Iterator<Item = &'static str>) -> PlannedGame {
    let mut checks: Vec<&'static str> = Vec::new();
    for id in wished {
        if checks.len() == CHECKS {
            break;
        }
        let can_check = |id: &'static str| {
            let checks = vec![id];
            let plan = PlannedGame {
                checks,
                ..plan.clone()
            };
            plan.titled("a game").placed("game").is_ok()
        };
        if !checks.contains(&id) && can_check(id) {
            checks.push(id);
        }
    }
    if checks.is_empty() {
        return plan;
    }
    PlannedGame { checks, ..plan }
}

impl DistinguishingGame {
    /// Returns true if the game would have gone otherwise by the mistake.
    fn is_refuting(&self, dialect: &dyn Dialect, row: &Mistake) -> bool {
        let game = dialect.game();
        let Some(mut variant) = game.mistakes().table(self.setup, row.name) else {
            return false;
        };
        let mut rules = game.table(self.setup);
        first_sign(&self.history, self.losing, variant.as_mut(), rules.as_mut()).is_some()
    }

    /// A comment that names the mistakes that it refutes.
    pub(crate) fn comment(&self) -> String {
        let lines = comment(&self.refutes).into_iter();
        lines.map(|line| format!("# {line}\n")).collect()
    }

    /// The scenario of that name.
    ///
    /// # Panics
    /// Panics if the rules refuse the game, which they have played.
    pub(crate) fn scenario(self, name: &str, title: &str) -> Scenario {
        self.plan
            .titled(title)
            .placed(name)
            .expect("the rules have played the game")
    }
}

/// Lines that name the mistakes; those that hold in some turns only are counted where the whole is named.
fn comment(mistakes: &[&'static Mistake]) -> Vec<String> {
    const WIDTH: usize = 100;
    /// A long game refutes hundreds that hold under a condition only.
    const CONDITIONAL: usize = 20;
    let is_named = |row: &&&Mistake| {
        row.general
            .is_none_or(|general| !mistakes.iter().any(|other| other.name == general))
    };
    let mut lines = vec!["Refutes:".to_owned()];
    let named = mistakes.iter().filter(is_named);
    let is_whole = |row: &&&Mistake| row.general.is_none();
    let (whole, partial): (Vec<&&Mistake>, Vec<&&Mistake>) = named.partition(is_whole);
    let shown = partial.iter().take(CONDITIONAL);
    let mut words: Vec<_> = whole
        .iter()
        .chain(shown)
        .map(|row| format!("{},", row.name))
        .collect();
    let last = words.last_mut().expect("a game refutes something");
    last.pop();
    match partial.len().saturating_sub(CONDITIONAL) {
        0 => {}
        more => words.push(format!("and {more} more")),
    }
    let last = words.last_mut().expect("a game refutes something");
    last.push('.');
    for word in words {
        let last = lines.last_mut().expect("there is a line");
        if last.len() + word.len() + 1 > WIDTH {
            lines.push(word);
        } else {
            last.push(' ');
            last.push_str(&word);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_refutes_what_its_comment_names_and_nothing_else() {
        for dialect in urtext::pack::dialects() {
            let game = dialect.game();
            let all: Vec<_> = game
                .mistakes()
                .whole()
                .iter()
                .filter(|row| row.general.is_none())
                .collect();
            let mistakes = &all[..all.len().min(30)];
            let mut search = Search::new(dialect, 1);
            search.seek(mistakes, 300, 3);
            assert!(!search.told.games.is_empty(), "{}", game.name());
            for found in search.told.games {
                let refutes: Vec<_> = found.refutes.iter().map(|row| row.name).collect();
                let comment = found.comment();
                let scenario = found.scenario("game", "a game");
                let plan = scenario.game().unwrap();
                let setup = plan.setup.unwrap_or_default();
                let would_differ = |row: &&&Mistake| {
                    let mut variant = game.mistakes().table(setup, row.name).unwrap();
                    let rules = game.table(setup);
                    goes_otherwise(plan, variant.as_mut(), rules)
                };
                let differing = mistakes.iter().filter(would_differ);
                let differing: Vec<_> = differing.map(|row| row.name).collect();
                assert_eq!(differing, refutes, "{comment}");
            }
        }
    }

    /// Plays the turns of a scenario by a variant, without the code that is under test.
    fn goes_otherwise(
        plan: &PlannedGame,
        variant: &mut dyn Table,
        mut rules: Box<dyn Table>,
    ) -> bool {
        for (_, turn) in plan.turns() {
            if let Some(roll) = turn.roll {
                if variant.phase() != Phase::Roll {
                    return true;
                }
                let can_move = rules.take_roll(roll);
                variant.take_roll(roll);
                if !can_move {
                    continue;
                }
            }
            let is_due = variant.phase() == Phase::Move && variant.to_move() == turn.seat;
            match &turn.deed {
                Deed::Illegal(line) => {
                    let line = plan.dialect.read_player_line(line);
                    let mv = line.possible_move().unwrap();
                    return is_due && variant.play(mv).is_ok();
                }
                _ if !is_due => return true,
                action => {
                    let mv = action.mv().unwrap();
                    rules.play(mv).unwrap();
                    if variant.play(mv).is_err() {
                        return true;
                    }
                }
            }
        }
        rules.phase().result().is_some() && rules.phase() != variant.phase()
    }
}
