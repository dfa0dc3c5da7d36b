//! The keys of a scenario beside its turns: one row for each. The rules between keys are in `header`.

use super::cases::CaseKeys;
use super::kinds::{Ids, SeatName, SetupKeys, Time, has_words};
use super::lines::Steps;
use super::turns::Turns;
use crate::pack::Protocol;
use crate::scenario::keys::{PlanKeys, ScenarioKeys};
use crate::scenario::{LineEnd, Side};
use crate::yaml::{Entry, Number, keys};

/// The most spectators that a scenario may ask for.
pub(crate) const MOST_SPECTATORS: u64 = 16;

keys! {
    /// The keys of a scenario of a game.
    #[derive(Debug, Default)]
    pub(in crate::scenario) struct GameKeys in "a scenario" {
        /// The keys of every scenario
        part "head" => head: HeadKeys;
        /// Bots, required: the seat, by its name in the game
        optional "seat" => seat: Entry<SeatName>;
        /// Ids of requirements, the main one first, see [Checks](#checks)
        required "checks" => checks: Option<Ids<true>>;
        /// The keys that the game keeps
        part "plan" => plan: PlanKeys;
        /// Referees: the number of spectators; default 1
        optional "spectators" => spectators: Option<Number<0, MOST_SPECTATORS>>;
        /// The timeout of the game; up to `1h`
        optional "timeout" => timeout: Option<Time>;
        /// The pace of the game; the game limits it
        optional "pace" => pace: Option<Time>;
        /// The keys that every scenario keeps
        part "scenario" => scenario: ScenarioKeys;
        /// The keys that fix what chance would decide
        part "setup" => setup: SetupKeys;
        /// The game, see [Turns](#turns); at most 10,000 turns
        required "turns" => turns: Entry<Turns>;
        /// The keys that make many scenarios of one file
        part "cases" => cases: CaseKeys;
    }
}

keys! {
    /// The keys of a dialogue.
    #[derive(Debug, Default)]
    pub(in crate::scenario) struct DialogueKeys in "a scenario of lines" {
        /// The keys of every scenario
        part "head" => head: HeadKeys;
        /// Ids of requirements of the file `requirements.yaml` next to the scenario, the main one first
        optional "checks" => checks: Option<Ids<false>>;
        /// The names of the participants, one word each
        optional "participants" => participants: Entry<Vec<String>>;
        /// The end of each line, sent and received
        optional "line-end" => line_end: Option<LineEnd>;
        /// The keys that every scenario keeps
        part "scenario" => scenario: ScenarioKeys;
        /// The steps, in order
        required "steps" => steps: Entry<Steps>;
        /// The keys that make many scenarios of one file
        part "cases" => cases: CaseKeys;
    }
}

keys! {
    /// The keys of every scenario.
    #[derive(Debug, Default)]
    pub(in crate::scenario) struct HeadKeys in "a scenario" {
        /// The title, one line
        required "scenario" => title: Option<String> where |title: &String| has_words(title);
        /// The game, by its name or an alias
        required "game" => game: Option<Protocol>;
        /// The side under test
        required "subject" => side: Option<Side>;
    }
}
