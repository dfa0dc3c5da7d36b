//! Plays the games of a plan, and reports.

use std::time::{Duration, Instant, SystemTime};

use super::RunArgs;
use super::plan::Plan;
use crate::cli::output::{self, broken};
use crate::cli::progress::SessionProgress;
use crate::cli::{Status, doctor, replay_live};
use crate::config::SubjectBudgets;
use crate::diagnostic::{Diagnostic, visible};
use crate::engine::{
    Clock, Doubt, GamePlan, Options, Placement, PlayOrder, Run, Telling, TimeLimit, golden_of,
    jobs_for,
};
use crate::finding::Verdict;
use crate::platform::{FolderLock, lock_folder};
use crate::report::{ScenarioResult, draw_console};
use crate::scenario::Golden;
use crate::session::{Played, PlayedGame, Session, Terms, conclude};
use crate::transcript::golden;

/// A budget that ends nothing.
const FOREVER: Duration = Duration::from_secs(365 * 24 * 3600);

impl RunArgs {
    /// Plays games and reports.
    ///
    /// # Errors
    /// The status to exit with, after printing why nothing is played or reported.
    pub(super) fn play(mut self, plan: Plan) -> Result<Status, Status> {
        self.options.reports.probe()?;
        let _lock = self.lock_recordings()?;
        // An HTML report shows games, so it needs recordings.
        let workspace = match self.record {
            Some(_) => None,
            None => self.options.reports.workspace()?,
        };
        if let Some(workspace) = &workspace {
            self.record = Some(workspace.path().to_owned());
        }
        let reports = &self.options.reports;
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
        let mut results = played.results(&self.terms());
        results.run.heading = plan.heading.trim_end().to_owned();
        results.run.shard = plan.shard;
        results.run.began =
            (!is_in_memory).then(|| humantime::format_rfc3339_millis(began_at).to_string());
        let end = results.end.get_or_insert_default();
        end.seconds = took.as_secs_f64();
        end.slow_left_out = plan.slow_left_out;
        let mut baseline = plan.baseline;
        if self.update_baseline {
            let config = self.subject.config_file();
            let updated = self
                .options
                .baseline
                .update(config.as_deref(), baseline, &results);
            baseline = Some(updated?);
        }
        conclude(&mut results, baseline);
        let report = draw_console(&results, self.verbose);
        let has_passed = |result: &ScenarioResult| {
            result.standing == Status::Conforms
                && (result.verdict <= Verdict::Lenient || result.expected.is_some())
        };
        if !self.quiet {
            reports.print(&report);
        } else if !results.scenarios.iter().all(has_passed) {
            reports.print(&(plan.heading + &report));
        }
        let mut status = results.status();
        if output::has_failed() {
            status = status.max(Status::Broken);
            results.end.get_or_insert_default().status = status.code();
        }
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
                findings.for_each(|finding| finding.drop_inference());
            }
            let is_of_any_game = self.paths.is_empty() && self.suite.is_empty();
            self.subject.advise(outcome, &game.subject, is_of_any_game);
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
        let failures = self.terms().failures();
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
                _ if is_in_memory && (self.fail_fast || limit.is_some()) => 1,
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
            has_spoken: false,
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

    /// The verdicts that count as failures, and those that the user allows.
    fn terms(&self) -> Terms {
        Terms {
            is_strict: self.strict,
            allowed: self.options.allow.clone(),
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
