//! The shortest games that tell a wrong reading of the rules from the rules.

use std::collections::HashSet;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::Answers;
use super::aim::Follows;
use super::script::Script;
use crate::rules::{Mistake, Move, Phase, Roll, Table, below};
use crate::scenario::{Deed, Side, Turn};

/// Number of positions kept after each turn of the search.
const BEAM: usize = 400;
/// Maximum number of turns of a game in the search.
const DEEPEST: usize = 14;
/// Number of places at which the reading shows, after which the search ends.
const PLACES: usize = 8;

/// A position by the rules, the same by the reading, and how both are reached.
struct Twin {
    rules: Box<dyn Table>,
    believed: Box<dyn Table>,
    turns: Vec<Turn>,
}

impl Script {
    /// Games with fewer turns in which a subject that believes the reading shows it, the shortest first. Unknown answers of a bot are
    /// guessed.
    pub(super) fn that_tell(&self, reading: &Mistake, answers: &Answers) -> Vec<Script> {
        let setup = self.plan.setup.unwrap_or_default();
        let game = self.plan.dialect.game();
        let Some(believed) = game.mistakes().table(setup, reading.name) else {
            return Vec::new();
        };
        let mut random = ChaCha8Rng::seed_from_u64(self.turns.len() as u64);
        let (mut found, mut seen) = (Vec::new(), HashSet::new());
        let mut level = vec![Twin {
            rules: self.start(),
            believed,
            turns: Vec::new(),
        }];
        for _ in 0..DEEPEST.min(self.turns.len()) {
            let mut next = Vec::new();
            for twin in &level {
                self.go_on(twin, answers, &mut |after, shows| match shows {
                    Some(follows) => found.push((after.turns, follows)),
                    None => {
                        let place = [&after.rules, &after.believed];
                        if seen.insert(place.map(|table| table.canonical_fingerprint())) {
                            next.push(after);
                        }
                    }
                });
            }
            if found.len() >= PLACES {
                break;
            }
            while next.len() > BEAM {
                next.swap_remove(below(random.next_u64(), next.len()));
            }
            level = next;
        }
        let games = found
            .into_iter()
            .flat_map(|(turns, follows)| self.ended(turns, follows));
        let mut games: Vec<_> = games
            .filter(|script| script.is_shorter_than(self))
            .map(|script| Script {
                free_from: script.known_until(answers),
                ..script
            })
            .collect();
        games.sort_by_key(Script::cost);
        games
    }

    /// Takes each turn that can follow, by the rules and by the reading, to `reached`: with what has to follow it where the reading shows.
    fn go_on(
        &self,
        twin: &Twin,
        answers: &Answers,
        reached: &mut dyn FnMut(Twin, Option<Follows>),
    ) {
        if let Phase::Over(_) = twin.rules.phase() {
            return;
        }
        let rolls: Vec<Option<Roll>> = match twin.rules.phase() {
            Phase::Roll => {
                let kinds = self.plan.dialect.game().kinds_of_roll();
                kinds.iter().copied().map(Some).collect()
            }
            _ => vec![None],
        };
        for roll in rolls {
            let (mut rules, mut believed) = (twin.rules.fork(), twin.believed.fork());
            let take = |table: &mut Box<dyn Table>| roll.is_none_or(|roll| table.take_roll(roll));
            let (is_due, is_believed_due) = (take(&mut rules), take(&mut believed));
            let seat = twin.rules.to_move();
            let after = |rules, believed, action| Twin {
                rules,
                believed,
                turns: twin
                    .turns
                    .iter()
                    .cloned()
                    .chain([Turn::new(seat, roll, action)])
                    .collect(),
            };
            if !is_due {
                let shows = if is_believed_due {
                    Some(Follows::OneMove)
                } else {
                    apart(&*rules, &*believed)
                };
                reached(after(rules, believed, Deed::Skip), shows);
                continue;
            }
            for mv in self.choices(&twin.turns, &*rules, roll, answers) {
                let mut next = (rules.fork(), believed.fork());
                if next.0.play(mv).is_err() {
                    continue;
                }
                let shows = if !is_believed_due || next.1.play(mv).is_err() {
                    Some(Follows::Nothing)
                } else {
                    apart(&*next.0, &*next.1)
                };
                let twin = after(next.0, next.1, Deed::this(mv));
                reached(twin, shows);
            }
            if is_believed_due && let Some(mv) = self.wrong(&*rules, &*believed) {
                let is_bots = self.is_bots(seat);
                let action = if is_bots {
                    rules.legal_moves().first().copied().map(Deed::this)
                } else {
                    let line = self.plan.dialect.write_move(mv);
                    (self.plan.side == Side::Referee).then_some(Deed::Illegal(line))
                };
                if let Some(action) = action {
                    reached(after(rules, believed, action), Some(Follows::Nothing));
                }
            }
        }
    }

    /// An illegal move that is legal by the reading.
    fn wrong(&self, rules: &dyn Table, believed: &dyn Table) -> Option<Move> {
        let mut moves = believed.legal_moves().into_iter();
        moves.find(|mv| rules.check(*mv).is_err())
    }
}

/// What has to follow where another turn follows by the reading than by the rules, or another end: nothing where the game is over by the rules.
fn apart(rules: &dyn Table, believed: &dyn Table) -> Option<Follows> {
    let is_apart = rules.phase() != believed.phase() || rules.to_move() != believed.to_move();
    is_apart.then(|| match rules.phase() {
        Phase::Over(_) => Follows::Nothing,
        _ => Follows::OneMove,
    })
}
