//! Turns of Ur by its rules, in words, and as a picture: the second player's row above, the shared lane between, the first player's row below.

use std::borrow::Borrow;
use std::fmt::Debug;

use super::position::{END, START, TOKENS, UrCell, UrPosition};
use super::rules::{HOME, KINDS_OF_ROLL};
use super::{UrRules, UrVariant, facts};
use crate::rules::{
    Attempt, CellKind, Fact, GameResult, Move, Picture, PictureCell, Refusal, Remnant, Roll, Rules,
    Seat, Setup, Stock, StockItem, Token,
};

/// Cells of a player's own row from left to right; 0 stands for the notch.
const OWN_ROW: [UrCell; 8] = [4, 3, 2, 1, 0, 0, 14, 13];
/// Cells of the shared lane from left to right.
const SHARED_ROW: [UrCell; 8] = [5, 6, 7, 8, 9, 10, 11, 12];

/// Columns of text that seven tokens take.
const ROOM: usize = 20;

impl<V: Borrow<UrVariant> + Copy + Debug + Send + Sync + 'static> Rules for UrRules<V> {
    type Position = UrPosition;

    const ROLLS: &'static [Roll] = KINDS_OF_ROLL;

    fn start(&self, _setup: Setup) -> UrPosition {
        match self.options().second_starts {
            true => UrPosition::START.with_mover(Seat::Second),
            false => UrPosition::START,
        }
    }

    fn start_with(
        &self,
        setup: Setup,
        left: Remnant,
        _before: Setup,
        end: &UrPosition,
    ) -> Option<UrPosition> {
        let start = self.start(setup);
        Some(match left {
            Remnant::Board => end.with_mover(start.mover()),
            Remnant::Turn => start.with_mover(end.mover()),
            Remnant::Position => *end,
            Remnant::Setup => return None,
            Remnant::Score => start.with_score_of(end),
        })
    }

    #[inline]
    fn to_move(&self, position: &UrPosition) -> Seat {
        position.mover()
    }

    #[inline]
    fn result(&self, position: &UrPosition) -> Option<GameResult> {
        let has_won = |seat: Seat| match usize::from(self.options().tokens_to_win) {
            tokens if self.options().wins_together => {
                let out = [seat, seat.other()].map(|seat| position.out(seat));
                out[0] >= out[1] && out[0] + out[1] >= tokens
            }
            tokens if position.has_score() => position.score(seat) >= tokens,
            TOKENS => position.all_out(seat),
            tokens => position.out(seat) >= tokens,
        };
        if has_won(Seat::First) {
            Some(GameResult::Won(Seat::First))
        } else if has_won(Seat::Second) {
            Some(GameResult::Won(Seat::Second))
        } else {
            None
        }
    }

    #[inline]
    fn can_move(&self, position: &UrPosition, roll: Roll) -> bool {
        let steps = self.steps(roll);
        if steps == 0 {
            return self.options().moves_by_0;
        }
        if self.options().moves_when_blocked {
            return true;
        }
        let UrVariant {
            tokens,
            barred,
            end_is_cell,
            ..
        } = *self.options();
        if usize::from(tokens) < TOKENS || barred != 0 || end_is_cell {
            // The mask knows the tokens that do not count, and lets all of them out.
            return !self.legal_moves(position, roll).is_empty();
        }
        let own = position.occupied(position.mover());
        let mut reach = own << steps;
        let end = 1_u32 << self.options().end;
        let leaving = own & u32::from(self.options().overshoot);
        if leaving << steps >= end << 1 {
            reach |= end;
        }
        let blocked = if self.options().stacking {
            0
        } else {
            own & 0x7FFE
        };
        let guarded = position.occupied(position.mover().other()) & self.guarded();
        // Neither the start nor what is beyond the end.
        let track = (end << 1) - 2;
        reach & track & !blocked & !guarded != 0
    }

    fn legal_moves(&self, position: &UrPosition, roll: Roll) -> Vec<Move> {
        let is_legal = |&mv: &Move| self.destination(position, roll, mv).is_ok();
        let first = u32::from(self.options().first_token);
        let numbers = first..first + TOKENS as u32;
        numbers.map(Move).filter(is_legal).collect()
    }

    // Inlined, the new position goes straight into the table instead of through memory.
    #[inline(always)]
    fn moved(
        &self,
        position: &UrPosition,
        roll: Roll,
        mv: Move,
    ) -> Result<UrPosition, &'static Refusal> {
        let (from, to) = self.destination(position, roll, mv)?;
        let (mover, token) = (position.mover(), self.token(mv));
        let mut next = *position;
        let is_moved = self.options().unmoved >> token & 1 == 0;
        if is_moved {
            next.put(mover, token, from, to);
        }
        if self.may_share() {
            next.recount(mover);
        }
        let deciding = if self.options().again_by_origin {
            from
        } else {
            to
        };
        let mut again = self.is_rosette(deciding) || self.options().again_after_exit && to == END;
        if is_moved && self.captures(position, to) {
            let victim = position
                .token_on(mover.other(), to)
                .expect("the mask says that a token stands there");
            if self.options().uncaptured >> victim & 1 == 0 {
                next.put(mover.other(), victim, to, self.options().captured_to);
            }
            if self.may_share() {
                next.recount(mover.other());
            }
            if self.options().captor_stays {
                next.put(mover, token, to, from);
            }
            again |= self.options().again_after_capture;
        }
        if self.options().captures_passed {
            for cell in (from + 1..to).filter(|&cell| self.captures(position, cell)) {
                let victim = position.token_on(mover.other(), cell);
                let victim = victim.expect("the mask says that a token stands there");
                next.put(mover.other(), victim, cell, START);
            }
        }
        if !again {
            next = next.with_mover(mover.other());
        }
        Ok(next)
    }

    #[inline]
    fn skipped(&self, position: &UrPosition, _roll: Roll) -> UrPosition {
        let next = if self.options().again_after_skip {
            position.mover()
        } else {
            position.mover().other()
        };
        position.with_mover(next)
    }

    fn canonical(&self, position: &UrPosition) -> UrPosition {
        position.sorted()
    }

    fn facts(&self, before: &UrPosition, roll: Roll, attempt: Attempt, see: &mut dyn FnMut(Fact)) {
        facts::facts(self.by_value(), before, roll, attempt, see);
    }

    fn route(&self, before: &UrPosition, roll: Roll, mv: Move) -> Option<String> {
        let (from, to) = self.way(before, roll, mv);
        Some(match (from, to) {
            (START, to) => format!("start to {to}"),
            (from, END) => format!("cell {from} to the end"),
            (from, to) => format!("cell {from} to {to}"),
        })
    }

    /// `no coin shows a head` or, for each token on the track, what stands in its way.
    fn describe_skip(&self, before: &UrPosition, roll: Roll) -> String {
        if self.steps(roll) == 0 {
            return "no head, nothing can move".to_owned();
        }
        let mut reasons: Vec<String> = Vec::new();
        for token in 0..TOKENS {
            let who = match before.cell(before.mover(), token) {
                START => "a token at the start".to_owned(),
                from => format!("token {token} on cell {from}"),
            };
            let refusal = self.refused(before, roll, Move(token as u32));
            let Some(refusal) = refusal.filter(|refusal| refusal.code != HOME.code) else {
                continue;
            };
            let reason = format!("{who}: {}", refusal.reason);
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        format!(
            "nothing can move {}: {}",
            self.steps(roll),
            reasons.join("; ")
        )
    }

    /// The position as data: `a0` to `a6` are the first player's tokens, `b0` to `b6` the second's.
    fn picture(&self, position: &UrPosition) -> Picture {
        let mut picture = Picture::new(["first", "second"], position.mover());
        let rows = [
            (OWN_ROW, Some(Seat::Second)),
            (SHARED_ROW, None),
            (OWN_ROW, Some(Seat::First)),
        ];
        for ((row, (cells, owner)), column) in (0..)
            .zip(rows)
            .flat_map(|row| (0..8).map(move |column| (row, column)))
        {
            let cell = cells[usize::from(column)];
            if cell == 0 {
                continue;
            }
            let seats = Seat::BOTH.into_iter();
            let token = seats
                .filter(|&seat| owner.is_none_or(|owner| owner == seat))
                .find_map(|seat| {
                    let number = position.token_on(seat, cell)?;
                    Some(Token::new(
                        seat,
                        label(seat, number),
                        format!("token {number}"),
                    ))
                });
            picture.cells.push(PictureCell {
                kind: match cell {
                    4 | 8 | 14 => CellKind::Rosette,
                    _ => CellKind::Plain,
                },
                owner,
                ..PictureCell::new(cell.to_string(), column, row, token)
            });
        }
        for seat in Seat::BOTH {
            let at = |cell| {
                let tokens = position.cells(seat).enumerate();
                let items = tokens.filter(move |&(_, there)| there == cell);
                items.map(move |(token, _)| StockItem {
                    label: label(seat, token),
                    steps: &[],
                })
            };
            picture.stocks.push(Stock {
                items: at(START).collect(),
                room: ROOM,
                ..Stock::tokens(seat, "start", "s")
            });
            picture.stocks.push(Stock {
                items: at(END).collect(),
                ..Stock::tokens(seat, "out", "o")
            });
        }
        picture
    }
}

fn label(seat: Seat, token: usize) -> String {
    let letter = match seat {
        Seat::First => 'a',
        Seat::Second => 'b',
    };
    format!("{letter}{token}")
}

#[cfg(test)]
#[path = "turns_tests.rs"]
mod tests;
