//! `urtext record` as a wrapper of a bot.

use std::ffi::OsString;
use std::io::{self, PipeWriter};
use std::os::fd::OwnedFd;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::session::{Session, broken, say, unrecorded};
use crate::cli::Status;
use crate::engine::PassiveRecorder;
use crate::platform::{EndSignals, deliver, exit_signal};
use crate::protocol::LaneKind;
use crate::transcript::Direction;
use crate::transport::{Ended, pass_pipe, take_streams};

/// The lane of the bot.
const LANE: usize = 0;

/// Time after the bot's exit before urtext reports that the bot's streams are still open.
const WONDER: Duration = Duration::from_secs(2);

/// Forwards the streams of a bot and of the referee that has started urtext in its place, and ends as the bot does.
///
/// # Errors
/// The exit status, after printing why nothing is recorded.
pub(super) async fn run(session: &Session, command: &[OsString]) -> Result<Status, Status> {
    let recorder = Arc::new(session.begin(&[LaneKind::Player])?);
    let ended = play(&recorder, command).await.inspect_err(|_| {
        // Nothing was played, and a file that says so helps nobody.
        recorder.discard();
    })?;
    let status = session.finish(&recorder);
    // As a shell reports that a program was ended by a signal.
    let signalled = || 128 + exit_signal(ended).unwrap_or_default();
    match ended.code().unwrap_or_else(signalled) {
        0 => Ok(status),
        code => std::process::exit(code),
    }
}

/// A stream that can end while a bot plays.
enum Over {
    /// The bot itself.
    Bot(io::Result<ExitStatus>),
    /// The bot's input: the referee closed the stream, or nobody reads it any more.
    Input,
    /// The bot's output.
    Output,
}

async fn play(recorder: &Arc<PassiveRecorder>, command: &[OsString]) -> Result<ExitStatus, Status> {
    let signals = EndSignals::listen().map_err(unrecorded)?;
    let (leave, stay) = io::pipe().map_err(unrecorded)?;
    // Its own process group would be out of reach for whoever ends urtext's.
    let mut bot = Command::new(&command[0]);
    let bot = bot.args(&command[1..]).stdin(Stdio::piped());
    let mut child = bot.stdout(Stdio::piped()).spawn().map_err(|error| {
        let what = format!("`{}` cannot be started", command[0].display());
        broken(&what, &error)
    })?;
    let streams = take_streams().map_err(unrecorded)?;
    let pid = child.id();
    let (over, ended) = unbounded_channel();
    pass(recorder, &mut child, streams, leave.into(), &over);
    thread::spawn(move || over.send(Over::Bot(child.wait())));
    let ended = outlive(pid, signals, ended, stay, recorder).await;
    let ended = ended.map_err(unrecorded)?;
    recorder.leave(LANE);
    let described = Ended::described(Ok(ended));
    recorder.exited(&described.status, described.is_success);
    Ok(ended)
}

/// Waits until the bot has ended and all its output is passed on. Its remaining processes may play on with
/// its streams, as long as its input is open.
async fn outlive(
    pid: u32,
    mut signals: EndSignals,
    mut over: UnboundedReceiver<Over>,
    stay: PipeWriter,
    recorder: &PassiveRecorder,
) -> io::Result<ExitStatus> {
    let (mut bot, mut is_input_over, mut is_output_over) = (None, false, false);
    let (mut stay, mut is_wondered_at) = (Some(stay), false);
    loop {
        match bot {
            Some(ended) if is_output_over => return Ok(ended),
            Some(_) if is_input_over => drop(stay.take()),
            _ => {}
        }
        tokio::select! {
            Some(over) = over.recv() => match over {
                Over::Bot(ended) => bot = Some(ended?),
                Over::Input => is_input_over = true,
                Over::Output => is_output_over = true,
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
    recorder: &Arc<PassiveRecorder>,
    child: &mut Child,
    (input, output): (OwnedFd, OwnedFd),
    leave: OwnedFd,
    over: &UnboundedSender<Over>,
) {
    let lane = recorder.open(LaneKind::Player);
    debug_assert_eq!(lane, LANE);
    let to_bot = child.stdin.take().expect("a pipe").into();
    let from_bot = child.stdout.take().expect("a pipe").into();
    let (received, done) = (Arc::clone(recorder), over.clone());
    thread::spawn(move || {
        pass_pipe(input, to_bot, None, |passing| {
            received.take(lane, Direction::Received, passing)
        });
        done.send(Over::Input)
    });
    let (sent, done) = (Arc::clone(recorder), over.clone());
    thread::spawn(move || {
        pass_pipe(from_bot, output, Some(&leave), |passing| {
            sent.take(lane, Direction::Sent, passing)
        });
        done.send(Over::Output)
    });
}
