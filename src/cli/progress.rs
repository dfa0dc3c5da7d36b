//! Progress of a session on standard error: a bar on a terminal; elsewhere a line now and then. The first failure is reported at once.

use std::cell::RefCell;
use std::io::{self, IsTerminal, Write, stderr};
use std::rc::Rc;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::Status;
use super::interrupt::{Interrupt, interruptible};
use super::output::OrBroken;
use crate::diagnostic::visible;
use crate::engine::{GameNews, GamePlan, Progress};
use crate::event::{Outcome, What};
use crate::finding::Verdict;
use crate::scenario::Side;
use crate::session::{Event, Played, Session};
use crate::transcript::Direction;

/// Least time between two lines about a run without a terminal.
const INTERVAL: Duration = Duration::from_secs(10);

/// The most bytes that are shown of a line of a game.
const LONGEST: usize = 1000;

/// Progress of a session.
#[derive(Debug, Default)]
pub(super) struct SessionProgress {
    /// Shows only what the user asked the games to report.
    is_quiet: bool,
    games: RefCell<Option<Games>>,
}

/// Progress of the games that are played now.
#[derive(Debug)]
struct Games {
    /// Counts the games that have ended, shown or not.
    bar: ProgressBar,
    /// Number of games that failed, broke or were flaky.
    failed: usize,
    last_line: Instant,
    /// True once a long silence was shown.
    has_waited: bool,
}

impl SessionProgress {
    /// Plays a session until the user interrupts, and shows its progress.
    ///
    /// # Errors
    /// The exit status, after printing why nothing is played.
    pub(super) fn play(session: Session, is_quiet: bool) -> Result<Played, Status> {
        SessionProgress::of(is_quiet, async |interrupt, report| {
            session.play(&interrupt.signal(), &*report).await
        })
    }

