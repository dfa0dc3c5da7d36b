//! Games with spoilers that no shipped fault has.

use super::*;
use crate::games::royalur::CodeColosseum;
use crate::pack::row;
use crate::pack::spoiler::{Edit, On, To};
use crate::peers::{Conditions, Machine};

#[test]
fn a_spoiler_can_mean_the_moves_of_one_kind() {
    const SPOILERS: &[Spoiler] = &[Spoiler::Line(
        On::Move,
        When::Kind("reach-rosette"),
        To::Opponent,
        Edit::Drop,
    )];
    let conditions = Conditions {
        names: PerSeat([b"A".to_vec(), b"B".to_vec()]),
        timeout: Duration::from_secs(1),
        pace: Duration::ZERO,
        spectators: 0,
        rolls: vec![Roll(0b1111), Roll(0b0001)],
        setup: None,
        seed: 1,
    };
    let fault = row("no-rosettes", "does not show them", "", SPOILERS);
    let mut referee = Referee::new(&CodeColosseum, &conditions).with_fault(Some(fault));
    let mut machine = Machine::new(2, async move |desk| referee.play(desk, 0).await);
    machine.feed(0, b"0\n1\n");
    let mut seen = Vec::new();
    for _ in 0..20 {
        machine.advance(Duration::ZERO);
        machine.write(0, std::mem::take);
        seen.extend(machine.write(1, std::mem::take));
    }
    // Token 0 reaches a rosette, then token 1 moves by one.
    let seen = String::from_utf8(seen).unwrap();
    let expected = "A\nB\n1\n1 1 1 1\n0 0 0 1\n1\n";
    assert!(seen.starts_with(expected), "{seen}");
}
