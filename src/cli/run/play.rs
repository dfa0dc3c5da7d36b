//! Plays the games of a plan, and reports.

use std::time::{Duration, Instant, SystemTime};

use super::RunArgs;
use super::plan::Plan;
use crate::cli::output::{self, broken};
use crate::cli::progress::SessionProgress;
use crate::cli::{Status, doctor, replay_live};
use crate::config::SubjectBudgets;
use crate::diagnostic::{Diagnostic, Paint, visible};
use crate::engine::{
    Clock, Doubt, GamePlan, Options, Placement, PlayOrder, Run, Telling, TimeLimit, golden_of,
    jobs_for,
};
use crate::finding::{Title, Verdict};
use crate::platform::{FolderLock, lock_folder};
use crate::report::{Baseline, Results, ScenarioResult, SubjectReadings, draw_console};
use crate::scenario::Golden;
use crate::session::{Played, PlayedGame, Session};
use crate::transcript::golden;

/// A budget that ends nothing.
const FOREVER: Duration = Duration::from_secs(365 * 24 * 3600);

impl RunArgs {
    /// Plays games and reports.
    ///
    /// # Errors
    /// The status to exit with, after printing why nothing is played or reported.
    pub(super) fn play(mut self, plan: Plan) -> Result<Status, Status> {
        self.reports.probe()?;
        let _lock = self.lock_recordings()?;
        // An HTML report shows games, so it needs recordings.
        let workspace = match self.record {
            Some(_) => None,
            None => self.reports.workspace()?,
        };
        if let Some(workspace) = &workspace {
            self.record = Some(workspace.path().to_owned());
        }
        let reports = &self.reports;
        if !self.quiet {
            reports.print(&plan.heading);
        }
        let is_in_memory = plan.is_in_memory();
        let (began, began_at) = (Instant::now(), SystemTime::now());
        let played = self.play_games(&plan)?;
        let took = match is_in_memory {
            true => played.games.iter().map(|game| game.outcome.took).sum(),
            false => began.elapsed(),
        };
        let mut results = self.results(&played);
        results.run.heading = plan.heading.trim_end().to_owned();
        results.run.shard = plan.shard;
        results.run.began =
            (!is_in_memory).then(|| humantime::format_rfc3339_millis(began_at).to_string());
        let end = results.end.get_or_insert_default();
        end.seconds = took.as_secs_f64();
        end.slow_left_out = plan.slow_left_out;
        end.notes = played.same_chance();
        let mut baseline = plan.baseline;
        if self.update_baseline {
            let config = self.subject.config_file();
            let updated = self.baseline.update(config.as_deref(), baseline, &results);
            baseline = Some(updated?);
        }
        let stale = baseline.map(|baseline| baseline.judge(&mut results, Baseline::today()));
        let stale = stale.unwrap_or_default();
        let mut report = draw_console(&results, self.verbose);
        if !stale.is_empty() {
            report = format!("\n{}\n{report}", stale.draw(Paint::Coloured));
        }
        let has_passed = |result: &ScenarioResult| {
            result.standing == Status::Conforms
                && (result.verdict <= Verdict::Lenient || result.expected.is_some())
        };
        if !self.quiet {
            reports.print(&report);
        } else if !stale.is_empty() || !results.scenarios.iter().all(has_passed) {
            reports.print(&(plan.heading + &report));
        }
        let standings = results.scenarios.iter().map(|scenario| scenario.standing);
        let mut status = standings.max().unwrap_or_default();
        if output::has_failed() {
            status = status.max(Status::Broken);
        }
        if played.is_interrupted {
            status = Status::Interrupted;
        }
        results.end.get_or_insert_default().status = status.code();
        if workspace.is_some() {
            status = status.max(reports.adopt(&mut results));
        }
        status = status.max(reports.write(&results));
        if self.bless {
            status = status.max(bless(&played.games));
        }
        Ok(status)
    }

    /// Keeps other runs from the folder of the recordings, as long as the result exists.
    fn lock_recordings(&self) -> Result<Option<FolderLock>, Status> {
        let Some(folder) = &self.record else {
            return Ok(None);
        };
        // A folder that cannot be created is reported with the first recording.
        drop(std::fs::create_dir_all(folder));
        lock_folder(folder).map(Some).ok_or_else(|| {
            let folder = visible::path(folder);
            broken(&format!(
                "another run writes its recordings to {folder}; wait for its end, or give --record another folder"
            ))
        })
    }

    /// Plays the games, and explains what failed.
    fn play_games(&self, plan: &Plan) -> Result<Played, Status> {
        let mut played = SessionProgress::play(self.session(plan), self.quiet || self.debug)?;
        for PlayedGame {
            game,
            outcome,
            is_gate,
        } in &mut played.games
        {
            if self.no_diagnosis {
                let findings = outcome.findings.iter_mut();
                findings.for_each(|finding| finding.reword(Title::without_inference));
            }
            if *is_gate {
                outcome.repeat = doctor::command(&game.subject);
                continue;
            }
            outcome.repeat = self.repeated(game);
            if outcome.fails_later() {
                // One game alone passes.
                outcome.repeat = outcome.repeat.replacen(" run ", " run --repeat 2 ", 1);
            }
            replay_live::advise(outcome, &game.scenario);
        }
        if let (Some(rounds), Some(last)) = (played.rounds, self.repeat) {
            anstream::eprintln!(
                "urtext: the time of --for was over after {rounds} of {last} rounds"
            );
        }
        Ok(played)
    }

