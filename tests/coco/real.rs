//! The real server, `cocod` of Code Colosseum, where URTEXT_COCOD names the program or the address of one that runs.

use std::net::TcpListener;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use super::server::{empty, run, urtext};

/// A server that runs, or one that was started for a test.
pub(crate) struct Cocod {
    child: Option<Child>,
    /// `HOST:PORT`.
    pub(crate) address: String,
    _folder: TempDir,
}

impl Cocod {
    /// `None` where the environment names none.
    pub(crate) fn find() -> Option<Cocod> {
        let Ok(named) = std::env::var("URTEXT_COCOD") else {
            eprintln!("skipped: URTEXT_COCOD names no server");
            return None;
        };
        let folder = empty();
        if !named.contains('/') {
            return Some(Cocod { child: None, address: named, _folder: folder });
        }
        // It cannot tell a port of its own choosing.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut command = Command::new(named);
        command.args(["--listen-port", &port.to_string()]).current_dir(folder.path());
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        Some(Cocod { child: Some(child), address: format!("127.0.0.1:{port}"), _folder: folder })
    }
}

impl Drop for Cocod {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            drop(child.kill());
            drop(child.wait());
        }
    }
}

#[test]
fn the_real_server_keeps_the_rules_in_free_games() {
    let Some(server) = Cocod::find() else { return };
    let url = format!("coco://{}/", server.address);
    urtext(&run(&url, &["--free-games", "10"])).expect(0).says("10 scenarios: 10 passed");
}

#[test]
fn the_real_server_keeps_what_depends_on_the_course_of_the_game() {
    let Some(server) = Cocod::find() else { return };
    let url = format!("coco://{}/", server.address);
    let suites =
        ["--suite", "royalur/referee/adaptive-whoever", "--suite", "royalur/referee/adaptive-blocked"];
    urtext(&run(&url, &suites)).expect(0).says("9 passed");
}
