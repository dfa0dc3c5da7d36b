//! The built binary as a bot that tests talk to.

use std::io::{Read, Write};
use std::process::{Child, Output, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use crate::harness::command;

/// A bot that neither speaks nor ends for so long will do neither: an honest one here is done much sooner.
pub(crate) const QUIET: Duration = Duration::from_secs(5);

/// What is seen of a bot that is told a game.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) said: String,
    /// Whether it ends while its input is still open.
    pub(crate) ends_before_its_input: bool,
    /// Its exit status; `None` where it had to be killed.
    pub(crate) code: Option<i32>,
}

fn start(args: &[&str]) -> Child {
    let mut command = command(&["bot", "royalur"]);
    command.args(args);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Writes to a bot; one that has ended already does not read all of it.
fn write(child: &mut Child, input: &str) {
    drop(child.stdin.as_mut().unwrap().write_all(input.as_bytes()));
}

/// Runs a bot on an input that ends, and returns all it said.
pub(crate) fn output(args: &[&str], input: &str) -> Output {
    let mut child = start(args);
    write(&mut child, input);
    child.wait_with_output().unwrap()
}

/// Tells a bot a game in one go, and ends its input only when it has ended or fallen silent.
pub(crate) fn play(args: &[&str], input: &str) -> Seen {
    play_in_two(args, input, "")
}

/// The same in two writes, the second after the bot's first answer to the first.
pub(crate) fn play_in_two(args: &[&str], first: &str, second: &str) -> Seen {
    let mut child = start(args);
    write(&mut child, first);
    let mut stdout = child.stdout.take().unwrap();
    let (send, receive) = channel();
    thread::spawn(move || {
        let mut chunk = [0; 4096];
        while let Ok(count @ 1..) = stdout.read(&mut chunk) {
            send.send(chunk[..count].to_vec()).unwrap();
        }
    });
    let mut said = Vec::new();
    if !second.is_empty() {
        said.extend(receive.recv().expect("the bot answers the first write"));
        write(&mut child, second);
    }
    let mut is_open_after = |quiet| loop {
        match receive.recv_timeout(quiet) {
            Ok(chunk) => said.extend(chunk),
            Err(error) => break error == RecvTimeoutError::Timeout,
        }
    };
    let ends_before_its_input = !is_open_after(QUIET);
    drop(child.stdin.take());
    let survives = !ends_before_its_input && is_open_after(QUIET);
    if survives {
        child.kill().unwrap();
    }
    let code = child.wait().unwrap().code();
    Seen {
        said: String::from_utf8(said).unwrap(),
        ends_before_its_input,
        code,
    }
}
