use proptest::prelude::*;

use super::super::mistakes::NAMED;
use super::*;
use crate::games::onitama::{Card, Hand, Onitama, OnitamaCell, cell};
use crate::rules::{Game, assert_counts};

const RULES: OnitamaRules = OnitamaRules::STANDARD;
const NONE: Roll = Roll(0);

fn at(name: &str) -> OnitamaCell {
    cell(name).unwrap()
}

fn mv(text: &str) -> Move {
    Onitama.parse_move(text).unwrap()
}

fn deal(text: &str) -> Deal {
    let game: &dyn Game = &Onitama;
    Deal::of(game.parse_setup(text).unwrap())
}

/// Top has Tiger and Crab, Bottom Monkey and Crane, Dragon lies in the middle; Top to move.
const TIGERS: &str = "Tiger,Crab,Monkey,Crane,Dragon top";

fn placed(top: (&str, &[&str]), bottom: (&str, &[&str]), setup: &str) -> OnitamaPosition {
    let cells = |names: &[&str]| names.iter().map(|name| at(name)).collect::<Vec<_>>();
    let (top_students, bottom_students) = (cells(top.1), cells(bottom.1));
    OnitamaPosition::new(
        [(at(top.0), &top_students), (at(bottom.0), &bottom_students)],
        deal(setup),
    )
}

fn after(rules: OnitamaRules, position: &OnitamaPosition, text: &str) -> OnitamaPosition {
    rules
        .moved(position, NONE, mv(text))
        .unwrap_or_else(|refusal| panic!("{text}: {}", refusal.reason))
}

fn refusal(position: &OnitamaPosition, text: &str) -> Option<&'static str> {
    RULES
        .moved(position, NONE, mv(text))
        .err()
        .map(|refusal| refusal.code)
}

#[test]
fn refuses_each_move_by_its_own_reason() {
    let position = OnitamaPosition::start(deal(TIGERS));
    for (text, code) in [
        ("Cobra a1 a2", Some("card-not-dealt")),
        ("Dragon a1 c2", Some("middle-card")),
        ("Crane a1 a2", Some("opponents-card")),
        ("Crab a3 a4", Some("empty-origin")),
        ("Crab a5 a4", Some("opponents-piece")),
        ("Crab a1 b2", Some("not-a-step")),
        ("Crab a1 a1", Some("not-a-step")),
        ("Crab a1 c1", Some("own-piece")),
        ("Crab a1 a2", None),
        ("Tiger c1 c3", None),
    ] {
        assert_eq!(refusal(&position, text), code, "{text}");
    }
    assert_eq!(
        RULES
            .moved(&position, NONE, Move(u32::MAX))
            .unwrap_err()
            .code,
        "no-such-step"
    );
}

#[test]
fn a_used_card_goes_to_the_middle_and_the_one_from_there_takes_its_place() {
    let hand = |names: &[&str]| {
        Hand::of(
            &names
                .iter()
                .map(|name| Card::named(name).unwrap())
                .collect::<Vec<_>>(),
        )
    };
    let next = after(RULES, &OnitamaPosition::start(deal(TIGERS)), "Crab a1 a2");
    assert_eq!(next.hands[Seat::First], hand(&["Tiger", "Dragon"]));
    assert_eq!(
        (next.middle, next.hands[Seat::Second]),
        (hand(&["Crab"]), hand(&["Monkey", "Crane"]))
    );
    assert_eq!(next.mover, Seat::Second);
    let next = after(RULES, &next, "Crane c5 c4");
    assert_eq!(
        (next.middle, next.hands[Seat::Second]),
        (hand(&["Crane"]), hand(&["Monkey", "Crab"]))
    );
}

#[test]
fn only_the_master_wins_across_the_board_and_only_on_the_temple() {
    let bottom_starts = TIGERS.replace("top", "bottom");
    let at_temple = placed(("c4", &["a4"]), ("e4", &[]), TIGERS);
    let aside = placed(("d4", &["c4"]), ("a3", &[]), TIGERS);
    let bottom = placed(("a1", &[]), ("c2", &[]), &bottom_starts);
    for (position, text, winner) in [
        (&at_temple, "Crab c4 c5", Some(Seat::First)),
        (&at_temple, "Crab a4 a5", None),
        // A Master beside the temple, and a Student on it.
        (&aside, "Crab d4 d5", None),
        (&aside, "Crab c4 c5", None),
        (&bottom, "Crane c2 c1", Some(Seat::Second)),
    ] {
        assert_eq!(
            RULES.winner(&after(RULES, position, text)),
            winner,
            "{text}"
        );
    }
}

/// On the leftmost column Tiger and Horse lead off the board or onto an own piece.
#[test]
fn who_has_no_valid_move_stays_on_turn() {
    let column: (&str, &[&str]) = ("a1", &["a2", "a3", "a4", "a5"]);
    let stuck = placed(("e3", &[]), column, "Crab,Monkey,Tiger,Horse,Dragon bottom");
    assert!(!RULES.can_move(&stuck, NONE) && RULES.legal_moves(&stuck, NONE).is_empty());
    assert_eq!(
        (RULES.winner(&stuck), RULES.skipped(&stuck, NONE)),
        (None, stuck)
    );
}

#[test]
fn counts_the_same_positions_as_the_independent_program() {
    let table = include_str!("../../../tests/peers/oni_perft.txt");
    assert_counts(&RULES, table, |words| deal(words).setup());
}

proptest! {
    #[test]
    fn a_game_keeps_its_pieces_and_cards_together_under_every_variant(
        mistake in 0..=NAMED.len(), setup in any::<u64>(), seeds in prop::collection::vec(any::<u64>(), 1..200)
    ) {
        let mut rules = OnitamaRules::STANDARD;
        if let Some((.., change)) = NAMED.get(mistake) {
            change(&mut rules);
        }
        let mut position = rules.start(Onitama.draw_setup(setup));
        for seed in seeds {
            let moves = rules.legal_moves(&position, NONE);
            prop_assert_eq!(rules.can_move(&position, NONE), !moves.is_empty());
            if rules.winner(&position).is_some() || moves.is_empty() {
                break;
            }
            let mv = moves[crate::rules::below(seed, moves.len())];
            position = rules.moved(&position, NONE, mv).unwrap();
            for seat in Seat::BOTH {
                let master = position.master(seat);
                prop_assert!(master.is_none_or(|cell| position.has_piece(seat, cell)));
                prop_assert!(position.pieces[seat].count_ones() <= 5);
                prop_assert_eq!(position.pieces[seat] & position.pieces[seat.other()], 0);
            }
            let hands = Seat::BOTH.map(|seat| position.hands[seat].cards().count());
            prop_assert_eq!(hands[0] + hands[1] + position.middle.cards().count(), 5);
        }
    }
}
