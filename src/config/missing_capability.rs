//! Capabilities that a scenario needs and a subject lacks, by the subject's configuration.

use std::sync::Arc;

use super::{Ability, Arena, Subject, UrlPattern, Way, Word};
use crate::diagnostic::visible;
use crate::requirement::Role;
use crate::scenario::{Deed, LineAct, LineStep, Participant, Plan, PlannedGame, Scenario, Side};

impl Subject {
    /// Returns the reason why the subject cannot play a scenario, if there is one.
    #[must_use]
    pub fn missing_capability(&self, scenario: &Scenario) -> Option<String> {
        if let Plan::Dialogue(dialogue) = &scenario.plan
            && let Some(reason) = lacks_dialogue(&self.players.way, &dialogue.steps)
        {
            return Some(reason.to_owned());
        }
        let game = scenario.game().filter(|plan| plan.side == Side::Referee);
        self.missing_for_referee(game?)
    }

    /// Returns the reason why a referee cannot play a game, if there is one.
    fn missing_for_referee(&self, plan: &PlannedGame) -> Option<String> {
        let is_said = |place: &str| self.creates_matches() || plan.unset.contains(&place);
        let takes = |place, in_ms| is_said(place) || self.takes(place) || self.takes(in_ms);
        let knows_timeout = takes("timeout", "timeout_ms") || self.timeout.is_some();
        let [timeout, pace] = [plan.timeout, plan.pace].map(Option::unwrap_or_default);
        let has_other_timeout = self.timeout.is_some_and(|own| own != timeout);
        let name = self.lacks_name(plan);
        let (is_watched, comes_late) = (is_about_spectators(plan), has_late(plan));
        let present = self.present_spectators(plan);
        let awaited = self.awaited_spectators.filter(|awaited| *awaited < present);
        let unwatched = || (!self.has_spectators()).then(|| self.why_no_spectators());
        // What is said where the subject lacks something that the game needs.
        let rows = [
            self.lacks_rolls(plan).then(|| {
                "it forces rolls, and this referee takes none (no roll hook)".to_owned()
            }),
            self.lacks_setup(plan).then(|| {
                let keys = plan.dialect.game().setup_keys().iter();
                let keys: Vec<_> = keys.map(|key| format!("`{}`", key.name)).collect();
                let keys = keys.join(" and ");
                format!("it forces {keys}, and this referee takes none ({{setup}} in the command)")
            }),
            (plan.keys.names.is_some() && !self.takes_names()).then(|| {
                "it needs the players' names to be set ({first} and {second} in the command)"
                    .to_owned()
            }),
            self.lacks_default(plan),
            name.map(|name| {
                let name = visible::plain(name);
                format!("it needs a player named `{name}`, and such servers do not take that name")
            }),
            (plan.needs_timeout() && !knows_timeout).then(|| {
                "it needs to know the timeout (`timeout:` in urtext.yaml, --set timeout=DURATION, or {timeout} in the command)"
                    .to_owned()
            }),
            // What happens within a turn comes at a time that tells something only with this timeout.
            (plan.timeout.is_some() && plan.times_within_a_turn() && has_other_timeout).then(|| {
                format!("it needs a timeout of {timeout:?} ({{timeout}} in the command, and no `timeout:`)")
            }),
            (plan.timeout.is_some() && !knows_timeout)
                .then(|| format!("it needs a timeout of {timeout:?} ({{timeout}} in the command)")),
            (plan.pace.is_some() && !takes("pace", "pace_ms") && self.pace != plan.pace)
                .then(|| format!("it needs a pace of {pace:?} ({{pace}} in the command)")),
            unwatched()
                .filter(|_| is_watched)
                .map(|why| format!("it is about spectators, and {why}")),
            awaited.filter(|_| is_watched || comes_late).map(|awaited| {
                format!("it begins with {present} spectators, and this referee begins a game when {awaited} have come")
            }),
            unwatched()
                .filter(|_| comes_late)
                .map(|why| format!("a spectator joins, and {why}")),
            self.lacks_way(plan).map(str::to_owned),
        ];
        rows.into_iter().flatten().next()
    }

    /// Returns true if a game forces rolls, and the subject takes none.
    fn lacks_rolls(&self, plan: &PlannedGame) -> bool {
        !plan.forced_rolls().is_empty() && self.roll_hook.is_none()
    }

    /// Returns true if a game forces the random setup, and urtext cannot set it: as one text, or by its parts.
    fn lacks_setup(&self, plan: &PlannedGame) -> bool {
        let mut parts = plan.dialect.game().setup_keys().iter();
        let is_taken = self.takes("setup") || parts.all(|part| self.takes(part.name));
        plan.setup.is_some() && !is_taken
    }

    /// Returns the number of spectators present from the start of a scenario, if the subject admits
    /// spectators.
    fn present_spectators(&self, plan: &PlannedGame) -> u32 {
        let late = u32::try_from(plan.late_spectators().count()).unwrap_or(u32::MAX);
        if self.has_spectators() {
            plan.spectators.saturating_sub(late)
        } else {
            0
        }
    }

