//! Scenarios that wait for what chance brings, for failures of subjects whose rolls cannot be forced.

use super::script::{Script, ScriptDeed};
use super::text::{self, Header};
use super::{Explorer, Planned};
use crate::rules::WIN;
use crate::scenario::Scenario;

impl Explorer {
    /// Texts of scenarios that force nothing and may bring a failure about again, the most telling first; whether they do, only
    /// playing them tells. `script` is the game that failed.
    #[must_use]
    pub fn waiting_for(
        &self,
        planned: &Planned,
        script: &Script,
        requirement: Option<&'static str>,
    ) -> Vec<String> {
        let mut all = Vec::new();
        let mut more = Vec::new();
        if let Some(number) = planned.hostile {
            all.push(self.hostile(number).turns(Vec::new()));
            more.clone_from(self.keys(number));
        }
        all.extend(script.waited_for());
        all.push(vec!["play: to the end".to_owned()]);
        let dialect = script.dialect;
        let wished: Vec<_> = requirement.into_iter().collect();
        let check = text::check(dialect, script.side, &wished);
        let title = title(requirement);
        let written = all.into_iter().map(|turns| {
            let (side, bot_seat) = (script.side, script.bot_seat);
            let header = Header { title: &title, dialect, side, bot_seat, check, more: more.clone() };
            text::scenario(&header, &turns)
        });
        written.collect()
    }
}

/// What a scenario that was found is about.
#[must_use]
pub fn title(requirement: Option<&'static str>) -> String {
    format!("found by exploring, {}", requirement.unwrap_or("under no requirement in particular"))
}

/// Reads a scenario that was made up; `None` where it is none.
#[must_use]
pub fn read(text: &str, name: &str) -> Option<Scenario> {
    text::read(text, name).ok()
}

impl Script {
    /// Turns that wait for the situation of its last ones.
    fn waited_for(&self) -> Vec<Vec<String>> {
        let Some(last) = self.turns.len().checked_sub(1) else { return Vec::new() };
        let mut all = self.waited_for_at(last);
        all.extend(last.checked_sub(1).map(|place| self.waited_for_at(place)).unwrap_or_default());
        all.push(vec!["play: until mover can move".to_owned(), "mover: any".to_owned()]);
        // What it leads to may show only in the next move, or later.
        let more = ["play: until mover can move", "mover: any"].map(str::to_owned);
        let with = |more: &[String]| {
            all.iter().map(|turns| turns.iter().chain(more).cloned().collect()).collect::<Vec<Vec<String>>>()
        };
        let (once, to_the_end) = (with(&more), with(&["play: to the end".to_owned()]));
        all.extend(once.into_iter().chain(to_the_end));
        all
    }
    fn waited_for_at(&self, place: usize) -> Vec<Vec<String>> {
        let Some((table, turn)) = self.before(place) else { return Vec::new() };
        let key = text::key_of(self.dialect, self.side, self.bot_seat, turn.seat);
        let until = |situation: &str| format!("play: until {key} {situation}");
        match turn.what {
            // What a bot does with it is its own choice.
            ScriptDeed::Move(mv) if !self.is_bots(turn.seat) => {
                let kinds = self.dialect.game().move_kinds().iter().map(|kind| kind.name).chain([WIN.name]);
                let kinds = kinds.filter(|kind| table.is_of_kind(mv, kind));
                kinds.map(|kind| vec![until(&format!("can {kind}")), format!("mover: any {kind}")]).collect()
            }
            ScriptDeed::Skip => vec![vec![until("cannot move")]],
            _ => Vec::new(),
        }
    }
}
