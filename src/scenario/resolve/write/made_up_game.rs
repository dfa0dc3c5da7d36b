//! Games that are made up.

use std::time::Duration;

use super::made_up::{MadeUp, leaves, step, with_move};
use crate::diagnostic::Span;
use crate::protocol::{self, Dialect, LaneKind, OffTurn};
use crate::requirement::Role;
use crate::rules::{Move, PerSeat, Phase, Roll, Seat, Table};
use crate::scenario::*;
use crate::yaml::{At, Number};

impl MadeUp {
    fn names(&mut self) -> PerSeat<String> {
        let (first, second) = (self.text(), self.text());
        PerSeat([first, format!("other {second}")])
    }

    pub(super) fn game(&mut self) -> Scenario {
        let dialect = crate::pack::dialect(self.one_of(&["royalur", "onitama"])).unwrap();
        let (side, game) = (self.one_of(&Side::ALL), dialect.game());
        let (title, mut plan) = (self.title(), PlannedGame::new(dialect, side));
        let is_bot = side == Side::Bot;
        plan.checks = vec![dialect.id(if is_bot {
            Role::BotOwnSeat
        } else {
            Role::FirstTurn
        })];
        plan.keys.names = self.is(3).then(|| self.names());
        if plan.side == Side::Bot {
            plan.keys.writes =
                self.one_of(&[Writes::Whole, Writes::Split, Writes::Joined, Writes::Apart]);
        }
        let (is_slow, tags) = (self.is(5), self.tags());
        if self.is(3) {
            plan.keys.attempts = Some(Number(1 + self.below(1000) as u64));
        }
        if is_bot {
            plan.bot_seat = self.one_of(&Seat::BOTH);
        } else if dialect.data().has_spectators && self.is(2) {
            plan.spectators = self.below(4) as u32;
        }
        plan.timeout = self.is(3).then(|| Duration::from_secs(60) + self.time());
        if let Some(timeout) = game.data().default_timeout.filter(|_| self.is(5)) {
            plan.timeout = Some(timeout);
            plan.unset.extend(["timeout", "timeout_ms"]);
        }
        if let Some(longest) = game.data().longest_pace.filter(|_| self.is(4)) {
            plan.pace = Some(self.time().min(longest));
        }
        if !game.setup_keys().is_empty() && self.is(2) {
            plan.setup = Some(game.draw_setup(self.number()));
        }
        let is_plain = self.turns(&mut plan);
        let is_dealt = game.setup_keys().is_empty() || plan.setup.is_some();
        let golden = (is_plain && is_dealt && self.is(3))
            .then(|| At::nowhere(GoldenName("a golden one.txt".to_owned())));
        if side == Side::Referee && self.is(4) {
            let watching = plan.spectators as usize - plan.late_spectators().count();
            let mut order = vec![LaneKind::Spectator; watching];
            for _ in 0..2 {
                order.insert(self.below(order.len() + 1), LaneKind::Player);
            }
            plan.keys.connect = Some(order);
        }
        Scenario {
            keys: ScenarioKeys {
                is_slow,
                tags,
                golden,
                ..ScenarioKeys::default()
            },
            ..plan.titled(title)
        }
    }

