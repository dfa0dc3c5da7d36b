//! The independent client, which takes a seat in a match, and programs beside it.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};

use crate::harness::{PEERS, python};

/// A program that plays or watches, and ends with the test.
pub(crate) struct Playing(pub(crate) Child);

impl Playing {
    /// Starts a program whose output is read.
    pub(crate) fn start(command: &mut Command) -> Playing {
        let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        Playing(command.spawn().unwrap())
    }

    /// A client with these arguments, on the server `HOST:PORT`.
    pub(crate) fn client(server: &str, args: &[&str]) -> Playing {
        let mut command = Command::new(python().expect("the server is in Python too"));
        Playing::start(
            command
                .arg(format!("{PEERS}/coco_client.py"))
                .arg(server)
                .args(args),
        )
    }

    /// A client that creates a match there and waits for an opponent, and the address of the match.
    pub(crate) fn create(server: &str, args: &[&str]) -> (Playing, String) {
        let args = [&["--name", "host"], args].concat();
        let mut client = Playing::client(server, &args);
        let mut line = String::new();
        BufReader::new(client.0.stdout.as_mut().unwrap())
            .read_line(&mut line)
            .unwrap();
        (client, format!("coco://{server}/{}", line.trim()))
    }

    /// The opponent that joins the match of this address.
    pub(crate) fn join(address: &str, args: &[&str]) -> Playing {
        let rest = address.strip_prefix("coco://").unwrap();
        let (server, id) = rest.split_once('/').unwrap();
        Playing::client(
            server,
            &[&["--name", "guest", "--match", id], args].concat(),
        )
    }

    /// How it ended, and what it complained of.
    pub(crate) fn end(&mut self) -> (Option<i32>, String) {
        let mut said = String::new();
        self.0
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut said)
            .unwrap();
        (self.0.wait().unwrap().code(), said)
    }
}

impl Drop for Playing {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}
