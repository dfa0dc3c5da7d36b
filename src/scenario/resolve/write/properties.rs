//! Reading and writing undo each other.

use std::collections::BTreeSet;
use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::super::forms::Doer;
use super::made_up::MadeUp;
use super::write;
use crate::diagnostic::{Paint, Source, Span};
use crate::scenario::*;

/// Number of scenarios that are made up.
const SCENARIOS: u64 = 500;
/// The requirements of dialogues.
const CATALOGUE: &str = "protocol: lines\nrequirements:\n  - {id: made-up/one, level: must, summary: one}\n  - {id: made-up/two, level: should, summary: two}\n";

/// Whatever a scenario names is there, and it checks what it says.
struct Willing;

impl ScenarioFiles for Willing {
    fn include(&self, path: &str) -> Result<Source, String> {
        Ok(Source::new(path, CATALOGUE))
    }

    fn has_proven_checks(&self) -> bool {
        true
    }
}

fn read(text: &str) -> Scenario {
    let (mut scenarios, faults) = resolve(&Source::new("written", text), "written", &Willing);
    assert!(
        scenarios.len() == 1,
        "{}\n{text}",
        faults.draw(Paint::Plain)
    );
    scenarios.swap_remove(0)
}

/// All of a scenario but what follows from where it stands.
fn meaning(mut scenario: Scenario) -> String {
    fn placeless(steps: &mut [LineStep]) {
        for step in steps {
            step.span = Span::at(0);
            if let LineAct::Repeat { steps, .. } = &mut step.what {
                placeless(steps);
            }
        }
    }
    for step in scenario
        .game_mut()
        .iter_mut()
        .flat_map(|plan| &mut plan.steps)
    {
        step.span = Span::at(0);
        if let StepKind::Turn(Turn { meanwhile, at, .. })
        | StepKind::Improvise(Turn { meanwhile, at, .. }) = &mut step.kind
        {
            *at = TurnPlace::default();
            meanwhile.iter_mut().for_each(|act| act.span = Span::at(0));
        }
    }
    if let Some(golden) = &mut scenario.keys.golden {
        golden.span = Span::default();
    }
    match &mut scenario.plan {
        Plan::Game(plan) => Arc::make_mut(plan).barrier = None,
        Plan::Dialogue(dialogue) => placeless(&mut Arc::make_mut(dialogue).steps),
    }
    let plain = Scenario {
        source: Source::new("", ""),
        name: String::new(),
        case: None,
        golden: Golden::None,
        included: Arc::default(),
        ..scenario
    };
    format!("{plain:?}")
}

#[test]
fn a_scenario_that_is_written_reads_back_as_it_was() {
    let mut written = BTreeSet::new();
    for seed in 0..SCENARIOS {
        let mut made_up = MadeUp(ChaCha8Rng::seed_from_u64(seed));
        let scenario = match made_up.below(5) {
            0 => made_up.dialogue(),
            _ => made_up.game(),
        };
        let text = write(&scenario);
        let read = read(&text);
        assert_eq!(write(&read), text, "{seed}");
        if let Some(plan) = read.game() {
            written.extend(plan.steps.iter().flat_map(|step| kinds(plan, &step.kind)));
            let placed = scenario.clone().placed("written");
            let placed =
                placed.unwrap_or_else(|faults| panic!("{}\n{text}", faults.draw(Paint::Plain)));
            let placed = placed.game().unwrap();
            assert_eq!(
                (&placed.steps, placed.barrier),
                (&plan.steps, plan.barrier),
                "{text}"
            );
        }
        assert_eq!(meaning(read), meaning(scenario), "{seed}\n{text}");
    }
    let all = KINDS.into_iter().collect();
    assert_eq!(written, all, "every kind of step is written");
}

#[test]
fn every_shipped_scenario_reads_back_as_it_was() {
    let (scenarios, _) = suite::all();
    assert!(scenarios.len() > 100);
    for scenario in scenarios {
        let text = write(&scenario);
        let read = read(&text);
        assert_eq!(write(&read), text);
        let barrier = |scenario: &Scenario| scenario.game().unwrap().barrier;
        assert_eq!(barrier(&read), barrier(&scenario));
        assert_eq!(meaning(read), meaning(scenario), "{text}");
    }
}

/// Every kind of step, action, act and situation.
const KINDS: [&str; 40] = [
    "skip",
    "this move",
    "any move",
    "any as",
    "any except",
    "illegal move",
    "illegal line",
    "ignored line",
    "silent",
    "pieces",
    "pieces, then leaves",
    "hangs up",
    "closes half",
    "resets",
    "act: sends a text",
    "act: sends pieces",
    "act: sends, then leaves",
    "act: player hangs up",
    "act: player closes half",
    "act: player resets",
    "act: spectator leaves",
    "act: spectator resets",
    "act: spectator closes half",
    "act: spectator joins",
    "to the end",
    "until can move",
    "until cannot move",
    "until rolled",
    "until can",
    "until can break",
    "until told apart",
    "mover",
    "made up: named",
    "any of a kind",
    "illegal",
    "illegal by a reason",
    "a move in pieces",
    "act: the other player sends",
    "act: the other player leaves",
    "within",
];

