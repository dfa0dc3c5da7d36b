//! Capabilities that a scenario needs and a subject lacks, by the subject's configuration.

use std::sync::Arc;

use super::{Ability, Arena, Subject, UrlPattern, Way, Word};
use crate::requirement::Role;
use crate::scenario::{
    Leaving, LineDeed, LineStep, Participant, Plan, PlannedGame, Scenario, Side,
};

impl Subject {
    /// Returns the reason why the subject cannot play a scenario, if there is one.
    #[must_use]
    pub fn missing_capability(&self, scenario: &Scenario) -> Option<String> {
        if let Plan::Dialogue(dialogue) = &scenario.plan
            && let Some(reason) = lacks_dialogue(&self.players.way, &dialogue.steps)
        {
            return Some(reason.to_owned());
        }
        if let Some(parameter) = self
            .parameters
            .iter()
            .find(|parameter| parameter.value.is_none())
        {
            return Some(format!(
                "nothing says what {{{0}}} is (--set {0}=VALUE)",
                parameter.name
            ));
        }
        let game = scenario.game().filter(|plan| plan.side == Side::Referee);
        self.missing_for_referee(game?)
    }

    /// Returns the reason why a referee cannot play a game, if there is one.
    fn missing_for_referee(&self, plan: &PlannedGame) -> Option<String> {
        if !plan.forced_rolls().is_empty() && self.roll_hook.is_none() {
            return Some("it forces rolls, and this referee takes none (no roll hook)".to_owned());
        }
        if plan.setup.is_some() && !self.takes_setup(plan) {
            let keys: Vec<_> = plan
                .dialect
                .game()
                .setup_keys()
                .iter()
                .map(|(key, _)| format!("`{key}`"))
                .collect();
            return Some(format!(
                "it forces {}, and this referee takes none ({{setup}} in the command)",
                keys.join(" and ")
            ));
        }
        if plan.names.is_some() && !self.takes_names() {
            return Some(
                "it needs the players' names to be set ({first} and {second} in the command)"
                    .to_owned(),
            );
        }
        if let Some(reason) = self.lacks_defaults(plan) {
            return Some(reason);
        }
        if let Some(names) = plan.names.as_ref().filter(|_| self.creates_matches())
            && let Some(name) = names.0.iter().find(|name| !Arena::takes_name(name))
        {
            return Some(format!(
                "it needs a player named `{}`, and such servers do not take that name",
                name.escape_debug()
            ));
        }
        let is_told = self.creates_matches();
        let is_said = |place: &str| is_told || plan.unset.contains(&place);
        let takes_timeout = is_said("timeout") || self.takes("timeout") || self.takes("timeout_ms");
        if plan.needs_timeout() && self.timeout.is_none() && !takes_timeout {
            return Some("it needs to know the timeout (`timeout:` in urtext.yaml, --set timeout=DURATION, or {timeout} in the command)".to_owned());
        }
        if let Some(timeout) = plan.timeout.filter(|_| plan.times_within_a_turn())
            && self.timeout.is_some_and(|own| own != timeout)
        {
            // What happens within the turn comes at a time that tells something only with this timeout.
            return Some(format!(
                "it needs a timeout of {timeout:?} ({{timeout}} in the command, and no `timeout:`)"
            ));
        }
        if let Some(timeout) = plan
            .timeout
            .filter(|_| !takes_timeout && self.timeout.is_none())
        {
            return Some(format!(
                "it needs a timeout of {timeout:?} ({{timeout}} in the command)"
            ));
        }
        let takes_pace = is_said("pace") || self.takes("pace") || self.takes("pace_ms");
        if let Some(pace) = plan
            .pace
            .filter(|&pace| !takes_pace && self.pace != Some(pace))
        {
            return Some(format!(
                "it needs a pace of {pace:?} ({{pace}} in the command)"
            ));
        }
        if !self.has_spectators() && is_about_spectators(plan) {
            return Some(format!(
                "it is about spectators, and {}",
                self.why_no_spectators()
            ));
        }
        let present = self.present_spectators(plan);
        if let Some(awaited) = self.awaited_spectators.filter(|&awaited| awaited < present)
            && (is_about_spectators(plan) || plan.late_spectators().next().is_some())
        {
            return Some(format!(
                "it begins with {present} spectators, and this referee begins a game when {awaited} have come"
            ));
        }
        self.lacks_ways(plan)
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

    /// Returns the reason why a scenario about the subject's defaults cannot use them, if there is one.
    fn lacks_defaults(&self, plan: &PlannedGame) -> Option<String> {
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

    /// Returns the first ability that a scenario needs and a lane's transport lacks.
    fn lacks_ways(&self, plan: &PlannedGame) -> Option<String> {
        for (who, leaving) in plan.leavings() {
            let ability = ability(leaving);
            let is_player = !matches!(who, Participant::Spectator(_));
            let entrance = if is_player {
                Some(&self.players)
            } else {
                self.spectators.as_ref()
            };
            if let Some(reason) =
                entrance.and_then(|entrance| entrance.way.missing_capability(ability))
            {
                return Some(reason.to_owned());
            }
        }
        if !plan.connect.is_empty()
            && let Some(reason) = self
                .players
                .way
                .missing_capability(Ability::ComeWhenItLikes)
        {
            return Some(reason.to_owned());
        }
        if plan.late_spectators().next().is_some() {
            let Some(spectators) = &self.spectators else {
                return Some(format!(
                    "a spectator joins, and {}",
                    self.why_no_spectators()
                ));
            };
            return spectators
                .way
                .missing_capability(Ability::ComeWhenItLikes)
                .map(str::to_owned);
        }
        None
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

    /// Returns true if urtext can set the random setup: as one text, or by its parts.
    fn takes_setup(&self, plan: &PlannedGame) -> bool {
        let mut parts = plan.dialect.game().setup_keys().iter();
        self.takes("setup") || parts.all(|(part, _)| self.takes(part))
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

fn ability(leaving: Leaving) -> Ability {
    match leaving {
        Leaving::HangUp => Ability::HangUp,
        Leaving::HalfClose => Ability::HalfClose,
        Leaving::Reset => Ability::Reset,
    }
}

/// Returns the first ability that a dialogue needs and the transport lacks.
fn lacks_dialogue(way: &Way, steps: &[LineStep]) -> Option<&'static str> {
    steps.iter().find_map(|step| match &step.what {
        LineDeed::Leave { how, .. } => way.missing_capability(ability(*how)),
        LineDeed::Read { pace: Some(_), .. } => way.missing_capability(Ability::LeaveUnread),
        LineDeed::Repeat { steps, .. } => lacks_dialogue(way, steps),
        LineDeed::Write { .. }
        | LineDeed::Expect { .. }
        | LineDeed::ExpectEnd { .. }
        | LineDeed::Quiet { .. }
        | LineDeed::Read { pace: None, .. } => None,
    })
}
