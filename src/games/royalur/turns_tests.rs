use proptest::prelude::*;

use super::super::mistakes::NAMED;
use super::super::position::{START, UrCell};
use super::*;
use crate::rules::assert_counts;

const RULES: UrRules = UrRules::STANDARD;

fn roll_of(steps: u32) -> Roll {
    Roll((1 << steps) - 1)
}

/// Token 0 of the mover at `own`, token 0 of the other at `other`, the rest at the start.
fn facing(own: UrCell, other: UrCell) -> UrPosition {
    UrPosition::new(
        [[own, 0, 0, 0, 0, 0, 0], [other, 0, 0, 0, 0, 0, 0]],
        Seat::First,
    )
}

fn refusal(position: &UrPosition, steps: u32, token: u32) -> Option<&'static str> {
    RULES
        .moved(position, roll_of(steps), Move(token))
        .err()
        .map(|refusal| refusal.code)
}

#[test]
fn a_token_captures_on_every_shared_cell_but_the_rosette_and_nowhere_else() {
    for cell in 1..=14 {
        let position = facing(cell - 1, cell);
        let after = RULES.moved(&position, roll_of(1), Move(0));
        match cell {
            8 => assert_eq!(after.unwrap_err().code, "occupied-rosette"),
            5..=12 => assert_eq!(after.unwrap().cell(Seat::Second, 0), START, "cell {cell}"),
            _ => assert_eq!(after.unwrap().cell(Seat::Second, 0), cell, "cell {cell}"),
        }
    }
}

#[test]
fn only_the_three_rosettes_give_another_turn() {
    for cell in 1..=15 {
        let after = RULES
            .moved(&facing(cell - 1, 0), roll_of(1), Move(0))
            .unwrap();
        assert_eq!(
            after.mover() == Seat::First,
            matches!(cell, 4 | 8 | 14),
            "cell {cell}"
        );
    }
}

#[test]
fn refuses_a_move_onto_an_own_token() {
    let position = UrPosition::new([[1, 3, 0, 0, 0, 0, 0], [0; TOKENS]], Seat::First);
    assert_eq!(refusal(&position, 2, 0), Some("own-token"));
    assert_eq!(refusal(&position, 1, 2), Some("own-token"));
    assert_eq!(refusal(&position, 1, 1), None);
}

#[test]
fn a_token_leaves_only_by_the_exact_number() {
    for cell in 11..=14 {
        for steps in 1..=4 {
            let expected = (u32::from(cell) + steps > 15).then_some("overshoot");
            let refused = refusal(&facing(cell, 0), steps, 0);
            assert_eq!(refused, expected, "{steps} from {cell}");
        }
    }
    assert_eq!(refusal(&facing(15, 0), 1, 0), Some("home"));
    assert_eq!(refusal(&facing(0, 0), 1, 7), Some("no-such-token"));
}

#[test]
fn a_roll_other_than_0_can_be_blocked() {
    let blocked = UrPosition::new([[14, 13, 12, 15, 15, 15, 15], [0; TOKENS]], Seat::First);
    assert!(!RULES.can_move(&blocked, roll_of(4)));
    assert!(RULES.can_move(&blocked, roll_of(3)));
    assert!(!RULES.can_move(&blocked, roll_of(0)));
}

#[test]
fn counts_the_same_positions_as_the_independent_program() {
    let table = include_str!("../../../tests/peers/ur_perft.txt");
    assert_counts(&RULES, table, |_| Setup::default());
}

fn any_position() -> impl Strategy<Value = UrPosition> {
    (
        prop::array::uniform7(0..=15_u8),
        prop::array::uniform7(0..=15_u8),
        any::<bool>(),
    )
        .prop_map(|(first, second, is_first)| {
            UrPosition::new(
                [first, second],
                if is_first { Seat::First } else { Seat::Second },
            )
        })
}

proptest! {
    #[test]
    fn the_quick_question_agrees_with_the_list_of_moves(position in any_position(), coins in 0..16_u16) {
        let roll = Roll(coins);
        prop_assert_eq!(RULES.can_move(&position, roll), !RULES.legal_moves(&position, roll).is_empty());
    }

    #[test]
    fn a_game_keeps_its_masks_in_step_under_every_variant(
        mistake in 0..=NAMED.len(), seeds in prop::collection::vec(any::<u64>(), 1..400)
    ) {
        let mut variant = UrVariant::STANDARD;
        if let Some((.., change)) = NAMED.get(mistake) {
            change(&mut variant);
        }
        let rules = UrRules::variant(variant);
        let mut position = UrPosition::START;
        for seed in seeds {
            if rules.winner(&position).is_some() {
                break;
            }
            let roll = Roll((seed & 0xF) as u16);
            let moves = rules.legal_moves(&position, roll);
            prop_assert_eq!(rules.can_move(&position, roll), !moves.is_empty());
            position = match moves.get((seed >> 8) as usize % moves.len().max(1)) {
                Some(&mv) => rules.moved(&position, roll, mv).unwrap(),
                None => rules.skipped(&position, roll),
            };
            let mut counted = position;
            counted.recount(Seat::First);
            counted.recount(Seat::Second);
            prop_assert_eq!(counted, position);
        }
    }
}
