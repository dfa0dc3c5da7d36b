//! A dialogue, played by urtext against a referee within the test, or against a bot that is a line of shell.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use crate::harness::{Place, Ran};

fn run(place: &Place, args: &[&str]) -> Ran {
    place
        .run(&[&["s.yaml", "--game", "lines"], args].concat())
        .quietly()
}

fn scenario(side: &str, participants: &str, steps: &str) -> Place {
    let head = format!(
        "scenario: t\ngame: lines\nsubject: {side}\nparticipants: [{participants}]\nsteps:\n"
    );
    let steps: String = steps.lines().map(|step| format!("  {step}\n")).collect();
    whole(&(head + &steps))
}

/// A whole scenario in a folder of its own.
fn whole(text: &str) -> Place {
    let place = Place::new();
    place.write("s.yaml", text);
    place
}

/// The stream of one participant, on the side of the referee.
pub(crate) struct Lane {
    read: BufReader<TcpStream>,
}

impl Lane {
    pub(crate) fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.read.get_mut().write_all(bytes.as_ref()).unwrap();
    }

    /// Bytes to and with the next newline, or to the end.
    pub(crate) fn line(&mut self) -> Vec<u8> {
        let mut line = Vec::new();
        self.read.read_until(b'\n', &mut line).unwrap();
        line
    }

    /// How the other side ends.
    pub(crate) fn end(&mut self) -> &'static str {
        match self.read.read(&mut [0]) {
            Ok(0) => "closed",
            Ok(_) => "sent",
            Err(_) => "reset",
        }
    }

    pub(crate) fn stream(&self) -> &TcpStream {
        self.read.get_ref()
    }
}

/// Plays steps against this referee, with participants `a` and `b`, who connect in this order.
#[track_caller]
pub(crate) fn referee(steps: &str, subject: impl FnOnce([Lane; 2]) + Send + 'static) -> Ran {
    conduct(&scenario("referee", "a, b", steps), subject)
}

/// Plays a whole scenario of two participants against this referee.
#[track_caller]
pub(crate) fn scripted(text: &str, subject: impl FnOnce([Lane; 2]) + Send + 'static) -> Ran {
    conduct(&whole(text), subject)
}

#[track_caller]
fn conduct(place: &Place, subject: impl FnOnce([Lane; 2]) + Send + 'static) -> Ran {
    let door = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = door.local_addr().unwrap().to_string();
    let playing = thread::spawn(move || {
        subject([(); 2].map(|()| Lane {
            read: BufReader::new(door.accept().unwrap().0),
        }));
    });
    let ran = run(
        place,
        &[
            "--as",
            "referee",
            "--connect",
            &address,
            "--budget",
            "answer=10s",
        ],
    );
    playing.join().unwrap();
    ran
}

/// Plays steps against a bot that is this line of shell, over its standard input and output.
#[track_caller]
pub(crate) fn bot(steps: &str, shell: &str) -> Ran {
    run(
        &scenario("bot", "bot", steps),
        &["--as", "bot", "--", "sh", "-c", shell],
    )
}

#[test]
fn a_dialogue_is_compared_with_the_golden_transcript_that_it_blessed() {
    let place = scenario("bot", "bot", "- bot gets: hello\n- bot sends: '{any}'");
    let ran = |args: &[&str], answer: &str| {
        let shell = format!("read -r line; echo {answer}");
        let command = ["--as", "bot", "--", "sh", "-c", &shell];
        run(&place, &[args, &command].concat())
    };
    ran(&["--bless"], "one").expect(0);
    assert!(
        place
            .read("s.golden.txt")
            .contains("\n[player 1]\nhello\n>one\n")
    );
    ran(&[], "one").passes();
    ran(&[], "other").fails(&["the game differs from its golden transcript"]);
    place.urtext(&["check", "."]).expect(0);
}