/// The kinds that a step is of.
fn kinds(plan: &PlannedGame, step: &StepKind) -> Vec<&'static str> {
    match step {
        StepKind::Turn(turn) => {
            let acts = turn.meanwhile.iter().map(kind_of_act);
            kinds_of_deed(plan, &turn.deed)
                .into_iter()
                .chain(acts)
                .collect()
        }
        StepKind::PlayToTheEnd => vec!["to the end"],
        StepKind::PlayUntil(until) => {
            let situation = match until.situation {
                Situation::CanMove => "until can move",
                Situation::CannotMove => "until cannot move",
                Situation::Rolled(_) => "until rolled",
                Situation::Can(_) => "until can",
                Situation::CanBreak(_) => "until can break",
                Situation::ToldApart(_) => "until told apart",
                Situation::CanTest(..) | Situation::Tested(_) => "no file says it",
            };
            let within = (until.turns == 10_000).then_some("within");
            [situation].into_iter().chain(within).collect()
        }
        StepKind::Improvise(turn) => {
            let who = turn.seat.map_or("mover", |_| "made up: named");
            let acts = turn.meanwhile.iter().map(kind_of_act);
            let deeds = kinds_of_deed(plan, &turn.deed).into_iter();
            deeds.chain([who]).chain(acts).collect()
        }
    }
}

fn kinds_of_deed(plan: &PlannedGame, deed: &Deed) -> Vec<&'static str> {
    let of_leaving = |how: &Leaving| match how {
        Leaving::HangUp => "hangs up",
        Leaving::HalfClose => "closes half",
        Leaving::Reset => "resets",
    };
    match deed {
        Deed::Skip => vec!["skip"],
        Deed::Move(Choice::This(_)) => vec!["this move"],
        Deed::Move(Choice::Any { kind, name, except }) => {
            let kind = kind.map(|_| "any of a kind");
            let name = name.as_ref().map(|_| "any as");
            let except = except.as_ref().map(|_| "any except");
            let any = (kind, name, except) == (None, None, None);
            let any = any.then_some("any move");
            [any, kind, name, except].into_iter().flatten().collect()
        }
        Deed::Refused(None) => vec!["illegal"],
        Deed::Refused(Some(_)) => vec!["illegal by a reason"],
        Deed::SendMove(deed, _) => {
            let mut kinds = kinds_of_deed(plan, deed);
            kinds.push("a move in pieces");
            kinds
        }
        Deed::Illegal(_)
            if Doer::OnTurn
                .written(deed, plan)
                .is_some_and(|text| !text.starts_with('"')) =>
        {
            vec!["illegal move"]
        }
        Deed::Illegal(_) => vec!["illegal line"],
        Deed::Ignored(_) => vec!["ignored line"],
        Deed::Silent => vec!["silent"],
        Deed::Send(parts) => match SendPart::leaving(parts) {
            None => vec!["pieces"],
            Some(_) => vec!["pieces, then leaves"],
        },
        Deed::Leave(how) => vec![of_leaving(how)],
        other => panic!("{other:?} stands in no turn with a position"),
    }
}

fn kind_of_act(act: &Act) -> &'static str {
    match (act.who, &act.deed) {
        (Participant::Other, Deed::Send(_)) => "act: the other player sends",
        (Participant::Other, Deed::Leave(_)) => "act: the other player leaves",
        (Participant::Player(_), Deed::Send(parts)) => {
            match (&parts[..], SendPart::leaving(parts)) {
                ([SendPart::Bytes(_)], _) => "act: sends a text",
                (_, None) => "act: sends pieces",
                (_, Some(_)) => "act: sends, then leaves",
            }
        }
        (Participant::Player(_), Deed::Leave(Leaving::HangUp)) => "act: player hangs up",
        (Participant::Player(_), Deed::Leave(Leaving::HalfClose)) => "act: player closes half",
        (Participant::Player(_), Deed::Leave(Leaving::Reset)) => "act: player resets",
        (Participant::Spectator(_), Deed::Leave(Leaving::HangUp)) => "act: spectator leaves",
        (Participant::Spectator(_), Deed::Leave(Leaving::Reset)) => "act: spectator resets",
        (Participant::Spectator(_), Deed::Leave(Leaving::HalfClose)) => {
            "act: spectator closes half"
        }
        (Participant::Spectator(_), Deed::Join) => "act: spectator joins",
        (who, what) => panic!("{who:?} cannot do {what:?}"),
    }
}