    /// Turns that can follow each other. Returns whether they alone determine the game.
    fn turns(&mut self, plan: &mut PlannedGame) -> bool {
        let game = plan.dialect.game();
        let mut table = game.table(plan.setup.unwrap_or_default());
        let mut is_plain = true;
        // After a choice the game may have come elsewhere, where what loses here is legal.
        let mut is_known = true;
        let (mut named, mut gone): (Option<Move>, u32) = (None, 0);
        for _ in 0..1 + self.below(8) {
            if let Phase::Over(_) = table.phase() {
                return is_plain;
            }
            let seat = table.to_move();
            let is_bots = plan.side == Side::Bot && seat == plan.bot_seat;
            let roll = (table.phase() == Phase::Roll).then(|| game.draw_roll(self.number()));
            let turn = |action| Turn::new(seat, roll, action);
            if roll.is_some_and(|roll| !table.take_roll(roll)) {
                plan.steps.push(step(StepKind::Turn(turn(Deed::Skip))));
                continue;
            }
            let Some(mut mv) = table.legal_moves().first().copied() else {
                return is_plain;
            };
            if !is_bots
                && self.is(3)
                && let Some(line) = ignored(plan.dialect)
            {
                let ignored = turn(Deed::Ignored(line));
                plan.steps.push(step(StepKind::Turn(ignored)));
            }
            let is_last = self.is(8);
            if is_last && !is_bots && is_known {
                let action = self.losing(plan, &*table);
                plan.steps.push(step(StepKind::Turn(turn(action))));
                return is_plain;
            }
            let action = if plan.side == Side::Bot && self.is(2) {
                is_plain &= is_bots;
                is_known = false;
                // One that is not the excluded one, so that the game can have gone on so.
                let other =
                    named.and_then(|named| table.legal_moves().into_iter().find(|mv| *mv != named));
                let except = other.filter(|_| self.is(2)).map(|_| "a-1".to_owned());
                mv = other.filter(|_| except.is_some()).unwrap_or(mv);
                let name = (named.is_none() && self.is(2)).then(|| "a-1".to_owned());
                named = named.or(name.as_ref().map(|_| mv));
                let kind = None;
                Deed::Move(Choice::Any { kind, name, except })
            } else if !is_bots && is_known && self.is(3) {
                Deed::Send(self.in_pieces(plan, mv))
            } else if !is_bots && is_known && self.is(3) {
                self.with_move(plan, Deed::this(mv))
            } else if !is_bots && is_known && self.is(6) {
                (is_plain, is_known) = (false, false);
                let deed = Deed::Move(self.choice(&[]));
                match self.is(2) {
                    true => deed,
                    false => self.with_move(plan, deed),
                }
            } else {
                Deed::Move(Choice::This(mv))
            };
            let meanwhile = match plan.side {
                Side::Referee => self.meanwhile(plan, seat, &mut gone),
                Side::Bot => Vec::new(),
            };
            let is_left = meanwhile.iter().any(leaves);
            let turn = Turn {
                meanwhile,
                ..turn(action)
            };
            plan.steps.push(step(StepKind::Turn(turn)));
            if is_left {
                // What the referee does about it is open, so there is no golden transcript.
                return false;
            }
            table.play(mv).unwrap();
        }
        if self.is(2) || matches!(table.phase(), Phase::Over(_)) {
            return is_plain;
        }
        self.adaptive(plan);
        false
    }

    fn losing(&mut self, plan: &PlannedGame, table: &dyn Table) -> Deed {
        let dialect = plan.dialect;
        let refused = || {
            let is_refused = |mv: &Move| table.check(*mv).is_err();
            let all = dialect.game().every_move();
            all.into_iter()
                .find(is_refused)
                .map(|mv| dialect.write_move(mv))
        };
        let invalid = |line: &&[u8]| {
            matches!(
                dialect.read_player_line(line),
                protocol::PlayerLine::Invalid(_)
            )
        };
        let lines: Vec<Vec<u8>> = [b"-1".as_slice(), b"> '\xff\" # \x1b{", b"", b"\xe2\x80\xae"]
            .into_iter()
            .filter(invalid)
            .map(<[u8]>::to_vec)
            .chain(refused())
            .collect();
        match self.below(4) {
            0 => Deed::Silent,
            1 => Deed::Leave(self.leaving()),
            2 if plan.side == Side::Referee => Deed::Send(vec![
                SendPart::Bytes(b"\"".to_vec()),
                SendPart::Leave(self.leaving()),
            ]),
            _ if lines.is_empty() => Deed::Silent,
            _ => Deed::Illegal(self.one_of(&lines)),
        }
    }