    /// Does what tells of its progress by events, until the user interrupts.
    ///
    /// # Errors
    /// The exit status, after printing why nothing is played.
    pub(super) fn of<T>(
        is_quiet: bool,
        play: impl AsyncFnOnce(&Interrupt, Rc<dyn Fn(Event<'_>)>) -> io::Result<T>,
    ) -> Result<T, Status> {
        let progress = SessionProgress {
            is_quiet,
            ..SessionProgress::default()
        };
        let report = Rc::new(move |event: Event<'_>| progress.take(event));
        interruptible(async |interrupt| play(interrupt, report).await)
            .or_broken("the run cannot begin")
    }

    /// Shows an event. Progress that cannot be written is no reason to stop.
    fn take(&self, event: Event<'_>) {
        let known = &mut *self.games.borrow_mut();
        if let Event::Begin(games) = event {
            *known = Some(Games::new(games, self.is_quiet));
            return;
        }
        let Some(games) = known else { return };
        let line = match event {
            Event::Begin(_) => None,
            Event::Failed(line) => (!self.is_quiet).then(|| line.to_owned()),
            Event::End => {
                games.bar.finish_and_clear();
                None
            }
            Event::Progress(Progress::Began(game)) => {
                games.bar.set_message(game.scenario.name.clone());
                None
            }
            Event::Progress(Progress::News(game, GameNews::NextTry(number, of))) => {
                let so_far = games.so_far(games.bar.elapsed());
                let name = &game.scenario.name;
                let line = format!(
                    "{so_far}; {name} waits for its situation in game {number} of up to {of}"
                );
                (!self.is_quiet && games.is_line_due()).then_some(line)
            }
            Event::Progress(Progress::News(game, news)) => games
                .is_news(news, self.is_quiet)
                .then(|| describe(game, news, games.bar.length() == Some(1)))
                .flatten(),
            Event::Progress(Progress::Ended(outcome)) => {
                let line = games.end(outcome);
                line.filter(|_| !self.is_quiet)
            }
        };
        if let Some(line) = line {
            games.bar.suspend(|| {
                let _ = writeln!(anstream::stderr(), "{line}");
            });
        }
    }
}

impl Games {
    fn new(games: usize, is_quiet: bool) -> Games {
        let bar = bar(games as u64, "{bar:30} {pos}/{len} {elapsed} {wide_msg}");
        if is_quiet {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        Games {
            bar,
            failed: 0,
            last_line: Instant::now(),
            has_waited: false,
        }
    }

    /// Counts a game that is over. Returns how far the run is if no line was due for long.
    fn end(&mut self, outcome: &Outcome) -> Option<String> {
        self.bar.inc(1);
        self.failed += usize::from(outcome.verdict >= Verdict::Flaky);
        let is_alone = self.bar.length() == Some(1);
        (!is_alone && self.is_line_due()).then(|| self.so_far(self.bar.elapsed()))
    }

    /// Returns true if this is shown. One long silence is enough: a subject that takes its time takes it in every game.
    fn is_news(&mut self, news: &GameNews, is_quiet: bool) -> bool {
        match news {
            GameNews::Waits { .. } => !is_quiet && !std::mem::replace(&mut self.has_waited, true),
            _ => true,
        }
    }

    /// Returns true if nothing was shown for [`INTERVAL`]; then the next interval begins.
    fn is_line_due(&mut self) -> bool {
        let is_due = self.bar.is_hidden() && self.last_line.elapsed() >= INTERVAL;
        if is_due {
            self.last_line = Instant::now();
        }
        is_due
    }

    fn so_far(&self, after: Duration) -> String {
        let (ended, total) = (self.bar.position(), self.bar.length().unwrap_or_default());
        let seconds = after.as_secs();
        let failed = match self.failed {
            0 => String::new(),
            count => format!(", {count} failed"),
        };
        format!("urtext: {ended} of {total} games played after {seconds} s{failed}")
    }
}

/// A bar of this length and form; hidden where standard error is no terminal.
pub(super) fn bar(length: u64, form: &str) -> ProgressBar {
    let target = match stderr().is_terminal() {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
    };
    let style = ProgressStyle::with_template(form).expect("the template is right");
    ProgressBar::with_draw_target(Some(length), target).with_style(style)
}

/// Describes what happened in a game. `is_alone`: no other game is played, so the scenario need not be named.
fn describe(game: &GamePlan, news: &GameNews, is_alone: bool) -> Option<String> {
    let subject = visible::plain(&game.subject.name).at_most(80);
    Some(match news {
        GameNews::Started(id) => format!(
            "{subject} runs as process {id}; to attach a debugger:\n  gdb -p {id}\n  lldb -p {id}\n  py-spy dump --pid {id}    (Python)"
        ),
        GameNews::Stderr(line) => {
            let line = visible::plain(line);
            match is_alone {
                true => format!("{subject}: {line}"),
                false => format!("{subject} [{}]: {line}", game.scenario.name),
            }
        }
        GameNews::Event(lane, what) => match what {
            What::Line {
                direction, line, ..
            } => {
                let text = visible::plain(&line.text).at_most(LONGEST);
                format!("{lane} {} {text}", direction.mark())
            }
            What::Closed { direction, .. } => {
                let side = game.scenario.side();
                let is_subjects = (side == Side::Bot) == (*direction == Direction::Sent);
                match is_subjects {
                    true => format!("{lane}: closed by the {}", side.word()),
                    false => format!("{lane}: closed by urtext"),
                }
            }
            What::Exited { status, .. } => format!("{subject} has ended: {status}"),
            _ => return None,
        },
        GameNews::NextTry(..) => return None,
        GameNews::Waits { owed, at_most } => {
            let (name, seconds) = (&game.scenario.name, at_most.as_secs());
            format!(
                "urtext: {name}: waiting for {owed}, at most {seconds} s; Ctrl-C ends the run and reports what was played"
            )
        }
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::finding::Finding;
    use crate::pack;
    use crate::peers;
    use crate::scenario;

    #[test]
    fn a_long_silence_is_reported_once_a_run_and_says_how_to_end_it() {
        let mut games = Games::new(12, true);
        let news = GameNews::Waits {
            owed: "its next line",
            at_most: Duration::from_secs(90),
        };
        assert!(!games.is_news(&news, true));
        assert!(games.is_news(&news, false));
        assert!(!games.is_news(&news, false));
        let game = GamePlan {
            scenario: Arc::new(scenario::free_game(pack::usual().dialects[0], 1)),
            subject: Arc::new(peers::subject("royalur", Side::Referee, None).unwrap()),
            golden: None,
            seed: 1,
        };
        assert_eq!(
            describe(&game, &news, false).unwrap(),
            "urtext: royalur/free-game-1: waiting for its next line, at most 90 s; \
             Ctrl-C ends the run and reports what was played"
        );
    }

    #[test]
    fn counts_what_is_over() {
        let game = scenario::free_game(pack::usual().dialects[0], 1);
        let mut games = Games::new(12, true);
        assert_eq!(
            games.so_far(Duration::from_secs(10)),
            "urtext: 0 of 12 games played after 10 s"
        );
        assert_eq!(games.end(&Outcome::new(&game)), None);
        let failed = Outcome::new(&game).with(Finding::new(Verdict::Fail, "wrong"));
        assert_eq!([games.end(&failed), games.end(&failed)], [None, None]);
        games.last_line = games.last_line.checked_sub(INTERVAL).unwrap();
        let line = games.end(&failed).unwrap();
        assert!(
            line.starts_with("urtext: 4 of 12 games played after "),
            "{line}"
        );
        assert!(line.ends_with(" s, 3 failed"), "{line}");
    }
}
