//! What `urtext record` adds to a round trip, beside a plain relay.
//!
//! `cargo bench --bench record`. A client sends a line and waits for the answer, over a connection or over pipes; between the two stands
//! nothing, a bare relay (two threads that read and write, in a process of its own), `socat` where it is installed, or `urtext record`. All run in
//! turns, round by round, pinned to no core; the median of the rounds is printed, and the median of the ratios to the bare relay of the same round.
//!
//! What the recorder does beside it for each line is one write to a file. `tmpfs` or not, it is the folder for temporary files that it goes to.

mod table;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use table::Table;

const URTEXT: &str = env!("CARGO_BIN_EXE_urtext");

const SAID: &[u8] = b"0 1 1 0\n";
const ANSWERED: &[u8] = b"3\n";

/// The words that make this program a relay.
const RELAY: &str = "--as-a-relay";

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .as_slice()
    {
        [RELAY, "connect", address] => relay_connections(address),
        [RELAY, "pipes", program] => relay_pipes(program),
        _ => measure(),
    }
}

fn measure() {
    // `cargo test --benches` only asks whether it runs.
    let is_short = !std::env::args().any(|argument| argument == "--bench");
    let (round_trips, rounds) = if is_short { (100, 1) } else { (20_000, 3) };
    let folder = tempfile::tempdir().unwrap();
    let referee = answer_for_ever();
    let mut connections = Table::new("recording over connections".to_owned(), "round trips");
    let mut pipes = Table::new("recording over pipes".to_owned(), "round trips");
    for _ in 0..rounds {
        let own = std::env::current_exe().unwrap();
        connections.row("a bare relay", round_trips, || {
            let mut relay = listening(Command::new(&own).args([RELAY, "connect", &referee]));
            through(&mut relay, round_trips)
        });
        connections.row("nothing between", round_trips, || {
            Some(converse_at(&referee, round_trips))
        });
        connections.row("socat", round_trips, || socat(&referee, round_trips));
        connections.row("urtext record", round_trips, || {
            let mut command = Command::new(URTEXT);
            command
                .current_dir(&folder)
                .args(["record", "--listen", ":0", "--connect", &referee]);
            through(&mut listening(&mut command), round_trips)
        });
        pipes.row("a bare relay", round_trips, || {
            converse_with(
                Command::new(&own).args([RELAY, "pipes", "cat"]),
                &folder,
                round_trips,
            )
        });
        pipes.row("nothing between", round_trips, || {
            converse_with(&mut Command::new("cat"), &folder, round_trips)
        });
        pipes.row("socat", round_trips, || {
            has_socat().then_some(())?;
            converse_with(
                Command::new("socat").args(["STDIO", "EXEC:cat"]),
                &folder,
                round_trips,
            )
        });
        pipes.row("urtext record", round_trips, || {
            converse_with(
                Command::new(URTEXT).args(["record", "--", "cat"]),
                &folder,
                round_trips,
            )
        });
    }
    connections.print();
    pipes.print();
}

/// A referee that answers each line; where.
fn answer_for_ever() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let stream = stream.unwrap();
            stream.set_nodelay(true).unwrap();
            std::thread::spawn(move || {
                let mut line = [0; SAID.len()];
                while (&stream).read_exact(&mut line).is_ok()
                    && (&stream).write_all(ANSWERED).is_ok()
                {}
            });
        }
    });
    address
}

/// A program that says on its first line where it listens, and where that is.
fn listening(command: &mut Command) -> (Child, String) {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut ready = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut ready)
        .unwrap();
    let address = ready
        .split_whitespace()
        .find_map(|word| word.strip_prefix("players="));
    (child, address.expect("it says where it listens").to_owned())
}

fn through((relay, address): &mut (Child, String), round_trips: usize) -> Option<Duration> {
    let took = converse_at(address, round_trips);
    relay.kill().unwrap();
    relay.wait().unwrap();
    Some(took)
}

fn converse_at(address: &str, round_trips: usize) -> Duration {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_nodelay(true).unwrap();
    converse(&mut &stream, &mut &stream, ANSWERED, round_trips)
}

/// With a program that gives every line back.
fn converse_with(
    command: &mut Command,
    folder: impl AsRef<Path>,
    round_trips: usize,
) -> Option<Duration> {
    command
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn().ok()?;
    let (mut input, mut output) = (child.stdin.take()?, child.stdout.take()?);
    let took = converse(&mut input, &mut output, SAID, round_trips);
    drop(input);
    child.wait().ok()?;
    Some(took)
}

/// How long so many round trips take, once one has been made.
fn converse(
    to: &mut impl Write,
    from: &mut impl Read,
    answer: &[u8],
    round_trips: usize,
) -> Duration {
    let mut answered = vec![0; answer.len()];
    let mut round_trip = || {
        to.write_all(SAID).unwrap();
        from.read_exact(&mut answered).unwrap();
        assert_eq!(answered, answer);
    };
    round_trip();
    let began = Instant::now();
    (0..round_trips).for_each(|_| round_trip());
    began.elapsed()
}

fn has_socat() -> bool {
    Command::new("socat")
        .arg("-V")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok()
}

fn socat(referee: &str, round_trips: usize) -> Option<Duration> {
    has_socat().then_some(())?;
    // It does not say where it listens, so it is given a port that was free.
    let address = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let listen = format!(
        "TCP-LISTEN:{},bind=127.0.0.1,reuseaddr,nodelay",
        address.port()
    );
    let mut relay = Command::new("socat")
        .args([listen, format!("TCP:{referee},nodelay")])
        .spawn()
        .ok()?;
    let stream = loop {
        match TcpStream::connect(address) {
            Ok(stream) => break stream,
            Err(_) => std::thread::yield_now(),
        }
    };
    stream.set_nodelay(true).unwrap();
    let took = converse(&mut &stream, &mut &stream, ANSWERED, round_trips);
    drop(stream);
    relay.wait().ok()?;
    Some(took)
}

fn relay_connections(referee: &str) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    println!("listening players={}", listener.local_addr().unwrap());
    let (near, far) = (
        listener.accept().unwrap().0,
        TcpStream::connect(referee).unwrap(),
    );
    near.set_nodelay(true).unwrap();
    far.set_nodelay(true).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            copy(&near, &far);
            drop(far.shutdown(Shutdown::Write));
        });
        copy(&far, &near);
        drop(near.shutdown(Shutdown::Write));
    });
}

fn relay_pipes(program: &str) {
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    std::thread::spawn(move || copy(std::io::stdin().lock(), input));
    copy(output, std::io::stdout().lock());
    child.wait().unwrap();
}

fn copy(mut from: impl Read, mut to: impl Write) {
    let mut buffer = vec![0; 64 * 1024];
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        if to
            .write_all(&buffer[..count])
            .and_then(|()| to.flush())
            .is_err()
        {
            break;
        }
    }
}
