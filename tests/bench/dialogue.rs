//! What is played: as a scenario for the engine, and as a script for a bare loop that knows every line beforehand.

use std::fmt::Write;
use std::sync::Arc;

use urtext::diagnostic::Source;
use urtext::games::royalur::RoyalUr;
use urtext::rules::Game as _;
use urtext::rules::{Move, Phase, Roll, RollSource, Seat, Setup};
use urtext::scenario::{Alone, Scenario, Side, resolve};

use crate::subject::lowest;

/// What is said in a dialogue of lines, and what is answered.
pub(crate) const LINES: [&str; 2] = ["0 1 1 0", "3"];

/// A dialogue without rules of so many round trips, with the subject that answers.
pub(crate) fn lines(side: Side, turns: usize) -> Arc<Scenario> {
    let [said, answered] = LINES;
    let (subject, who, [gives, takes]) = match side {
        Side::Bot => ("bot", "bot", ["gets", "sends"]),
        Side::Referee => ("referee", "first", ["sends", "gets"]),
    };
    let text = format!(
        "scenario: a long dialogue\ngame: lines\nsubject: {subject}\nparticipants: [{who}]\nsteps:\n  - repeat: {turns}\n    \
         steps:\n      - {who} {gives}: {said}\n      - {who} {takes}: \"{answered}\"\n"
    );
    resolved("dialogue", text)
}

/// The same for a bare loop.
pub(crate) fn lines_script(turns: usize) -> String {
    format!(">0 {}\n<0\n", LINES[0]).repeat(turns) + "=\n"
}

fn resolved(name: &str, text: String) -> Arc<Scenario> {
    let (mut scenarios, faults) = resolve(&Source::new(name, text), name, &Alone);
    let Some(scenario) = scenarios.pop() else {
        panic!("{}", faults.draw(urtext::diagnostic::Paint::Plain))
    };
    Arc::new(scenario)
}

/// One game: its turns, how often they come again, and whether somebody wins it.
pub(crate) struct Play {
    turns: Vec<(Seat, Roll, Option<Move>)>,
    repeats: usize,
    is_won: bool,
}

/// After so many turns of the dialogue the position is the one before them.
const PERIOD: usize = 8;

/// Four rolls that come again and again: each player enters a token, and both go on to the fifth cell, where the second to
/// come captures the first.
pub(crate) fn roll(turn: usize) -> Roll {
    [Roll(0b0111), Roll(0b0111), Roll(0b0011), Roll(0b0011)][turn % 4]
}

impl Play {
    /// A game of so many turns (a multiple of eight) that could go on for ever.
    pub(crate) fn dialogue(turns: usize) -> Play {
        let mut play = Play {
            turns: Vec::new(),
            repeats: turns / PERIOD,
            is_won: false,
        };
        for turn in 0..PERIOD {
            // The second player's tokens take turns: one waits on the fifth cell while the other enters.
            let (seat, token) = match turn % 2 {
                0 => (Seat::First, 0),
                _ => (Seat::Second, (turn / 4 % 2) as u32),
            };
            play.turns.push((seat, roll(turn), Some(Move(token))));
        }
        play
    }

    /// A whole game with the dice of this seed, each player moving the lowest token that can move.
    pub(crate) fn whole(seed: u64) -> Play {
        let mut table = RoyalUr.table(Setup::default());
        let mut rolls = RollSource::new([], seed);
        let mut play = Play {
            turns: Vec::new(),
            repeats: 1,
            is_won: true,
        };
        while !matches!(table.phase(), Phase::Over(_)) {
            let (seat, roll) = (
                table.to_move(),
                rolls.next(|random| RoyalUr.draw_roll(random)),
            );
            let mv = table.take_roll(roll).then(|| lowest(table.as_ref()));
            play.turns.push((seat, roll, mv));
            if let Some(mv) = mv {
                table.play(mv).expect("it is legal");
            }
        }
        play
    }

    /// How often the subject is waited for: a line goes out, and the answer to it comes back.
    pub(crate) fn round_trips(&self, side: Side) -> usize {
        let is_answered = |&&(seat, _, mv): &&(Seat, Roll, Option<Move>)| {
            mv.is_some() && (side == Side::Referee || seat == Seat::First)
        };
        self.turns.iter().filter(is_answered).count() * self.repeats
    }

    /// The scenario, with the bot in the first seat where one is under test.
    pub(crate) fn scenario(&self, side: Side, name: &str) -> Arc<Scenario> {
        let (who, check) = match side {
            Side::Referee => (["first", "second"], "ur/turn/alternates"),
            Side::Bot => (["bot", "opponent"], "ur/bot/legal-token"),
        };
        let mut text = format!(
            "scenario: {name}\ngame: royalur\nsubject: {}\nchecks: [{check}]\nspectators: 0\nturns:\n",
            side.word()
        );
        if side == Side::Bot {
            text = text.replace("spectators: 0", "seat: first");
        }
        for &(seat, roll, mv) in &self.turns {
            write!(
                text,
                "  - {}: {}",
                who[seat.index()],
                RoyalUr.format_roll(roll)
            )
            .unwrap();
            match mv {
                Some(mv) => writeln!(text, " > {}", RoyalUr.format_move(mv)).unwrap(),
                None => writeln!(text).unwrap(),
            }
        }
        let mut scenario = Arc::unwrap_or_clone(resolved(name, text));
        let plan = scenario.game_mut().expect("a game");
        let once = std::mem::take(&mut plan.steps);
        plan.steps = std::iter::repeat_n(once, self.repeats).flatten().collect();
        Arc::new(scenario)
    }

    /// The same for a bare loop, as `baseline.rs` reads it.
    pub(crate) fn script(&self, side: Side, script: &mut String) {
        let lanes: &[Seat] = match side {
            Side::Referee => &Seat::BOTH,
            Side::Bot => &[Seat::First],
        };
        let is_ours = side == Side::Bot;
        let told = if is_ours { '>' } else { '<' };
        let mut tell = |lane: usize, mark: char, text: &str| match mark {
            '>' => writeln!(script, ">{lane} {text}").unwrap(),
            _ => writeln!(script, "<{lane}").unwrap(),
        };
        for (lane, seat) in lanes.iter().enumerate() {
            for text in ["PlayerA", "PlayerB", ["0", "1"][seat.index()]] {
                tell(lane, told, text);
            }
        }
        for &(mover, roll, mv) in std::iter::repeat_n(&self.turns, self.repeats).flatten() {
            for lane in 0..lanes.len() {
                tell(lane, told, &RoyalUr.format_roll(roll));
            }
            let Some(mv) = mv.map(|mv| RoyalUr.format_move(mv)) else {
                continue;
            };
            // First what is sent: it is what the other lines come of.
            for mark in ['>', '<'] {
                for (lane, &seat) in lanes.iter().enumerate() {
                    let is_sent = (seat == mover) != is_ours;
                    if is_sent == (mark == '>') {
                        tell(lane, mark, &mv);
                    }
                }
            }
        }
        if !is_ours && !self.is_won {
            // The roll that ends the last turn.
            (0..lanes.len()).for_each(|lane| tell(lane, '<', ""));
        }
        script.push_str("=\n");
    }
}
