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

fn start(args: &[&str], input: &str) -> Child {
    let mut command = command(&["bot", "royalur"]);
    command.args(args);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A bot that has ended already does not read all of it.
    drop(child.stdin.as_mut().unwrap().write_all(input.as_bytes()));
    child
}

/// Runs a bot on an input that ends, and returns all it said.
pub(crate) fn output(args: &[&str], input: &str) -> Output {
    start(args, input).wait_with_output().unwrap()
}

/// Tells a bot a game in one go, and ends its input only when it has ended or fallen silent.
pub(crate) fn play(args: &[&str], input: &str) -> Seen {
    let mut child = start(args, input);
    let mut stdout = child.stdout.take().unwrap();
    let (send, receive) = channel();
    thread::spawn(move || {
        let mut chunk = [0; 4096];
        while let Ok(count @ 1..) = stdout.read(&mut chunk) {
            send.send(chunk[..count].to_vec()).unwrap();
        }
    });
    let mut said = Vec::new();
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
