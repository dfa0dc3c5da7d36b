//! `urtext record` as a wrapper of a bot.

use std::ffi::OsString;
use std::io::PipeWriter;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use tokio::runtime::Runtime;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::super::Status;
use super::remark::{broken, say};
use super::session::{Recording, Session};
use crate::engine::PassiveRecorder;
use crate::platform::{EndSignals, deliver, exit_signal};
use crate::protocol::LaneKind;
use crate::transcript::Direction;
use crate::transport::{Ended, StreamEnd, pass_pipe, take_streams};

/// The lane of the bot.
const LANE: usize = 0;

/// Time after the bot's exit before urtext reports that the bot's streams are still open.
const WONDER: Duration = Duration::from_secs(2);

/// Stands between a bot and whoever has started urtext in its place, and ends as the bot does.
pub(super) fn run(session: &Session, runtime: &Runtime, command: &[OsString]) -> Status {
    let recording = match session.begin(&[LaneKind::Player]) {
        Ok(recording) => recording,
        Err(status) => return status,
    };
    let status = match play(&recording, runtime, command) {
        Ok(status) => status,
        Err(broken) => {
            // Nothing was played, and a file that says so helps nobody.
            drop(std::fs::remove_file(recording.recorder.path()));
            return broken;
        }
    };
    let judged = recording.finish();
    // As a shell says that a program was ended by a signal.
    match status
        .code()
        .unwrap_or_else(|| 128 + exit_signal(status).unwrap_or_default())
    {
        0 => judged,
        code => std::process::exit(code),
    }
}

/// A stream that can end while a bot plays.
enum Over {
    /// The bot itself.
    Bot(std::io::Result<ExitStatus>),
    /// The bot's input: the referee closed the stream, or nobody reads it any more.
    Told,
    /// The bot's output.
    Said,
}

fn play(
    recording: &Recording,
    runtime: &Runtime,
    command: &[OsString],
) -> Result<ExitStatus, Status> {
    let began = |error| broken("the recording cannot begin", &error);
    let signals = EndSignals::listen().map_err(began)?;
    let (leave, stay) = std::io::pipe().map_err(began)?;
    // Its own process group would be out of reach for whoever ends urtext's.
    let mut child = Command::new(&command[0])
        .args(&command[1..])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| {
            broken(
                &format!("`{}` cannot be started", command[0].display()),
                &error,
            )
        })?;
    let streams = take_streams().map_err(began)?;
    let pid = child.id();
    let (over, hear) = unbounded_channel();
    pass(recording, &mut child, streams, leave.into(), &over);
    thread::spawn(move || over.send(Over::Bot(child.wait())));
    let ended = runtime.block_on(outlive(pid, signals, hear, stay, &recording.recorder));
    let ended = ended.map_err(|error| broken("the end of the bot cannot be seen", &error))?;
    recording.recorder.leave(LANE);
    let described = Ended::described(Ok(ended));
    recording
        .recorder
        .exited(&described.status, described.is_success);
    Ok(ended)
}

/// Waits until the bot has ended and all its output is passed on. Its remaining processes may play on with
/// its streams, as long as its input is open.
async fn outlive(
    pid: u32,
    mut signals: EndSignals,
    mut hear: UnboundedReceiver<Over>,
    stay: PipeWriter,
    recorder: &PassiveRecorder,
) -> std::io::Result<ExitStatus> {
    let (mut bot, mut is_told_all, mut has_said_all) = (None, false, false);
    let (mut stay, mut is_wondered_at) = (Some(stay), false);
    loop {
        match bot {
            Some(ended) if has_said_all => return Ok(ended),
            Some(_) if is_told_all => drop(stay.take()),
            _ => {}
        }
        tokio::select! {
            Some(over) = hear.recv() => match over {
                Over::Bot(ended) => bot = Some(ended?),
                Over::Told => is_told_all = true,
                Over::Said => has_said_all = true,
            },
            signal = signals.next() => match (bot, signal) {
                // Its number may be another's by now.
                (Some(ended), _) => return Ok(ended),
                (None, signal) => {
                    // What the bot does now is not its own choice.
                    recorder.interrupt();
                    deliver(pid, signal);
                }
            },
            () = tokio::time::sleep(WONDER), if bot.is_some() && !is_wondered_at => {
                is_wondered_at = true;
                say("the bot has ended, and what it has started goes on with its streams; they are passed on until they end");
            }
        }
    }
}

/// Forwards both directions. The wait for the referee's next line has no limit.
fn pass(
    recording: &Recording,
    child: &mut Child,
    (input, output): (StreamEnd, StreamEnd),
    leave: StreamEnd,
    over: &UnboundedSender<Over>,
) {
    let lane = recording.recorder.open(LaneKind::Player);
    debug_assert_eq!(lane, LANE);
    let (to, from) = (
        child.stdin.take().expect("a pipe"),
        child.stdout.take().expect("a pipe"),
    );
    let (recorder, done) = (Arc::clone(&recording.recorder), over.clone());
    thread::spawn(move || {
        pass_pipe(input, to.into(), None, |passing| {
            recorder.take(lane, Direction::Received, passing)
        });
        done.send(Over::Told)
    });
    let (recorder, done) = (Arc::clone(&recording.recorder), over.clone());
    thread::spawn(move || {
        pass_pipe(from.into(), output, Some(&leave), |passing| {
            recorder.take(lane, Direction::Sent, passing)
        });
        done.send(Over::Said)
    });
}
