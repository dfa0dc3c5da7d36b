//! `urtext run --watch`: it plays again when a file changes. Nothing here depends on how long that takes.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::harness::{Place, SCENARIOS};

/// A running `urtext run --watch`.
struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Watching {
    fn start(place: &Place, args: &[&str]) -> Watching {
        let mut command = place.command(&[&["run", "--watch"], args].concat());
        // What it complains of stands between its lines.
        let (read, write) = std::io::pipe().unwrap();
        command
            .stdin(Stdio::null())
            .stdout(write.try_clone().unwrap())
            .stderr(write);
        let child = command.spawn().unwrap();
        drop(command);
        let (tell, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(read).lines().map_while(Result::ok) {
                if tell.send(line).is_err() {
                    return;
                }
            }
        });
        Watching { child, lines }
    }

    /// Everything that it prints until it waits for a change again.
    #[track_caller]
    fn round(&self) -> String {
        let mut text = String::new();
        loop {
            let line = self.lines.recv_timeout(Duration::from_secs(120));
            let line = line.unwrap_or_else(|error| panic!("{error} after {text}"));
            text.push_str(&line);
            text.push('\n');
            if line.starts_with("watching ") {
                return text;
            }
        }
    }

    /// One of the rounds that follow holds all of this. On a slow machine, one change may be seen as two.
    #[track_caller]
    fn says(&self, words: &[&str]) {
        let mut said = self.round();
        for _ in 0..3 {
            if words.iter().all(|word| said.contains(word)) {
                return;
            }
            said.push_str(&self.round());
        }
        panic!("not all of {words:?} in {said}");
    }

    fn interrupt(mut self) {
        let child = Pid::from_raw(self.child.id().try_into().unwrap());
        kill(child, Signal::SIGINT).unwrap();
        assert_eq!(self.child.wait().unwrap().code(), Some(130));
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Saves a file as an editor does: another one takes its place.
fn save(place: &Place, name: &str, text: &str) {
    place.write(".saved~", text);
    fs::rename(place.join(".saved~"), place.join(name)).unwrap();
}

fn shipped(name: &str) -> String {
    fs::read_to_string(format!("{SCENARIOS}/royalur/referee/{name}.yaml")).unwrap()
}

#[test]
fn a_saved_scenario_or_golden_transcript_is_played_again() {
    let place = Place::new();
    for name in ["own-token", "overshoot"] {
        place.write(&format!("scenarios/{name}.yaml"), &shipped(name));
    }
    place.run(&["scenarios", "--bless"]).expect(0);
    let watching = Watching::start(&place, &["scenarios"]);
    watching.says(&["2 scenarios: 2 passed"]);
    save(
        &place,
        "scenarios/overshoot.yaml",
        &format!("{}\n", shipped("overshoot")),
    );
    watching.says(&[
        "changed: scenarios/overshoot.yaml\n",
        "2 scenarios: 2 passed",
    ]);
    let golden = place.read("snapshots/own-token.txt");
    save(
        &place,
        "snapshots/own-token.txt",
        &golden.replacen("RETIRE\n", "", 1),
    );
    watching.says(&[
        "changed: snapshots/own-token.txt\n",
        "this golden transcript is not that of the game of its scenario",
    ]);
    save(&place, "scenarios/new.yaml", "scenario: x\n");
    watching.says(&[
        "changed: scenarios/new.yaml\n",
        "a scenario needs the key `game`",
    ]);
    // What was broken is played once it is mended.
    save(&place, "snapshots/own-token.txt", &golden);
    watching.says(&["a scenario needs the key `game`"]);
    save(&place, "scenarios/new.yaml", &shipped("roll-0"));
    watching.says(&["3 scenarios: 3 passed"]);
    watching.interrupt();
}

#[test]
fn a_saved_subject_and_urtext_yaml_touch_all_of_its_scenarios() {
    let place = Place::new();
    let scenario = "scenario: s\ngame: lines\nsubject: bot\nparticipants: [bot]\nsteps:\n  - bot gets: hello\n  - bot sends: one\n";
    place.write("scenarios/a.yaml", scenario);
    place.write("scenarios/b.yaml", scenario);
    place.write("bot.sh", "read -r line; echo one\n");
    let subject = "subjects:\n  mine: {as: bot, game: lines, command: [sh, '{here}/bot.sh']}\n";
    place.write("urtext.yaml", subject);
    let watching = Watching::start(&place, &["scenarios", "--game", "lines"]);
    watching.says(&["2 scenarios: 2 passed"]);
    save(&place, "bot.sh", "read -r line; echo two\n");
    watching.says(&["changed: bot.sh\n", "2 failed"]);
    save(&place, "bot.sh", "read -r line; echo one\n");
    watching.says(&["2 passed"]);
    save(&place, "urtext.yaml", &subject.replace("mine", "ours"));
    watching.says(&["changed: urtext.yaml\n", "`ours`", "2 scenarios: 2 passed"]);
    watching.interrupt();
}

#[test]
fn options_that_need_the_terminal_are_refused() {
    let ran = Place::new().urtext(&["run", "--watch", "--debug", "scenarios"]);
    ran.expect(2).complains("cannot be used with");
}
