//! A server that sends pings without end and never reads what they are answered with.

use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::thread;
use std::time::Duration;

use tokio_tungstenite::tungstenite;

use crate::flood::{URTEXT, assert_little_memory};

/// A ping with as much as a control frame may hold.
const PING: [u8; 127] = {
    let mut frame = [b'x'; 127];
    frame[0] = 0x89;
    frame[1] = 125;
    frame
};

/// The most bytes of pings: their answers would take more memory than urtext may.
const MOST: usize = 288 << 20;

/// Sends so many pings, or fewer if they are not taken any more.
fn ping(mut stream: TcpStream) {
    stream
        .set_write_timeout(Some(Duration::from_secs(5)))
        .unwrap();
    let chunk = PING.repeat(512);
    let mut sent = 0;
    while sent < MOST && stream.write_all(&chunk).is_ok() {
        sent += chunk.len();
    }
}

#[test]
fn pings_without_end_are_not_answered_in_memory() {
    let door = TcpListener::bind("127.0.0.1:0").unwrap();
    let match_of = format!("coco://{}/match1", door.local_addr().unwrap());
    let server = thread::spawn(move || {
        let opened = tungstenite::accept(door.accept().unwrap().0).unwrap();
        ping(opened.get_ref().try_clone().unwrap());
    });
    let output = Command::new(URTEXT)
        .args(["verify", &match_of])
        .output()
        .unwrap();
    server.join().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert_little_memory();
}
