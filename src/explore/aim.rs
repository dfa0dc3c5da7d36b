//! What the last turn of a shorter game has to show, so that the game can fail alike.

use super::script::{Answers, Script, given_to};
use super::search::{Begun, SPRINTS, are_apart};
use crate::protocol::PlayerLine;
use crate::rules::{Mistake, Move, Phase, Roll, Seat, Table};
use crate::scenario::{Choice, Deed, Participant, Side, Turn};

/// Number of places at which a mistake shows, after which the search ends.
const PLACES: usize = 8;

/// One thing that a turn shows, which may be the reason of the failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    /// A coverage item.
    Item(usize),
    /// A move that is refused for the reason with this code.
    Refusal(&'static str),
    /// Nothing that hangs on the position: any turn of this player will do.
    By(Seat),
}

/// What the last turn of a game has to show.
pub(super) struct Aim {
    shown: Vec<Shown>,
    /// The turn of the failed game that showed it.
    turn: Turn,
    /// Number of ways in which the game goes on for one move.
    pub(super) follows: usize,
}

impl Aim {
    /// Aims at what this turn of the failed game showed.
    pub(super) fn new(shown: Vec<Shown>, turn: &Turn, follows: usize) -> Aim {
        let turn = turn.clone();
        Aim {
            shown,
            turn,
            follows,
        }
    }
}

impl Script {
    /// Returns the aims of the last turn and of the one before, whose effect may have appeared only in the last one, of each turn in which
    /// a line was sent off turn, which may have shown in any later one, and of the requirement that failed, wherever in the game it was.
    pub(super) fn aims(&self, requirement: Option<&'static str>) -> Vec<Aim> {
        let mut aims = Vec::new();
        for (place, turn) in self.turns.iter().enumerate().rev() {
            let left = self.turns.len() - place - 1;
            let mut acts = turn.meanwhile.iter();
            let is_heard = acts.any(|act| act.who != Participant::Player(turn.seat));
            for follows in [0, 1] {
                let is_last = left == follows;
                if is_last || is_heard && left > follows {
                    aims.push(Aim::new(self.shown(place), turn, follows));
                }
            }
        }
        if let Some(last) = self.turns.last() {
            let plain = Turn::new(last.seat, last.roll, Deed::Skip);
            aims.push(Aim::new(self.items_of(&[requirement]), &plain, usize::MAX));
        }
        aims.retain(|aim| !aim.shown.is_empty());
        aims
    }