    /// The games of the plan, with the options of the command line.
    fn session(&self, plan: &Plan) -> Session {
        let mut failures = vec![Verdict::Fail, Verdict::Error];
        failures.extend(self.strict.then_some(Verdict::Lenient));
        let is_in_memory = plan.is_in_memory();
        let clock = match is_in_memory {
            true => Clock::Virtual(self.network),
            false => Clock::Real,
        };
        let limit = self.options.limit;
        let subjects = plan
            .games
            .iter()
            .map(|game: &GamePlan| game.subject.as_ref());
        let run = Run {
            options: Options {
                record: self.record.clone(),
                tells: match (self.debug, self.stderr) {
                    (true, _) => Telling::Everything,
                    (false, true) => Telling::Stderr,
                    (false, false) => Telling::Games,
                },
                clock,
                ..Options::new(self.budgets(), subjects)
            },
            // By the real clock, other games begin meanwhile.
            jobs: match self.options.jobs {
                _ if is_in_memory && (self.fail_fast || limit.is_some()) => 1.into(),
                wanted => jobs_for(&plan.games, wanted),
            },
            games: plan.games.clone(),
            placement: match self.pin {
                true => Placement::Pinned,
                false => Placement::Free,
            },
            doubt: match self.debug {
                true => Doubt::Accept,
                false => Doubt::PlayAgain,
            },
            order: PlayOrder {
                fatal: match self.fail_fast {
                    true => failures.clone(),
                    false => Vec::new(),
                },
                spared: plan.spared(),
                limit: limit.map(|limit| TimeLimit::new(limit, clock)),
            },
        };
        Session {
            run,
            failures,
            repeat: self.repeat.map_or(1, u32::from),
            retries: self.options.retries.unwrap_or_default(),
            // Free games are plain themselves.
            has_gate: !self.no_gate && self.free_games.is_none(),
            is_explained: !self.no_diagnosis,
        }
    }

    /// The budgets that the user asks for.
    fn budgets(&self) -> SubjectBudgets {
        let mut usual = SubjectBudgets::default();
        if self.debug {
            for (_, budget) in usual.by_word() {
                *budget = Some(FOREVER);
            }
        }
        self.budgets.over(usual)
    }

    /// Returns the results of a run. Its status is still to be set.
    fn results(&self, played: &Played) -> Results {
        let games = played.games.iter();
        let scenarios = games.clone().map(|PlayedGame { game, outcome, .. }| {
            let standing = self.standing(outcome.verdict);
            ScenarioResult::new(&game.scenario, &game.subject, outcome, standing)
        });
        let own = games.filter(|game| !game.is_gate);
        let named = own.map(|game| (&game.outcome.name, &game.game.subject.name));
        let named: Vec<_> = named.collect();
        let parts = played.explanations.iter();
        let parts = parts.map(|part| SubjectReadings::new(part, &named));
        let mut results = Results::new("run", String::new(), 0, scenarios.collect());
        let end = results.end.get_or_insert_default();
        end.readings = parts.collect();
        end.interrupted = played.is_interrupted;
        results
    }

    /// Returns the contribution of a verdict to the exit status.
    fn standing(&self, verdict: Verdict) -> Status {
        match verdict {
            Verdict::Lenient if self.strict => Status::Deviates,
            verdict if self.options.allow.contains(&verdict) => Status::Conforms,
            verdict => Status::of(verdict),
        }
    }
}

/// Writes the golden transcript of each scenario whose game was as the model predicts; of others none.
fn bless(games: &[PlayedGame]) -> Status {
    let mut status = Status::Conforms;
    let (mut written, mut same, mut refused) = (0, 0, 0);
    for PlayedGame { game, outcome, .. } in games {
        let scenario = &game.scenario;
        let Golden::File { path, .. } = &scenario.golden else {
            continue;
        };
        let Some(prediction) = &outcome.prediction else {
            refused += 1;
            continue;
        };
        if golden_of(scenario).is_ok_and(|known| known.as_ref() == Some(prediction)) {
            same += 1;
            continue;
        }
        let name = visible::path(path);
        match golden::save(path, prediction) {
            Ok(_) => {
                written += 1;
                output::print(&format!("written: {name}"));
            }
            Err(error) => {
                let title = format!("{name} cannot be written: {error}");
                let fault = Diagnostic::error("bless/write", title);
                let fault =
                    fault.help("check that the folder is one, and that you may write to it");
                output::say(&fault.into());
                status = Status::Broken;
            }
        }
    }
    let mut text = format!("golden transcripts: {written} written, {same} unchanged");
    if refused > 0 {
        text += &format!(", {refused} not blessed: the game was not as predicted");
    }
    output::print(&text);
    status
}

#[cfg(test)]
mod tests {
    use clap::{Args, FromArgMatches};

    use super::*;

    #[test]
    fn what_is_open_is_4_unless_it_is_allowed() {
        let status = |found: &[Verdict], args: &[&str]| {
            let command = RunArgs::augment_args(clap::Command::new("run"));
            let args = [&["run"], args].concat();
            let args = RunArgs::from_arg_matches(&command.get_matches_from(args)).unwrap();
            found
                .iter()
                .map(|&verdict| args.standing(verdict))
                .fold(Status::Conforms, Status::max)
        };
        for (found, word) in [
            (Verdict::Flaky, "flaky"),
            (Verdict::Inconclusive, "inconclusive"),
            (Verdict::Unsupported, "unsupported"),
            (Verdict::Skipped, "skipped"),
        ] {
            assert_eq!(status(&[Verdict::Pass, found], &[]), Status::Open);
            assert_eq!(
                status(&[Verdict::Pass, found], &["--allow", word]),
                Status::Conforms
            );
            assert_eq!(
                status(&[found, Verdict::Fail], &["--allow", word]),
                Status::Deviates
            );
        }
        assert_eq!(
            status(&[Verdict::Flaky], &["--allow", "inconclusive"]),
            Status::Open
        );
    }
}
