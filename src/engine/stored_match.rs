//! A match as its server has stored it, compared with what a spectator of it received.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use crate::event::{OpenChoice, Outcome};
use crate::finding::{Finding, LaneText, LaneView, Verdict};
use crate::protocol::GameEvent;
use crate::requirement::Role;
use crate::scenario::Scenario;
use crate::transcript::LaneLabel;
use crate::transport::FailureKind;
use crate::transport::coco::Client;

/// Time in which a server stores a match after its end.
const PATIENCE: Duration = Duration::from_secs(1);

/// Pause between two requests.
const PAUSE: Duration = Duration::from_millis(50);

/// A match on a server.
#[derive(Debug, Clone)]
pub(super) struct StoredMatch {
    /// `HOST:PORT`.
    pub(super) server: String,
    /// Its id.
    pub(super) id: String,
}

impl StoredMatch {
    /// Fetches a match that is over and compares it with the lane of its first spectator. A server that has not stored it in time is not
    /// judged.
    pub(super) async fn compare(&self, scenario: &Scenario, outcome: &mut Outcome) {
        let is_over = outcome.history.last().is_some_and(GameEvent::ends);
        let (players, spectators) = scenario.lanes();
        let is_whole = spectators > 0 && scenario.opens_at_start(players);
        if !is_over || !is_whole || outcome.verdict > Verdict::Lenient {
            return;
        }
        let mut lanes = outcome.transcript.lanes.iter();
        let lane = lanes.find(|lane| matches!(lane.label, LaneLabel::Spectator(_)));
        let Some((lane, stored)) = lane.zip(self.stored().await) else {
            return;
        };
        let lines = lane.entries.iter().map(|entry| &entry.line.text);
        let received: Vec<u8> = lines.flat_map(|line| [line, &b"\n"[..]].concat()).collect();
        if received.starts_with(&stored) {
            let lacks = scenario.game().map(|plan| OpenChoice {
                requirement: plan.dialect.id(Role::LateSpectator).to_owned(),
                seen: "the stored match lacks its last lines".to_owned(),
                millis: None,
            });
            let lacks = lacks.filter(|_| stored.len() < received.len());
            return outcome.open.extend(lacks);
        }
        // A spectator that left receives less.
        if stored.starts_with(&received) {
            return;
        }
        let lines = |bytes: &'_ [u8]| -> Vec<Vec<u8>> {
            let lines = bytes.split(|byte| *byte == b'\n');
            lines.map(<[u8]>::to_vec).collect()
        };
        let (received, stored) = (lines(&received), lines(&stored));
        let pairs = received.iter().zip(&stored);
        let same = pairs.take_while(|(one, other)| one == other).count();
        let text = |lines: &[Vec<u8>]| {
            lines
                .get(same)
                .cloned()
                .map_or(LaneText::Nothing, LaneText::Line)
        };
        let title = "the server has stored another match than its spectator received";
        let mut finding = Finding::new(Verdict::Fail, title);
        finding.lanes.push(LaneView {
            lane: "the stored match".to_owned(),
            line_number: same as u64 + 1,
            expected: text(&received),
            received: text(&stored),
        });
        outcome.verdict = finding.verdict;
        outcome.findings.insert(0, finding);
    }

    /// Returns the stored stream of the match. The server stores it only after it has told everybody that the match is over.
    async fn stored(&self) -> Option<Vec<u8>> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let request = async {
                let mut client = Client::of_archive(&self.server, deadline).await?;
                client.stored(&self.id).await
            };
            match request.await {
                Ok(stored) => return Some(stored),
                Err(failure)
                    if failure.kind == FailureKind::Refused && Instant::now() < deadline =>
                {
                    sleep(PAUSE).await;
                }
                Err(_) => return None,
            }
        }
    }
}