    /// The coverage items of these requirements, of a referee: another cell or the other player may be reached sooner.
    fn items_of(&self, requirements: &[Option<&'static str>]) -> Vec<Shown> {
        let all = self.plan.dialect.game().coverage_items().iter().enumerate();
        let wanted = all.filter(|(_, item)| {
            self.plan.side == Side::Referee
                && item.requirement.is_some()
                && requirements.contains(&item.requirement)
        });
        wanted.map(|(number, _)| Shown::Item(number)).collect()
    }

    /// Returns what a turn of this game shows.
    pub(super) fn shown(&self, place: usize) -> Vec<Shown> {
        let before = self.before(place);
        let mut shown = before.map_or_else(Vec::new, |(table, turn)| self.shown_by(&*table, turn));
        if let [Shown::By(seat)] = shown[..] {
            // Any turn of each player will do.
            shown.push(Shown::By(seat.other()));
        }
        shown
    }

    /// Returns what a turn shows in this position, its roll taken unless it skips the turn.
    fn shown_by(&self, table: &dyn Table, turn: &Turn) -> Vec<Shown> {
        let mut shown = Vec::new();
        match (&turn.deed, self.refused(&turn.deed)) {
            (_, Some(mv)) => {
                let refusal = table.check(mv).err();
                shown.extend(refusal.map(|refusal| Shown::Refusal(refusal.code)));
            }
            (deed, None) if is_plain(turn) => {
                let roll = turn.roll.unwrap_or(Roll(0));
                table.covers(roll, deed.mv(), &mut |item| shown.push(Shown::Item(item)));
            }
            _ => shown.push(Shown::By(turn.seat)),
        }
        shown
    }

    /// The move of a line that loses the game by it.
    fn refused(&self, deed: &Deed) -> Option<Move> {
        match deed {
            Deed::Illegal(line) => match self.plan.dialect.read_player_line(line) {
                PlayerLine::Move(mv) => Some(mv),
                _ => None,
            },
            _ => None,
        }
    }

    /// Finds short games whose last turn shows what is aimed at, or the like: for each item the cheapest, with the item.
    pub(super) fn that_show(&self, aim: &Aim, answers: &Answers) -> Vec<(Shown, Script)> {
        let all = self.plan.dialect.game().coverage_items();
        let requirement = |shown: &Shown| match shown {
            Shown::Item(item) => all[*item].requirement,
            _ => None,
        };
        let requirements: Vec<_> = aim.shown.iter().map(requirement).collect();
        let wanted = [aim.shown.clone(), self.items_of(&requirements)].concat();
        let mut found: Vec<(Shown, Script)> = Vec::new();
        for sprint in std::iter::once(None).chain((0..SPRINTS).map(Some)) {
            let mut left = aim.shown.clone();
            self.search(sprint, None, answers, &mut |begun| {
                for turn in self.endings(aim, begun) {
                    let mut shown = self.shown_by(begun.table(), &turn);
                    left.retain(|one| !shown.contains(one));
                    shown.retain(|one| wanted.contains(one));
                    let script = self.with_turns(begun.ended_by(turn));
                    for one in shown {
                        match found.iter_mut().find(|(known, _)| *known == one) {
                            None => found.push((one, script.clone())),
                            Some((_, known)) if script.is_shorter_than(known) => {
                                known.clone_from(&script);
                            }
                            Some(_) => {}
                        }
                    }
                }
                left.is_empty()
            });
            if sprint.is_none() && left.is_empty() {
                break;
            }
        }
        found
    }

    /// The turns by which a game can end here to show what is aimed at.
    fn endings(&self, aim: &Aim, begun: &Begun<'_>) -> Vec<Turn> {
        let (table, last) = (begun.table(), &aim.turn);
        let seat = table.to_move();
        let deeds = if is_plain(last) {
            begun.deeds().collect()
        } else if !begun.can_move() {
            Vec::new()
        } else if self.refused(&last.deed).is_some() {
            let is_meant = |mv: &Move| {
                let refusal = table.check(*mv).err();
                let shown = refusal.map(|refusal| Shown::Refusal(refusal.code));
                shown.is_some_and(|shown| aim.shown.contains(&shown)) && table.breaks_one_rule(*mv)
            };
            let dialect = self.plan.dialect;
            let refused = dialect.game().every_move().into_iter().find(is_meant);
            let line = refused.map(|mv| Deed::Illegal(dialect.write_move(mv)));
            Vec::from_iter(line)
        } else if self.is_bots(seat) == self.is_bots(last.seat) {
            vec![match (&last.deed, begun.moves.first()) {
                (Deed::Move(Choice::This(_)), Some(&mv)) => Deed::this(mv),
                (deed, _) => deed.clone(),
            }]
        } else {
            // What a bot does, its opponent does not.
            Vec::new()
        };
        let turn = |deed| Turn {
            roll: begun.roll,
            ..given_to(last, seat, deed)
        };
        deeds.into_iter().map(turn).collect()
    }

    /// Finds short games in which a subject that makes this mistake shows it.
    pub(super) fn that_tell(&self, mistake: &Mistake, answers: &Answers) -> Vec<Script> {
        let (mut found, mut places) = (Vec::new(), 0);
        self.search(None, Some(mistake), answers, &mut |begun| {
            for (turn, is_shown) in self.turns_that_tell(begun) {
                places += 1;
                let script = self.with_turns(begun.ended_by(turn));
                match is_shown {
                    true => found.push(script),
                    false => found.extend(script.followed()),
                }
            }
            places >= PLACES
        });
        found
    }

    /// The turns that can follow here and go on or end otherwise by the mistake than by the rules, each with whether that shows without a
    /// further move.
    fn turns_that_tell(&self, begun: &Begun<'_>) -> Vec<(Turn, bool)> {
        let [(rules, can_move), (believed, can_believe)] = &begun.tables[..] else {
            return Vec::new();
        };
        let tells = |deed: Deed| {
            let is_shown = match begun.after(deed.mv()) {
                None => deed != Deed::Skip,
                Some(tables) if !are_apart(&tables) => return None,
                Some(tables) => matches!(tables[0].phase(), Phase::Over(_)),
            };
            Some((begun.turn(deed), is_shown))
        };
        let mut turns: Vec<_> = begun.deeds().filter_map(tells).collect();
        // An illegal move that is legal by the mistake.
        let is_possible = *can_move && *can_believe;
        let mut believed = believed.legal_moves().into_iter();
        let wrong = believed.find(|mv| is_possible && rules.check(*mv).is_err());
        let deed = wrong.and_then(|mv| match self.plan.side {
            Side::Referee => Some(Deed::Illegal(self.plan.dialect.write_move(mv))),
            Side::Bot => {
                let is_bots = self.is_bots(rules.to_move());
                let legal = begun.moves.first().filter(|_| is_bots);
                legal.copied().map(Deed::this)
            }
        });
        turns.extend(deed.map(|deed| (begun.turn(deed), true)));
        turns
    }
}

/// Returns true for a turn in which only a move is made, or none can be.
fn is_plain(turn: &Turn) -> bool {
    matches!(turn.deed, Deed::Move(Choice::This(_)) | Deed::Skip) && turn.meanwhile.is_empty()
}
