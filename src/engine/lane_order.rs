//! The order in which the lanes of a game are opened.

use crate::protocol::LaneKind;

/// The lanes that are there from the beginning, in the order in which they are opened: that of the scenario, or players first.
pub(super) fn in_order(
    order: &[LaneKind],
    players: usize,
    lanes: impl Iterator<Item = usize>,
) -> Vec<usize> {
    let (playing, watching): (Vec<_>, Vec<_>) = lanes.partition(|&lane| lane < players);
    let (mut playing, mut watching) = (playing.into_iter(), watching.into_iter());
    let mut lanes: Vec<_> = order
        .iter()
        .filter_map(|kind| {
            if *kind == LaneKind::Player {
                playing.next()
            } else {
                watching.next()
            }
        })
        .collect();
    lanes.extend(playing.chain(watching));
    lanes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_opened_in_the_order_of_the_scenario_and_otherwise_players_first() {
        let (player, spectator) = (LaneKind::Player, LaneKind::Spectator);
        assert_eq!(in_order(&[], 2, [0, 1, 2, 4].into_iter()), [0, 1, 2, 4]);
        let order = [spectator, player, spectator, player];
        assert_eq!(in_order(&order, 2, [0, 1, 2, 4].into_iter()), [2, 0, 4, 1]);
        // A subject may have no spectators.
        assert_eq!(in_order(&order, 2, [0, 1].into_iter()), [0, 1]);
    }
}
