//! `urtext doctor`: plays a plain game with each subject, and prints its steps.

use std::iter;
use std::sync::Arc;

use clap::Args;

use super::Status;
use super::interrupt::runtime;
use super::output::{OrBroken, checked, print};
use super::progress::SessionProgress;
use super::repeat;
use super::run::BudgetArgs;
use super::subject::SubjectArgs;
use crate::config::Subject;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::engine::{Doubt, Options, Run};
use crate::explore::{Examination, ExaminedStep, StepState, plain_of};
use crate::finding::Verdict;
use crate::report::FindingResult;
use crate::session::{PlayedGame, Session, ask_limits};

/// Arguments of `urtext doctor`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct DoctorArgs {
    #[command(flatten)]
    budgets: BudgetArgs,

    #[command(flatten)]
    subject: SubjectArgs,
}

const HELP: &str = "\
A plain game has three turns, one spectator, and forced rolls if the subject takes them. Each step shows its result and the keys of \
urtext.yaml with which more can be tested. A server of matches is also asked for matches within the limits of its game and beyond them. \
Without a subject, doctor examines all subjects of urtext.yaml, or the built-in peers if no such file exists.

Examples:
  urtext doctor --subject mine
  urtext doctor --as bot -- python3 mybot.py";

impl DoctorArgs {
    /// Examines the subjects.
    pub(super) fn run(self) -> Result<Status, Status> {
        let mut problems = Diagnostics::new();
        let subjects = self.subjects(&mut problems);
        checked(&problems)?;
        let mut status = Status::Conforms;
        for subject in subjects.unwrap_or_default() {
            status = status.max(self.examine(subject)?);
        }
        Ok(status)
    }

    /// The subjects to examine: those of the game that is named.
    fn subjects(&self, problems: &mut Diagnostics) -> Option<Vec<Arc<Subject>>> {
        let mut subjects = self.subject.tested(None, problems)?.subjects;
        subjects.retain(|subject| self.subject.is_of_game(subject.protocol.game_name()));
        if subjects.is_empty() {
            let title = "there is no subject of this game";
            let help = "`urtext init` describes one";
            problems.push(Diagnostic::error("doctor/game", title).help(help));
        }
        problems.extend(
            subjects
                .iter()
                .flat_map(|subject| subject.unset_parameters()),
        );
        Some(subjects)
    }

    /// Plays a plain game with a subject, and prints its steps.
    fn examine(&self, subject: Arc<Subject>) -> Result<Status, Status> {
        let (game, side) = (subject.protocol.game_name(), subject.side.word());
        print(&format!("{game} {side} {}", subject.label()));
        let Some(plain) = plain_of(&subject, 1) else {
            print_line(
                "note",
                "model",
                "this game has none; play a scenario of yours with `urtext run`\n",
            );
            return Ok(Status::Open);
        };
        let options = Options::new(self.budgets.given(), std::iter::once(subject.as_ref()));
        let answer_budget = options.budgets.answer;
        let run = Run {
            doubt: Doubt::PlayAgain,
            ..Run::new(vec![plain], options, 1)
        };
        let played = SessionProgress::play(Session::once(run), false)?;
        if played.is_interrupted {
            return Err(Status::Interrupted);
        }
        let mut games = played.games;
        let mut played = games.pop().expect("one game was played");
        self.subject.advise(&mut played.outcome, &subject, true);
        let PlayedGame { game, outcome, .. } = played;
        let examination = Examination {
            game,
            outcome,
            answer_budget,
        };
        examination.steps().for_each(|step| print_step(&step));
        let runtime = runtime().or_broken("the server cannot be asked")?;
        let asked = runtime.block_on(ask_limits(&examination.game));
        for PlayedGame { outcome, .. } in &asked {
            let said = match outcome.verdict {
                Verdict::Pass => "ok",
                verdict => verdict.word(),
            };
            print_line(said, "limits", &outcome.title);
        }
        let asked = asked.iter().map(|asked| &asked.outcome);
        let outcomes: Vec<_> = iter::once(&examination.outcome).chain(asked).collect();
        let findings: Vec<_> = outcomes
            .iter()
            .flat_map(|one| FindingResult::of(one))
            .collect();
        for finding in &findings {
            print(&format!("\n{}", finding.painted));
        }
        if !findings.is_empty() {
            print(&format!("repeat: {}", command(&subject)));
        }
        print("");
        let statuses = outcomes.iter().map(|outcome| Status::of(outcome.verdict));
        Ok(statuses.max().unwrap_or_default())
    }
}

/// The command that examines a subject of this command line.
pub(super) fn command(subject: &Subject) -> String {
    repeat::command("doctor", std::slice::from_ref(&subject.arguments), &[])
}

/// Prints a step, with its advice below.
fn print_step(step: &ExaminedStep) {
    match &step.state {
        StepState::Passed(said) => print_line("ok", step.name, said),
        StepState::Note(said) => print_line("note", step.name, said),
        StepState::Missed(verdict) => print_line(verdict.word(), step.name, "see below"),
        StepState::Unreached => print_line("-", step.name, "not reached"),
    }
    for advice in &step.advice {
        print_line("", "", &format!("- {advice}"));
    }
}

fn print_line(word: &str, name: &str, said: &str) {
    print(&format!("  {word:<12}  {name:<10}  {said}"));
}
