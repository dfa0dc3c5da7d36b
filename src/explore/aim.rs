//! Observable effects of a game's last turns, which a shorter game must keep to fail alike.

use super::script::{Script, given_to, is_heard_off_turn};
use super::search::Begun;
use crate::protocol::PlayerLine;
use crate::rules::{Move, Phase, Roll, Seat, Table};
use crate::scenario::{Choice, Deed, Side, Turn};

/// Observable effect of a game's last turn: a possible reason of the failure.
pub(super) enum Aim {
    /// Turns that show a coverage item.
    Items(Vec<usize>),
    /// A move that is refused for the reason with this code.
    Refusal(&'static str),
    /// Whatever turn it is.
    AnyTurn,
    /// Whatever turn of each player: in it the other one is heard.
    TurnOfEach,
}

/// Turns that follow the targeted turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Follows {
    Nothing,
    OneMove,
}

impl Aim {
    /// Returns the wanted items, by number.
    pub(super) fn wanted(&self) -> Vec<usize> {
        match self {
            Aim::Items(items) => items.clone(),
            Aim::Refusal(_) | Aim::AnyTurn => vec![0],
            Aim::TurnOfEach => Seat::BOTH.map(Seat::index).to_vec(),
        }
    }
}

impl Script {
    /// Returns the aims of the last turn and of the one before, whose effect may have appeared only in the
    /// last one. A line that was sent off turn may have shown in any later one.
    pub(super) fn aims(&self) -> Vec<(Aim, Turn, Follows)> {
        let Some(last) = self.turns.len().checked_sub(1) else {
            return Vec::new();
        };
        let aim = |place, follows| self.aim(place).map(|(aim, turn)| (aim, turn, follows));
        let before = last
            .checked_sub(1)
            .and_then(|place| aim(place, Follows::OneMove));
        let mut all: Vec<_> = aim(last, Follows::Nothing)
            .into_iter()
            .chain(before)
            .collect();
        for place in (0..last).filter(|&place| is_heard_off_turn(&self.turns[place])) {
            all.extend(aim(place, Follows::Nothing));
            if place + 1 < last {
                all.extend(aim(place, Follows::OneMove));
            }
        }
        all
    }

    /// Returns the aim of a turn.
    pub(super) fn aim(&self, place: usize) -> Option<(Aim, Turn)> {
        let (table, last) = self.before(place)?;
        let roll = last.roll.unwrap_or(Roll(0));
        let items = |mv: Option<Move>| {
            let mut items = Vec::new();
            table.covers(roll, mv, &mut |item| items.push(item));
            Aim::Items(items)
        };
        let aim = match &last.deed {
            _ if is_heard_off_turn(last) => Aim::TurnOfEach,
            Deed::Move(Choice::This(_)) if !last.meanwhile.is_empty() => Aim::AnyTurn,
            Deed::Move(Choice::This(mv)) => items(Some(*mv)),
            Deed::Skip => items(None),
            Deed::Illegal(line) => match self.plan.dialect.read_player_line(line) {
                PlayerLine::Move(mv) => Aim::Refusal(table.check(mv).err()?.code),
                _ => Aim::AnyTurn,
            },
            _ => Aim::AnyTurn,
        };
        Some((aim, last.clone()))
    }

    /// Returns the wanted items; for a referee also the other items of the same requirements, since another
    /// cell or the other player may be reached sooner.
    pub(super) fn wanted_and_alike(&self, aim: &Aim) -> Vec<usize> {
        let all = self.plan.dialect.game().coverage_items();
        let wanted = aim.wanted();
        let requirements: Vec<_> = match aim {
            Aim::Items(items) if self.plan.side == Side::Referee => items
                .iter()
                .filter_map(|&item| all[item].requirement)
                .collect(),
            _ => Vec::new(),
        };
        let is_alike = |item: &usize| {
            !wanted.contains(item)
                && all[*item]
                    .requirement
                    .is_some_and(|id| requirements.contains(&id))
        };
        let alike: Vec<_> = (0..all.len()).filter(is_alike).collect();
        wanted.into_iter().chain(alike).collect()
    }

    /// Names the turns that show what is wanted, which is not wanted any more then.
    pub(super) fn hits(
        &self,
        begun: &Begun<'_>,
        aim: &Aim,
        last: &Turn,
        wanted: &mut Vec<usize>,
        hit: &mut dyn FnMut(Turn, &[usize]),
    ) {
        let (table, roll) = (begun.table.as_ref(), begun.roll);
        let of = |action| Turn {
            roll,
            ..given_to(last, table.to_move(), action)
        };
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
                        hit(of(mv.map_or(Deed::Skip, Deed::this)), &shown);
                    }
                }
            }
            Aim::Refusal(code) if !is_skipped => {
                let is_refused = |mv: &Move| {
                    table.check(*mv).is_err_and(|refusal| refusal.code == *code)
                        && table.breaks_one_rule(*mv)
                };
                if let Some(mv) = self
                    .plan
                    .dialect
                    .game()
                    .every_move()
                    .into_iter()
                    .find(is_refused)
                {
                    wanted.clear();
                    hit(of(Deed::Illegal(self.plan.dialect.write_move(mv))), &[0]);
                }
            }
            Aim::AnyTurn if !is_skipped && is_his => {
                wanted.clear();
                hit(of(Self::deed_like(&last.deed, table)), &[0]);
            }
            Aim::TurnOfEach if !is_skipped => {
                let number = table.to_move().index();
                if wanted.contains(&number) {
                    wanted.retain(|item| *item != number);
                    hit(of(Self::deed_like(&last.deed, table)), &[number]);
                }
            }
            Aim::Refusal(_) | Aim::AnyTurn | Aim::TurnOfEach => {}
        }
    }

    /// Returns a like action for another position: after ignored lines, a legal move.
    fn deed_like(action: &Deed, table: &dyn Table) -> Deed {
        match (action, table.legal_moves().first()) {
            (Deed::Move(Choice::This(_)), Some(&mv)) => Deed::this(mv),
            (action, _) => action.clone(),
        }
    }
}