    fn in_pieces(&mut self, plan: &PlannedGame, mv: Move) -> Vec<SendPart> {
        let line = [plan.dialect.write_move(mv), b"\n".to_vec()].concat();
        if plan.side == Side::Bot {
            return vec![SendPart::Bytes(line)];
        }
        let (head, rest) = line.split_at(self.below(line.len()));
        let pause = SendPart::Pause(Duration::from_millis(self.below(50) as u64));
        vec![
            SendPart::Bytes(head.to_vec()),
            pause,
            SendPart::Bytes(rest.to_vec()),
        ]
    }

    fn meanwhile(&mut self, plan: &PlannedGame, seat: Seat, gone: &mut u32) -> Vec<Act> {
        let mut acts = Vec::new();
        let mut act = |who, deed| {
            acts.push(Act {
                span: Span::at(0),
                who,
                deed,
            })
        };
        if *gone < plan.spectators && self.is(3) {
            *gone += 1;
            let what = match self.below(4) {
                0 => Deed::Join,
                _ => Deed::Leave(self.leaving()),
            };
            act(Participant::Spectator(*gone), what);
        }
        if matches!(plan.dialect.off_turn(), OffTurn::Ignored(_)) && self.is(3) {
            let mut bytes = self.bytes();
            bytes.push(b'\n');
            let mut parts = vec![SendPart::Bytes(bytes)];
            if self.is(2) {
                parts.insert(0, SendPart::Pause(self.time() / 1000));
            }
            act(Participant::Player(seat.other()), Deed::Send(parts));
        }
        if self.is(12) {
            let how = self.leaving();
            let left = match self.is(3) {
                true => Deed::Send(vec![SendPart::Bytes(b"\"".to_vec()), SendPart::Leave(how)]),
                false => Deed::Leave(how),
            };
            act(Participant::Player(seat.other()), left);
        }
        acts
    }

