//! The viewer in a terminal: a pseudo-terminal, and an emulator that tells what its screen shows.

use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use nix::pty::{Winsize, openpty};
use rustix::termios::tcsetwinsize;

use crate::harness::{DATA, Place, URTEXT, command, quoted, skip};

/// No machine takes that long to draw a screen.
const PATIENCE: Duration = Duration::from_secs(120);

fn some(count: u16) -> NonZeroU16 {
    NonZeroU16::new(count).unwrap()
}

/// A terminal with a program in it.
pub(crate) struct Terminal {
    program: Child,
    keyboard: File,
    output: Receiver<Vec<u8>>,
    screen: vt100::Parser,
}

impl Terminal {
    /// Starts the viewer in a terminal of 80 columns and 24 rows.
    pub(crate) fn replay(place: &Place, arguments: &[&str]) -> Option<Terminal> {
        let words: Vec<_> = [URTEXT, "replay"]
            .iter()
            .chain(arguments)
            .map(quoted)
            .collect();
        Terminal::shell(place, &words.join(" "))
    }

    /// Starts a line of the shell, with job control. `None` where nothing can make a terminal its own.
    pub(crate) fn shell(place: &Place, line: &str) -> Option<Terminal> {
        if Command::new("setsid").arg("--version").output().is_err() {
            skip("setsid");
            return None;
        }
        let size = Winsize {
            ws_row: 24,
            ws_col: 80,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        let pty = openpty(&size, None).unwrap();
        // The same environment as that of other tests.
        let environment = command(&[]);
        let mut shell = Command::new("setsid");
        shell.args(["--ctty", "--wait", "sh", "-mc", line]);
        for (name, value) in environment.get_envs() {
            match value {
                Some(value) => shell.env(name, value),
                None => shell.env_remove(name),
            };
        }
        let end = || pty.slave.try_clone().unwrap();
        let shell = shell
            .env("TERM", "xterm-256color")
            .current_dir(place.path());
        let program = shell
            .stdin(end())
            .stdout(end())
            .stderr(end())
            .spawn()
            .unwrap();
        drop(pty.slave);
        let keyboard = File::from(pty.master);
        let mut master = keyboard.try_clone().unwrap();
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            // Where nobody holds the other end any more, reading fails.
            while let Ok(count @ 1..) = master.read(&mut buffer) {
                if sender.send(buffer[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        let screen = vt100::Parser::new(some(24), some(80), 0);
        Some(Terminal {
            program,
            keyboard,
            output,
            screen,
        })
    }

    /// Types these characters.
    pub(crate) fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits until the screen has this text, and returns the screen.
    pub(crate) fn shows(&mut self, text: &str) -> String {
        self.waits(|screen| screen.contents().contains(text), text);
        self.screen.screen().contents()
    }

    fn waits(&mut self, is_there: impl Fn(&vt100::Screen) -> bool, what: &str) {
        let deadline = Instant::now() + PATIENCE;
        while !is_there(self.screen.screen()) {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(bytes) => self.screen.process(&bytes),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    panic!(
                        "{what:?} is not there:\n{}",
                        self.screen.screen().contents()
                    )
                }
            }
        }
    }

    fn resize(&mut self, rows: u16, columns: u16) {
        let size = rustix::termios::Winsize {
            ws_row: rows,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        self.screen.screen_mut().set_size(some(rows), some(columns));
        tcsetwinsize(&self.keyboard, size).unwrap();
    }

    /// Waits for the end of the program, and returns what the terminal shows then.
    pub(crate) fn end(mut self) -> (ExitStatus, String) {
        while let Ok(bytes) = self.output.recv_timeout(PATIENCE) {
            self.screen.process(&bytes);
        }
        let status = self.program.wait().unwrap();
        assert!(
            !self.screen.screen().alternate_screen(),
            "the screen before is back"
        );
        (status, self.screen.screen().contents())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // One that has ended cannot be killed.
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

fn captured(place: &Place) {
    let path = format!("{DATA}/code-colosseum/spectator.received");
    place.write("game.txt", &std::fs::read_to_string(path).unwrap());
}

#[test]
fn keys_lead_through_a_game_in_a_terminal() {
    let place = Place::new();
    captured(&place);
    let Some(mut terminal) = Terminal::replay(&place, &["game.txt"]) else {
        return;
    };
    let start = terminal.shows("turn 0 of 164");
    assert!(start.contains("Royal Game of Ur: (A) Alice (first) against [B] Bob (second)"));
    terminal.press("\x1b[C");
    terminal.shows("turn 1 of 164");
    terminal.press("100\r");
    assert!(
        terminal
            .shows("turn 100 of 164")
            .contains("captures token 3")
    );
    terminal.press("\x1b[F");
    assert!(
        terminal
            .shows("turn 164 of 164")
            .contains("Bob (second) has won")
    );
    terminal.press("?");
    terminal.shows("turn the board around");
    terminal.press("x");
    terminal.resize(30, 100);
    terminal.waits(
        |screen| {
            screen
                .rows(0, 100)
                .nth(29)
                .is_some_and(|row| row.contains("turn 164"))
        },
        "the last row",
    );
    terminal.press("q");
    let (status, _) = terminal.end();
    assert_eq!(status.code(), Some(0));
}

#[test]
fn the_viewer_is_suspended_and_goes_on() {
    let place = Place::new();
    captured(&place);
    let viewer = [URTEXT, "replay", "game.txt"].map(quoted).join(" ");
    let Some(mut terminal) = Terminal::shell(
        &place,
        &format!("{viewer}; echo it sleeps; read _; fg; echo it is over"),
    ) else {
        return;
    };
    terminal.shows("turn 0 of 164");
    terminal.press("7\r");
    terminal.shows("turn 7 of 164");
    terminal.press("\x1a");
    terminal.shows("it sleeps");
    assert!(!terminal.screen.screen().alternate_screen());
    terminal.press("\r");
    terminal.shows("turn 7 of 164");
    terminal.press("q");
    let (_, screen) = terminal.end();
    assert!(screen.contains("it is over"), "{screen}");
}

#[test]
fn keys_lead_through_the_games_of_a_large_file() {
    let place = Place::new();
    let game = "Ann\nBob\n0 1 1 0\n0\n0 0 0 1\n3\n";
    let games = 20_000;
    place.write("games.txt", &vec![game; games].join("\n"));
    let Some(mut terminal) = Terminal::replay(&place, &["games.txt"]) else {
        return;
    };
    terminal.shows("game 1: ");
    terminal.press("]");
    terminal.shows("game 2: ");
    terminal.press("[[");
    terminal.shows("this is the first game of the file");
    terminal.press("q");
    terminal.end();
    let Some(mut terminal) = Terminal::replay(&place, &["games.txt", "--game-number", "20000"])
    else {
        return;
    };
    terminal.shows("game 20000: ");
    terminal.press("]");
    terminal.shows("this is the last game of the file");
    terminal.press("q");
    terminal.end();
}
