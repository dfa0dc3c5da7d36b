//! `urtext doctor`: examines this machine, and then each subject by a plain game.

use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use tokio::time::{Instant, sleep_until};

use super::Status;
use super::interrupt::Interrupt;
use super::output::{broken, print};
use super::repeat;
use super::run::play::play_whole;
use super::run::progress::Detail;
use super::subject::{SubjectArgs, Tested};
use crate::config::{Subject, SubjectBudgets};
use crate::diagnostic::{Diagnostics, Paint};
use crate::engine::{Doubt, GamePlan, Options, Placement, PlayOrder, Run};
use crate::explore::{StepState, advice, examined_steps, plain_game};
use crate::finding::Verdict;
use crate::report::{Standing, draw_finding};
use crate::scenario::Side;
use crate::transport::open_files;

/// Open files of one game, as a subject with spectators needs them.
const FILES: u64 = 256;

/// An alarm that rings later than this shows a busy machine.
const LATE: Duration = Duration::from_millis(50);

/// Arguments of `urtext doctor`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct DoctorArgs {
    /// How long a subject may take to start and accept every connection [default: 10s]
    #[arg(long, value_name = "DURATION", value_parser = humantime::parse_duration)]
    start_budget: Option<Duration>,

    /// How long the handshake may take once a lane is there [default: 10s]
    #[arg(long, value_name = "DURATION", value_parser = humantime::parse_duration)]
    handshake_budget: Option<Duration>,

    /// How long a line that is due may take, on top of pace and timeout [default: 5s]
    #[arg(long, value_name = "DURATION", value_parser = humantime::parse_duration)]
    answer_budget: Option<Duration>,

    // Last, because its heading holds for all that follows it.
    #[command(flatten)]
    subject: SubjectArgs,
}

const HELP: &str = "\
Each subject plays a plain game: usual names, three turns, one spectator, forced rolls where it takes them. Without a subject, all \
subjects of urtext.yaml are examined, or the built-in peers where there is no such file. After the steps stand the finding, if one \
was not reached, and what to write in urtext.yaml so that more can be tested.

Exit status: 0 the subjects can be tested, also with a note; 1 one breaks the protocol; 2 a fault in what you wrote; 3 one cannot be \
started or played with; 4 one came to no verdict; 130 interrupted.

Examples:
  urtext doctor --subject mine
  urtext doctor --as bot -- python3 mybot.py";