    /// Steps that depend on the course of the game.
    fn adaptive(&mut self, plan: &mut PlannedGame) {
        let game = plan.dialect.game();
        let is_referee = plan.side == Side::Referee;
        let kinds: Vec<_> = game.data().kinds.iter().map(|kind| kind.name).collect();
        let codes: Vec<_> = game
            .data()
            .refusals
            .iter()
            .map(|refusal| refusal.code)
            .collect();
        let rolls: &[Roll] = game.kinds_of_roll();
        // Without a step that waits for a situation, the last would be a turn, for which it has to be the opponent's.
        let least = usize::from(!is_referee);
        for _ in 0..least + self.below(4 - least) {
            let who = self.one_of(&[None, Some(Seat::First), Some(Seat::Second)]);
            let (kind, code) = (self.one_of(&kinds), self.one_of(&codes));
            let situation = match self.below(6) {
                0 => Situation::CannotMove,
                1 => Situation::Can(kind),
                2 => Situation::CanBreak(code),
                3 if !rolls.is_empty() => Situation::Rolled(self.one_of(rolls)),
                4 => {
                    let mistakes: Vec<_> = plan.hypotheses().take(self.below(3)).collect();
                    let words = mistakes.iter().map(|row| row.name.to_owned());
                    Situation::ToldApart(words.collect())
                }
                _ => Situation::CanMove,
            };
            let turns = self.one_of(&[200, 1, 10_000]);
            let who = who.filter(|_| !matches!(situation, Situation::ToldApart(_)));
            let until = Until {
                turns,
                ..Until::new(who, situation)
            };
            plan.steps.push(step(StepKind::PlayUntil(until)));
            let action = match self.below(3) {
                0 if is_referee => Deed::Move(Choice::of_kind(kind)),
                _ => Deed::ANY,
            };
            let who = who.filter(|_| is_referee);
            let turn = Turn::new(who, None, action).step(plan);
            plan.steps.push(step(turn));
        }
        let mut before = Vec::new();
        let last = match self.below(9) {
            0 => Deed::Silent,
            1 => Deed::Leave(self.leaving()),
            2 => Deed::Refused(None),
            3 => Deed::Refused(Some(self.one_of(&codes))),
            4 if is_referee => match (ignored(plan.dialect), plan.dialect.off_turn()) {
                (Some(line), OffTurn::Ignored(_)) if self.is(2) => {
                    before.push(Act::says(Participant::Other, &line));
                    Deed::ANY
                }
                (Some(line), _) => Deed::Ignored(line),
                (None, _) => Deed::Illegal(b"-1".to_vec()),
            },
            5 if is_referee => {
                let invalid = || Deed::Illegal(b"-1".to_vec());
                ignored(plan.dialect).map_or_else(invalid, Deed::Ignored)
            }
            6 if is_referee => {
                let mut bytes = self.bytes();
                bytes.push(b'\n');
                let parts = vec![SendPart::Bytes(bytes), SendPart::Pause(self.time())];
                before.extend(self.by_the_other());
                Deed::Send(parts)
            }
            7 if is_referee => {
                before.extend(self.by_the_other());
                let deed = match self.below(3) {
                    0 => Deed::Refused(Some(self.one_of(&codes))),
                    1 => Deed::Illegal(plan.dialect.write_move(self.one_of(&game.every_move()))),
                    _ => Deed::Move(self.choice(&kinds)),
                };
                let text = match deed {
                    Deed::Illegal(_) => "{move}\n",
                    _ => "+{move}\r\n",
                };
                Deed::SendMove(Box::new(deed), vec![with_move(text)])
            }
            _ => return plan.steps.push(step(StepKind::PlayToTheEnd)),
        };
        let opponent = (!is_referee).then(|| plan.bot_seat.other());
        let turn = Turn {
            meanwhile: before,
            ..Turn::new(opponent, None, last)
        };
        let turn = turn.step(plan);
        plan.steps.push(step(turn));
    }

    /// A choice of a move of one of these kinds, or of any.
    fn choice(&mut self, kinds: &[&'static str]) -> Choice {
        let kind = (!kinds.is_empty() && self.is(2)).then(|| self.one_of(kinds));
        let name = self
            .is(2)
            .then(|| format!("b-{}", self.number() % 1_000_000));
        let except = None;
        Choice::Any { kind, name, except }
    }

    /// The move of this deed in one piece, or in two.
    fn with_move(&mut self, plan: &PlannedGame, deed: Deed) -> Deed {
        let pieces = match self.is(2) && plan.side == Side::Referee {
            true => {
                let pause = SendPart::Pause(Duration::from_millis(self.below(50) as u64));
                vec![with_move("{move}"), pause, with_move("\n")]
            }
            false => vec![with_move("{move}\n")],
        };
        Deed::SendMove(Box::new(deed), pieces)
    }

    /// Something that the player who is not on turn does, or nothing.
    fn by_the_other(&mut self) -> Option<Act> {
        let deed = match self.below(3) {
            0 => Deed::Send(vec![
                SendPart::Pause(self.time() / 1000),
                SendPart::Bytes(b"\"\n".to_vec()),
            ]),
            1 => Deed::Leave(self.leaving()),
            _ => return None,
        };
        Some(Act {
            span: Span::at(0),
            who: Participant::Other,
            deed,
        })
    }
}

/// A line that is ignored in this protocol, if one is.
fn ignored(dialect: &dyn Dialect) -> Option<Vec<u8>> {
    let is_ignored = |line: &&[u8]| {
        matches!(
            dialect.read_player_line(line),
            protocol::PlayerLine::Ignored(_)
        )
    };
    let lines = [b"> it's \xff\x1b \"banana\" # {x}".as_slice(), b"banana"];
    lines.into_iter().find(is_ignored).map(<[u8]>::to_vec)
}
