//! The ways to a subject's lanes: doors that are opened one by one, at the start or later.

mod breakdown;
mod endpoints;
mod greet;
mod plan;
mod ports;
mod ready;
mod workspace;

pub(super) use breakdown::Breakdown;
pub(super) use endpoints::{Endpoints, Opening};
pub(super) use plan::Plan;
pub(super) use workspace::Workspace;

use crate::transport::{Deadline, Process, Wire};

/// A subject that is reached: its lanes can be opened now and later.
#[derive(Debug)]
pub(super) struct Attached {
    /// The participant's name in messages.
    pub(super) who: &'static str,
    /// Its process, where urtext has started it.
    pub(super) process: Option<Process>,
    /// The ways to its lanes.
    pub(super) endpoints: Endpoints,
    /// Files that were made for the game, kept as long as the subject may use them.
    pub(super) _workspace: Workspace,
}

impl Attached {
    /// Opens lanes, or says how the subject's process ended instead. Those at which urtext connects are opened one after the other,
    /// in this order; the subject comes to the others when it likes, which can be before it accepts anybody or after.
    pub(super) async fn open(
        &mut self,
        lanes: &[usize],
        deadline: &Deadline,
    ) -> Result<Vec<Wire>, Breakdown> {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for &lane in lanes {
            let is_ours = self.endpoints.is_connection(lane);
            let side = if is_ours { &mut ours } else { &mut theirs };
            side.push((
                lane,
                self.endpoints.begins_game(lane),
                self.endpoints.open(lane, deadline.clone()),
            ));
        }
        ours.sort_by_key(|(_, begins_game, _)| *begins_game);
        let opening = async { tokio::try_join!(one_by_one(ours), one_by_one(theirs)) };
        let opened = match &mut self.process {
            None => opening.await,
            Some(process) => tokio::select! {
                // What was reached before the end is judged by what it says.
                biased;
                opened = opening => opened,
                ended = process.ended() => Err(Breakdown::Ended { who: self.who, status: ended.status }),
            },
        };
        let (ours, theirs) = opened?;
        let mut wires: Vec<_> = ours.into_iter().chain(theirs).collect();
        wires.sort_by_key(|(lane, _)| lanes.iter().position(|wanted| wanted == lane));
        Ok(wires.into_iter().map(|(_, wire)| wire).collect())
    }
}

async fn one_by_one(
    openings: Vec<(usize, bool, Opening)>,
) -> Result<Vec<(usize, Wire)>, Breakdown> {
    let mut wires = Vec::new();
    for (lane, _, opening) in openings {
        wires.push((lane, opening.await?));
    }
    Ok(wires)
}