impl DoctorArgs {
    /// Examines, and says what was seen.
    pub(super) fn run(self) -> Status {
        let mut faults = Diagnostics::new();
        let subjects = self.subjects(&mut faults);
        let (Some(subjects), true) = (subjects, faults.is_empty()) else {
            anstream::eprintln!("{}", faults.draw(Paint::Coloured));
            return Status::Usage;
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let examined = runtime.and_then(|runtime| runtime.block_on(self.examine(subjects)));
        match examined {
            Ok(status) => status,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Status::Interrupted,
            Err(error) => broken(&format!("the examination cannot go on: {error}")),
        }
    }

    /// The subjects that are meant.
    fn subjects(&self, faults: &mut Diagnostics) -> Option<Vec<Subject>> {
        Some(match self.subject.tested(faults)? {
            Tested::Named(subject) => vec![*subject],
            Tested::OfFile(_, mut subjects) => {
                subjects.retain(|subject| self.subject.is_of_game(subject.protocol.game_name()));
                subjects
            }
            Tested::BuiltIn => {
                let game = self.subject.protocol(faults)?.game_name();
                let sides = [Side::Referee, Side::Bot].into_iter();
                sides
                    .filter_map(|side| self.subject.built_in(game, side))
                    .collect()
            }
        })
    }

    /// Examines this machine and the subjects, one after the other.
    async fn examine(&self, subjects: Vec<Subject>) -> io::Result<Status> {
        let interrupt = Interrupt::listen()?;
        let asked = SubjectBudgets {
            start: self.start_budget,
            handshake: self.handshake_budget,
            answer: self.answer_budget,
            ..SubjectBudgets::default()
        };
        let mut status = examine_machine().await;
        for subject in subjects {
            status = status.worse(examine_subject(subject, asked, &interrupt).await?);
        }
        Ok(status)
    }
}

/// Says what this machine allows.
async fn examine_machine() -> Status {
    print("this machine");
    let mut status = Status::Conforms;
    let mut say = |name: &str, found: io::Result<StepState>| match found {
        Ok(state) => step(name, &state),
        Err(error) => {
            line("error", name, &error.to_string());
            status = Status::Broken;
        }
    };
    let processors = std::thread::available_parallelism();
    say(
        "processors",
        processors.map(|count| StepState::Seen(count.to_string())),
    );
    let files = open_files::make_room(FILES);
    say("open files", files.map(|count| if count < FILES {
        StepState::Note(format!("at most {count}; play fewer games at once with --jobs, or raise the limit (ulimit -n)"))
    } else {
        StepState::Seen(format!("at least {FILES}"))
    }));
    let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map(drop);
    say(
        "ports",
        port.map(|()| StepState::Seen("127.0.0.1 gives free ones".to_owned())),
    );
    let folder = std::env::temp_dir();
    let written = tempfile::tempdir().map(drop);
    let written = written.map_err(|error| {
        io::Error::new(
            error.kind(),
            format!("{error}; name another folder in TMPDIR"),
        )
    });
    say(
        "folder",
        written.map(|()| StepState::Seen(format!("{} can be written", folder.display()))),
    );
    let due = Instant::now() + Duration::from_millis(20);
    sleep_until(due).await;
    let late = due.elapsed();
    let seen = format!("an alarm rang {late:.1?} late");
    say(
        "clock",
        Ok(if late > LATE {
            StepState::Note(format!(
                "{seen}: this machine is busy, and what fails by lateness is played again"
            ))
        } else {
            StepState::Seen(seen)
        }),
    );
    status
}

/// Plays a plain game with a subject, and says what was seen.
async fn examine_subject(
    subject: Subject,
    asked: SubjectBudgets,
    interrupt: &Interrupt,
) -> io::Result<Status> {
    let side = subject.side;
    let what = format!(
        "{} {} {}",
        subject.protocol.game_name(),
        side.word(),
        subject.label()
    );
    print(&format!("\n{what}"));
    let dialect = subject.protocol.dialect();
    let plain =
        dialect.and_then(|dialect| plain_game(dialect, side, subject.roll_hook.is_some(), 0));
    let Some(plain) = plain else {
        line(
            "note",
            "model",
            "there is none of this game to examine it by; play a scenario of yours with `urtext run`",
        );
        return Ok(Status::Open);
    };
    let (scenario, subject) = (Arc::new(plain), Arc::new(subject));
    let options = Options::new(asked, std::iter::once(subject.as_ref()));
    let game = GamePlan {
        scenario: Arc::clone(&scenario),
        subject: Arc::clone(&subject),
        golden: None,
        seed: 1,
    };
    let run = Run {
        games: vec![game],
        options: options.clone(),
        jobs: 1.into(),
        placement: Placement::Free,
        doubt: Doubt::PlayAgain,
        order: PlayOrder::default(),
    };
    let played = play_whole(run, interrupt, Detail::Usual).await?;
    let mut outcome = played.into_iter().next().expect("one game was played");
    outcome.repeat = repeat::command(
        "doctor",
        std::slice::from_ref(&subject.arguments),
        &["subject"],
    );
    for examined in examined_steps(&subject, &scenario, &outcome) {
        step(examined.name, &examined.state);
    }
    for (number, finding) in outcome.findings.iter().enumerate() {
        print(&format!(
            "\n{}",
            draw_finding(&outcome, finding, number == 0, Paint::Coloured)
        ));
    }
    // What is missing beside is no help where nothing can be played.
    let advice = match outcome.verdict {
        Verdict::Error => Vec::new(),
        _ => advice(&subject, &options, &outcome),
    };
    if !advice.is_empty() {
        print("\n  to test more, in urtext.yaml:");
    }
    for advice in advice {
        print(&format!("  - {advice}"));
    }
    Ok(Standing::of(outcome.verdict).into())
}

/// Prints what is said of a step.
fn step(name: &str, state: &StepState) {
    match state {
        StepState::Seen(said) => line("ok", name, said),
        StepState::Note(said) => line("note", name, said),
        StepState::Missed(verdict) => line(verdict.word(), name, "not seen"),
        StepState::Unreached => line("-", name, "not reached"),
    }
}

fn line(word: &str, name: &str, said: &str) {
    print(&format!("  {word:<12}  {name:<10}  {said}"));
}
