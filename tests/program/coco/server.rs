//! A server for a test, and urtext beside it.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use crate::harness::{PATIENT, PEERS, python};

/// The independent server, in a process of its own.
pub(crate) struct Server {
    child: Child,
    /// `HOST:PORT`.
    pub(crate) address: String,
}

impl Server {
    /// A server with these options; `None` where there is no Python, and leaving a test out is allowed.
    pub(crate) fn start(options: &[&str]) -> Option<Server> {
        let mut command = Command::new(python()?);
        command
            .arg(format!("{PEERS}/coco_server.py"))
            .args(["--until-eof", "--seed", "7"])
            .args(options);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap())
            .read_line(&mut line)
            .unwrap();
        let address = line
            .trim()
            .strip_prefix("listening on ")
            .unwrap_or_else(|| panic!("{line:?}"))
            .to_owned();
        Some(Server { child, address })
    }

    /// The address of something there.
    pub(crate) fn url(&self, rest: &str) -> String {
        format!("coco://{}/{rest}", self.address)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// The arguments of a run that takes its time under load.
pub(crate) fn run<'a>(subject: &'a str, rest: &[&'a str]) -> Vec<&'a str> {
    [
        &["run", "--subject", subject, "--no-diagnosis"],
        &PATIENT[..],
        rest,
    ]
    .concat()
}
