//! A subject that sends without end into a lane that nobody waits for.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::Command;
use std::thread;

use nix::sys::resource::{UsageWho, getrusage};

pub(crate) const URTEXT: &str = env!("CARGO_BIN_EXE_urtext");

/// The most memory that urtext may take, in kilobytes. Whatever else the tests of this program start takes less.
const MEMORY: i64 = 256 * 1024;

const SCENARIO: &str = "\
scenario: one lane is flooded while the other one is waited for
game: lines
subject: referee
participants: [first, second]
steps:
  - first sends: hello
  - first gets: enough
  - first waits: 100ms
  - second gets: hello
";

/// How many bytes are sent at least, if somebody reads them. The variable `URTEXT_FLOOD_BYTES` says it; a gigabyte takes a release
/// build a few seconds.
fn bytes() -> u64 {
    let bytes = std::env::var("URTEXT_FLOOD_BYTES").ok();
    bytes.map_or(64 << 20, |bytes| {
        bytes.parse().expect("URTEXT_FLOOD_BYTES is a number")
    })
}

/// A referee for two players, the second of whom is sent this again and again until it hangs up; the first is told when it is enough.
/// Tells how much could be sent.
fn flood(door: &TcpListener, chunk: &[u8]) -> u64 {
    let [mut first, mut second] = [(); 2].map(|()| door.accept().unwrap().0);
    let mut hello = [0; 6];
    first.read_exact(&mut hello).unwrap();
    assert_eq!(&hello, b"hello\n");
    let (mut sent, mut is_enough) = (0, false);
    while second.write_all(chunk).is_ok() {
        sent += chunk.len() as u64;
        if sent >= bytes() && !is_enough {
            is_enough = first.write_all(b"enough\n").is_ok();
        }
    }
    sent
}

/// No process that has ended so far took more memory than urtext may.
#[track_caller]
pub(crate) fn assert_little_memory() {
    let memory = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap().max_rss();
    assert!(memory < MEMORY, "{memory} kilobytes");
    println!("{memory} kilobytes at most");
}

/// What is said of a flood, and how much of it was taken.
fn flooded(chunk: Vec<u8>) -> (String, u64) {
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("flood.yaml"), SCENARIO).unwrap();
    let door = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = door.local_addr().unwrap().to_string();
    let flooding = thread::spawn(move || flood(&door, &chunk));
    let run = "run flood.yaml --game lines --as referee --budget answer=5min --record recordings --connect";
    let output = Command::new(URTEXT)
        .args(run.split(' '))
        .arg(address)
        .current_dir(place.path())
        .env_remove("CI")
        .output()
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        output.status.code(),
        Some(1),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_little_memory();
    (said, flooding.join().unwrap())
}

#[test]
fn a_flood_of_lines_is_refused_before_it_fills_the_memory() {
    // Short lines take the most memory for what is sent.
    let (said, _) = flooded(b"\n".repeat(4096));
    assert!(
        said.contains("fail: the referee sent ") && said.contains("more than any game needs"),
        "{said}"
    );
}

#[test]
fn time_passes_during_a_flood_without_a_newline_and_only_its_beginning_is_kept() {
    let (said, sent) = flooded(vec![b'x'; 64 * 1024]);
    assert!(sent >= bytes(), "{sent}");
    assert!(
        said.contains("--> flood.yaml:9:5") && said.contains("a line longer than 65536 bytes"),
        "{said}"
    );
}
