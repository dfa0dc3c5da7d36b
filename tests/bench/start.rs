//! How long `urtext --version` takes, beside a program that is nothing but clap.
//!
//! `cargo bench --bench start`. The baseline is this program itself: started with `--version` it reads its arguments and prints its version.
//! The programs run in turns, round by round, pinned to no core; the median of the rounds is printed, and the median of the ratios to the
//! baseline of the same round.

mod table;

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clap::Parser;
use table::Table;

/// A program with one option.
#[derive(Parser)]
#[command(version)]
struct Minimal {
    /// A number
    #[arg(long)]
    number: Option<u32>,
}

fn main() {
    let is_short = !std::env::args().any(|argument| argument == "--bench");
    if std::env::args()
        .nth(1)
        .is_some_and(|argument| argument == "--version")
    {
        println!("{:?}", Minimal::parse().number);
    }
    let (starts, rounds) = if is_short { (1, 1) } else { (50, 3) };
    let own = std::env::current_exe().expect("the path of this program");
    let own = own.to_str().expect("a path that is text");
    let mut table = Table::new("--version".to_owned(), "starts");
    for _ in 0..rounds {
        table.row("a minimal clap program", starts, || {
            started(own, &["--version"], starts)
        });
        table.row("urtext", starts, || {
            started(env!("CARGO_BIN_EXE_urtext"), &["--version"], starts)
        });
        table.row("true", starts, || started("true", &[], starts));
    }
    table.print();
}

/// How long it takes to run a program so many times; `None` where it cannot be run.
fn started(program: &str, arguments: &[&str], times: usize) -> Option<Duration> {
    let start = Instant::now();
    for _ in 0..times {
        let status = Command::new(program)
            .args(arguments)
            .stdout(Stdio::null())
            .status()
            .ok()?;
        assert!(status.success());
    }
    Some(start.elapsed())
}