    /// The scenario as this subject can play it: what a referee cannot be made to do is waited for, and names that it does not take are
    /// left out, where the scenario is not about them.
    #[must_use]
    pub fn as_played(&self, scenario: Scenario) -> Scenario {
        // A finished game is played again as it was, or not at all.
        let plan = scenario.game().filter(|plan| plan.replayed.is_none());
        let Some(plan) = plan.filter(|plan| plan.side == Side::Referee) else {
            return scenario;
        };
        let is_by_chance = self.lacks_rolls(plan) || self.lacks_setup(plan);
        let needs_names =
            plan.keys.names.is_some() && (!self.takes_names() || self.lacks_name(plan).is_some());
        let mut played = scenario;
        if is_by_chance {
            played = played.by_chance();
        }
        if needs_names {
            played = played.without_names();
        }
        played
    }

    /// The scenario with as many spectators as this subject needs, and can have.
    #[must_use]
    pub fn with_spectators(&self, scenario: &Arc<Scenario>) -> Arc<Scenario> {
        let mut changed = Arc::clone(scenario);
        let Some(plan) = scenario.game().filter(|plan| plan.side == Side::Referee) else {
            return changed;
        };
        let spectators = match self.awaited_spectators {
            _ if !self.has_spectators() => 0,
            // Those who come late keep their numbers.
            Some(awaited) => plan.spectators - self.present_spectators(plan) + awaited,
            None => plan.spectators,
        };
        if spectators != plan.spectators
            && let Some(plan) = Arc::make_mut(&mut changed).game_mut()
        {
            match spectators {
                0 => plan.remove_spectators(),
                _ => plan.spectators = spectators,
            }
        }
        changed
    }

    /// Returns a name that a server of matches would not take.
    fn lacks_name<'p>(&self, plan: &'p PlannedGame) -> Option<&'p str> {
        let names = plan
            .keys
            .names
            .as_ref()
            .filter(|_| self.creates_matches())?;
        let mut names = names.0.iter().map(String::as_str);
        names.find(|name| !Arena::takes_name(name))
    }

    /// Returns the reason why a scenario about the subject's defaults cannot use them, if there is one.
    fn lacks_default(&self, plan: &PlannedGame) -> Option<String> {
        let is_declared = |place: &&&str| match **place {
            "timeout" => self.timeout.is_some(),
            "pace" => self.pace.is_some(),
            _ => false,
        };
        if let Some(place) = plan.unset.iter().find(is_declared) {
            return Some(format!(
                "it needs the {place} that the referee has by itself, and this one has another"
            ));
        }
        if self.creates_matches() {
            return None;
        }
        let Some(program) = &self.program else {
            let unknown = plan.unset.first()?;
            return Some(format!(
                "it needs a referee that is started without a {unknown}, and this one runs already"
            ));
        };
        let is_left_out = program.command.without(&plan.unset).is_some();
        (!is_left_out).then(|| format!("{{{}}} cannot be left out of its command", plan.unset[0]))
    }

    /// Returns why a lane's transport lacks an ability that a scenario needs.
    fn lacks_way(&self, plan: &PlannedGame) -> Option<&'static str> {
        let of_spectator = |who| matches!(who, Participant::Spectator(_));
        let leavings = plan.leavings();
        let leavings = leavings.map(|(who, how)| (of_spectator(who), Ability::Leave(how)));
        let comes = Ability::ComeWhenItLikes;
        let in_order = plan.keys.connect.is_some().then_some((false, comes));
        let late = has_late(plan).then_some((true, comes));
        let mut needed = leavings.chain(in_order).chain(late);
        needed.find_map(|(is_spectator, ability)| {
            let entrance = match is_spectator {
                true => self.spectators.as_ref()?,
                false => &self.players,
            };
            entrance.way.missing_capability(ability)
        })
    }

    /// Explains why nobody can watch a referee without spectators.
    fn why_no_spectators(&self) -> &'static str {
        let ready = self
            .program
            .as_ref()
            .and_then(|program| program.ready.as_ref());
        let tells_players = |ready: &UrlPattern| ready.tells("port") || ready.tells("players");
        match ready.is_some_and(tells_players) {
            true => "nothing says where they connect ({spectator_port} in `ready`)",
            false => "this referee has none",
        }
    }

    /// Returns true if urtext can choose the players' names: in the command, or in the lines sent on
    /// connecting.
    fn takes_names(&self) -> bool {
        let says_name = |word: &Word| word.takes("name") || word.takes("first");
        self.creates_matches()
            || (self.takes("first") && self.takes("second"))
            || self.players.say.iter().any(says_name)
    }
}

fn is_about_spectators(plan: &PlannedGame) -> bool {
    plan.checks
        .first()
        .is_some_and(|id| plan.dialect.ids(Role::SeenBySpectators).contains(id))
}

fn has_late(plan: &PlannedGame) -> bool {
    plan.late_spectators().next().is_some()
}

/// Returns the first ability that a dialogue needs and the transport lacks.
fn lacks_dialogue(way: &Way, steps: &[LineStep]) -> Option<&'static str> {
    steps.iter().find_map(|step| match &step.what {
        LineAct::Does(Deed::Leave(how)) => way.missing_capability(Ability::Leave(*how)),
        LineAct::Does(Deed::Read(Some(_))) => way.missing_capability(Ability::LeaveUnread),
        LineAct::Repeat { steps, .. } => lacks_dialogue(way, steps),
        LineAct::Does(_) | LineAct::Lines(_) | LineAct::End(_) | LineAct::Silence(_) => None,
    })
}
